"""The arithmetic of a budget: published figures, hand-worked tables, and laws against counting one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokcore.chat.budget import Budget, KvShape, Measured, Part, about, scaled

ENGLISH = Measured("English", 64, 14)
PORTUGUESE = Measured("Portuguese", 80, 25)
HINDI = Measured("Hindi", 155, 58)

REQUEST = (
    Part.of_tokens("system", 300),
    Part("tools", 8, 147, 65),
    Part("documents", 6, 512, 512),
    Part("history", 20, 205, 205),
    Part.of_tokens("answer", 2_048, reserved=True),
)


def test_the_first_exercise_leaves_22646_of_32768() -> None:
    budget = Budget(32_768, REQUEST)
    assert [part.tokens for part in budget.parts] == [300, 602, 3_072, 4_100, 2_048]
    assert (budget.used_tokens, budget.left_tokens, budget.over_tokens) == (10_122, 22_646, 0)
    assert (budget.cuts(), budget.plan(["documents"])) == ((), ())


def test_the_second_exercise_gives_the_whole_input_3072() -> None:
    budget = Budget(4_096, (Part.of_tokens("answer", 768, reserved=True), Part.of_tokens("margin", 256, reserved=True)))
    assert (budget.room_tokens, budget.left_tokens, budget.input_tokens) == (3_072, 3_072, 0)


def test_a_document_of_20000_tokens_grows_with_the_language() -> None:
    portuguese, hindi = (20_000 * language.factor(ENGLISH) for language in (PORTUGUESE, HINDI))
    assert (portuguese, about(portuguese)) == (Fraction(20_000 * 25, 14), 35_700)
    assert (hindi, about(hindi)) == (Fraction(20_000 * 58, 14), 82_900)
    assert Budget(32_768, (Part("documents", 1, 20_000, 20_000),)).left_tokens == 12_768
    estimate = scaled(20_000, PORTUGUESE.factor(ENGLISH))
    assert Budget(32_768, (Part("documents", 1, estimate, estimate),)).over_tokens == 35_715 - 32_768


def test_the_kv_cache_of_that_document_is_3_gb_in_english_and_5_in_portuguese() -> None:
    per_token = KvShape(layers=36, kv_heads=8, head_dim=128, number_bytes=2).bytes_per_token
    assert per_token == 147_456
    assert per_token * 20_000 == 2_949_120_000
    assert about(per_token * 20_000 * PORTUGUESE.factor(ENGLISH), 2) == 5_300_000_000


def test_cuts_say_the_fewest_things_to_leave_out() -> None:
    budget = Budget(8_192, REQUEST)
    assert budget.over_tokens == 1_930
    assert [(cut.part.name, cut.units, cut.left_tokens) for cut in budget.cuts()] == [
        ("system", 300, -1_630),
        ("tools", 8, -1_328),
        ("documents", 4, 118),
        ("history", 10, 120),
        ("answer", 1_930, 0),
    ]


def test_a_plan_cuts_part_after_part() -> None:
    budget = Budget(2_500, REQUEST)
    plan = budget.plan(["documents", "history", "nothing", "tools"])
    assert [(cut.part.name, cut.units, cut.left_tokens) for cut in plan] == [
        ("documents", 6, -4_550),
        ("history", 20, -450),
        ("tools", 7, 5),
    ]
    assert [cut.left_tokens for cut in Budget(1, REQUEST).plan(["tools", "system"])] == [-9_519, -9_219]


@pytest.mark.parametrize(
    ("count", "tokens", "fewer"),
    [(8, 0, 0), (8, 1, 1), (8, 65, 1), (8, 66, 2), (8, 455, 7), (8, 456, 8), (8, 602, 8), (8, 603, None), (0, 1, None)],
)
def test_the_first_tool_goes_last(count: int, tokens: int, fewer: int | None) -> None:
    assert Part("tools", count, 147, 65).fewer(tokens) == fewer


PARTS = st.builds(Part, st.just("x"), st.integers(0, 40), st.integers(0, 90), st.integers(0, 90))


def saved(part: Part, units: int) -> int:
    return part.tokens - Part("x", part.count - units, part.first_tokens, part.each_tokens).tokens


@given(PARTS, st.integers(-5, 4_000))
def test_fewer_is_the_smallest_number_that_saves_enough(part: Part, tokens: int) -> None:
    # Where the first costs less than each further one, all of them still save the most.
    enough = [units for units in range(part.count + 1) if saved(part, units) >= tokens]
    assert part.fewer(tokens) == (enough[0] if enough else 0 if tokens <= 0 else None)
    for units in range(part.count + 1):
        assert part.saved(units) == saved(part, units)


@given(PARTS, st.integers(0, 4_000))
def test_more_is_the_largest_number_there_is_room_for(part: Part, tokens: int) -> None:
    def added(units: int) -> int:
        return Part("x", part.count + units, part.first_tokens, part.each_tokens).tokens - part.tokens

    more = part.more(tokens)
    if more is None:
        assert added(10_000) <= tokens
    else:
        assert more == 0 or added(more) <= tokens
        assert added(more + 1) > tokens


@given(st.lists(PARTS, max_size=5), st.integers(1, 6_000))
def test_each_cut_that_is_enough_makes_it_fit_and_one_less_does_not(parts: list[Part], context: int) -> None:
    named = tuple(Part(str(at), part.count, part.first_tokens, part.each_tokens) for at, part in enumerate(parts))
    budget = Budget(context, named)
    for cut in budget.cuts():
        assert cut.left_tokens == budget.left_tokens + saved(cut.part, cut.units)
        if cut.left_tokens >= 0:
            assert budget.left_tokens + saved(cut.part, cut.units - 1) < 0
    plan = budget.plan(map(str, range(5)))
    if plan:
        assert budget.left_tokens + sum(saved(cut.part, cut.units) for cut in plan) == plan[-1].left_tokens
    assert not plan or plan[-1].left_tokens >= 0


@given(st.integers(0, 50), st.integers(0, 300), st.integers(0, 300), st.integers(1, 5_000))
def test_the_largest_size_fits_and_one_more_does_not(count: int, size: int, other: int, context: int) -> None:
    def budget(each: int) -> Budget:
        return Budget(context, (Part("documents", count, each, each), Part.of_tokens("system", other)))

    largest = budget(size).largest("documents")
    if largest is not None:
        assert budget(largest).over_tokens == 0
        assert budget(largest + 1).over_tokens > 0
    elif count:
        assert budget(1).over_tokens > 0


@given(st.fractions(0, 10**15), st.integers(1, 6))
def test_about_keeps_so_many_digits_and_is_as_near_as_they_allow(value: Fraction, digits: int) -> None:
    rounded = about(value, digits)
    step = 10 ** max(0, len(str(int(value))) - digits)
    assert rounded % step == 0
    assert abs(rounded - value) * 2 <= step
    assert len(str(rounded).rstrip("0")) <= digits or value < 10**digits


def test_more_things_than_there_are_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match="2 of documents, 3 to leave out"):
        Part("documents", 2, 1, 1).saved(3)
