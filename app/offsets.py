"""From code points of a text to its UTF-8 bytes and its UTF-16 units, for a whole encoding at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tokcore.spans import Span


class Utf8Span(NamedTuple):
    """Half-open range of UTF-8 bytes of the source text."""

    start: int
    end: int


class Utf16Span(NamedTuple):
    """Half-open range of UTF-16 units of the source text: what a browser counts."""

    start: int
    end: int


CharacterSpan = Span | tuple[int, int]


def utf8_spans(text: str, spans: Sequence[CharacterSpan | None]) -> list[Utf8Span | None]:
    """One UTF-8 span per code-point span; None (no source text) stays None.

    >>> utf8_spans("a 🚀", [Span(0, 1), Span(1, 3), Span(2, 3), None])
    [Utf8Span(start=0, end=1), Utf8Span(start=1, end=6), Utf8Span(start=2, end=6), None]
    """
    at = _positions(text, spans, lambda part: len(part.encode()))
    return [None if span is None else Utf8Span(at[span[0]], at[span[1]]) for span in spans]


def utf16_spans(text: str, spans: Sequence[CharacterSpan | None]) -> list[Utf16Span | None]:
    """One UTF-16 span per code-point span.

    >>> utf16_spans("a 🚀", [Span(2, 3)])
    [Utf16Span(start=2, end=4)]
    """
    at = _positions(text, spans, lambda part: len(part.encode("utf-16-le")) // 2)
    return [None if span is None else Utf16Span(at[span[0]], at[span[1]]) for span in spans]


def _positions(
    text: str, spans: Iterable[CharacterSpan | None], measure: Callable[[str], int]
) -> Mapping[int, int] | Sequence[int]:
    """Code point → position in the other unit, for every place where a span begins or ends.

    Each stretch between two such places is measured once: linear in the text, and only C code sees its characters.
    """
    if text.isascii():
        return range(len(text) + 1)
    positions: dict[int, int] = {}
    done, position = 0, 0
    for place in sorted({place for span in spans if span is not None for place in span}):
        position += measure(text[done:place])
        done = place
        positions[place] = position
    return positions
