"""Messages become a prompt: a chat template rendered exactly as the reference renders it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from types import FrameType, TracebackType
from typing import Any

from jinja2 import Template, TemplateSyntaxError
from jinja2.exceptions import SecurityError, UndefinedError

from tokcore.chat.arguments import parse_tool_arguments
from tokcore.chat.conversation import Conversation, Templates, prepare
from tokcore.chat.environment import NO_LIMITS, ChatEnvironment, Limits, Refusal
from tokcore.chat.errors import (
    ChatError,
    LimitExceeded,
    TemplateFailed,
    TemplateForbidden,
    TemplateRefused,
    TemplateSyntax,
)


def render_chat(
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
) -> str:
    """The prompt, character for character as `apply_chat_template(tokenize=False)` of transformers 5 renders it.

    >>> template = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\\n{% endfor %}{{ ending }}"
    >>> render_chat(template, [{"role": "user", "content": "Olá"}], ending="ok")
    '[user] Olá\\nok'

    `template`: a text, or several by name. `tools`: JSON Schemas. `add_generation_prompt`: None means yes, unless a
    message is continued. `continue_final_message`: True, or the field to continue. `now`: the local time for templates
    that ask for it; without it they fail with ClockMissing, since this package reads no clock. `parse_arguments`: read
    tool-call arguments given as JSON text first, which the reference does not. `variables`: everything else that the
    template reads, special tokens (`bos_token`) among them.

    Raises a ChatError, with the template's line, the variable and the message where they can be known.
    """
    chat = prepare(
        template,
        parse_tool_arguments(messages)[0] if parse_arguments and isinstance(messages, list | tuple) else messages,
        tools,
        add_generation_prompt,
        continue_final_message,
        **variables,
    )
    text = run(ChatEnvironment(now, limits), chat, limits)
    return text[: chat.end(text)]


def run(environment: ChatEnvironment, chat: Conversation, limits: Limits = NO_LIMITS) -> str:
    """What the template writes for a conversation, before anything is cut off."""
    compiled = compile_template(environment, chat.source)
    pieces = compiled.root_render_func(compiled.new_context(chat.variables))
    try:
        return environment.concat(_within(pieces, limits.output_characters))
    except MemoryError:
        raise
    except Exception as error:
        raise explained(error, compiled, chat, getattr(pieces, "gi_frame", None)) from error


def compile_template(environment: ChatEnvironment, source: str) -> Template:
    """The template of a source text; a ChatError where it does not compile."""
    if not isinstance(source, str):
        raise TemplateSyntax(where="template", what=f"found {type(source).__name__}", remedy="must be a text")
    try:
        return environment.template(source)
    except MemoryError:
        raise
    except TemplateSyntaxError as error:
        raise TemplateSyntax(
            where="template", what=str(error.message), remedy=_shown_line(source, error.lineno), line=error.lineno
        ) from error
    except RecursionError as error:
        raise TemplateSyntax(
            where="template", what="the template is nested too deeply", remedy="take some brackets or blocks out"
        ) from error
    except Exception as error:
        # Jinja lets it through and Python does not: twenty loops inside one another, a `break` outside of any.
        raise TemplateSyntax(
            where="template", what=f"the template cannot be compiled: {error}", remedy="simplify it"
        ) from error


def _shown_line(source: str, number: int) -> str:
    lines = source.splitlines()
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return f"look at: {line[:120]}" if line else "look at the line before"


def _within(pieces: Iterable[str], limit: int | None) -> Iterator[str]:
    """The pieces, as long as all of them together are not too long."""
    written = 0
    for piece in pieces:
        written += len(piece)
        if limit is not None and written > limit:
            raise LimitExceeded(
                where="template",
                what=f"the prompt is longer than {limit:,} characters",
                remedy="look for a loop that writes too much, or give it a shorter conversation",
            )
        yield piece


def explained(error: Exception, compiled: Template, chat: Conversation, waiting: FrameType | None = None) -> ChatError:
    """What went wrong while a template rendered, with the place in the template and the message it was at.

    `waiting`: the template's own frame, where it was the taking of its output that failed.
    """
    line, message = _place(error.__traceback__, waiting, compiled, chat)
    if isinstance(error, ChatError):
        where = {"where": "template", "what": error.what, "remedy": error.remedy}
        return type(error)(**where, line=line, message=message, variable=error.variable)
    text = str(error) or type(error).__name__
    if isinstance(error, Refusal):
        return TemplateRefused(
            where="template",
            what=f"the template refuses this conversation: {text}",
            remedy="change the messages or tools accordingly",
            line=line,
            message=message,
        )
    if isinstance(error, SecurityError):
        return TemplateForbidden(
            where="template",
            what=f"the sandbox forbids it: {text}",
            remedy="a template may read what it is given, and change none of it",
            line=line,
            message=message,
        )
    if isinstance(error, RecursionError):
        text, remedy = "macros or data are nested too deeply", "look for a macro or loop that calls itself"
    elif isinstance(error, UndefinedError):
        remedy = "give the template this value, or let it test `is defined`"
    else:
        text = f"{type(error).__name__}: {text}"
        remedy = _shown_line(chat.source, line or 0)
    return TemplateFailed(
        where="template", what=text, remedy=remedy, line=line, message=message, variable=_missing_name(error)
    )


def _missing_name(error: Exception) -> str | None:
    """The name that was not there: the last one quoted in what Jinja says about it."""
    if not isinstance(error, UndefinedError):
        return None
    found = re.search(r"(?:^|no attribute )'([^']*)'(?: is undefined)?$", str(error))
    return None if found is None else found[1]


def _place(
    trace: TracebackType | None, waiting: FrameType | None, compiled: Template, chat: Conversation
) -> tuple[int | None, int | None]:
    """Line of the template and index of the message, from the innermost of the template's own frames that knows."""
    frames = [] if waiting is None else [(waiting.f_lineno, waiting.f_locals)]
    while trace is not None:
        if trace.tb_frame.f_globals.get("__jinja_template__") is compiled:
            frames.append((trace.tb_lineno, trace.tb_frame.f_locals))
        trace = trace.tb_next
    if not frames:
        return None, None
    line = compiled.get_corresponding_lineno(frames[-1][0])
    indexes = (_message_at(names, chat) for _, names in reversed(frames))
    return line, next((index for index in indexes if index is not None), None)


def _message_at(names: Mapping[str, Any], chat: Conversation) -> int | None:
    """Which message a frame is at: the one in its innermost variable that holds one (Jinja's l_<depth>_<name>)."""
    number_of = {id(message): index for index, message in enumerate(chat.messages)}
    found = []
    for name, value in names.items():
        depth = re.match(r"l_(\d+)_", name)
        if depth is not None and id(value) in number_of:
            found.append((int(depth[1]), number_of[id(value)]))
    if not found:
        return None
    deepest = max(found)[0]
    at_deepest = {index for depth, index in found if depth == deepest}
    return at_deepest.pop() if len(at_deepest) == 1 else None
