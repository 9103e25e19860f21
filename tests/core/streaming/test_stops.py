"""Stop strings: which one wins, what leaves, what is held, under every cut; and what it costs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.streaming.cutting import cuts_of, parts_of
from tests.core.streaming.stop_reference import begun, stopped_text
from tokcore.errors import InvalidText, TokcoreError
from tokcore.streaming.cuts import bursts, even, seeded
from tokcore.streaming.detokenizer import StreamEnded
from tokcore.streaming.stops import MalformedStop, StopChecker


def let_through(checker: StopChecker, deltas: Sequence[str]) -> list[str]:
    """What each delta lets out, `finish` last."""
    return [*map(checker.add, deltas), checker.finish()]


@pytest.mark.parametrize(
    ("stops", "deltas", "steps", "match"),
    [
        pytest.param("</answer>", ["2.</ans", "wer>"], ["2.", "", ""], "</answer>", id="over two deltas"),
        pytest.param("</answer>", ["2.</ans", "ia"], ["2.", "</ansia", ""], None, id="begun and gone on otherwise"),
        pytest.param("</answer>", ["2.</ans"], ["2.", "</ans"], None, id="begun at the end"),
        pytest.param(["bc", "abcd"], ["xabcd"], ["xa", ""], "bc", id="completes first"),
        pytest.param(["cd", "bcd", "d"], ["xabcd"], ["xa", ""], "bcd", id="of three that complete, the first begun"),
        pytest.param(["ab", "abc"], ["xabc"], ["x", ""], "ab", id="one that begins another"),
        pytest.param(["aab"], ["aa", "a", "b"], ["", "a", "", ""], "aab", id="a tail that begins anew"),
        pytest.param(["x", "x"], ["ax"], ["a", ""], "x", id="twice the same"),
        pytest.param([], ["a", "b"], ["a", "b", ""], None, id="no stops"),
        pytest.param(["a"], ["", "b", ""], ["", "b", "", ""], None, id="empty deltas"),
        pytest.param(["🧑\u200d🚀"], ["🧑", "\u200d", "🚀x"], ["", "", "", ""], "🧑\u200d🚀", id="a picture"),
        pytest.param(["�"], ["a�"], ["a", ""], "�", id="a replacement character"),
        pytest.param(["ab", "bd"], ["ab"[:1], "d", "b", "d"], ["", "ad", "", "", ""], "bd", id="another stop's tail"),
    ],
)
def test_text_leaves_up_to_the_stop(stops: Any, deltas: list[str], steps: list[str], match: str | None) -> None:
    checker = StopChecker(stops)
    assert let_through(checker, deltas) == steps
    assert (checker.match, checker.stopped, checker.held, checker.candidate) == (match, match is not None, "", None)


def test_the_stop_itself_leaves_whole_when_included() -> None:
    assert let_through(StopChecker("STOP", include_stop=True), ["a ST", "O", "P b"]) == ["a ", "", "STOP", ""]
    assert let_through(StopChecker(["abcd", "bc"], include_stop=True), ["xab", "cd"]) == ["x", "abc", ""]
    assert let_through(StopChecker("STOP", include_stop=True), ["a ST"]) == ["a ", "ST"]


def test_held_and_candidate_say_what_may_come() -> None:
    checker = StopChecker(["</s>", "</answer>", "\n\n"])
    seen = [(checker.add(delta), checker.held, checker.candidate) for delta in ("a<", "/", "a", "\n", "b")]
    assert seen == [
        *(("a", "<", "</s>"), ("", "</", "</s>"), ("", "</a", "</answer>")),
        *(("</a", "\n", "\n\n"), ("\nb", "", None)),
    ]


def test_nothing_behind_a_stop_ever_leaves() -> None:
    checker = StopChecker("x")
    assert [checker.add(delta) for delta in ("axb", "c", "x")] == ["a", "", ""]
    assert (checker.release(), checker.finish()) == ("", "")
    assert (checker.match, checker.held) == ("x", "")


def test_unarmed_text_completes_no_stop_but_may_begin_one() -> None:
    checker = StopChecker(["ab", "abc"])
    assert checker.add("xab", armed=False) == "x"
    assert (checker.stopped, checker.held, checker.candidate) == (False, "ab", "abc")
    assert (checker.add("c"), checker.match) == ("", "abc")
    checker = StopChecker("ab")
    assert (checker.add("ab", armed=False), checker.held) == ("ab", "")
    assert (checker.add("a", armed=False), checker.add("b"), checker.match) == ("", "", "ab")


def test_a_stop_does_not_reach_across_a_release() -> None:
    checker = StopChecker("STOP")
    assert (checker.add("a ST"), checker.held, checker.release(), checker.held) == ("a ", "ST", "ST", "")
    assert (checker.add("OP"), checker.stopped) == ("OP", False)
    assert (checker.add(" STOP"), checker.stopped) == (" ", True)


def test_after_the_end_there_is_no_more_to_add() -> None:
    checker = StopChecker("STOP")
    assert (checker.add("ST"), checker.finish(), checker.finish()) == ("", "ST", "")
    with pytest.raises(StreamEnded, match="finished"):
        checker.add("OP")


@pytest.mark.parametrize(
    ("stops", "where", "what", "remedy"),
    [
        pytest.param("", "stops/0", "found ''", "a stop has at least one character", id="empty"),
        pytest.param(["a", ""], "stops/1", "found ''", "a stop has at least one character", id="one of them empty"),
        pytest.param(["a", None], "stops/1", "found None", "a stop is a string", id="none"),
        pytest.param([7], "stops/0", "found 7", "a stop is a string", id="an id"),
        pytest.param(
            None, "stops", "found None", "give a string or a list of strings, an empty one for none", id="nothing"
        ),
    ],
)
def test_a_malformed_stop_is_refused_with_its_place(stops: Any, where: str, what: str, remedy: str) -> None:
    with pytest.raises(MalformedStop) as raised:
        StopChecker(stops)
    assert isinstance(raised.value, TokcoreError)
    assert (raised.value.where, raised.value.what, raised.value.remedy) == (where, what, remedy)


def test_stops_may_come_from_a_generator() -> None:
    assert let_through(StopChecker(stop for stop in ("b", "c")), ["abc"]) == ["a", ""]


@pytest.mark.parametrize("delta", [None, 5, b"x"])
def test_what_is_no_text_is_refused_and_the_checker_goes_on(delta: Any) -> None:
    checker = StopChecker("STOP")
    checker.add("ST")
    with pytest.raises(InvalidText, match="delta: found"):
        checker.add(delta)
    assert (checker.held, checker.add("OP"), checker.stopped) == ("ST", "", True)


def test_checkers_of_the_same_stops_do_not_disturb_each_other() -> None:
    one, other = StopChecker(["STOP"]), StopChecker(["STOP"])
    assert (one.add("aST"), other.add("b"), one.held, other.held) == ("a", "b", "ST", "")
    assert (one.add("OP"), one.stopped, other.add("OP"), other.stopped) == ("", True, "OP", False)


def test_many_checkers_of_the_same_thousand_stops_build_their_tree_once() -> None:
    stops = [f"{number}{'x' * 40}" for number in range(1000)]
    first = StopChecker(stops)
    assert all(StopChecker(list(stops))._tree is first._tree for _ in range(3))


few_letters = st.text("ab", min_size=1, max_size=5) | st.text("abc<", min_size=1, max_size=4)
stop_lists = st.lists(few_letters | st.text(min_size=1, max_size=3), max_size=6)
texts = st.text("ab", max_size=25) | st.text("abc<", max_size=25)


@st.composite
def texts_with_stops(draw: st.DrawFn) -> tuple[list[str], str]:
    stops = draw(stop_lists)
    words = st.sampled_from([*stops, *(stop[:-1] for stop in stops), *(stop[1:] for stop in stops), "a"])
    return stops, draw(st.lists(words | texts, max_size=6).map("".join))


@given(given_=texts_with_stops(), include_stop=st.booleans(), seed=st.integers(0, 10**6))
@settings(max_examples=1500, deadline=None)
def test_every_cut_gives_what_the_slow_way_gives(given_: tuple[list[str], str], include_stop: bool, seed: int) -> None:
    stops, text = given_
    expected = stopped_text(text, stops, include_stop)
    n = len(text)
    for sizes in (even(n, max(n, 1)), even(n, 1), seeded(n, seed), bursts(n, seed)):
        checker = StopChecker(stops, include_stop)
        left = seen = ""
        for delta in parts_of(text, sizes):
            seen += delta
            left += checker.add(delta)
            if checker.stopped:
                break
            # Held is exactly the longest tail that begins a stop: nothing of one has left, nothing else waits.
            assert checker.held == begun(seen, stops)
            assert left + checker.held == seen
            longer = [stop for stop in stops if stop.startswith(checker.held) and stop != checker.held]
            assert checker.candidate == (longer[0] if checker.held else None)
        assert (left + checker.finish(), checker.match) == expected


@given(given_=texts_with_stops(), armed=st.lists(st.booleans(), min_size=1, max_size=12))
@settings(max_examples=500, deadline=None)
def test_only_armed_characters_complete_a_stop(given_: tuple[list[str], str], armed: list[bool]) -> None:
    stops, text = given_
    flags = [armed[place * len(armed) // len(text)] for place in range(len(text))] if text else []
    expected = stopped_text(text, stops, armed=flags)
    checker = StopChecker(stops)
    left = ""
    for character, flag in zip(text, flags, strict=True):
        left += checker.add(character, flag)
    assert (left + checker.finish(), checker.match) == expected


def test_every_two_way_cut_of_a_text_with_nested_stops() -> None:
    stops, text = ["abcd", "bc", "cde", "<|end|>", "<|endoftext|>"], "xab<|endoc<|endoftextabcd"
    for sizes in cuts_of(len(text), random_cuts=100):
        checker = StopChecker(stops)
        assert "".join(let_through(checker, parts_of(text, sizes))) == "xab<|endoc<|endoftexta"
        assert checker.match == "bc"


# ---- cost


def lines_of(work: Callable[[], object]) -> int:
    """How many lines of Python some work runs."""
    count = 0

    def seen(frame: Any, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return seen

    sys.settrace(seen)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


def test_a_character_costs_the_same_with_a_thousand_stops_as_with_one() -> None:
    text = "one § of many § §§; " * 500
    one, thousand = StopChecker("§0"), StopChecker([f"§{number}" for number in range(1000)])
    few, many = (lines_of(lambda c=checker: [c.add(character) for character in text]) for checker in (one, thousand))
    assert many == few > 2 * len(text)


def test_a_hundred_thousand_characters_cost_the_same_in_both_halves() -> None:
    stops = ["a" * 400 + "b", *("ab" * length + "c" for length in range(1, 200))]
    checker = StopChecker(stops)
    half = ("a" * 399 + "b" + "ab" * 198 + "b") * 65

    def work() -> None:
        for delta in parts_of(half, even(len(half), 3)):
            checker.add(delta)

    first, second = lines_of(work), lines_of(work)
    assert len(half) * 2 > 100_000
    assert abs(first - second) < 10_000 and first < 20 * len(half)
    assert not checker.stopped


def test_a_thousand_long_stops_with_one_beginning_are_told_apart() -> None:
    stops = ["x" * 200 + f"{number:03d}" for number in range(1000)]
    checker = StopChecker(stops)
    assert (checker.add("y" + "x" * 250 + "12"), checker.held) == ("y" + "x" * 50, "x" * 200 + "12")
    assert (checker.candidate, checker.add("7z"), checker.match) == (stops[120], "", stops[127])
