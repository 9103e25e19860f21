"""Public bug reports about reasoning and tool-call streams, as small outputs with a right answer, at every cut."""

import json

import pytest

from tests.core.parsing.streams import (
    assert_all_accounted_for,
    assert_same_at_every_cut,
    joined,
    stream,
)
from tokcore.parsing import Kind, OutputParser, parse_tool_calls, starts_in_reasoning


def answer(text, **settings):
    """What the client has at the end, the same at every cut; calls as (name, arguments' text)."""
    told = assert_same_at_every_cut(text, **settings)
    assert_all_accounted_for(text, told.events)
    message = told.message
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
    assert [call["id"] for call in message["tool_calls"]] == [f"call_{index}" for index in range(len(calls))]
    return message["reasoning_content"], message["content"], calls


def call(name, arguments):
    return f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'


def test_e01_a_close_tag_split_across_deltas_ends_reasoning():
    told = stream(["weigh<", "/thi", "nk>yes"], starts_in_reasoning=True)
    assert told.deltas == [{"reasoning_content": "weigh"}, {"content": "yes"}]
    assert answer("weigh</think>yes", starts_in_reasoning=True) == ("weigh", "yes", [])


def test_e02_a_false_beginning_of_a_tag_is_text():
    assert joined(stream(["<", "my-tag", ">"]).deltas)["content"] == "<my-tag>"
    assert answer("<my-tag>") == ("", "<my-tag>", [])
    assert answer("a<b", starts_in_reasoning=True) == ("a<b", "", [])


def test_e05_the_open_tag_may_stand_in_the_prompt():
    assert answer("r\n</think>\n\nHi", starts_in_reasoning=True) == ("r", "Hi", [])
    assert answer("r…", starts_in_reasoning=True) == ("r…", "", [])
    assert "content" not in {key for delta in stream(["r…"], starts_in_reasoning=True).deltas for key in delta}


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("<|im_start|>assistant\n<think>\n", True),
        ("<｜Assistant｜><think>", True),
        ("<|im_start|>assistant\n<think>\n\n</think>\n\n", False),
        ("<|im_start|>user\nwhat is <think>?<|im_end|>\n<|im_start|>assistant\n", False),
        ("", False),
    ],
)
def test_e05_the_start_comes_from_the_prompts_end(prompt, expected):
    assert starts_in_reasoning(prompt) is expected
    assert starts_in_reasoning(prompt, None) is False


def test_e07_a_call_inside_reasoning_is_a_draft():
    text = f"<think>maybe {call('f', '{}')}</think>" + call("f", '{"x":1}')
    assert answer(text) == (f"maybe {call('f', '{}')}", "", [("f", '{"x":1}')])
    content, calls = parse_tool_calls(text)
    assert calls == [{"name": "f", "arguments": {"x": 1}}]
    assert content == f"<think>maybe {call('f', '{}')}</think>"


def test_e07_reasoning_that_never_closes_keeps_its_draft():
    text = f"<think>maybe {call('f', '{}')}"
    assert answer(text) == (text.removeprefix("<think>"), "", [])


def test_e08_a_close_tag_inside_a_string_does_not_end_the_call():
    text = call("sh", '{"c":"echo </tool_call> x"}')
    assert answer(text) == ("", "", [("sh", '{"c":"echo </tool_call> x"}')])
    assert parse_tool_calls(text)[1] == [{"name": "sh", "arguments": {"c": "echo </tool_call> x"}}]


@pytest.mark.parametrize(
    "inner",
    [
        '{"name":"now","arguments":{}}',
        '{"name":"now"}',
        '{"name":"now","arguments":null}',
        '{"name":"now","arguments":""}',
    ],
)
def test_e10_empty_arguments_are_an_empty_object(inner):
    second = call("later", '{"x": 1}')
    text = f"<tool_call>{inner}</tool_call>{second}"
    assert answer(text) == ("", "", [("now", "{}"), ("later", '{"x": 1}')])


def test_e12_arguments_before_the_name_wait_for_it():
    text = '<tool_call>{"arguments": {"n": 2}, "name": "sum"}</tool_call>'
    assert answer(text) == ("", "", [("sum", '{"n": 2}')])
    assert [delta["tool_calls"][0]["function"] for delta in stream(list(text)).deltas] == [
        {"name": "sum", "arguments": ""},
        {"arguments": '{"n": 2}'},
    ]


def test_e13_several_calls_in_one_delta_and_markers_side_by_side():
    first, second = call("a", '{"x": 1}'), call("b", '{"y": 2}')
    expected = ("", "", [("a", '{"x": 1}'), ("b", '{"y": 2}')])
    assert answer(first + second) == expected
    cut = len(first) - len("</tool_call>")
    pieces = [first[:cut], "</tool_call><tool_call>", second.removeprefix("<tool_call>")]
    assert joined(stream(pieces).deltas) == joined(stream([first + second]).deltas)


def test_e15_escapes_may_be_cut_anywhere():
    arguments = r'{"s":"\ud83d\ude00"}'
    _, _, ((_, text),) = answer(call("f", arguments))
    assert text == arguments and json.loads(text) == {"s": "😀"}


def test_e15_an_encoder_waits_for_the_low_half():
    inside = json.dumps(r'{"s":"😀"}')
    assert "\\ud83d\\ude00" in inside
    text = call("f", inside)
    assert answer(text) == ("", "", [("f", '{"s":"😀"}')])
    parser = OutputParser()
    parser.events(text[: text.index("\\ude00") + 3])
    assert parser.held == "\\ud83d\\ud" and parser.reason == "an escape is not complete"


def test_e17_an_argument_called_name_starts_no_call():
    assert answer(call("greet", '{"name":"Bo"}')) == ("", "", [("greet", '{"name":"Bo"}')])


def test_e19_a_cut_by_max_tokens_loses_nothing_and_shows_no_markup():
    text = "Ok.\n" + call("a", '{"x":1}') + '<tool_call>{"name":"b","arguments":{"y":"Sa'
    assert answer(text) == ("", "Ok.\n", [("a", '{"x":1}'), ("b", '{"y":"Sa')])
    ends = [event.note for event in stream([text]).events if event.kind is Kind.CALL_END]
    assert ends == ["", "cut off"]
    content, calls = parse_tool_calls(text)
    assert calls == [{"name": "a", "arguments": {"x": 1}}]
    assert content == 'Ok.\n<tool_call>{"name":"b","arguments":{"y":"Sa'


def test_e20_white_space_alone_next_to_calls_is_dropped():
    a, b = call("a", "{}"), call("b", "{}")
    assert answer(f"<think>r</think>\n\n{a}\n{b}\n") == ("r", "", [("a", "{}"), ("b", "{}")])
    assert answer(f" \n{a}") == ("", "", [("a", "{}")])
    assert answer(f"So:\n\n{a}\n\nDone.\n") == ("", "So:\n\n\n\nDone.\n", [("a", "{}")])


def test_e20_white_space_alone_without_calls_is_content():
    assert answer(" \n") == ("", " \n", [])


def test_e23_prose_that_mentions_the_tag_is_content():
    text = "Use <tool_call> to call."
    assert answer(text, tools=None) == ("", text, [])
    assert answer(text) == ("", text, [])
    assert parse_tool_calls(text) == (text, [])


def test_e23_prose_comes_back_at_the_first_character_that_cannot_begin_a_call():
    parser = OutputParser()
    assert parser.feed("Use <tool_call> ") == [{"content": "Use "}]
    assert parser.held == "<tool_call> "
    assert parser.feed("t") == [{"content": "<tool_call> t"}]


def test_e23_prose_may_end_with_the_tag():
    assert answer("It is called <tool_call>") == ("", "It is called <tool_call>", [])


def xml(*parameters, behind=""):
    inside = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in parameters)
    return f"<tool_call>\n<function=f>\n{inside}</function>\n</tool_call>{behind}"


def xml_answer(text, **properties):
    definitions = [{"type": "function", "function": {"name": "f", "parameters": {"properties": properties}}}]
    _, content, ((name, arguments),) = answer(text, tools="qwen3_coder", definitions=definitions)
    assert name == "f"
    return content, json.loads(arguments)


@pytest.mark.parametrize(
    ("schema", "written", "expected"),
    [
        ({"type": "string"}, "03106", "03106"),
        ({"type": "integer"}, "2026-01-15", "2026-01-15"),
        ({"type": ["boolean", "null"]}, "false", False),
        ({"type": ["boolean", "null"]}, "null", None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "5", "5"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "null", None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "nullable", "nullable"),
        ({"type": "string"}, "null", "null"),
        ({"type": "integer"}, "-12", -12),
        ({"type": "integer"}, "007", "007"),
        ({"type": "number"}, "1.5e3", 1500.0),
        ({"type": "object"}, '{"a": ["</parameter>"]}', {"a": ["</parameter>"]}),
        ({"type": "object"}, "{'a': True}", {"a": True}),
        ({"type": "array"}, "[1, 2", "[1, 2"),
        ({}, "5", "5"),
        ({"type": "string"}, "a </parameter> b </function> c", "a </parameter> b </function> c"),
        ({"type": "string"}, "a\n</parameter>\n</function>\nb", "a\n</parameter>\n</function>\nb"),
        ({"type": "string"}, '"quoted" \\n\n\ttab', '"quoted" \\n\n\ttab'),
        ({"type": "string"}, "", ""),
    ],
)
def test_e25_values_are_typed_by_the_schema(schema, written, expected):
    assert xml_answer(xml(("v", written)), v=schema) == ("", {"v": expected})


def test_e25_text_after_the_last_call_is_delivered():
    assert xml_answer(xml(("v", "1"), behind="\nDone."), v={"type": "integer"}) == ("\nDone.", {"v": 1})
