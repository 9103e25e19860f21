"""Ways to cut a stream: sizes that sum to the count, the same everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokcore.streaming.cuts import LARGEST_BURST, LARGEST_SEEDED, BadCut, bursts, even, seeded, two_way


@given(n=st.integers(0, 500), k=st.integers(1, 600), seed=st.integers(0, 2**64))
def test_sizes_are_positive_and_sum_to_the_count(n: int, k: int, seed: int) -> None:
    for sizes in (even(n, k), seeded(n, seed), bursts(n, seed), *two_way(n)):
        assert sum(sizes) == n and all(size > 0 for size in sizes)
    assert len(even(n, k)) == -(-n // k)
    assert max(seeded(n, seed), default=0) <= LARGEST_SEEDED and max(bursts(n, seed), default=0) <= LARGEST_BURST


def test_two_way_cuts_are_all_there_are() -> None:
    assert two_way(5) == ((1, 4), (2, 3), (3, 2), (4, 1))
    assert two_way(0) == two_way(1) == ()


def test_seeds_give_the_same_cuts_on_every_python() -> None:
    assert seeded(40, 7) == (3, 2, 6, 1, 5, 3, 1, 5, 1, 4, 1, 1, 4, 3)
    assert bursts(40, 7) == (6, 6, 4, 4, 3, 2, 5, 6, 4)


def test_other_seeds_give_other_cuts() -> None:
    assert len({seeded(100, seed) for seed in range(200)}) == 200
    assert len({bursts(100, seed) for seed in range(200)}) == 200


def test_random_sizes_are_spread_and_bursts_run_to_their_end_in_a_sixth_of_all() -> None:
    counts = Counter(seeded(100_000, 3)[:-1])
    assert set(counts) == set(range(1, 9)) and max(counts.values()) < 1.2 * min(counts.values())
    sizes = bursts(100_000, 3)
    assert 0.15 < sizes.count(6) / len(sizes) < 0.19 and 0.28 < sizes.count(1) / len(sizes) < 0.32


@pytest.mark.parametrize("cut", [lambda: even(-1, 1), lambda: even(3, 0), lambda: two_way(-1), lambda: seeded(-1, 0)])
def test_a_count_or_size_that_no_cut_has_is_refused(cut: Callable[[], object]) -> None:
    with pytest.raises(BadCut):
        cut()
    with pytest.raises(BadCut):
        bursts(-5, 0)
