"""Merge rules read off a rank file, which lists tokens only: each token's rule is how the earlier ones split it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import itemgetter

from tokcore.models.merges import NO_RULE, PAIR_SHIFT, MergeRules

# Pairs looked up so far are remembered, those without a rule included; past this many the memory starts anew.
REMEMBERED_PAIRS = 1_000_000


class DerivedMergeRules(MergeRules):
    """The rules of a rank file, worked out pair by pair as they are asked for.

    >>> rules = DerivedMergeRules({"a": 0, "b": 1, "ab": 2, "aba": 3}, ["a", "b", "ab", "aba"])
    >>> rules[(2 << PAIR_SHIFT) + 0], rules[(0 << PAIR_SHIFT) + 2] == NO_RULE
    (3, True)

    `ranks`: token in the display alphabet → rank, which is its id; a rule's rank is the id of the token it makes.
    Working out all rules takes seconds for 150,000 tokens, the few that a text needs take microseconds each.
    """

    def __init__(self, ranks: Mapping[str, int], strings: Sequence[str | None]) -> None:
        super().__init__()
        self._ranks = ranks
        self._strings = strings
        self._splits: dict[int, tuple[int, int] | None] = {}
        self._all: list[tuple[int, int, int]] | None = None

    def __missing__(self, key: int) -> int:
        left, right = key >> PAIR_SHIFT, key & (1 << PAIR_SHIFT) - 1
        joined = self._ranks.get((self._strings[left] or "") + (self._strings[right] or ""))
        rank = NO_RULE if joined is None or self.split_of(joined) != (left, right) else joined
        if len(self) >= REMEMBERED_PAIRS:
            self.clear()
        self[key] = rank
        return rank

    def new_id(self, rank: int) -> int:
        return rank

    def pair(self, rank: int) -> tuple[int, int]:
        split = self.split_of(rank)
        if split is None:
            raise KeyError(rank)
        return split

    def split_of(self, id: int) -> tuple[int, int] | None:
        """The two tokens whose rule makes this one, None for a single byte and for a token no rule makes."""
        if id not in self._splits:
            parts = split_by_rank(self._strings[id] or "", self._ranks, id)
            self._splits[id] = (self._ranks[parts[0]], self._ranks[parts[1]]) if len(parts) == 2 else None
        return self._splits[id]

    def number(self, rank: int) -> int:
        """Where the rule stands in the list of merges: the tokens before it that a rule makes."""
        return bisect_left(self.all_rules(), rank, key=itemgetter(2))

    def all_rules(self) -> list[tuple[int, int, int]]:
        """(left id, right id, joined id) of every rule in order, as a tokenizer.json lists them."""
        if self._all is None:
            splits = ((self.split_of(id), id) for id in sorted(self._ranks.values()))
            self._all = [(split[0], split[1], id) for split, id in splits if split is not None]
        return self._all

    @property
    def count(self) -> int:
        return len(self.all_rules())


def split_by_rank(token: str, ranks: Mapping[str, int], below: int) -> list[str]:
    """Join the characters of a token by rank, using only tokens of a lower rank than `below`.

    >>> split_by_rank("aba", {"a": 0, "b": 1, "ab": 2, "aba": 3}, below=3)
    ['ab', 'a']

    Two parts are the token's rule; more than two mean that no rule makes it.
    """
    parts = list(token)
    pair_ranks = [ranks.get(token[at : at + 2], NO_RULE) for at in range(len(token) - 1)]
    while len(parts) > 2 and (rank := min(pair_ranks)) < below:
        at = pair_ranks.index(rank)
        parts[at] += parts[at + 1]
        del parts[at + 1], pair_ranks[at]
        if at:
            pair_ranks[at - 1] = ranks.get(parts[at - 1] + parts[at], NO_RULE)
        if at < len(pair_ranks):
            pair_ranks[at] = ranks.get(parts[at] + parts[at + 1], NO_RULE)
    return parts
