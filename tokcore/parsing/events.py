"""What a parser says about a model's output: events, each with the characters it came from."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from tokcore.spans import Span


class Kind(Enum):
    """What a stretch of output is."""

    REASONING = "reasoning"
    CONTENT = "content"
    CALL = "call"
    ARGUMENTS = "arguments"
    CALL_END = "call_end"
    DROPPED = "dropped"


class ParseEvent(NamedTuple):
    """One stretch of a model's output and what it turned out to be.

    >>> ParseEvent(Kind.CONTENT, "Hi", None, Span(15, 17)).span.cut("<think></think>Hi")
    'Hi'

    `text`: the text as it goes out; a CALL's is the tool's name, a DROPPED's the characters that do not go out, a
    CALL_END's is empty. `call`: the index of the call, also on what is dropped inside it; None outside calls. `span`:
    code points of the whole output. `note`: why something is dropped ("marker", "formatting", "cut off") or how a
    call ended ("" well, "cut off", "broken"); "broken call" on the CONTENT that repeats a broken call.

    Law: the spans of all events but those of broken calls partition the output.
    """

    kind: Kind
    text: str
    call: int | None
    span: Span
    note: str = ""


_POINTS = (Kind.CALL, Kind.CALL_END)


def merged(events: Iterable[ParseEvent]) -> list[ParseEvent]:
    """Events with neighbours of one kind joined, so that two cuts of one output compare equal.

    >>> a, b = ParseEvent(Kind.CONTENT, "H", None, Span(0, 1)), ParseEvent(Kind.CONTENT, "i", None, Span(1, 2))
    >>> merged([a, b]) == [ParseEvent(Kind.CONTENT, "Hi", None, Span(0, 2))]
    True

    Neighbours join where kind, call and note are the same and the spans touch; calls and their ends stay single.
    """
    runs: list[tuple[ParseEvent, list[str], int]] = []
    for event in events:
        if runs:
            first, texts, end = runs[-1]
            same = (first.kind, first.call, first.note, end) == (event.kind, event.call, event.note, event.span.start)
            if same and event.kind not in _POINTS:
                texts.append(event.text)
                runs[-1] = (first, texts, event.span.end)
                continue
        runs.append((event, [event.text], event.span.end))
    return [first._replace(text="".join(texts), span=Span(first.span.start, end)) for first, texts, end in runs]
