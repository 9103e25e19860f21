"""Putting chunks together, compared with the accumulation of OpenAI's own Python client."""

from __future__ import annotations

import copy
import json
import time
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from tokcore.deltas import assemble, chunks_of, join_deltas


def clients(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the official client has after these chunks."""
    state: Any = ChatCompletionStreamState()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for chunk in copy.deepcopy(chunks):
            state.handle_chunk(ChatCompletionChunk.construct(**chunk))
        whole: dict[str, Any] = json.loads(state.current_completion_snapshot.to_json(exclude_unset=True, indent=None))
    return without_clients_own(whole)


def without_clients_own(whole: dict[str, Any]) -> dict[str, Any]:
    """The client sets `parsed` fields and nulls of its own."""
    for choice in whole["choices"]:
        message = {name: value for name, value in choice["message"].items() if name != "parsed" and value is not None}
        for call in message.get("tool_calls", ()):
            function = {name: value for name, value in call["function"].items() if value is not None}
            call["function"] = {name: value for name, value in function.items() if name != "parsed_arguments"}
        choice["message"] = message
    return {name: value for name, value in whole.items() if value is not None}


def chunk(delta: dict[str, Any], index: int = 0, reason: str | None = None, **more: Any) -> dict[str, Any]:
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 5, "model": "m"}
    return {**frame, "choices": [{"index": index, "delta": delta, "finish_reason": reason}], **more}


def call(index: int, arguments: str | None = None, name: str | None = None, id: str | None = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    first = {} if id is None else {"id": id, "type": "function"}
    return {"tool_calls": [{"index": index, **first, "function": function}]}


USAGE = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
STREAMS: dict[str, list[dict[str, Any]]] = {
    "text": [
        chunk({"role": "assistant", "content": "", "refusal": None}),
        chunk({"content": "Hel"}),
        chunk({"content": "lo"}),
        chunk({}, reason="stop"),
    ],
    "usage at the end": [chunk({"role": "assistant", "content": "a"}), {**chunk({}), "choices": [], "usage": USAGE}],
    "usage before the end": [chunk({"content": "a"}, usage=USAGE), chunk({}, reason="stop")],
    "usage in every chunk": [chunk({"content": "a"}, usage=USAGE), chunk({"content": "b"}, usage=USAGE)],
    "refusal": [chunk({"role": "assistant", "refusal": "I ca"}), chunk({"refusal": "nnot"}, reason="stop")],
    "reasoning": [
        chunk({"role": "assistant", "content": None, "reasoning_content": "Two "}),
        chunk({"content": None, "reasoning_content": "and two"}),
        chunk({"content": "4", "reasoning_content": None}),
        chunk({"content": "", "reasoning_content": None}, reason="stop", usage=USAGE),
    ],
    "reasoning under its other name": [chunk({"reasoning": "a"}), chunk({"reasoning": "b"})],
    "two calls": [
        chunk({"role": "assistant", "content": None}),
        chunk(call(0, "", "get_weather", "call_a")),
        chunk(call(0, '{"city": ')),
        chunk(call(0, '"Porto"}')),
        chunk(call(1, "", "get_time", "call_b")),
        chunk(call(1, "{}")),
        chunk({}, reason="tool_calls"),
    ],
    "a call in one delta": [chunk({"role": "assistant", "content": "Ok.", **call(0, "{}", "f", "c")}, reason="stop")],
    "two calls in one delta": [
        chunk({"tool_calls": [*call(0, "{}", "f", "c")["tool_calls"], *call(1, "[]", "g", "d")["tool_calls"]]})
    ],
    "pieces of one call in one delta": [
        chunk({"role": "assistant"}),
        chunk({"tool_calls": [*call(0, "{", "f", "c")["tool_calls"], *call(0, "}")["tool_calls"]]}),
    ],
    "a name sent twice": [chunk(call(0, "{", "f", "c")), chunk(call(0, "}", "f", "c"))],
    "a role sent twice": [chunk({"role": "assistant", "content": "a"}), chunk({"role": "assistant", "content": "b"})],
    "two choices": [
        chunk({"role": "assistant", "content": "a"}),
        chunk({"role": "assistant", "content": "x"}, index=1),
        chunk({"content": "b"}, reason="stop"),
        chunk({"content": "y"}, index=1, reason="length"),
    ],
    "two reasons": [chunk({"content": "a"}, reason="stop"), chunk({}, reason="length")],
    "fingerprint and tier": [
        chunk({"content": "a"}, system_fingerprint="fp_1", service_tier="default", obfuscation="xx"),
        chunk({"content": "b"}, system_fingerprint="fp_2", service_tier="default", obfuscation="yy"),
    ],
    "logprobs": [
        {**chunk({}), "choices": [{"index": 0, "delta": {"content": c}, "logprobs": {"content": [{"token": c}]}}]}
        for c in "abc"
    ],
    "a field of the server's own": [
        {**chunk({}), "choices": [{"index": 0, "delta": {"x": {"n": 1, "s": "a"}}, "stop_reason": None}]},
        {**chunk({}), "choices": [{"index": 0, "delta": {"x": {"n": 2, "s": "b"}}, "stop_reason": 7}]},
    ],
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_gives_what_the_official_client_has(name: str) -> None:
    assert without_clients_own(assemble(STREAMS[name])) == clients(STREAMS[name])


TEXTS = st.one_of(st.none(), st.text("aé🚀\n", max_size=3))
DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["assistant", None]),
        "content": TEXTS,
        "refusal": TEXTS,
        "reasoning_content": TEXTS,
        "reasoning": TEXTS,
    },
)


@st.composite
def streams(draw: st.DrawFn) -> list[dict[str, Any]]:
    chunks: list[dict[str, Any]] = []
    calls = 0
    for delta in draw(st.lists(DELTAS, min_size=1, max_size=8)):
        if draw(st.booleans()):
            index = draw(st.integers(0, calls))
            new = index == calls
            calls += new
            arguments = draw(st.sampled_from(["", "{", '"a"', None]))
            delta = {**delta, **call(index, arguments, "f" if new else None, f"c{index}" if new else None)}
        chunks.append(chunk(delta, reason=draw(st.sampled_from([None, None, "stop"]))))
    return chunks


@given(streams())
@settings(deadline=None)
def test_any_stream_the_client_takes_gives_what_the_client_has(chunks: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(chunks)
    assert without_clients_own(assemble(chunks)) == clients(chunks)
    assert chunks == before


def test_a_call_without_an_index_is_kept_where_the_client_raises() -> None:
    first, second = call(0, '{"a"', "f", "c"), call(0, ": 1}")
    for delta in (first, second):
        del delta["tool_calls"][0]["index"]
    chunks = [chunk({"role": "assistant", "tool_calls": []}), chunk(first), chunk(second)]
    with pytest.raises(TypeError):
        clients(chunks)
    message = assemble(chunks)["choices"][0]["message"]
    assert [entry["function"] for entry in message["tool_calls"]] == [{"name": "f", "arguments": '{"a": 1}'}]


def test_calls_whose_indexes_jump_stay_apart_and_whole() -> None:
    chunks = [chunk(call(4, "{", "f", "c")), chunk(call(2, "[", "g", "d")), chunk(call(4, "}")), chunk(call(2, "]"))]
    message = assemble(chunks)["choices"][0]["message"]
    assert [entry["function"]["arguments"] for entry in message["tool_calls"]] == ["[]", "{}"]


@pytest.mark.parametrize(
    "choices",
    [
        *(None, 5, "x", {}, [5], [{}], [{"index": "0"}], [{"index": 0, "delta": "text"}]),
        [{"index": 0, "delta": {"content": ["part"]}}, {"index": 0, "delta": {"content": "text"}}],
        [{"index": 0, "delta": {"tool_calls": {"index": 0}}}, {"index": 0, "delta": {"tool_calls": [1, None]}}],
        [{"index": 0, "delta": {"tool_calls": [{"index": -1}]}}, {"index": -1, "delta": {"tool_calls": [{}]}}],
        [{"index": 0, "logprobs": 1, "delta": {}}, {"index": 0, "logprobs": {"content": [1]}, "delta": {}}],
        [{"index": True, "delta": {"content": 1}}, {"index": 0, "delta": {"content": True}}],
    ],
)
def test_what_has_another_shape_is_passed_over(choices: Any) -> None:
    whole = assemble([{"id": "a", "choices": choices}, chunk({"content": "still here"}, index=7)])
    assert whole["choices"][-1]["message"] == {"content": "still here"}


def test_nothing_gives_an_empty_answer() -> None:
    assert assemble([]) == {"object": "chat.completion", "choices": []}


def test_deltas_join_to_the_message_of_their_chunks() -> None:
    deltas = [{"content": "a"}, call(0, "{", "f", "c"), call(0, "}"), {"content": "b"}]
    chunks = list(chunks_of(deltas, usage=USAGE))
    assert assemble(chunks)["choices"][0]["message"] == {"role": "assistant", **join_deltas(deltas)}
    assert assemble(chunks)["usage"] == USAGE


def test_the_cost_grows_with_the_length_only() -> None:
    def seconds(count: int) -> float:
        chunks = [chunk(call(0, "x" * 50, "f", "c")) for _ in range(count)]
        start = time.perf_counter()
        assemble(chunks)
        return time.perf_counter() - start

    seconds(1_000)
    assert seconds(40_000) < 8 * 2 * max(seconds(5_000), 0.005)
