"""Spans, and text that remembers where each of its characters came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open range of code points of the source text.

    >>> Span(2, 5).cut("a raposa")
    'rap'
    """

    start: int
    end: int

    def cut(self, text: str) -> str:
        return text[self.start : self.end]


class ByteSpan(NamedTuple):
    """Half-open range of UTF-8 bytes of one piece.

    >>> ByteSpan(1, 3)
    ByteSpan(start=1, end=3)
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AlignedText:
    """Text as it stands after some stages, each character with the span of the source it stands for.

    >>> AlignedText.whole("Olá").slice(1, 3).origins
    (Span(start=1, end=2), Span(start=2, end=3))

    `starts[i]`, `ends[i]`: code points of `source` for `text[i]`. While nothing has changed both are ranges, so an
    unchanged megabyte costs no memory. A character that a stage inserts takes the span of its left neighbour.
    """

    source: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def whole(cls, source: str) -> AlignedText:
        """The source itself, before any stage."""
        return cls(source, source, range(len(source)), range(1, len(source) + 1))

    @property
    def origins(self) -> tuple[Span, ...]:
        """One span of the source per code point of `text`."""
        return tuple(map(Span, self.starts, self.ends))

    @property
    def is_verbatim(self) -> bool:
        """Whether `text` is one unchanged stretch of the source."""
        return isinstance(self.starts, range) and self.starts.step == 1 and isinstance(self.ends, range)

    def slice(self, start: int, end: int) -> AlignedText:
        """The characters `start` to `end` of `text` with their origins."""
        return AlignedText(self.source, self.text[start:end], self.starts[start:end], self.ends[start:end])

    def span(self, start: int, end: int) -> Span:
        """The source span of characters `start` to `end` of `text` (not empty): first start to last end.

        >>> AlignedText.whole("Olá").span(1, 3)
        Span(start=1, end=3)
        """
        return Span(self.starts[start], self.ends[end - 1])


def byte_ends(text: str) -> list[int]:
    """For each character of `text`, the UTF-8 byte where it ends.

    >>> byte_ends("aá🚀")
    [1, 3, 7]
    """
    return list(accumulate(map(utf8_length, text)))


def utf8_length(character: str) -> int:
    """How many bytes UTF-8 takes for one character.

    >>> [utf8_length(c) for c in "aá…🚀"]
    [1, 2, 3, 4]
    """
    code = ord(character)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
