"""Ways to cut n ids into deltas: tuples of sizes, none of them 0, that sum to n.

Random ones are the same everywhere: they draw on nothing but `random.Random(seed).random()`, whose numbers Python keeps
from version to version.
"""

from __future__ import annotations

from random import Random

from tokcore.errors import TokcoreError

LARGEST_SEEDED = 8
LARGEST_BURST = 6


class BadCut(TokcoreError):
    """A count or size that no cut has."""


def even(n: int, k: int) -> tuple[int, ...]:
    """k ids a delta, what is left in the last.

    >>> even(7, 3), even(2, 3), even(0, 3)
    ((3, 3, 1), (2,), ())
    """
    _check(n)
    if k < 1:
        raise BadCut(where="k", what=f"found {k}", remedy="a delta has at least one id")
    whole, rest = divmod(n, k)
    return (k,) * whole + ((rest,) if rest else ())


def two_way(n: int) -> tuple[tuple[int, int], ...]:
    """Every cut into two deltas; of fewer than two ids there is none.

    >>> two_way(4)
    ((1, 3), (2, 2), (3, 1))
    """
    _check(n)
    return tuple((first, n - first) for first in range(1, n))


def seeded(n: int, seed: int) -> tuple[int, ...]:
    """Random sizes of 1 to 8 ids, each as likely.

    >>> seeded(20, seed=1), seeded(20, seed=2)
    ((2, 7, 7, 3, 1), (8, 8, 1, 1, 2))
    """
    _check(n)
    random = Random(seed)
    sizes: list[int] = []
    left = n
    while left:
        sizes.append(min(left, 1 + int(random.random() * LARGEST_SEEDED)))
        left -= sizes[-1]
    return tuple(sizes)


def bursts(n: int, seed: int) -> tuple[int, ...]:
    """As speculative decoding gives them: one id and of five drafted ones so many as were right, each in 7 of 10 cases.

    >>> bursts(20, seed=1), bursts(20, seed=2)
    ((2, 1, 5, 3, 2, 3, 2, 1, 1), (1, 1, 3, 1, 6, 4, 1, 1, 2))
    """
    _check(n)
    random = Random(seed)
    sizes: list[int] = []
    left = n
    while left:
        size = 1
        while size < LARGEST_BURST and random.random() < 0.7:
            size += 1
        sizes.append(min(left, size))
        left -= sizes[-1]
    return tuple(sizes)


def _check(n: int) -> None:
    if n < 0:
        raise BadCut(where="n", what=f"found {n}", remedy="a count of ids is 0 or more")
