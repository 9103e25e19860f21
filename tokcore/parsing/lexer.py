"""Finding markers in text that is still arriving, and how much of its end must wait."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Found(NamedTuple):
    """Where a marker stands, or where text begins that may still become one (`marker` None, `end` the text's end).

    Nothing found: both are the text's end.
    """

    start: int
    end: int
    marker: str | None


class Lexer:
    """The markers of one state.

    >>> lexer = Lexer(["<think>", "<tool_call>"])
    >>> lexer.find("a<b <tool_call>{", 0)
    Found(start=4, end=15, marker='<tool_call>')
    >>> lexer.find("a<b <t", 0)
    Found(start=4, end=6, marker=None)

    Leftmost, then longest; where a longer marker may still come, the shorter one waits. What waits is the longest tail
    that is a proper prefix of a marker, nothing else. Cost: one pass, whatever the number of markers.
    """

    def __init__(self, markers: Iterable[str]) -> None:
        self.markers = frozenset(markers)
        self.prefixes = frozenset(marker[:end] for marker in self.markers for end in range(1, len(marker)))
        self.longest = max(map(len, self.markers), default=1)
        self._open = re.compile(_pattern(self.markers, waits=True))
        self._whole = re.compile(_pattern(self.markers, waits=False))

    def find(self, text: str, start: int, final: bool = False) -> Found:
        """The first marker of `text` from `start` on; `final` says that no more text will come."""
        match = (self._whole if final else self._open).search(text, start)
        return self._found(match, text, len(text), final)

    def at(self, text: str, start: int, final: bool = False) -> Found | None:
        """The marker that stands exactly at `start`, or may be standing there; None where none can be.

        >>> Lexer(["[", "[ARGS]"]).at("[AR", 0)
        Found(start=0, end=3, marker=None)
        >>> Lexer(["[", "[ARGS]"]).at("[AX", 0)
        Found(start=0, end=1, marker='[')
        """
        match = (self._whole if final else self._open).match(text, start)
        return None if match is None else self._found(match, text, start, final)

    def _found(self, match: re.Match[str] | None, text: str, nowhere: int, final: bool) -> Found:
        if match is None:
            return Found(nowhere, nowhere, None)
        marker = match[0]
        waits = not final and match.end() == len(text) and marker in self.prefixes
        return Found(match.start(), match.end(), None if waits else marker)

    def may_become(self, tail: str) -> str | None:
        """The shortest marker that begins with `tail` and is longer.

        >>> Lexer(["<think>", "<tool_call>"]).may_become("<t")
        '<think>'
        """
        longer = (marker for marker in self.markers if marker.startswith(tail) and marker != tail)
        return min(longer, key=lambda marker: (len(marker), marker), default=None)

    def tail(self, text: str) -> int:
        """The length of the longest tail of `text` that is a proper prefix of a marker.

        >>> Lexer(["[TOOL_CALLS]"]).tail('{"a": [')
        1
        """
        sizes = range(min(self.longest - 1, len(text)), 0, -1)
        return next((size for size in sizes if text[-size:] in self.prefixes), 0)


@lru_cache(maxsize=256)
def lexer_of(markers: frozenset[str]) -> Lexer:
    """One lexer for one set of markers."""
    return Lexer(markers)


def _pattern(markers: Iterable[str], waits: bool) -> str:
    """A pattern for the markers as a tree of their characters; with `waits` also for a beginning at the text's end."""
    words = sorted(set(markers))
    return _tree(words, 0, waits) if words else r"(?!)"


def _tree(words: list[str], depth: int, waits: bool) -> str:
    ends = any(len(word) == depth for word in words)
    branches: dict[str, list[str]] = {}
    for word in words:
        if len(word) > depth:
            branches.setdefault(word[depth], []).append(word)
    parts = [re.escape(first) + _tree(rest, depth + 1, waits) for first, rest in branches.items()]
    if not parts:
        return ""
    # Deeper first: the longest marker wins. A beginning at the end of the text comes before a shorter marker.
    if waits and depth:
        parts.append(r"\Z")
    if ends:
        parts.append("")
    return f"(?:{'|'.join(parts)})"
