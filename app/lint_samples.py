"""Logs to start from on the lint page: written by us, each with what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokcore.deltas import write_sse

Delta = Mapping[str, Any]

USAGE = {"prompt_tokens": 58, "completion_tokens": 21, "total_tokens": 79}


@dataclass(frozen=True, slots=True)
class Sample:
    """A log, the stop strings of its request, and one line about what to look for."""

    name: str
    title: str
    shows: str
    text: str
    stops: str = ""


def chunk(delta: Delta, reason: str | None = None) -> dict[str, Any]:
    """One chunk of an answer."""
    frame = {"id": "chatcmpl-01", "object": "chat.completion.chunk", "created": 1767225600, "model": "small-1"}
    return {**frame, "choices": [{"index": 0, "delta": dict(delta), "finish_reason": reason}]}


def usage_chunk(**usage: int) -> dict[str, Any]:
    """The last chunk: no choices, the usage."""
    return {**chunk({}), "choices": [], "usage": {**USAGE, **usage}}


def call(**given: Any) -> Delta:
    """A delta with one piece of a call; name and arguments go into its function."""
    function = {name: given.pop(name) for name in ("name", "arguments") if name in given}
    return {"tool_calls": [{**given, "function": function}]}


ROLE: Delta = {"role": "assistant", "content": ""}
START = {"index": 0, "id": "call_0", "type": "function", "name": "get_weather"}


def log(*deltas: Delta, reason: str = "stop", done: bool = True) -> str:
    return write_sse([chunk(ROLE), *map(chunk, deltas), chunk({}, reason), usage_chunk()], done)


FIRST = Sample(
    "faults",
    "An answer with faults",
    "a tag in halves, a call without its index, arguments that end early",
    write_sse(
        [
            chunk(ROLE),
            chunk({"reasoning_content": "They want the weather."}),
            chunk({"content": "One moment.\n<tool_"}),
            chunk(call(id="call_0", type="function", name="get_weather", arguments="")),
            chunk(call(arguments='{"city": ')),
            chunk(call(arguments='"São Tomé"')),
            chunk({}, "tool_calls"),
            usage_chunk(total_tokens=97),
        ],
        done=False,
    ),
)

_ALL = (
    FIRST,
    Sample(
        "clean",
        "A clean answer with two calls",
        "nothing to find: how reasoning, content and calls should come",
        log(
            {"reasoning_content": "Two cities,"},
            {"reasoning_content": " two calls."},
            {"content": "I look both up."},
            call(**START, arguments=""),
            call(index=0, arguments='{"city": "Porto"}'),
            call(**{**START, "index": 1, "id": "call_1"}, arguments=""),
            call(index=1, arguments='{"city": '),
            call(index=1, arguments='"Lisboa"}'),
            reason="tool_calls",
        ),
    ),
    Sample(
        "repeated",
        "Everything sent again",
        "role, id and name in every delta: what a client makes of them",
        log(
            {"role": "assistant", "content": "Let me see."},
            call(**START, arguments='{"city": '),
            call(**START, arguments='"Porto"}'),
            {"role": "assistant", "content": ""},
            reason="tool_calls",
        ),
    ),
    Sample(
        "stops",
        "Text after a stop",
        "the stop string is cut over two deltas, and the server did not see it",
        log({"content": "The answer is 4."}, {"content": "\nUs"}, {"content": "er: and 3 + 3?"}),
        stops="\\nUser:",
    ),
    Sample(
        "pieces",
        "Characters in pieces",
        "an emoji decoded byte by byte, and half of a surrogate pair",
        log(
            {"content": "Lift-off "},
            *({"content": "\ufffd"} for _ in range(3)),
            {"content": " and back \ud83d"},
            {"content": "\ude80."},
        ),
    ),
    Sample(
        "broken",
        "A connection that broke",
        "an error in the stream, and an event cut off; the rest is still put together",
        write_sse([chunk(ROLE), chunk({"content": "The river "}), chunk({"content": "runs to the"})], done=False)
        + 'data: {"error":{"message":"worker lost","code":500}}\n\n'
        + 'data: {"id":"chatcmpl-01","object":"chat.comp',
    ),
)

SAMPLES: Mapping[str, Sample] = {sample.name: sample for sample in _ALL}
