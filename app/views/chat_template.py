"""The template as drawn: its lines, what it needs, the variables it reads and what they do here; and how it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.chat_request import ChatRequest, shown_value
from tokcore.chat.errors import ChatError, ConversationError, TemplateRefused
from tokcore.chat.provenance import RenderedPrompt
from tokcore.chat.variables import Probe, TemplateFacts, Variable
from tokcore.errors import TokcoreError

LINES_LISTED = 500
LINE_CHARACTERS = 400
CONTEXT = 2


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the template; `wrote`: characters of the prompt that come from it."""

    number: int
    text: str
    wrote: int
    fails: bool = False


@dataclass(frozen=True, slots=True)
class SwitchView:
    """A variable tried three ways: tokens of the prompt with it left out, true and false; None where it refuses."""

    name: str
    lines: tuple[int, ...]
    given: str
    unset: int | None
    on: int | None
    off: int | None
    matters: bool


@dataclass(frozen=True, slots=True)
class Need:
    name: str
    needs: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TemplateView:
    title: str
    lines: tuple[SourceLine, ...]
    more_lines: int
    switches: tuple[SwitchView, ...]
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class FailureView:
    """Why there is no prompt: `context` are the template's lines around the place, `message` the index of a message."""

    title: str
    what: str
    remedy: str
    line: int | None
    variable: str
    message: int | None
    context: tuple[SourceLine, ...]


NO_MESSAGES = FailureView("No prompt yet", "", "", None, "", None, ())


@dataclass(frozen=True, slots=True)
class Choice:
    """A variable offered beside the template: `options` where it is a switch, else `known` values to choose or type."""

    name: str
    typed: str
    options: tuple[tuple[str, str], ...]
    known: tuple[str, ...]
    placeholder: str
    read: bool


def template_view(
    request: ChatRequest,
    facts: TemplateFacts | None,
    prompt: RenderedPrompt | None,
    probes: Sequence[Probe],
    count_ids: Callable[[str], int],
) -> TemplateView:
    wrote: dict[int, int] = {}
    for span in prompt.spans if prompt is not None else ():
        if span.origin.line is not None:
            wrote[span.origin.line] = wrote.get(span.origin.line, 0) + len(span.text)
    lines = request.template.source.split("\n")
    counts: dict[str, int] = {}

    def tokens(text: str | None) -> int | None:
        if text is None:
            return None
        if text not in counts:
            counts[text] = count_ids(text)
        return counts[text]

    read = {variable.name: variable for variable in facts.variables} if facts is not None else {}
    return TemplateView(
        title=request.template.title,
        lines=tuple(_line(number, text, wrote.get(number, 0)) for number, text in enumerate(lines[:LINES_LISTED], 1)),
        more_lines=max(0, len(lines) - LINES_LISTED),
        switches=tuple(
            SwitchView(
                name=probe.name,
                lines=read[probe.name].lines,
                given=shown_value(request.given[probe.name]) if probe.name in request.given else "",
                unset=tokens(probe.unset),
                on=tokens(probe.on),
                off=tokens(probe.off),
                matters=probe.matters,
            )
            for probe in probes
        ),
        needs=tuple(Need(feature.name, feature.needs, feature.lines) for feature in facts.features) if facts else (),
    )


def failure_view(failure: TokcoreError, source: str) -> FailureView:
    """A failure with the template's lines around it."""
    line = failure.line if isinstance(failure, ChatError) else None
    context: tuple[SourceLine, ...] = ()
    if line is not None:
        lines = source.split("\n")
        around = range(max(1, line - CONTEXT), min(len(lines), line + CONTEXT) + 1)
        context = tuple(_line(number, lines[number - 1], 0, fails=number == line) for number in around)
    if isinstance(failure, ConversationError):
        title = "This conversation cannot be rendered"
    elif isinstance(failure, TemplateRefused):
        title = "The template refuses this conversation"
    elif isinstance(failure, ChatError):
        title = "The template fails"
    else:
        title = "The template was stopped"
    message = failure.message if isinstance(failure, ChatError) else None
    where = failure.where.split("/")
    if message is None and len(where) > 2 and where[1] == "messages" and where[2].isdecimal():
        message = int(where[2])
    return FailureView(
        title=title,
        # The title has said so.
        what=failure.what.removeprefix("the template refuses this conversation: "),
        remedy=failure.remedy,
        line=line,
        variable=(failure.variable or "") if isinstance(failure, ChatError) else "",
        message=message,
        context=context,
    )


def _line(number: int, text: str, wrote: int, fails: bool = False) -> SourceLine:
    shown = text if len(text) <= LINE_CHARACTERS else text[:LINE_CHARACTERS] + "…"
    return SourceLine(number, shown.replace("\0", "\u2400"), wrote, fails)


def choices(request: ChatRequest, typed: Mapping[str, str], facts: TemplateFacts | None) -> tuple[Choice, ...]:
    """The variables to offer: what the template reads, and what was given although it does not."""
    variables = facts.variables if facts is not None else ()
    offered = [
        _choice(variable, typed.get(variable.name, ""), request.special) for variable in variables if _own(variable)
    ]
    names = {choice.name for choice in offered}
    for name, value in typed.items():
        if name not in names:
            offered.append(Choice(name, value, (), (), "not read by this template", read=facts is None))
    return tuple(offered)


def _own(variable: Variable) -> bool:
    return variable.role in ("own", "special token")


def _choice(variable: Variable, typed: str, special: Mapping[str, Any]) -> Choice:
    options: tuple[tuple[str, str], ...] = ()
    known = tuple(shown_value(value) for value in variable.choices if isinstance(value, str | int | float | bool))
    is_switch = bool(variable.choices) and all(isinstance(value, bool) for value in variable.choices)
    if is_switch and typed in ("", "true", "false"):
        options = (("", "unset"), ("true", "true"), ("false", "false"))
    if not variable.choices and variable.role == "own":
        known = ("true", "false")
    placeholder = f"{special[variable.name]} (the tokenizer’s)" if variable.name in special else "unset"
    return Choice(variable.name, typed, options, known, placeholder, read=True)
