"""Merging symbols quickly: a scanned rank list for words, a linked list with a heap for long pieces."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise

from tokcore.models.merges import NO_RULE, PAIR_SHIFT, MergeRules

# Scanning costs the square of the length, the heap's bookkeeping pays from about here on.
LONG_PIECE = 96


def merge(ids: list[int], lengths: list[int], rules: MergeRules) -> tuple[list[int], list[int]]:
    """All merges of one piece, lowest rank first, leftmost on a tie.

    >>> merge([0, 1, 2], [1, 1, 1], MergeRules([(1, 2, 12), (0, 1, 1)]))
    ([0, 12], [1, 2])

    `ids`, `lengths`: one per symbol, the length in whatever unit the caller counts; both are used up.
    Law: the result is that of `merge_steps`.
    """
    return merge_word(ids, lengths, rules) if len(ids) < LONG_PIECE else merge_long(ids, lengths, rules)


def merge_word(ids: list[int], lengths: list[int], rules: MergeRules) -> tuple[list[int], list[int]]:
    """Scan the ranks for the lowest, join, look up the two pairs that changed."""
    ranks = [rules[left << PAIR_SHIFT | right] for left, right in pairwise(ids)]
    while ranks and (rank := min(ranks)) != NO_RULE:
        at = ranks.index(rank)
        new_id = ids[at] = rules.new_id(rank)
        lengths[at] += lengths[at + 1]
        del ids[at + 1], lengths[at + 1], ranks[at]
        if at:
            ranks[at - 1] = rules[ids[at - 1] << PAIR_SHIFT | new_id]
        if at < len(ranks):
            ranks[at] = rules[new_id << PAIR_SHIFT | ids[at + 1]]
    return ids, lengths


def merge_long(ids: list[int], lengths: list[int], rules: MergeRules) -> tuple[list[int], list[int]]:
    """Keep the pairs in a heap by (rank, position); a stale entry no longer has the rank of its pair."""
    count = len(ids)
    after = [*range(1, count), -1]
    before = list(range(-1, count - 1))
    heap = [(rank, at) for at in range(count - 1) if (rank := rules[ids[at] << PAIR_SHIFT | ids[at + 1]]) != NO_RULE]
    heapify(heap)
    while heap:
        rank, at = heappop(heap)
        right = after[at]
        # A symbol that was joined into its left neighbour has length 0; a stale pair has another rank by now.
        if not lengths[at] or right < 0 or rules[ids[at] << PAIR_SHIFT | ids[right]] != rank:
            continue
        new_id = ids[at] = rules.new_id(rank)
        lengths[at] += lengths[right]
        lengths[right] = 0
        following = after[at] = after[right]
        if following >= 0:
            before[following] = at
            if (rank := rules[new_id << PAIR_SHIFT | ids[following]]) != NO_RULE:
                heappush(heap, (rank, at))
        if (left := before[at]) >= 0 and (rank := rules[ids[left] << PAIR_SHIFT | new_id]) != NO_RULE:
            heappush(heap, (rank, left))
    alive = [at for at in range(count) if lengths[at]]
    return [ids[at] for at in alive], [lengths[at] for at in alive]
