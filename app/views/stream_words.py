"""A step of a stream in words: what came, what went out, what is held and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.views.visible import visible_runs
from tokcore.generation import Held, StreamStep
from tokcore.parsing import Kind, ParseEvent

QUOTE_CHARACTERS = 48
# What an event's text went out as.
AS_WORDS = {Kind.REASONING: "reasoning", Kind.CONTENT: "content", Kind.ARGUMENTS: "arguments"}
EVENT_WORDS = {
    Kind.REASONING: "reasoning",
    Kind.CONTENT: "content",
    Kind.CALL: "call",
    Kind.ARGUMENTS: "arguments",
    Kind.CALL_END: "call ends",
    Kind.DROPPED: "dropped",
}
STAGE_WORDS = {"bytes": "a character is not whole", "markup": "it may become markup", "stop": "it may become a stop"}
DROPPED_WORDS = {
    "marker": "markup",
    "formatting": "formatting",
    "stop": "the stop string",
    "after the stop": "after the stop",
}


def quote(text: str) -> str:
    r"""A text in quotation marks with its hidden characters drawn, its beginning where it is long.

    >>> quote(" a\n"), quote("x" * 60)[-3:]
    ('“·a⏎”', 'x…”')
    """
    shown = "".join(run.sign for run in visible_runs(text[:QUOTE_CHARACTERS]))
    return f"“{shown}{'…' if len(text) > QUOTE_CHARACTERS else ''}”"


def sentence(step: StreamStep, tokens: Sequence[str]) -> str:
    """One sentence about a step; `tokens` are the names of its ids.

    >>> from tokcore.spans import Span
    >>> event = ParseEvent(Kind.CONTENT, "2.", None, Span(0, 2))
    >>> held = Held("stop", "</ans", b"", "`</ans` may become `</answer>`")
    >>> sentence(StreamStep(0, 0, (1,), "2.</ans", (event,), (), (held,)), ["2.</ans"])
    '“2.</ans” came: “2.” goes out as content; held: `</ans` may become `</answer>`.'
    """
    parts = [*went_out(step.events), *was_dropped(step.events), *is_held(step.held)]
    if step.stopped is not None and any(event.note == "stop" for event in step.events):
        parts.append(f"the stop {quote(step.stopped)} is complete, so the answer ends here")
    elif not any(event.kind is not Kind.DROPPED for event in step.events):
        parts.insert(0, "nothing goes out" if step.ids else "nothing more goes out")
    return f"{came(step, tokens)}: {'; '.join(parts)}."


def came(step: StreamStep, tokens: Sequence[str]) -> str:
    """What the step brought."""
    if not step.ids:
        return "The model has ended"
    if len(tokens) == 1:
        return f"{quote(tokens[0])} came" if tokens[0] else "A token without text came"
    return f"{len(tokens)} tokens came, {quote(''.join(tokens))}"


def went_out(events: Iterable[ParseEvent]) -> list[str]:
    parts = []
    for event in events:
        if event.kind in AS_WORDS:
            of = f" of call {event.call}" if event.kind is Kind.ARGUMENTS else ""
            parts.append(f"{quote(event.text)} goes out as {AS_WORDS[event.kind]}{of}")
        elif event.kind is Kind.CALL:
            parts.append(f"call {event.call} begins, its name {quote(event.text)} goes out")
        elif event.kind is Kind.CALL_END:
            parts.append(f"call {event.call} ends{f' ({event.note})' if event.note else ''}")
    return parts


def was_dropped(events: Iterable[ParseEvent]) -> list[str]:
    """The dropped texts, those of one reason together."""
    texts: dict[str, str] = {}
    ends: dict[str, int] = {}
    for event in events:
        if event.kind is Kind.DROPPED and event.text:
            gap = "…" if ends.get(event.note, event.span.start) != event.span.start else ""
            texts[event.note] = texts.get(event.note, "") + gap + event.text
            ends[event.note] = event.span.end
    return [f"{quote(text)} is dropped, {DROPPED_WORDS.get(note, note or 'markup')}" for note, text in texts.items()]


def is_held(held: Iterable[Held]) -> list[str]:
    return [f"held: {because(part)}" for part in held]


def because(part: Held) -> str:
    r"""Why something is held, with the text itself where the stage's reason does not name it.

    >>> because(Held("stop", "\nUs", b"", "'\\nUs' may become '\\nUser'")), because(Held("markup", "{", b"", "a call"))
    ("'\\nUs' may become '\\nUser'", '“{” (a call)')
    """
    words = reason(part)
    named = not part.text or words.startswith((f"`{signs(part.text)}`", signs(repr(part.text))))
    return words if named else f"{quote(part.text)} ({words})"


def reason(part: Held) -> str:
    """The stage's own words for why it holds; ours where it has none."""
    return signs(part.reason or STAGE_WORDS.get(part.stage, part.stage))


def signs(text: str) -> str:
    """A text with its hidden characters drawn, spaces apart."""
    return "".join(run.text if run.text == " " else run.sign for run in visible_runs(text))
