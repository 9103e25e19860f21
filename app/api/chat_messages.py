"""The messages of a chat completion request: checked as far as every template needs it, texts in one piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.api.chat_fields import Members, missing, unsupported
from app.errors import InvalidParameter
from tokcore.fields import wrong_kind

# These say something; an assistant may call tools instead.
ROLES_WITH_CONTENT = ("system", "developer", "user", "tool")
# The parts of a content that are text, and the member that holds it.
TEXT_PARTS = {"text": "text", "refusal": "refusal"}


def read_messages(body: Members) -> tuple[Mapping[str, Any], ...]:
    """The messages, each with its content as one text.

    >>> parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "this?"}]
    >>> read_messages(Members({"messages": [{"role": "user", "content": parts}]}, ""))
    ({'role': 'user', 'content': 'What is this?'},)

    Members that are not looked at here (name, tool_call_id, reasoning_content, whatever a template reads) stay.
    """
    messages = body.listed("messages")
    if messages is None:
        raise missing("/messages")
    if not messages:
        raise InvalidParameter(where="/messages", what="the list is empty", remedy="add a message")
    return tuple(_message(Members(message, f"/messages/{index}")) for index, message in enumerate(messages))


def _message(message: Members) -> Mapping[str, Any]:
    role = message.text("role")
    calls = message.listed("tool_calls")
    for index, call in enumerate(calls or ()):
        if not isinstance(call, dict):
            raise wrong_kind(call, f"{message.at('tool_calls')}/{index}", "an object")
        if "function" in call or "name" not in call:
            where = f"{message.at('tool_calls')}/{index}/function"
            if "function" not in call:
                raise missing(where)
            Members(call["function"], where).text("name")
    content = message.given("content")
    if content is None and role in ROLES_WITH_CONTENT:
        if "content" in message.value:
            raise wrong_kind(content, message.at("content"), "a string or a list of text parts")
        raise missing(message.at("content"))
    if content is None or isinstance(content, str):
        return message.value
    if not isinstance(content, list):
        raise wrong_kind(content, message.at("content"), "a string or a list of text parts")
    where = message.at("content")
    parts = [_text(Members(part, f"{where}/{index}")) for index, part in enumerate(content)]
    return {**message.value, "content": "".join(parts)}


def _text(part: Members) -> str:
    kind = part.text("type")
    if kind not in TEXT_PARTS:
        what, remedy = f"parts of type {kind!r} are not read here", "send text parts only: nothing here sees or hears"
        raise unsupported(part.at("type"), what, remedy, "unsupported_value")
    return part.text(TEXT_PARTS[kind])


def last_user_text(messages: Iterable[Mapping[str, Any]]) -> str | None:
    """What the last message of a user says, None where there is none."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    return said[-1] if said else None


def for_template(messages: Iterable[Mapping[str, Any]], template: str) -> list[Mapping[str, Any]]:
    """The messages with roles that the template knows: `developer` is the newer name of `system`.

    >>> for_template([{"role": "developer", "content": "Be brief."}], "{{ messages[0].content }}")
    [{'role': 'system', 'content': 'Be brief.'}]
    """
    if "developer" in template:
        return list(messages)
    return [{**message, "role": "system"} if message["role"] == "developer" else message for message in messages]
