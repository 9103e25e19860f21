"""Merge rules, and the plain replay of them on one piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

PAIR_SHIFT = 32
NO_RULE = 2**62


def pair_key(left: int, right: int) -> int:
    """Two ids as one number, the key of the rank table.

    >>> pair_key(1, 2) == (1 << 32) + 2
    True
    """
    return left << PAIR_SHIFT | right


class MergeRules(dict[int, int]):
    """Rank of each pair of ids, lowest first, and the id that each rank makes.

    >>> rules = MergeRules([(0, 1, 2)])
    >>> rules[pair_key(0, 1)], rules.new_id(0), rules[pair_key(1, 1)] == NO_RULE
    (0, 2, True)

    A mapping pair_key → rank; a pair without a rule reads as NO_RULE. Of two rules for one pair the later rank holds.
    """

    def __init__(self, rules: Iterable[tuple[int, int, int]] = ()) -> None:
        super().__init__()
        self._keys: list[int] = []
        self._new_ids: list[int] = []
        columns = list(zip(*rules, strict=True))
        if columns:
            self._fill(*columns)

    @classmethod
    def of_columns(cls, left: Sequence[int], right: Sequence[int], joined: Sequence[int]) -> MergeRules:
        """The rules whose ids stand in three lists.

        >>> MergeRules.of_columns([0, 2], [1, 1], [2, 3]).pair(1)
        (2, 1)
        """
        rules = cls()
        rules._fill(left, right, joined)
        return rules

    def _fill(self, left: Sequence[int], right: Sequence[int], joined: Sequence[int]) -> None:
        self._keys = [one << PAIR_SHIFT | other for one, other in zip(left, right, strict=True)]
        self._new_ids = list(joined)
        self.update(zip(self._keys, range(len(self._keys)), strict=True))

    def __missing__(self, key: int) -> int:
        return NO_RULE

    def new_id(self, rank: int) -> int:
        return self._new_ids[rank]

    def pair(self, rank: int) -> tuple[int, int]:
        key = self._keys[rank]
        return key >> PAIR_SHIFT, key & (1 << PAIR_SHIFT) - 1

    def number(self, rank: int) -> int:
        """Where the rule stands in a tokenizer.json's list of merges."""
        return rank

    def all_rules(self) -> list[tuple[int, int, int]]:
        """(left id, right id, joined id) of every rule, in the order of rank."""
        return [(*self.pair(rank), new_id) for rank, new_id in enumerate(self._new_ids)]

    @property
    def count(self) -> int:
        """How many rules there are."""
        return len(self._new_ids)


class Symbol(NamedTuple):
    """One symbol of a piece in the middle of merging: its id and the UTF-8 bytes of the piece it covers."""

    id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge: symbol number `left` joined its right neighbour by the rule of this rank.

    `candidates`: (position, rank) of every pair that had a rule, the winner included; `symbols`: the result.
    """

    index: int
    left: int
    rank: int
    new_id: int
    candidates: tuple[tuple[int, int], ...]
    symbols: tuple[Symbol, ...]


def merge_steps(symbols: Sequence[Symbol], rules: MergeRules) -> Iterator[MergeStep]:
    """Replay the merges on one piece: lowest rank first, leftmost on a tie.

    >>> rules = MergeRules([(1, 2, 12), (0, 1, 1)])
    >>> [step.symbols for step in merge_steps([Symbol(0, 0, 1), Symbol(1, 1, 2), Symbol(2, 2, 3)], rules)]
    [(Symbol(id=0, start=0, end=1), Symbol(id=12, start=1, end=3))]
    """
    current = tuple(symbols)
    index = 0
    while True:
        ranks = [rules[pair_key(left.id, right.id)] for left, right in pairwise(current)]
        candidates = tuple((position, rank) for position, rank in enumerate(ranks) if rank != NO_RULE)
        if not candidates:
            return
        left, rank = min(candidates, key=lambda candidate: (candidate[1], candidate[0]))
        joined = Symbol(rules.new_id(rank), current[left].start, current[left + 1].end)
        current = (*current[:left], joined, *current[left + 2 :])
        yield MergeStep(index, left, rank, joined.id, candidates, current)
        index += 1
