"""Public bug reports about stop strings, as small inputs with a right answer."""

from __future__ import annotations

import pytest

from tests.core.streaming.cutting import cuts_of, parts_of
from tests.reference import both, byte_level_file
from tokcore.bytemap import display_bytes
from tokcore.streaming.contrast import FixedHoldStopChecker
from tokcore.streaming.cuts import even
from tokcore.streaming.detokenizer import IncrementalDetokenizer
from tokcore.streaming.stops import MalformedStop, StopChecker


@pytest.mark.parametrize(
    ("stops", "deltas", "steps", "match"),
    [
        pytest.param(
            *(["DEFGHIJ"], ["ABC", "DEF", "G", "HI", "J"], ["ABC", "", "", "", "", ""], "DEFGHIJ"),
            id="vllm-project/vllm#3574: over five tokens",
        ),
        pytest.param(["abcd", "bc"], ["xabcd"], ["xa", ""], "bc", id="vllm-project/vllm#49391: several in one delta"),
        pytest.param(
            *(["abcd", "bc"], list("xabcd"), ["x", "", "", "a", "", ""], "bc"),
            id="vllm-project/vllm#49391: character by character",
        ),
        pytest.param(["\n"], ["Answer\n\n"], ["Answer", ""], "\n", id="vllm-project/vllm#46113: twice in one delta"),
        pytest.param(
            *(["TRE\nZZ"], ["UNO ", "DUE ", "TRE"], ["UNO ", "DUE ", "", "TRE"], None),
            id="ggml-org/llama.cpp#15007: begun at the end",
        ),
        pytest.param(["✿END✿"], ["Yes"], ["Yes", ""], None, id="vllm-project/vllm#14170: content behind </think>"),
        pytest.param(
            *(["###_the_end_"], ["I", " am"], ["I", " am", ""], None),
            id="vllm-project/vllm#13087: text that begins no stop",
        ),
        pytest.param(
            *(["three"], ["one two ", "three", " four"], ["one two ", "", "", ""], "three"),
            id="osaurus-ai/vmlx-swift#109: text behind the stop",
        ),
    ],
)
def test_text_leaves_as_it_should(stops: list[str], deltas: list[str], steps: list[str], match: str | None) -> None:
    checker = StopChecker(stops)
    assert [*map(checker.add, deltas), checker.finish()] == steps
    assert checker.match == match
    text = "".join(deltas)
    for sizes in cuts_of(len(text)):
        checker = StopChecker(stops)
        assert "".join([*map(checker.add, parts_of(text, sizes)), checker.finish()]) == "".join(steps)
        assert checker.match == match


def test_a_fixed_hold_cuts_through_a_tag_and_ours_does_not() -> None:
    """vllm-project/vllm#14170: what a parser behind the hold sees of `</think>`."""
    deltas = ["I see", "</think>", "Yes"]
    assert list(map(StopChecker("✿END✿").add, deltas)) == deltas
    assert list(map(FixedHoldStopChecker("✿END✿").add, deltas)) == ["I", " see</th", "ink"]


@pytest.mark.parametrize("stops", ["", [""], ["x", ""]])
def test_an_empty_stop_is_refused(stops: list[str] | str) -> None:
    """sgl-project/sglang#28858: "Hello".find("") is 0."""
    with pytest.raises(MalformedStop, match="at least one character"):
        StopChecker(stops)
    with pytest.raises(MalformedStop, match="at least one character"):
        FixedHoldStopChecker(stops)


def test_the_detokenizer_s_tail_does_not_leave_behind_a_match() -> None:
    """osaurus-ai/vmlx-swift#109: the bytes of a begun character are still held when the stop is complete."""
    tokenizer, _ = both(byte_level_file())
    data = b"one two three" + "é".encode()[:1]
    ids = [tokenizer.token_to_id(display_bytes(bytes([byte]))) or 0 for byte in data]
    for sizes in (even(len(ids), 1), even(len(ids), len(ids)), even(len(ids), 3)):
        detokenizer, checker = IncrementalDetokenizer(tokenizer), StopChecker("three")
        left = "".join(checker.add(detokenizer.add(part)) for part in parts_of(ids, sizes))
        assert detokenizer.held == b"\xc3"
        assert left + checker.add(detokenizer.flush()) + checker.finish() == "one two "
