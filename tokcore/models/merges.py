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
        self._rules = list(rules)
        super().__init__({left << PAIR_SHIFT | right: rank for rank, (left, right, _) in enumerate(self._rules)})

    def __missing__(self, key: int) -> int:
        return NO_RULE

    def new_id(self, rank: int) -> int:
        return self._rules[rank][2]

    def pair(self, rank: int) -> tuple[int, int]:
        left, right, _ = self._rules[rank]
        return left, right

    def number(self, rank: int) -> int:
        """Where the rule stands in a tokenizer.json's list of merges."""
        return rank

    def all_rules(self) -> list[tuple[int, int, int]]:
        """(left id, right id, joined id) of every rule, in the order of rank."""
        return self._rules

    @property
    def count(self) -> int:
        """How many rules there are."""
        return len(self._rules)


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
