"""Legal but nasty ways to send the same stream, for clients that are to survive them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tokcore.deltas import write_sse

# docs/replay-endpoint.md explains each; the test of the documentation compares the names.
NASTY = (
    "ascii",
    "comments",
    "crlf",
    "empty_choices",
    "empty_deltas",
    "multiline_data",
    "no_space",
    "null_content",
    "one_write",
    "role_every_chunk",
    "split_utf8_writes",
    "unknown_fields",
    "usage_null",
)

Chunk = Mapping[str, Any]


def nasty_chunks(chunk: Chunk, nasty: frozenset[str]) -> Iterator[Chunk]:
    """A chunk as its members are to be sent, with the extra chunks that go before it.

    >>> frame = {"id": "a", "choices": [{"index": 0, "delta": {"content": "Hi"}}]}
    >>> [chunk["choices"] for chunk in nasty_chunks(frame, frozenset(["empty_choices"]))]
    [[], [{'index': 0, 'delta': {'content': 'Hi'}}]]

    Law: what a client assembles stays the same (but for the role, where it comes with every chunk).
    """
    frame = {name: value for name, value in chunk.items() if name != "usage"}
    if "usage_null" in nasty:
        frame["usage"] = None
    if "unknown_fields" in nasty:
        frame |= {"x_timing": {"queue_ms": 0.25}, "obfuscation": "aZ3"}
    if "empty_choices" in nasty:
        yield {**frame, "choices": []}
    if "empty_deltas" in nasty:
        yield {**frame, "choices": [{**choice, "delta": {}, "finish_reason": None} for choice in chunk["choices"]]}
    usage = {"usage": chunk["usage"]} if "usage" in chunk else {}
    yield {**frame, **usage, "choices": [_nasty_choice(choice, nasty) for choice in chunk["choices"]]}


def _nasty_choice(choice: Chunk, nasty: frozenset[str]) -> Chunk:
    delta = dict(choice["delta"])
    if "role_every_chunk" in nasty:
        delta = {"role": "assistant", **delta}
    if "null_content" in nasty:
        delta = {"content": None, "refusal": None, "tool_calls": None, "function_call": None, **delta}
    if "unknown_fields" in nasty:
        delta["x_provider"] = None
    return {**choice, "delta": delta}


def event_text(chunk: Chunk | None, nasty: frozenset[str]) -> str:
    r"""One event as text; None is the end, [DONE].

    >>> event_text({"id": "é"}, frozenset()), event_text({"id": "é"}, frozenset(["crlf", "no_space", "ascii"]))
    ('data: {"id":"é"}\n\n', 'data:{"id":"\\u00e9"}\r\n\r\n')
    """
    if chunk is None:
        text = write_sse([])
    elif nasty.isdisjoint(("ascii", "multiline_data")):
        text = write_sse([chunk], done=False)
    else:
        indent = 1 if "multiline_data" in nasty else None
        separators = None if indent else (",", ":")
        shown = json.dumps(chunk, ensure_ascii="ascii" in nasty, indent=indent, separators=separators)
        text = "".join(f"data: {line}\n" for line in shown.split("\n")) + "\n"
    if "no_space" in nasty:
        text = "\n".join(line.replace("data: ", "data:", 1) for line in text.split("\n"))
    if "comments" in nasty:
        text = ": waiting\n\n:\n" + text
    return text.replace("\n", "\r\n") if "crlf" in nasty else text


def writes(raw: bytes, nasty: frozenset[str]) -> Iterator[bytes]:
    """The bytes of an event as they are written, each part in a chunk of the HTTP body of its own.

    >>> list(writes("data: é\\n\\n".encode(), frozenset(["split_utf8_writes"])))
    [b'dat', b'a: \\xc3', b'\\xa9\\n', b'\\n']
    """
    if "split_utf8_writes" not in nasty:
        yield raw
        return
    # In the word "data", behind the first byte of each longer character, and between the two line ends.
    cuts = [3, *(place + 1 for place, byte in enumerate(raw) if byte >= 0xC0), len(raw) - 1]
    places = sorted({0, *cuts, len(raw)})
    yield from (raw[start:end] for start, end in pairwise(places))
