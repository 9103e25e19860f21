"""Each rule has a log where it finds exactly its fault, on the right line; logs of well-behaved servers have none."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.deltas.logs import (
    CALLED,
    CLEAN,
    FIRST_CALL,
    ROLE,
    STOP,
    USAGE,
    Chunk,
    bare,
    call,
    chunk,
    text_stream,
)
from tokcore.deltas import lint, write_sse
from tokcore.deltas.findings import RULES


@dataclass(frozen=True)
class Case:
    """A log with one fault: its rule, its line, words that must be said of it."""

    rule: str
    log: str
    line: int
    says: str = ""
    again: int = 0
    stops: tuple[str, ...] = ()


def event(number: int) -> int:
    """The line of an event that `write_sse` wrote, counted from 0."""
    return 1 + 2 * number


def case(rule: str, at: int, chunks: list[Chunk], says: str = "", again: int = 0) -> Case:
    return Case(rule, write_sse(chunks), event(at), says, again)


def stop_case(rule: str, at: int, texts: tuple[str, ...], says: str, *stops: str) -> Case:
    return Case(rule, write_sse(text_stream(*texts)), event(at), says, stops=stops)


def calls(*deltas: dict[str, Any]) -> list[Chunk]:
    return [ROLE, *map(chunk, deltas), CALLED]


def without(made: Chunk, *names: str) -> Chunk:
    return {name: value for name, value in made.items() if name not in names}


def with_choice(**choice: Any) -> Chunk:
    return {**chunk({}), "choices": [choice]}


WORD = chunk({"content": "Porto"})
WHOLE = write_sse(text_stream("Porto"))
START = {"id": "call_a", "type": "function", "name": "get_weather"}
FULL = {**START, "arguments": "{}"}
OTHER = {**FULL, "id": "call_b"}
PIECES = call(arguments='{"a": 1}')
RESPONSES_EVENT = {"type": "response.output_text.delta", "delta": "a"}

CASES = [
    # ---- the log
    Case("broken-json", WHOLE.replace('"Porto"}', '"Porto"'), event(1), "at character"),
    Case("broken-json", WHOLE.replace("data: [DONE]", "data:\n\ndata: [DONE]"), event(3), "it is empty"),
    Case("broken-json", WHOLE.replace('"created":1700000000', '"created":NaN', 1), event(0), "NaN is not JSON"),
    Case("cut-off", WHOLE[: WHOLE.index("Porto") + 2], event(1), "inside a value"),
    Case("cut-off", WHOLE[:-4], event(3), "inside [DONE]"),
    Case("cut-off", WHOLE[: WHOLE.rindex("data") + 3], event(3), '"dat"'),
    Case("cut-off", WHOLE.rstrip()[:-1] + "\n", event(3)),
    Case("joined-events", WHOLE.replace("\n\ndata: [DONE]", "\ndata: [DONE]"), 6),
    Case("joined-events", WHOLE.replace("\n\n", "\n").replace("\ndata", "\n\ndata", 1), 4, again=1),
    Case("stray-line", WHOLE.replace("\n\n", "\n\n<html>502</html>\n\n", 1), 3, "<html>502"),
    Case("not-a-chunk", write_sse([*text_stream("Porto"), RESPONSES_EVENT]), event(3), "Responses API"),
    Case("not-a-chunk", write_sse([{"type": "message_start"}] * 3), 1, "Anthropic", again=2),
    Case("not-a-chunk", '{"model":"m","message":{"content":"a"},"done":false}\n', 1, "Ollama"),
    Case("not-a-chunk", '{"object":"chat.completion","choices":[{"message":{}}]}', 1, "whole answer"),
    Case("not-a-chunk", write_sse([{"object": "text_completion", "choices": [{"text": "a"}]}]), 1, "/v1/completions"),
    Case("not-a-chunk", write_sse([*text_stream("Porto"), [1]]), event(3), "a list"),  # type: ignore[list-item]
    case("error-object", 2, [ROLE, WORD, {"error": {"message": "out of memory", "code": 500}}], "out of memory"),
    case("error-object", 2, [ROLE, WORD, {"error": "overloaded"}], "overloaded"),
    case("error-object", 1, [ROLE, {"object": "error", "message": "too long", "code": 400}], "too long"),
    Case(
        "error-object", WHOLE.replace("data: [DONE]", 'error: {"message":"gone"}'), event(3), "in a field named error"
    ),
    Case("error-object", WHOLE.replace("data: [DONE]", 'event: error\ndata: {"message":"gone"}'), event(3) + 1, "gone"),
    Case("done-missing", write_sse(text_stream("Porto"), done=False), event(2)),
    Case("done-missing", write_sse(text_stream("a"), done=False) + WHOLE.replace("l-7", "l-8"), event(2)),
    Case("after-done", WHOLE + WHOLE[: WHOLE.index("\n\n") + 2].replace("assistant", ""), event(4), "line 7"),
    Case("after-done", WHOLE + "data: [DONE]\n\n", event(4), "second"),
    Case("after-done", WHOLE + write_sse([bare(usage=USAGE)], done=False), event(4)),
    # ---- the chunk
    case("object-wrong", 1, [ROLE, without(WORD, "object"), STOP], "missing"),
    case("object-wrong", 0, [{**made, "object": "chunk"} for made in (ROLE, WORD, STOP)], '"chunk"', 2),
    case("object-wrong", 1, [ROLE, {**WORD, "object": ""}, STOP], '""'),
    case("choices-missing", 1, [ROLE, without(WORD, "choices"), WORD, STOP], "missing"),
    case("choices-missing", 1, [ROLE, {**WORD, "choices": {}}, WORD, STOP], "an object"),
    case("choice-index", 1, [ROLE, with_choice(delta={"content": "Porto"}), STOP], "missing"),
    case("choice-index", 1, [ROLE, with_choice(index="0", delta={"content": "Porto"}), STOP], '"0"'),
    case("choice-index", 1, [ROLE, {**WORD, "choices": ["Porto"]}, STOP], "a string"),
    case("delta-missing", 2, [ROLE, WORD, with_choice(index=0, finish_reason="stop")], "missing"),
    case("delta-missing", 2, [ROLE, WORD, with_choice(index=0, message={}, finish_reason="stop")], "message"),
    case("id-changes", 1, [ROLE, {**WORD, "id": "x1"}, {**STOP, "id": "x2"}], '"x1"', 1),
    case("model-changes", 1, [ROLE, {**WORD, "model": "n"}, STOP], '"n"'),
    case("created-changes", 1, [ROLE, {**WORD, "created": 1700000001}, STOP], "1700000001"),
    case("empty-chunk", 1, [ROLE, chunk({}), WORD, chunk({"content": ""}), STOP], again=1),
    case("empty-chunk", 1, [ROLE, bare(), WORD, STOP], "[]"),
    # ---- the choice
    case("role-missing", 0, [WORD, STOP], "nor has a later one"),
    case("role-missing", 0, [WORD, chunk({"role": "assistant", "content": "."}), STOP], "line 3"),
    case("role-repeated", 1, [ROLE, chunk({"role": "assistant", "content": "a"}), STOP], "line 1"),
    case("role-repeated", 1, [chunk({"role": "assistant", "content": "a"})] * 4 + [STOP], again=2),
    case("text-type", 1, [ROLE, chunk({"content": [{"type": "text", "text": "a"}]}), STOP], "a list"),
    case("text-type", 1, [ROLE, chunk({"reasoning_content": 5}), STOP], "reasoning_content is a number"),
    case("content-null", 2, [ROLE, WORD, chunk({"content": None}), WORD, STOP]),
    case("finish-missing", 1, [ROLE, WORD], "choice 0"),
    case(
        "finish-missing", 3, [ROLE, chunk({"role": "assistant"}, index=1), WORD, chunk({"content": "a"}, index=1), STOP]
    ),
    case("finish-twice", 3, [ROLE, WORD, STOP, chunk({}, "length")], '"stop" in line 5'),
    case("after-finish", 3, [ROLE, WORD, STOP, WORD], "line 5"),
    case("after-finish", 4, [ROLE, FIRST_CALL, chunk(PIECES), CALLED, WORD], "line 7"),
    case("finish-without-calls", 2, [ROLE, WORD, CALLED]),
    case("calls-without-finish", 2, [ROLE, chunk(call(**FULL)), STOP], "1 call"),
    # ---- text
    case("reasoning-with-content", 1, [ROLE, chunk({"reasoning_content": "a", "content": "b"}), STOP]),
    case("reasoning-with-content", 1, [ROLE, chunk({"reasoning": "a", "content": "b"}), STOP]),
    case("reasoning-after-content", 2, [ROLE, WORD, chunk({"reasoning_content": "Hm."}), STOP], "Hm."),
    case("markup-whole", 1, text_stream("<think>Hm.", " Yes."), "<think>"),
    case("markup-whole", 2, text_stream("Yes.", "</think>"), "</think>"),
    case("markup-whole", 1, text_stream("Yes.<|im_end|>"), "<|im_end|>"),
    case("markup-whole", 2, text_stream("Yes", ".</s>"), "</s>"),
    case("markup-whole", 1, text_stream('[TOOL_CALLS][{"name": "f"}]'), "[TOOL_CALLS]"),
    case("markup-whole", 1, text_stream("<function=get_weather>"), "<function=get_weather>"),
    case("markup-whole", 1, text_stream("<｜tool▁calls▁begin｜>"), "<｜tool▁calls▁begin｜>"),
    case("markup-whole", 1, [ROLE, chunk({"reasoning_content": "<tool_call>"}), STOP], "in the reasoning"),
    case("markup-split", 2, text_stream("Ok. ", "a <tool", "_call", "> b"), "<tool_call>"),
    case("markup-half", 2, text_stream("Ok.", " </think"), '"</think"'),
    case("markup-half", 1, text_stream("Ok.\n<|im_e", "nd|"), '"<|im_end|"'),
    case("markup-half", 1, [ROLE, chunk({"content": "Hm.<tool_"}), chunk(call(**FULL)), CALLED], '"<tool_"'),
    case("markup-half", 1, [ROLE, chunk({"reasoning_content": "Hm.</thi"}), WORD, STOP], "in the reasoning"),
    stop_case("stop-in-content", 2, ("One", "\nEND"), "END", "END"),
    stop_case("stop-in-content", 2, ("One", " E", "ND"), "END", "END", "never"),
    stop_case("text-after-stop", 1, ("One E", "ND", " Two"), "cut over several deltas; 4 characters", "END"),
    stop_case("text-after-stop", 2, ("One", "\nEND."), "1 character follows", "ND", "END"),
    case("replacement-character", 2, text_stream("caf", "\ufffd", "\ufffd", " au lait"), "2 times"),
    case("replacement-character", 1, text_stream("go \ufffd\ufffd\ufffd", " up"), '"go "'),
    case("lone-surrogate", 1, text_stream("go \ud83d", "\ude80 up"), "U+D83D alone in the content, its other half"),
    case("lone-surrogate", 2, calls(call(**START), call(arguments='{"a": "\ud83d"}')), "arguments of call 0"),
    # ---- calls
    case("call-shape", 2, [ROLE, WORD, chunk({"tool_calls": {"index": 0}}), STOP], "an object"),
    case("call-shape", 2, [ROLE, WORD, chunk({"tool_calls": ["f"]}), STOP], "a string"),
    case("call-shape", 2, calls(call(**FULL), {"tool_calls": [{"index": 0}]}), "missing"),
    case("call-index-missing", 1, calls(call(None, **START), call(None, arguments="{}")), "missing", 1),
    case("call-index-missing", 1, calls(call("0", **FULL)), '"0"'),  # type: ignore[arg-type]
    case("call-index-jump", 1, calls(call(1, **FULL)), "0 is next"),
    case("call-index-jump", 2, calls(call(0, **FULL), call(2, **OTHER)), "index 2, where 1"),
    case("call-index-repeated", 2, calls(call(0, **FULL), call(0, **OTHER)), "call_b"),
    case("call-id-changes", 2, calls(call(**START), call(id="call_z", arguments="{}")), "call_z"),
    case("call-id-repeated", 2, calls(call(**START), call(id="call_a", arguments="{}")), "call_a"),
    case("call-id-missing", 1, calls(call(name="f", arguments="{}")), "missing"),
    case("call-id-missing", 1, calls(call(id="", name="f", arguments="{}")), '""'),
    case("call-id-missing", 1, calls(call(name="f"), call(id="call_a", arguments="{}")), "call 0"),
    case("call-name-missing", 1, calls(call(id="call_a", arguments="{}")), "no name"),
    case("call-name-late", 2, calls(call(id="call_a", arguments="{"), call(name="f", arguments="}")), '"f"'),
    case("call-name-repeated", 2, calls(call(**START), call(name="get_weather", arguments="{}")), "comes again"),
    case("arguments-null", 1, calls(call(**START, arguments=None), call(arguments="{}"))),
    case("arguments-type", 1, calls(call(**START, arguments={"a": 1})), "an object"),
    case("arguments-not-json", 3, calls(call(**START), call(arguments='{"a":'), call(arguments=" x}")), "character 6"),
    case("arguments-not-json", 2, calls(call(**START), call(arguments='{"a": 1')), "it ends at character 7"),
    case("arguments-not-json", 1, calls(call(**START, arguments="")), "it is empty"),
    case("arguments-not-json", 2, calls(call(**FULL), call(arguments="{}")), "more follows"),
    case("arguments-not-object", 1, calls(call(**START, arguments='"{}"')), "{}"),
    # ---- usage
    case("usage-sum", 3, [*text_stream("a"), bare(usage={**USAGE, "total_tokens": 26})], "20 + 5 is 25, not 26"),
    case("usage-shape", 3, [*text_stream("a"), bare(usage={**USAGE, "total_tokens": None})], "total_tokens is missing"),
    case("usage-shape", 3, [*text_stream("a"), bare(usage=[1])], "a list"),
    case("usage-shape", 3, [*text_stream("a"), bare(usage={})], "prompt_tokens is missing"),
    case("usage-missing", 3, [*text_stream("a"), bare(usage=None)], "missing or null"),
    case("usage-early", 1, [ROLE, {**WORD, "usage": USAGE}, STOP], "line 5"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_a_fault_is_found_once_on_its_line_and_nothing_else(case: Case) -> None:
    findings = lint(case.log, case.stops).findings
    assert [(finding.rule, finding.line, finding.again) for finding in findings] == [(case.rule, case.line, case.again)]
    assert case.says in findings[0].what


def test_every_rule_has_its_log() -> None:
    assert {case.rule for case in CASES} == set(RULES)


@pytest.mark.parametrize("log", CLEAN.values(), ids=CLEAN)
def test_a_well_behaved_server_gives_no_finding(log: Callable[[], str]) -> None:
    report = lint(log(), stops=["###", "never"])
    assert [(finding.line, finding.rule, finding.what) for finding in report.findings] == []
    assert report.answers


@pytest.mark.parametrize("log", CLEAN.values(), ids=CLEAN)
def test_line_ends_and_bytes_make_no_difference(log: Callable[[], str]) -> None:
    text = log()
    assert lint(text.replace("\n", "\r\n").encode()) == lint(text)


def test_a_role_in_every_chunk_is_one_finding_and_all_else_of_the_server_is_fine() -> None:
    chunks = [chunk({"role": "assistant", "content": text}) for text in ("Porto", " is", " sunny.", "")]
    report = lint(
        write_sse([*chunks[:3], {**chunks[3], "choices": [{**chunks[3]["choices"][0], "finish_reason": "stop"}]}])
    )
    assert [(finding.rule, finding.line, finding.again) for finding in report.findings] == [("role-repeated", 3, 2)]
    assert report.answers[0].completion["choices"][0]["message"]["role"] == "assistant" * 4


def test_answers_are_told_apart() -> None:
    report = lint(CLEAN["two_answers"]())
    messages = [answer.completion["choices"][0]["message"]["content"] for answer in report.answers]
    assert messages == ["Porto.", "Lisboa."]
    assert [(answer.first, answer.last, answer.chunks, answer.done) for answer in report.answers] == [
        (1, 7, 3, True),
        (9, 15, 3, True),
    ]


def test_an_unstable_id_does_not_make_answers() -> None:
    chunks = [{**chunk({"role": "assistant", "content": "a"}), "id": f"x{number}"} for number in range(20)]
    report = lint(write_sse([*chunks, {**STOP, "id": "y"}]))
    assert len(report.answers) == 1
    assert {finding.rule for finding in report.findings} == {"id-changes", "role-repeated"}


def test_a_fault_of_one_answer_is_not_merged_with_that_of_the_next() -> None:
    twice = write_sse([WORD, STOP])
    report = lint(twice + twice.replace("chatcmpl-7", "chatcmpl-8"))
    assert [(finding.rule, finding.line) for finding in report.findings] == [("role-missing", 1), ("role-missing", 7)]


def test_the_rest_is_shown_around_what_is_broken() -> None:
    log = write_sse(text_stream("Por", "to", " is", " sunny")).replace('"to"}', '"to"')
    report = lint(log + "data: {")
    assert report.answers[0].completion["choices"][0]["message"]["content"] == "Por is sunny"
    assert [finding.rule for finding in report.findings] == ["broken-json", "cut-off"]


def test_what_is_after_done_is_not_in_the_message() -> None:
    report = lint(WHOLE + write_sse([chunk({"content": " more"})], done=False))
    assert report.answers[0].completion["choices"][0]["message"]["content"] == "Porto"


def test_findings_of_many_rules_stand_in_the_order_of_their_lines() -> None:
    report = lint(write_sse([WORD, *calls(call(3, arguments="{"), call(3, name="f", arguments="x"))], done=False))
    lines = [finding.line for finding in report.findings]
    assert lines == sorted(lines) and len(lines) > 4


NAMES = (
    *("id", "object", "created", "model", "choices", "index", "delta", "role", "content", "reasoning_content"),
    *("tool_calls", "function", "name", "arguments", "type", "finish_reason", "usage", "prompt_tokens"),
    *("completion_tokens", "total_tokens", "error", "message"),
)
FRAGMENT = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=4) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(FRAGMENT, max_size=5), st.lists(st.text(max_size=2), max_size=2))
def test_no_value_raises(values: list[Any], stops: list[str]) -> None:
    log = "".join(f"data: {json.dumps(value)}\n\n" for value in values)
    report = lint(log, stops)
    assert all(1 <= finding.line <= len(report.lines) for finding in report.findings)


CHUNKS = st.builds(
    lambda index, delta, reason, more: (
        {**chunk({}), "choices": [{"index": index, "delta": delta, "finish_reason": reason}]} | more
    ),
    st.sampled_from([0, 1, None]),
    st.dictionaries(st.sampled_from(["role", "content", "reasoning", "tool_calls"]), FRAGMENT, max_size=3),
    st.sampled_from([None, "stop", 5, "tool_calls"]),
    st.dictionaries(st.sampled_from(["id", "usage", "object", "error"]), FRAGMENT, max_size=1),
)


@given(st.lists(CHUNKS, max_size=6))
def test_no_chunk_of_odd_parts_raises(chunks: list[Chunk]) -> None:
    report = lint("\n\n".join("data: " + json.dumps(made) for made in chunks))
    assert all(1 <= finding.line <= len(report.lines) for finding in report.findings)


@given(st.text())
def test_no_text_raises(text: str) -> None:
    lint(text)


@given(st.sampled_from(sorted(CLEAN)), st.data())
def test_a_log_cut_anywhere_is_shown_as_far_as_it_goes(name: str, data: st.DataObject) -> None:
    log = CLEAN[name]()
    end = data.draw(st.integers(0, len(log)))
    report = lint(log[:end])
    whole = lint(log)
    assert len(report.answers) <= len(whole.answers)
    allowed = {"cut-off", "finish-missing", "done-missing", "usage-early", "usage-missing"}
    assert {finding.rule for finding in report.findings} <= allowed


def deltas(text: str) -> list[Chunk]:
    return [chunk({"content": text}) for _ in range(20_000)]


@pytest.mark.parametrize(
    "log",
    [
        write_sse([ROLE, *deltas("<tool_"), STOP]),
        write_sse([ROLE, *deltas("`<think>"), STOP]),
        write_sse([ROLE, *deltas("\ufffd"), STOP]),
        write_sse([ROLE, *(chunk(call(index, **FULL)) for index in range(20_000)), CALLED]),
        write_sse([ROLE, FIRST_CALL, *(chunk(call(arguments="[")) for _ in range(20_000)), CALLED]),
        write_sse([ROLE, chunk({"content": "<|" * 1_000_000}), STOP]),
        write_sse([ROLE, *(made for _ in range(10_000) for made in (WORD, chunk({"reasoning": "a<tool_"}))), STOP]),
    ],
    ids=["half tags", "tags and quotes", "replacement", "calls", "arguments", "one line", "in turn"],
)
def test_a_long_log_takes_seconds(log: str) -> None:
    start = time.perf_counter()
    lint(log, stops=["never", "<tool_<tool_!"])
    assert time.perf_counter() - start < 10
