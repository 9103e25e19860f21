"""Streams in the shape that known servers give them, each of its own text."""

from __future__ import annotations

import json
from typing import Any

from tokcore.deltas import write_sse

Chunk = dict[str, Any]
USAGE = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
ARGUMENTS = ('{"city": ', '"Porto"', "}")


def chunk(delta: dict[str, Any], reason: str | None = None, index: int = 0, **more: Any) -> Chunk:
    """One chunk with one choice."""
    frame = {"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 1700000000, "model": "m"}
    return {**frame, "choices": [{"index": index, "delta": delta, "finish_reason": reason}], **more}


def bare(**more: Any) -> Chunk:
    """A chunk without choices."""
    return {**chunk({}), "choices": [], **more}


def call(index: int | None = 0, **given: Any) -> dict[str, Any]:
    """A delta with one call; name and arguments go into its function."""
    function = {name: given.pop(name) for name in ("name", "arguments") if name in given}
    entry = {**({} if index is None else {"index": index}), **given, "function": function}
    return {"tool_calls": [entry]}


ROLE = chunk({"role": "assistant", "content": ""})
STOP = chunk({}, "stop")
CALLED = chunk({}, "tool_calls")
FIRST_CALL = chunk(call(id="call_a", type="function", name="get_weather", arguments=""))


def text_stream(*texts: str) -> list[Chunk]:
    """A whole answer of these pieces."""
    return [ROLE, *(chunk({"content": text}) for text in texts), STOP]


def openai() -> str:
    rest = {"service_tier": "default", "system_fingerprint": "fp_1", "usage": None}
    pieces = [{"content": text} for text in ("Porto", " is", " sunny", ".")]
    first = {"role": "assistant", "content": "", "refusal": None}
    deltas = [chunk(delta, logprobs=None, obfuscation="x7", **rest) for delta in (first, *pieces)]
    return write_sse([*deltas, chunk({}, "stop", **rest), bare(**{**rest, "usage": USAGE})])


def openai_calls() -> str:
    entry = {"index": 0, "id": "call_a", "type": "function", "function": {"name": "get_weather", "arguments": ""}}
    second = {**entry, "index": 1, "id": "call_b"}
    chunks = [
        chunk({"role": "assistant", "content": None, "tool_calls": [entry], "refusal": None}),
        *(chunk(call(arguments=part)) for part in ARGUMENTS),
        chunk({"tool_calls": [second]}),
        *(chunk(call(1, arguments=part)) for part in ARGUMENTS),
        CALLED,
    ]
    return write_sse(chunks)


def azure() -> str:
    first = {"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": [{"n": 0}]}
    filtered = {"id": "", "object": "", "created": 0, "model": "", "choices": [{"index": 0, "finish_reason": None}]}
    filtered["choices"][0] |= {"content_filter_results": {"hate": {"filtered": False}}, "delta": {}}
    return write_sse([first, *text_stream("Porto ", "is sunny."), filtered])


def vllm() -> str:
    entry = {"id": "chatcmpl-tool-9f", "type": "function", "index": 0, "function": {"name": "get_weather"}}
    own = {"logprobs": None, "token_ids": None}
    chunks = [
        ROLE,
        *(chunk({"reasoning_content": text, "reasoning": text}, **own) for text in ("The city", " is Porto.\n")),
        chunk({"content": "\n\n"}, **own),
        chunk({"tool_calls": [entry]}, **own),
        *(chunk(call(arguments=part), **own) for part in ARGUMENTS),
        chunk({"content": ""}, "tool_calls", **own),
        bare(usage=USAGE),
    ]
    chunks[-2]["choices"][0]["stop_reason"] = None
    return write_sse(chunks)


def vllm_with_usage_all_along() -> str:
    return write_sse([{**chunk, "usage": USAGE} for chunk in (*text_stream("Porto", "."), bare())])


def llama_cpp() -> str:
    timings = {"prompt_n": 20, "predicted_n": 5, "predicted_ms": 61.5}
    chunks = [
        chunk({"role": "assistant", "content": None}),
        chunk({"reasoning_content": "The city"}),
        chunk({"reasoning_content": " is Porto."}),
        chunk({"content": "I look"}),
        chunk({"content": " it up."}),
        chunk(call(id="Ab3", type="function", name="get_weather", arguments="{")),
        chunk(call(arguments='"city":"Porto"')),
        chunk(call(arguments="}")),
        chunk({}, "tool_calls"),
        bare(usage=USAGE, timings=timings),
    ]
    return write_sse(chunks)


def sglang() -> str:
    nothing = {"role": None, "content": None, "reasoning_content": None, "tool_calls": None}

    def delta(**given: Any) -> Chunk:
        made = chunk(
            {"role": None, "content": None, "reasoning_content": None, "tool_calls": None, **given}, usage=None
        )
        made["choices"][0] |= {"logprobs": None, "matched_stop": None}
        return made

    def piece(**function: Any) -> Chunk:
        function = {"name": None, "arguments": "", **function}
        id = "call_1" if function["name"] else None
        return delta(tool_calls=[{"id": id, "index": 0, "type": "function", "function": function}])

    finish = chunk(nothing, "tool_calls")
    finish["choices"][0]["matched_stop"] = 151645
    chunks = [
        delta(role="assistant", content=""),
        delta(reasoning_content="The city"),
        delta(reasoning_content=" is Porto."),
        delta(content="I look it up."),
        piece(name="get_weather"),
        *(piece(arguments=part) for part in ARGUMENTS),
        finish,
        bare(usage={**USAGE, "prompt_tokens_details": None, "reasoning_tokens": 0}),
    ]
    return write_sse(chunks)


def ollama() -> str:
    own = {"system_fingerprint": "fp_ollama"}
    entry = {"id": "call_a", "index": 0, "type": "function"}
    entry["function"] = {"name": "get_weather", "arguments": "".join(ARGUMENTS)}
    chunks = [
        chunk({"role": "assistant", "content": "", "tool_calls": [entry]}, **own),
        chunk({"content": ""}, "tool_calls", **own),
    ]
    return write_sse(chunks)


def mistral() -> str:
    entry = {"id": "D681PevKs", "function": {"name": "get_weather", "arguments": "".join(ARGUMENTS)}, "index": 0}
    chunks = [chunk({"role": "assistant", "content": ""}), chunk({"content": "", "tool_calls": [entry]}, "tool_calls")]
    chunks[-1]["usage"] = USAGE
    return write_sse(chunks)


def deepseek() -> str:
    own = {"system_fingerprint": "fp_2", "usage": None}
    thoughts = [chunk({"content": None, "reasoning_content": text}, **own) for text in ("Porto", " it is.")]
    words = [chunk({"content": text, "reasoning_content": None}, **own) for text in ("It is", " sunny.")]
    first = chunk({"role": "assistant", "content": None, "reasoning_content": ""}, **own)
    last = chunk({"content": "", "reasoning_content": None}, "stop", **{**own, "usage": USAGE})
    return ": keep-alive\n\n" * 2 + write_sse([first, *thoughts, *words, last])


def two_choices() -> str:
    firsts = [chunk({"role": "assistant", "content": ""}, index=index) for index in (0, 1)]
    words = [chunk({"content": text}, index=index) for text in ("Porto", ".") for index in (0, 1)]
    return write_sse([*firsts, *words, chunk({}, "stop"), chunk({}, "length", index=1)])


def two_answers() -> str:
    second = [{**chunk, "id": "chatcmpl-8"} for chunk in text_stream("Lisboa.")]
    return write_sse(text_stream("Porto.")) + write_sse(second)


def json_lines() -> str:
    second = [{**chunk, "id": "chatcmpl-8"} for chunk in text_stream("Lisboa.")]
    return "\n".join(json.dumps(chunk) for chunk in (*text_stream("Porto."), *second))


def cut_by_the_limit() -> str:
    chunks = [ROLE, chunk({"content": "The tag is <tool_"}), chunk({}, "length")]
    return write_sse(chunks)


def a_call_cut_by_the_limit() -> str:
    return write_sse([ROLE, FIRST_CALL, chunk(call(arguments='{"city": "Po')), chunk({}, "length")])


def prose_about_markup() -> str:
    texts = (
        *("A model opens its thoughts with `<think>`", " and closes them with `</thi", "nk>`.\n"),
        *("```xml\n<tool_call>", "{}</tool_call>\n```\n", 'The token "<|im_end|>" ends a turn; '),
        *("a < b, x[i], </p>, <table>, <|> and ", "\ufffd is U+FFFD.\ufffd", " prog [ARGS] <", "b>bold</b> <t"),
    )
    return write_sse(text_stream(*texts))


CLEAN = {
    log.__name__: log
    for log in (
        *(openai, openai_calls, azure, vllm, vllm_with_usage_all_along, llama_cpp, sglang, ollama, mistral, deepseek),
        *(two_choices, two_answers, json_lines, cut_by_the_limit, a_call_cut_by_the_limit, prose_about_markup),
    )
}
