"""Who wrote a stretch of a prompt, in words, as a short label, and as a link to the field it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokcore.chat.origins import Origin

COLOURS = 6
CHANGES = {"none": "", "cut": ", a stretch of it", "changed": ", changed by the template"}
FIELD_WORDS = {"reasoning_content": "thoughts", "reasoning": "thoughts", "thinking": "thoughts"}


def label(origin: Origin) -> str:
    """What stands before the stretch; "" for the template's own words, which are the ground.

    >>> label(Origin("message", "/messages/2/tool_calls/0/function/arguments", change="changed"))
    '2 call 0 arguments ≈'
    >>> label(Origin("message", "/messages/1/content")), label(Origin("template", line=3))
    ('1 content', '')
    """
    sign = {"none": "", "cut": " ✂", "changed": " ≈"}[origin.change]
    match origin.kind:
        case "template":
            return ""
        case "generation":
            return "generation prompt"
        case "message":
            return f"{origin.index} {field_words(origin.pointer)}{sign}"
        case "tool":
            inner = origin.pointer.split("/", 3)[3:]
            return f"tool {origin.index}{' ' + inner[0] if inner else ''}{sign}"
        case "variable":
            return f"{origin.pointer.removeprefix('/')}{sign}"
        case "clock":
            return "date"
    return "computed"


def words(origin: Origin) -> str:
    """The same in a sentence.

    >>> words(Origin("tool", "/tools/0", change="changed")), words(Origin("template", line=3))
    ('tool 0, changed by the template', 'the template, line 3')
    """
    line = "" if origin.line is None else f", line {origin.line}"
    change = CHANGES[origin.change]
    match origin.kind:
        case "template":
            return f"the template{line}"
        case "generation":
            return f"generation prompt, written by the template{line}"
        case "message":
            return f"message {origin.index}, {field_words(origin.pointer)}{change}"
        case "tool":
            inner = origin.pointer.split("/", 3)[3:]
            return f"tool {origin.index}{', ' + inner[0] if inner else ''}{change}"
        case "variable":
            return f"variable {origin.pointer.removeprefix('/')}{change}"
        case "clock":
            return f"the date{change}"
    made = ", ".join(origin.sources)
    return f"computed by the template from {made}" if made else "computed by the template"


def field_words(pointer: str) -> str:
    """The part of a message that a pointer means.

    >>> field_words("/messages/0/content/1/text"), field_words("/messages/0/reasoning_content")
    ('content, part 1', 'thoughts')
    """
    parts = pointer.split("/")[3:]
    if not parts:
        return "whole"
    if parts[0] == "tool_calls" and len(parts) > 1:
        return f"call {parts[1]} {parts[-1] if len(parts) > 2 else ''}".strip()
    if parts[0] == "content" and len(parts) > 1:
        return f"content, part {parts[1]}"
    return FIELD_WORDS.get(parts[0], parts[0])


def css(origin: Origin) -> str:
    """Classes of the stretch: its kind, and a colour in turn for each message and tool."""
    found = ["who", origin.kind]
    if origin.kind == "message" and origin.index is not None:
        found.append(f"k{origin.index % COLOURS}")
    if origin.change != "none":
        found.append(origin.change)
    return " ".join(found)


def href(origin: Origin) -> str:
    """Where the stretch can be changed: the message or tool in the input, or the template's line."""
    match origin.kind:
        case "message":
            return f"#m-{origin.index}{_field_id(origin.pointer)}"
        case "tool":
            return "#tools-field"
        case "variable":
            return "#choices"
        case "clock":
            return "#now"
    return "" if origin.line is None else f"#line-{origin.line}"


def _field_id(pointer: str) -> str:
    """What the id of a message's field ends with, "" for one that has no field of its own.

    >>> _field_id("/messages/2/tool_calls/0/function/name"), _field_id("/messages/2/content/1/text")
    ('-c-0-name', '-content')
    """
    match pointer.removesuffix("#").split("/")[3:]:
        case ["role" | "name" as name] | ["content" as name, *_]:
            return f"-{name}"
        case ["tool_call_id"]:
            return "-call_id"
        case ["tool_calls", call, *_, "name"]:
            return f"-c-{call}-name"
        case ["tool_calls", call, *_]:
            return f"-c-{call}-arguments"
        case [name] if name in FIELD_WORDS:
            return "-thoughts"
    return ""


def message_words(messages: Sequence[Mapping[str, Any]], index: int) -> str:
    """A message's number and role.

    >>> message_words([{"role": "user"}], 0)
    'message 0, user'
    """
    role = messages[index].get("role") if index < len(messages) else None
    return f"message {index}, {role}" if isinstance(role, str) and role else f"message {index}"


def tool_name(tool: Any) -> str:
    """The name that a tool's definition gives, "" where it has none."""
    function = tool.get("function", tool) if isinstance(tool, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    return name if isinstance(name, str) else ""
