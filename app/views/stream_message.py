"""The message that a client has so far, as drawn: its fields in parts, the end of each where it is long."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.views.visible import Run, visible_runs

SHOWN_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One text of the message; `earlier` counts the characters before what is drawn, `note` says more about it."""

    kind: str
    title: str
    runs: tuple[Run, ...]
    earlier: int
    note: str


def message_parts(message: Mapping[str, Any]) -> tuple[MessagePart, ...]:
    """Reasoning, content, then each call with its arguments.

    >>> call = {"index": 0, "id": "call_0", "function": {"name": "f", "arguments": '{"a"'}}
    >>> [(part.title, part.note) for part in message_parts({"content": "Hi", "tool_calls": [call]})]
    [('content', ''), ('call 0: f', 'id call_0, arguments not whole yet')]
    """
    parts = []
    for kind, title in (("reasoning_content", "reasoning"), ("content", "content")):
        text = message.get(kind)
        if isinstance(text, str) and text:
            parts.append(_part(kind, title, text, ""))
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        arguments = function.get("arguments") or ""
        note = f"id {call.get('id')}, arguments {'are JSON' if is_json(arguments) else 'not whole yet'}"
        parts.append(_part("tool_calls", f"call {call.get('index')}: {function.get('name')}", arguments, note))
    return tuple(parts)


def clipped(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message for the browser to go on from: the end of each long text, and how much came before it.

    >>> clipped({"content": "x" * 5_000})["omitted"]
    {'content': 3500}
    """
    omitted: dict[str, int] = {}

    def tail(name: str, text: str) -> str:
        if len(text) > SHOWN_CHARACTERS:
            omitted[name] = len(text) - SHOWN_CHARACTERS
        return text[-SHOWN_CHARACTERS:]

    kept: dict[str, Any] = {}
    for name, value in message.items():
        if name == "tool_calls":
            kept[name] = [
                {**call, "function": {**function, "arguments": tail(f"call {call.get('index')}", arguments)}}
                for call in value
                for function in (call.get("function") or {},)
                for arguments in (function.get("arguments") or "",)
            ]
        else:
            kept[name] = tail(name, value) if isinstance(value, str) else value
    return {"message": kept, "omitted": omitted}


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _part(kind: str, title: str, text: str, note: str) -> MessagePart:
    return MessagePart(kind, title, visible_runs(text[-SHOWN_CHARACTERS:]), max(0, len(text) - SHOWN_CHARACTERS), note)
