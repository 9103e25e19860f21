"""The cost of a delta does not grow with what came before it."""

import sys
from itertools import chain, repeat

import pytest

from tests.core.parsing.streams import DEFINITIONS
from tokcore.parsing import OutputParser

CALL = '<tool_call>{"name": "f", "arguments": '
XML = "<tool_call><function=f><parameter="
# What an output begins with, and what it goes on with, one piece a delta.
KINDS = {
    "content": ("hermes", "", " word"),
    "reasoning": ("hermes", "<think>", " word"),
    "newlines in reasoning": ("hermes", "<think>a", "\n"),
    "white space": ("hermes", "", " \n"),
    "angle brackets": ("hermes", "", "<"),
    "halves of tags": ("hermes", "", "<tool_cal"),
    "a long argument": ("hermes", CALL + '{"s": "', " word"),
    "escapes": ("hermes", CALL + '{"s": "', "\\u00e9"),
    "a list": ("hermes", CALL + '{"s": [', "1, "),
    "an object in a string": ("hermes", CALL + '"{\\"s\\": \\"', "a\\\\n"),
    "arguments before the name": ("hermes", '<tool_call>{"arguments": {"s": "', " word"),
    "an unknown key": ("hermes", '<tool_call>{"' + "k" * 100, "k"),
    "a long name": ("hermes", '<tool_call>{"name": "', "n"),
    "broken calls": ("hermes", "", CALL + '{"a": 1,}}'),
    "calls that break at once": ("hermes", "", "<tool_call>x"),
    "calls": ("hermes", "", CALL + "{}}</tool_call>\n"),
    "brackets that break": ("mistral", "", '[TOOL_CALLS]f{"a": ['),
    "headers that break": ("gpt_oss", "", "<|channel|>x"),
    "a typed value": ("qwen3_coder", XML + "o>", '{"a": '),
    "ends that are none": ("qwen3_coder", XML + "s>", "</parameter></function> \n"),
    "white space behind a value": ("qwen3_coder", XML + "s></parameter>", "\n "),
    "python strings": ("pythonic", "[f(s='", "\\n'\""[:2]),
    "python lists": ("pythonic", "[f(s=[", "1, "),
}


def lines_run(name, start, piece, count):
    """How many lines of tokcore run for `count` deltas: a count of operations that no other process disturbs."""
    parser = OutputParser(reasoning=True, tools=name, definitions=DEFINITIONS)
    lines = 0

    def local(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return local

    pieces = chain([start], repeat(piece, count))
    sys.settrace(lambda frame, event, argument: local if "/tokcore/parsing/" in frame.f_code.co_filename else None)
    try:
        for delta in pieces:
            parser.events(delta)
            assert isinstance(parser.held, str)
    finally:
        sys.settrace(None)
    return lines


@pytest.mark.parametrize(("name", "start", "piece"), KINDS.values(), ids=KINDS)
def test_twice_the_deltas_take_twice_the_work(name, start, piece):
    once, twice = lines_run(name, start, piece, 300), lines_run(name, start, piece, 600)
    assert twice < 2.1 * once


@pytest.mark.parametrize("kind", ["content", "reasoning", "a long argument", "angle brackets", "white space"])
def test_100_000_deltas_are_parsed_and_ten_megabytes_at_once(kind):
    name, start, piece = KINDS[kind]
    parser = OutputParser(tools=name)
    parser.feed(start)
    told = sum(len(event.text) for _ in range(100_000) for event in parser.events(piece))
    assert told + len(parser.held) >= 100_000 * len(piece) - len(start)
    whole = OutputParser(tools=name)
    text = start + piece * (10_000_000 // len(piece))
    assert sum(event.span.end - event.span.start for event in whole.events(text, final=True)) == len(text)
