"""The common wrong ways: right where nothing is hard, and where each goes wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.decoders.test_chains import OURS, VOCAB
from tests.core.streaming.cutting import byte_tokens, cuts_of, emitted, parts_of
from tests.reference import bundled
from tokcore import Tokenizer
from tokcore.streaming.contrast import FixedHoldStopChecker, PerDeltaDetokenizer, WindowDetokenizer
from tokcore.streaming.cuts import even
from tokcore.streaming.detokenizer import NotAnId, StreamEnded
from tokcore.streaming.stops import StopChecker

DETOKENIZERS = (PerDeltaDetokenizer, WindowDetokenizer)


def steps_of(detokenizer: Any, ids: list[int], sizes: tuple[int, ...]) -> list[str]:
    return [*map(detokenizer.add, parts_of(ids, sizes)), detokenizer.flush()]


@pytest.mark.parametrize("kind", DETOKENIZERS)
def test_plain_text_of_a_byte_level_tokenizer_comes_out_right(kind: Any) -> None:
    tokenizer = bundled("qwen3")
    text = "The river keeps no memory, naïve café."
    ids = tokenizer.encode_ids(text)
    for sizes in cuts_of(len(ids), random_cuts=3):
        detokenizer = kind(tokenizer)
        assert "".join(steps_of(detokenizer, ids, sizes)) == text == detokenizer.text
        assert (detokenizer.held, detokenizer.early, detokenizer.reason) == (b"", False, None)


@pytest.mark.parametrize("kind", DETOKENIZERS)
def test_they_refuse_what_the_right_one_refuses(kind: Any) -> None:
    detokenizer = kind(OURS["gpt-2"])
    with pytest.raises(NotAnId):
        detokenizer.add(["1"])
    assert (detokenizer.add([]), detokenizer.flush()) == ("", "")
    with pytest.raises(StreamEnded):
        detokenizer.add([1])


# ---- decoding each delta alone


def test_per_delta_breaks_a_character_split_over_deltas() -> None:
    tokenizer, ids = byte_tokens(b"a", b"\xf0\x9f", b"\x9a\x80")
    assert steps_of(PerDeltaDetokenizer(tokenizer), ids, (1, 1, 1)) == ["a", "�", "��", ""]
    # Another cut, another text.
    assert steps_of(PerDeltaDetokenizer(tokenizer), ids, (1, 2)) == ["a", "🚀", ""]
    assert emitted(tokenizer, ids, (1, 1, 1)) == ["a", "", "🚀", ""]


def test_per_delta_loses_the_space_before_every_delta() -> None:
    ids = [VOCAB.index(token) for token in ("▁the", "▁é", "▁the")]
    assert "".join(steps_of(PerDeltaDetokenizer(OURS["llama 2"]), ids, (1, 1, 1))) == "theéthe"
    assert "".join(emitted(OURS["llama 2"], ids, (1, 1, 1))) == "the é the"


# ---- decoding a window


def test_the_window_waits_for_a_split_character() -> None:
    tokenizer, ids = byte_tokens(b"a", b"\xf0\x9f", b"\x9a\x80", b"b")
    window = WindowDetokenizer(tokenizer)
    assert (window.add(ids[:2]), window.held, window.reason) == ("", "a�".encode(), "the text ends in U+FFFD")
    assert (window.add(ids[2:3]), window.add(ids[3:]), window.text) == ("a🚀", "b", "a🚀b")


def test_the_window_withholds_replacement_characters_that_are_text_until_the_flush() -> None:
    tokenizer, ids = byte_tokens(*[b"\xef\xbf\xbd"] * 100)
    assert steps_of(WindowDetokenizer(tokenizer), ids, even(100, 1)) == [*[""] * 100, "�" * 100]
    assert emitted(tokenizer, ids, even(100, 1)) == [*["�"] * 100, ""]


def test_the_window_withholds_whole_text_in_front_of_a_byte_that_may_go_on() -> None:
    tokenizer, ids = byte_tokens(b"sentence", b"\xf0")
    assert steps_of(WindowDetokenizer(tokenizer), ids, (2,)) == ["", "sentence�"]
    assert emitted(tokenizer, ids, (2,)) == ["sentence", "�"]


def test_the_window_decodes_what_waits_again_with_every_delta() -> None:
    decoded: list[int] = []

    class Counting:
        def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str:
            decoded.append(len(ids))
            return "�" * len(ids)

    window = WindowDetokenizer(Counting())
    for _ in range(100):
        window.add([1])
    assert sum(decoded) == 100 * 101 // 2


def test_the_window_misses_what_depends_on_the_text_before_it() -> None:
    strip = {"type": "Strip", "content": "a", "start": 2, "stop": 0}
    decoder = {"type": "Sequence", "decoders": [{"type": "Fuse"}, strip]}
    tokenizer = Tokenizer.from_str(json.dumps({"model": {"vocab": {"a": 0}, "merges": []}, "decoder": decoder}))
    # Two are taken off the text's beginning, and off each window's again.
    assert steps_of(WindowDetokenizer(tokenizer), [0] * 6, even(6, 1)) == ["", "", "a", "a", "", "a", ""]
    assert emitted(tokenizer, [0] * 6, even(6, 1)) == ["", "", "a", "a", "a", "a", ""]
    assert tokenizer.decode([0] * 6) == "aaaa"


# ---- always holding the longest stop less one


def test_a_fixed_hold_delays_text_that_begins_no_stop() -> None:
    fixed, ours = FixedHoldStopChecker("###_the_end_"), StopChecker("###_the_end_")
    deltas = ["I", " am", " here", " all the time"]
    assert [*map(fixed.add, deltas), fixed.finish()] == ["", "", "", "I am here a", "ll the time"]
    assert [*map(ours.add, deltas), ours.finish()] == [*deltas, ""]


def test_a_fixed_hold_lets_the_cut_decide_which_stop_wins() -> None:
    whole, by_character = FixedHoldStopChecker(["abcd", "bc"]), FixedHoldStopChecker(["abcd", "bc"])
    assert ("".join([whole.add("xabcd"), whole.finish()]), whole.match) == ("x", "abcd")
    assert ("".join([*map(by_character.add, "xabcd"), by_character.finish()]), by_character.match) == ("xa", "bc")


@pytest.mark.parametrize("include_stop", [False, True])
def test_a_fixed_hold_is_right_about_one_stop(include_stop: bool) -> None:
    text = "a ST b STOP c"
    for sizes in cuts_of(len(text)):
        fixed, ours = FixedHoldStopChecker("STOP", include_stop), StopChecker("STOP", include_stop)
        results = ["".join([*map(one.add, parts_of(text, sizes)), one.finish()]) for one in (fixed, ours)]
        assert results == ["a ST b STOP" if include_stop else "a ST b "] * 2
        assert (fixed.match, fixed.stopped, fixed.held, fixed.candidate) == ("STOP", True, "", None)


def test_a_fixed_hold_knows_unarmed_text_and_releases() -> None:
    fixed = FixedHoldStopChecker("ab")
    assert (fixed.add("xab", armed=False), fixed.held) == ("xa", "b")
    assert (fixed.add("a", armed=False), fixed.add("b"), fixed.match) == ("b", "", "ab")
    fixed = FixedHoldStopChecker("ab")
    assert (fixed.add("xa"), fixed.release(), fixed.add("b")) == ("x", "a", "")
    assert (fixed.stopped, fixed.finish()) == (False, "b")
    with pytest.raises(StreamEnded):
        fixed.add("c")
