"""What a template is given: the template chosen, the messages as plain data, the message that is to be continued."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokcore.chat.errors import ConversationError, TemplateSyntax

# One template, or several by name, as tokenizer_config.json has them.
Templates = str | Mapping[str, str] | Sequence[Mapping[str, str]]

# Names under which a message's thoughts are passed; the first one given fills the others.
REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")
SPECIAL_TOKENS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
# Put behind the text to continue, so that its end can be found; the space tells whether the template trims.
CONTINUE_MARK = "CONTINUE_FINAL_MESSAGE_TAG "


def choose_template(templates: Templates, tools: object = None, name: str | None = None) -> str:
    """The one template to render with: by name, else `tool_use` where there are tools, else `default`.

    >>> choose_template([{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}], tools=[])
    'b'

    Like the reference, an empty list of tools counts as tools here.
    """
    if isinstance(templates, str):
        return templates
    if isinstance(templates, Mapping):
        named = dict(templates)
    else:
        try:
            named = {entry["name"]: entry["template"] for entry in templates}
        except (TypeError, KeyError):
            raise TemplateSyntax(
                where="template", what="neither text nor templates with names", remedy="give the template's text"
            ) from None
    for candidate in (name,) if name is not None else ("tool_use" if tools is not None else "default", "default"):
        if isinstance(chosen := named.get(candidate), str):
            return chosen
    raise TemplateSyntax(
        where="template",
        what=f"no template is called {name!r}" if name is not None else "several templates, and none is the default",
        remedy="name one of " + (", ".join(sorted(map(str, named))) or "(there are none)"),
    )


def special_token_variables(config: Mapping[str, Any]) -> dict[str, str]:
    """The special tokens of a tokenizer_config.json, as a template sees them.

    >>> special_token_variables({"bos_token": {"content": "<s>"}, "eos_token": "</s>", "unk_token": None})
    {'bos_token': '<s>', 'eos_token': '</s>'}
    """
    named = {name: config.get(name) for name in SPECIAL_TOKENS}
    texts = {name: value.get("content") if isinstance(value, Mapping) else value for name, value in named.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one rendering is given: the template's text and its variables, and what to cut off afterwards.

    `to_continue`: the text that the prompt has to end with, None where nothing is continued. `thought_fields`: per
    message the name under which its thoughts were given.
    """

    source: str
    variables: dict[str, Any]
    to_continue: str | None = None
    thought_fields: tuple[str | None, ...] = ()

    @property
    def messages(self) -> list[dict[str, Any]]:
        found = self.variables["messages"]
        assert isinstance(found, list)
        return found

    def end(self, rendered: str) -> int:
        """Where the prompt ends in what the template wrote: everywhere, or where the continued message ends.

        Law: where the template trims the message, the prompt ends trimmed too.
        """
        if self.to_continue is None:
            return len(rendered)
        mark = CONTINUE_MARK.strip()
        if self.to_continue.strip() not in rendered or mark not in rendered:
            raise ConversationError(
                where=f"/messages/{len(self.messages) - 1}",
                what="the template does not write the final message as it is, so that it cannot be continued",
                remedy="look at what the template does to the last message",
            )
        at = rendered.rindex(mark)
        if rendered.startswith(CONTINUE_MARK, at):
            return at
        return len(rendered[:at].rstrip())


def prepare(
    template: Templates,
    messages: object,
    tools: object = None,
    add_generation_prompt: bool | None = None,
    continue_final_message: bool | str = False,
    allow_empty: bool = False,
    **variables: Any,
) -> Conversation:
    """Everything in the form in which the reference hands it to a template; the caller's objects are left alone."""
    source = choose_template(template, tools)
    if add_generation_prompt is None:
        add_generation_prompt = not continue_final_message
    if continue_final_message and add_generation_prompt:
        raise ConversationError(
            where="continue_final_message",
            what="a message is to be continued and another to be begun",
            remedy="leave out add_generation_prompt, or continue_final_message",
        )
    plain_messages = list(_plain_messages(messages))
    thought_fields = tuple(map(_thought_field, plain_messages))
    chat = [
        message if field is None else {"thinking": message[field], **message, "reasoning_content": message[field]}
        for message, field in zip(plain_messages, thought_fields, strict=True)
    ]
    if not chat and not allow_empty:
        raise ConversationError(where="/messages", what="the conversation is empty", remedy="add a message")
    to_continue = None
    if continue_final_message:
        field = continue_final_message if isinstance(continue_final_message, str) else "content"
        to_continue = _marked(chat, field, source)
    given = {
        "messages": chat,
        "tools": _plain_objects(tools, "/tools", "tools are objects with a type and a function"),
        "documents": _plain_objects(variables.pop("documents", None), "/documents", "documents are objects"),
        "add_generation_prompt": add_generation_prompt,
    }
    others = {name: plain(value) for name, value in variables.items()}
    return Conversation(source, {**given, **others}, to_continue, thought_fields)


def plain(value: Any) -> Any:
    """A value as plain JSON types; what is none of them becomes an inert `<Name>`, so that no method is in reach.

    >>> plain({"a": (1, object())})
    {'a': (1, '<object>')}
    """
    match value:
        case None | bool():
            return value
        case str():
            return str.__str__(value)
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case Mapping():
            return {plain(key): plain(item) for key, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case tuple():
            return tuple(plain(item) for item in value)
    inner = _as_mapping(value)
    return f"<{type(value).__name__}>" if inner is None else plain(inner)


def _as_mapping(value: Any) -> Mapping[str, Any] | None:
    """A dataclass or a model of the OpenAI client as its fields, None for anything else."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if not isinstance(value, type) and callable(getattr(value, "model_dump", None)):
        dumped = value.model_dump()
        return dumped if isinstance(dumped, Mapping) else None
    return None


def _plain_messages(messages: object) -> Iterator[dict[str, Any]]:
    """Each message as plain data, without the keys whose value is None."""
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise ConversationError(
            where="/messages", what=f"found {type(messages).__name__}", remedy="must be a list of messages"
        )
    for index, message in enumerate(messages):
        fields = message if isinstance(message, Mapping) else _as_mapping(message)
        if fields is None:
            raise ConversationError(
                where=f"/messages/{index}",
                what=f"found {type(message).__name__}",
                remedy='must be an object such as {"role": "user", "content": "Hi"}',
            )
        yield {plain(key): plain(value) for key, value in fields.items() if value is not None}


def _thought_field(message: dict[str, Any]) -> str | None:
    """The name under which a message's thoughts were given; templates find them under two names whichever it was."""
    return next((field for field in REASONING_FIELDS if message.get(field) is not None), None)


def _plain_objects(values: object, where: str, remedy: str) -> list[Any] | None:
    if values is None:
        return None
    if isinstance(values, str | Mapping) or not isinstance(values, Sequence):
        raise ConversationError(where=where, what=f"found {type(values).__name__}", remedy="must be a list: " + remedy)
    for index, value in enumerate(values):
        if not isinstance(value, Mapping):
            raise ConversationError(where=f"{where}/{index}", what=f"found {type(value).__name__}", remedy=remedy)
    return [plain(value) for value in values]


def _marked(chat: list[dict[str, Any]], field: str, source: str) -> str:
    """Put the mark behind the text to continue (in place); gives that text."""
    if not chat:
        raise ConversationError(where="/messages", what="there is no message to continue", remedy="add one")
    last = chat[-1]
    where = f"/messages/{len(chat) - 1}/{field}"
    if (text := last.get(field)) is None:
        raise ConversationError(where=where, what="there is nothing to continue", remedy=f"give the message {field!r}")
    fields = [field]
    if field in REASONING_FIELDS:
        fields = [name for name in REASONING_FIELDS if last.get(name) == text]
    if not any(name in source for name in fields):
        raise ConversationError(
            where=where, what=f"the template never reads {field!r}", remedy="continue a field that it reads"
        )
    if isinstance(text, str):
        last.update(dict.fromkeys(fields, text + CONTINUE_MARK))
        return text
    for block in reversed(text) if isinstance(text, list | tuple) else ():
        if isinstance(block, dict) and isinstance(found := block.get("text"), str):
            block["text"] = found + CONTINUE_MARK
            return found
        # Parts without a text (images) are passed over, as are plain strings; anything else is not looked behind.
        if not isinstance(block, dict | list | tuple | str) or "text" in block:
            break
    raise ConversationError(where=where, what="there is no text to continue", remedy="end it with a text")
