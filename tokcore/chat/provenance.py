"""Who wrote each character of a prompt: the template, a message, a tool, a variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tokcore.chat.arguments import parse_tool_arguments
from tokcore.chat.conversation import REASONING_FIELDS, Conversation, Templates, prepare
from tokcore.chat.environment import NO_LIMITS, ChatEnvironment, Limits
from tokcore.chat.errors import ChatError
from tokcore.chat.origins import COMPUTED, Origin, Traced
from tokcore.chat.template import run
from tokcore.chat.tracing import TracingEnvironment
from tokcore.fields import escape_pointer
from tokcore.spans import Span


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """A stretch of the prompt with one writer; `span` counts code points of the prompt."""

    span: Span
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A prompt and who wrote it.

    Law: the spans' texts, joined, are `text`; `text` is what render_chat gives.
    """

    text: str
    spans: tuple[PromptSpan, ...]


def render_with_provenance(
    template: Templates,
    messages: object,
    tools: object = None,
    add_generation_prompt: bool | None = None,
    continue_final_message: bool | str = False,
    now: datetime | None = None,
    *,
    parse_arguments: bool = False,
    limits: Limits = NO_LIMITS,
    **variables: Any,
) -> RenderedPrompt:
    """The prompt of `render_chat`, with the writer of each stretch; the arguments are the same.

    >>> prompt = render_with_provenance("<u>{{ messages[0].content | trim }}", [{"role": "user", "content": " Hi "}])
    >>> [(span.text, span.origin.kind, span.origin.pointer, span.origin.change) for span in prompt.spans]
    [('<u>', 'template', '', 'none'), ('Hi', 'message', '/messages/0/content', 'cut')]

    The template runs plainly first, which decides the text, and a second time on texts that remember. Where the two
    differ (a template that draws lots), the whole prompt is one span, computed. The template's own words behind
    everything that it writes without a generation prompt are of kind "generation".
    """
    if parse_arguments and isinstance(messages, list | tuple):
        messages = parse_tool_arguments(messages)[0]
    chat = prepare(template, messages, tools, add_generation_prompt, continue_final_message, **variables)
    whole = run(ChatEnvironment(now, limits), chat, limits)
    text = whole[: chat.end(whole)]
    traced = trace(chat, now, limits)
    if traced is None or traced != whole:
        return RenderedPrompt(text, tuple(_spans([(text, COMPUTED)] if text else [])))
    parts = list(traced.cut(0, len(text)).parts()) if len(text) < len(whole) else list(traced.parts())
    if chat.variables["add_generation_prompt"]:
        parts = list(_generation_marked(parts, _length_without_prompt(chat, text, now, limits)))
    return RenderedPrompt(text, tuple(_spans(parts)))


def trace(chat: Conversation, now: datetime | None, limits: Limits = NO_LIMITS) -> Traced | None:
    """What the template writes, every character with its origin; None where tracing fails."""
    environment = TracingEnvironment(now, limits)
    try:
        text = run(environment, Conversation(chat.source, dict(_traced(environment, chat))), limits)
    except ChatError:
        return None
    return text if isinstance(text, Traced) else Traced(text)


def _traced(environment: TracingEnvironment, chat: Conversation) -> Iterator[tuple[str, Any]]:
    for name, value in chat.variables.items():
        if name != "messages":
            yield name, environment.traced(value, "tool" if name == "tools" else "variable", f"/{name}")
            continue
        messages = []
        for index, (message, field) in enumerate(zip(value, chat.thought_fields, strict=True)):
            renamed = _renamed(message, field)
            messages.append(
                environment.traced(message, "message", f"/messages/{index}", renamed, marked=chat.to_continue)
            )
        yield name, messages


def _renamed(message: dict[str, Any], field: str | None) -> dict[str, str]:
    """Which fields of a message are copies of the one under which its thoughts were given."""
    return {} if field is None else {name: field for name in REASONING_FIELDS if message.get(name) is message[field]}


def _length_without_prompt(chat: Conversation, text: str, now: datetime | None, limits: Limits) -> int:
    """How much of the prompt the template writes without a generation prompt; all of it where that is no beginning."""
    without = replace(chat, variables={**chat.variables, "add_generation_prompt": False})
    try:
        shorter = run(ChatEnvironment(now, limits), without, limits)
    except ChatError:
        return len(text)
    return len(shorter) if text.startswith(shorter) else len(text)


def _generation_marked(parts: Iterable[tuple[str, Origin]], begins: int) -> Iterator[tuple[str, Origin]]:
    """The template's words from a place on, marked as the generation prompt."""
    at = 0
    for text, origin in parts:
        kept = max(0, min(len(text), begins - at))
        if origin.kind != "template":
            yield text, origin
        else:
            if kept:
                yield text[:kept], origin
            if kept < len(text):
                yield text[kept:], replace(origin, kind="generation")
        at += len(text)


def _spans(parts: Iterable[tuple[str, Origin]]) -> Iterator[PromptSpan]:
    at = 0
    for text, origin in parts:
        yield PromptSpan(Span(at, at + len(text)), text, origin)
        at += len(text)


def unreached(prompt: RenderedPrompt, messages: Sequence[Any], tools: Sequence[Any] | None = None) -> tuple[str, ...]:
    """JSON pointers of the texts and numbers of a conversation that left nothing in the prompt.

    >>> messages = [{"role": "user", "content": "Hi", "name": "Bo"}]
    >>> unreached(render_with_provenance("<{{ messages[0].content }}>", messages), messages)
    ('/messages/0/role', '/messages/0/name')

    A role is often only compared, so that its own letters do not show; whether that is worth a warning is the caller's
    to say.
    """
    seen = {name for span in prompt.spans for name in (span.origin.pointer, *span.origin.sources)}

    def found(value: Any, pointer: str) -> Iterator[str]:
        if pointer in seen:
            return
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from found(item, f"{pointer}/{escape_pointer(str(key))}")
        elif isinstance(value, list | tuple):
            for index, item in enumerate(value):
                yield from found(item, f"{pointer}/{index}")
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            yield pointer

    return (*found(messages, "/messages"), *found(tools or (), "/tools"))
