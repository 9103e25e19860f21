"""Arguments of tool calls: clients of the OpenAI protocol send them as JSON text, most templates want an object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CallArguments:
    """How one tool call's arguments went into the template.

    `state`: "object" (given so), "parsed" (a JSON text, read first), "text" (a text, left alone).
    """

    message: int
    call: int
    state: str


def parse_tool_arguments(messages: Sequence[Any]) -> tuple[list[Any], tuple[CallArguments, ...]]:
    """Messages with the arguments of their tool calls read from JSON text, and what was done to each.

    >>> call = {"function": {"name": "f", "arguments": '{"city": "Oslo"}'}}
    >>> parsed, report = parse_tool_arguments([{"role": "assistant", "tool_calls": [call]}])
    >>> parsed[0]["tool_calls"][0]["function"]["arguments"], report[0].state
    ({'city': 'Oslo'}, 'parsed')

    Servers do this before they render, since clients of the OpenAI protocol send the arguments as a text, and most
    templates expect an object. A text that is not a JSON object stays as it is.
    """
    report: list[CallArguments] = []
    chat = []
    for index, message in enumerate(messages):
        calls = message.get("tool_calls") if isinstance(message, Mapping) else None
        if not isinstance(calls, list | tuple):
            chat.append(message)
            continue
        parsed = []
        for number, call in enumerate(calls):
            new, state = _parsed_call(call)
            parsed.append(new)
            if state is not None:
                report.append(CallArguments(index, number, state))
        chat.append({**message, "tool_calls": parsed})
    return chat, tuple(report)


def _parsed_call(call: Any) -> tuple[Any, str | None]:
    if not isinstance(call, Mapping):
        return call, None
    if isinstance(call.get("function"), Mapping):
        function, state = _parsed_call(call["function"])
        return {**call, "function": function}, state
    arguments = call.get("arguments")
    if isinstance(arguments, Mapping):
        return call, "object"
    if not isinstance(arguments, str):
        return call, None
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return call, "text"
    return ({**call, "arguments": value}, "parsed") if isinstance(value, dict) else (call, "text")
