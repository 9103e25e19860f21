"""Putting together the text that a normalizer makes of another, and which source span each character takes over."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, repeat
from typing import NamedTuple

from tokcore.spans import AlignedText


class Edit(NamedTuple):
    """Characters `start` to `end` become `new`; each of its characters takes the span of the old one in `origins`.

    No origins: the new characters stand for nothing and take the empty span where the text began.
    """

    start: int
    end: int
    new: str
    origins: Sequence[int]

    def moved(self, distance: int) -> Edit:
        """The edit of a text that begins so many characters later."""
        return Edit(
            self.start + distance, self.end + distance, self.new, [origin + distance for origin in self.origins]
        )


@dataclass(frozen=True, slots=True)
class Beheaded(AlignedText):
    """Text whose first character does not stand where the text began, at `base`: what was there is gone.

    Law of the reference: what a later step puts before the first character stands at `base`, not before the character.
    """

    base: int


def base_of(text: AlignedText) -> int:
    """Where a text that is not empty began, before any step took characters off.

    >>> base_of(AlignedText.whole("abc").slice(1, 3))
    1
    """
    return text.base if isinstance(text, Beheaded) else text.starts[0]


def rebuilt(old: AlignedText, text: str, starts: Sequence[int], ends: Sequence[int]) -> AlignedText:
    """The text that took the place of `old`.

    >>> base_of(rebuilt(AlignedText.whole(" a"), "a", range(1, 2), range(2, 3)))
    0
    """
    if starts is old.starts and ends is old.ends:
        return respelled(old, text)
    if old.text and starts and starts[0] != base_of(old):
        return Beheaded(old.source, text, starts, ends, base_of(old))
    return AlignedText(old.source, text, starts, ends)


def respelled(old: AlignedText, text: str) -> AlignedText:
    """The same characters in other letters: each keeps its span.

    >>> respelled(AlignedText.whole("A"), "a").starts
    range(0, 1)
    """
    return old if text == old.text else replace(old, text=text)


def spread(old: AlignedText, text: str, counts: Iterable[int]) -> AlignedText:
    """The text that became of `old` when each of its characters became so many, which all take its span.

    >>> spread(AlignedText.whole("é"), "Ã©", [2]).origins
    (Span(start=0, end=1), Span(start=0, end=1))
    """
    lengths = list(counts)
    starts = array("i", list(chain.from_iterable(map(repeat, old.starts, lengths))))
    ends = array("i", list(chain.from_iterable(map(repeat, old.ends, lengths))))
    return rebuilt(old, text, starts, ends)


def without(old: AlignedText, pattern: re.Pattern[str]) -> AlignedText:
    """The text without the characters, one by one, that a pattern matches; without any, the same object.

    >>> without(AlignedText.whole("a-b"), re.compile("-")).origins
    (Span(start=0, end=1), Span(start=2, end=3))
    """
    places = [match.start() for match in pattern.finditer(old.text)]
    if not places:
        return old
    kept = bytearray(b"\1") * len(old.text)
    for place in places:
        kept[place] = 0
    starts = array("i", list(compress(old.starts, kept)))
    ends = array("i", list(compress(old.ends, kept)))
    return rebuilt(old, pattern.sub("", old.text), starts, ends)


def edited(old: AlignedText, edits: Iterable[Edit]) -> AlignedText:
    """The text after some edits, which come in order and do not overlap; without any, the same object.

    >>> edited(AlignedText.whole("a…"), [Edit(1, 2, "...", (1, 1, 1))]).origins[1:]
    (Span(start=1, end=2), Span(start=1, end=2), Span(start=1, end=2))
    """
    parts: list[str] = []
    # Arrays: a changed megabyte takes 8 MB of numbers, lists would take ten times that.
    starts, ends = array("i"), array("i")
    done = 0
    for start, end, new, origins in edits:
        parts += (old.text[done:start], new)
        starts.extend(old.starts[done:start])
        ends.extend(old.ends[done:start])
        if new and not origins:
            starts.extend([base_of(old)] * len(new))
            ends.extend([base_of(old)] * len(new))
        else:
            starts.extend([old.starts[origin] for origin in origins])
            ends.extend([old.ends[origin] for origin in origins])
        done = end
    if not parts:
        return old
    parts.append(old.text[done:])
    starts.extend(old.starts[done:])
    ends.extend(old.ends[done:])
    return rebuilt(old, "".join(parts), starts, ends)
