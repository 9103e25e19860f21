"""Messages as the fields of a form, and back: what the fields do not show is kept as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.chat_json import read_json, written
from app.errors import InvalidField
from tokcore.chat.conversation import REASONING_FIELDS

# More messages than this are shown as JSON only: every one of them is a handful of fields.
FORM_LIMIT = 60
CALLS_LIMIT = 20
NEW_CALL = '{"type":"function","function":{"name":"","arguments":""}}'
_FIELD = re.compile(r"m\.([0-9]{1,4})\.(?:c\.([0-9]{1,3})\.)?([a-z_]+)")


@dataclass(frozen=True, slots=True)
class CallFields:
    """A tool call as fields; `kind`: its arguments go out as "text" (JSON text, as OpenAI's clients send) or "object".

    `base` is the call as JSON with what the fields show left empty.
    """

    name: str = ""
    arguments: str = ""
    kind: str = "text"
    base: str = NEW_CALL


@dataclass(frozen=True, slots=True)
class Turn:
    """A message as fields; `kind`: its content is a "text" or "json" (a list of parts). `base` as in CallFields."""

    role: str = "user"
    content: str = ""
    kind: str = "text"
    thoughts: str = ""
    name: str = ""
    call_id: str = ""
    calls: tuple[CallFields, ...] = ()
    base: str = '{"role":"user","content":""}'

    @classmethod
    def new(cls, role: str) -> Turn:
        base = {"role": role, "content": ""}
        return cls(role=role, base=written(base))


def fits_form(messages: Sequence[Mapping[str, Any]]) -> str:
    """Why messages cannot be shown as fields, "" where they can.

    >>> fits_form([{"role": "user", "content": "Hi"}]), fits_form([{"role": 1}])
    ('', 'message 0 has a role that is no text')
    """
    if len(messages) > FORM_LIMIT:
        return f"there are {len(messages):,} messages; fields are drawn for up to {FORM_LIMIT}"
    for index, message in enumerate(messages):
        if not isinstance(message.get("role"), str):
            return f"message {index} has a role that is no text"
        calls = message.get("tool_calls", [])
        if calls is not None and not (
            isinstance(calls, list) and len(calls) <= CALLS_LIMIT and all(map(_is_call, calls))
        ):
            return f"message {index} has tool_calls of another shape"
        for name in ("name", "tool_call_id", _thoughts_name(message)):
            if not isinstance(message.get(name), str | None):
                return f"message {index} has a {name} that is no text"
        if sign := _unboxable(turn_of(message)):
            return f"message {index} holds a {sign}, which no text box keeps"
    return ""


def _unboxable(turn: Turn) -> str:
    """A character that a browser's text box would change, "" where there is none."""
    shown = [turn.content, turn.thoughts, turn.name, turn.call_id]
    shown += [text for call in turn.calls for text in (call.name, call.arguments)]
    lines = (turn.name, turn.call_id, *(call.name for call in turn.calls))
    if any("\n" in line for line in lines):
        return "line break in a name or id"
    signs = {"\r": "carriage return", "\0": "NUL"}
    return next((name for sign, name in signs.items() if any(sign in text for text in shown)), "")


def turn_of(message: Mapping[str, Any]) -> Turn:
    """The fields of a message that `fits_form`.

    >>> turn = turn_of({"role": "user", "content": "Hi", "cache": True})
    >>> turn.content, turn.base
    ('Hi', '{"role":"user","content":"","cache":true}')
    """
    base = dict(message)
    content, kind = base.get("content"), "text"
    if isinstance(content, str):
        base["content"] = ""
    elif content is not None:
        content, kind, base["content"] = written(content, indent=2), "json", []
    shown: dict[str, str] = {}
    for field, name in (("thoughts", _thoughts_name(message)), ("name", "name"), ("call_id", "tool_call_id")):
        shown[field] = base.get(name) or ""
        if base.get(name) is not None:
            base[name] = ""
    calls = tuple(map(_call_fields, base.get("tool_calls") or ()))
    if calls:
        base["tool_calls"] = []
    return Turn(
        role=base["role"],
        content=content or "",
        kind=kind,
        thoughts=shown["thoughts"],
        name=shown["name"],
        call_id=shown["call_id"],
        calls=calls,
        base=written(base),
    )


def message_of(turn: Turn, index: int) -> dict[str, Any]:
    """The message of a turn's fields; raises InvalidField where JSON was typed that is none.

    Law: message_of(turn_of(message)) is the message, its keys in the same order.
    """
    where = f"message {index}"
    message = _base(turn.base, where)
    message["role"] = turn.role
    if turn.kind == "json":
        message["content"] = read_json(turn.content, f"{where}, parts", "write a list of parts, or choose text")
    elif turn.content or message.get("content") is not None:
        message["content"] = turn.content
    for value, name in (
        (turn.thoughts, _thoughts_name(message)),
        (turn.name, "name"),
        (turn.call_id, "tool_call_id"),
    ):
        if value or message.get(name) is not None:
            message[name] = value
    if turn.calls:
        message["tool_calls"] = [_call_of(call, f"{where}, call {at}") for at, call in enumerate(turn.calls)]
    return message


def read_turns(pairs: Iterable[tuple[str, str]]) -> tuple[Turn, ...]:
    """Turns of posted fields: m.0.role, m.0.content, m.0.c.1.name …, in the order of their numbers.

    >>> read_turns([("m.1.content", "b"), ("m.0.content", "a"), ("m.0.c.0.name", "f")])[0].calls[0].name
    'f'
    """
    turns: dict[int, Turn] = {}
    calls: dict[int, dict[int, CallFields]] = {}
    for name, typed in pairs:
        found = _FIELD.fullmatch(name)
        if found is None:
            continue
        index, call, field = int(found[1]), found[2], found[3]
        value = typed.replace("\r\n", "\n").replace("\r", "\n")
        changed: dict[str, Any] = {field: value}
        turn = turns.setdefault(index, Turn())
        if call is None:
            if field in ("role", "content", "kind", "thoughts", "name", "call_id", "base"):
                turns[index] = replace(turn, **changed)
        elif field in ("name", "arguments", "kind", "base"):
            number = int(call)
            fields = calls.setdefault(index, {}).get(number, CallFields())
            calls[index][number] = replace(fields, **changed)
    return tuple(
        replace(turn, calls=tuple(call for _, call in sorted(calls.get(index, {}).items())))
        for index, turn in sorted(turns.items())
    )


def _thoughts_name(message: Mapping[str, Any]) -> str:
    return next((name for name in REASONING_FIELDS if message.get(name) is not None), REASONING_FIELDS[0])


def _is_call(call: Any) -> bool:
    if not isinstance(call, Mapping):
        return False
    function = call.get("function", call)
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return False
    return isinstance(function.get("arguments"), str | Mapping)


def _call_fields(call: Mapping[str, Any]) -> CallFields:
    function = dict(call["function"]) if "function" in call else dict(call)
    arguments = function["arguments"]
    kind = "text" if isinstance(arguments, str) else "object"
    fields = {"name": function["name"], "arguments": arguments if kind == "text" else written_wide(arguments)}
    function |= {"name": "", "arguments": ""}
    return CallFields(
        **fields, kind=kind, base=written({**call, "function": function} if "function" in call else function)
    )


def written_wide(value: Any) -> str:
    """JSON with spaces, as one writes it by hand."""
    return json.dumps(value, ensure_ascii=False)


def _call_of(call: CallFields, where: str) -> dict[str, Any]:
    made = _base(call.base, where)
    arguments: Any = call.arguments
    if call.kind == "object":
        arguments = read_json(call.arguments or "{}", f"{where}, arguments", "write an object, or send it as text")
    fields = {"name": call.name, "arguments": arguments}
    if isinstance(made.get("function"), dict):
        made["function"] = {**made["function"], **fields}
        return made
    return {**made, **fields}


def _base(text: str, where: str) -> dict[str, Any]:
    value = read_json(text or "{}", where)
    if not isinstance(value, dict):
        raise InvalidField(where=where, what="its hidden part is no object", remedy="reload the page")
    return value
