"""The lattice of a piece: every token that may stand at every place, and the best ways through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

# From this many characters on tokens are looked for by their first 4, 8, 16 … characters.
FIRST_WIDTH = 4


# One token at one place of a piece: first character, last one + 1, id (None where there is no unknown token), score.
# A plain tuple: a lattice has several for every character, and nearly all are looked at once.
Edge = tuple[int, int, int | None, float]


class TokenIndex:
    """Finds the tokens that a text goes on with at a place.

    >>> TokenIndex({"a": 0, "ab": 1, "abcde": 2}).starting("xabcdef", 1)
    [(2, 0), (3, 1), (6, 2)]

    Tokens of 4 to 7 characters are listed under their first 4 by length, those of 8 to 15 under their first 8 and so
    on: memory stays a small multiple of the vocabulary's, whatever it holds, and most places need few look-ups.
    """

    def __init__(self, ids: Mapping[str, int]) -> None:
        self._ids = ids
        lengths: dict[str, set[int]] = {}
        short: set[int] = set()
        for token in ids:
            length = len(token)
            if length < FIRST_WIDTH:
                short.add(length)
                continue
            width = FIRST_WIDTH
            while width * 2 <= length:
                # Listed even where no token of this width is: the search goes on only where it found something.
                lengths.setdefault(token[:width], set())
                width *= 2
            lengths.setdefault(token[:width], set()).add(length)
        self._short = tuple(sorted(short - {0}))
        self._lengths = {prefix: tuple(sorted(found)) for prefix, found in lengths.items()}

    def starting(self, text: str, start: int) -> list[tuple[int, int]]:
        """(end, id) of every token that the text holds at `start`, shortest first."""
        get = self._ids.get
        found: list[tuple[int, int]] = []
        left = len(text) - start
        for length in self._short:
            if length <= left and (id := get(text[start : start + length])) is not None:
                found.append((start + length, id))
        width = FIRST_WIDTH
        while width <= left and (lengths := self._lengths.get(text[start : start + width])) is not None:
            for length in lengths:
                if length <= left and (id := get(text[start : start + length])) is not None:
                    found.append((start + length, id))
            width *= 2
        return found


class Hop(NamedTuple):
    """The last token of a way: the way's total score, the token, and which of the ways to its start it goes on."""

    total: float
    edge: Edge | None
    rank: int


def two_best(edges: Iterable[Edge], length: int) -> list[tuple[float, list[Edge]]]:
    """The best way through a lattice and the second best, each with its score; fewer where there are no more.

    >>> two_best([(0, 1, 7, -1.0), (0, 2, 8, -3.0), (1, 2, 9, -1.5)], length=2)
    [(-2.5, [(0, 1, 7, -1.0), (1, 2, 9, -1.5)]), (-3.0, [(0, 2, 8, -3.0)])]

    `edges`: by start. Law: scores add up from the left; of equal ways the one that was found first stays.
    """
    ends: list[list[Hop]] = [[] for _ in range(length + 1)]
    ends[0] = [Hop(0.0, None, 0)]
    for edge in edges:
        start, end, _, score = edge
        kept = ends[end]
        for rank, before in enumerate(ends[start]):
            hop = Hop(before.total + score, edge, rank)
            if not kept or hop.total > kept[0].total:
                kept.insert(0, hop)
                del kept[2:]
            elif len(kept) < 2 or hop.total > kept[1].total:
                kept[1:] = [hop]
    return [(hop.total, list(way_back(ends, hop))[::-1]) for hop in ends[length]]


def way_back(ends: list[list[Hop]], hop: Hop) -> Iterator[Edge]:
    """The tokens of a way, last one first."""
    while hop.edge is not None:
        yield hop.edge
        hop = ends[hop.edge[0]][hop.rank]
