"""Split: five behaviours, inverted or not, strings and patterns."""

from __future__ import annotations

from functools import cache

import pytest
import tokenizers
from hypothesis import given, settings

from tests.reference import assert_same, both, byte_level_file
from tests.strategies import texts
from tokcore import Tokenizer
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.patterns import literal_pattern
from tokcore.pretokenizers import build
from tokcore.pretokenizers.cutting import Behavior
from tokcore.pretokenizers.split import Split
from tokcore.spans import AlignedText

BEHAVIORS = [behavior.value for behavior in Behavior]
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def config(pattern: dict[str, str], behavior: str, invert: bool = False) -> dict[str, object]:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


@pytest.mark.parametrize(
    ("behavior", "pieces"),
    [
        (Behavior.REMOVED, ["a", "b"]),
        (Behavior.ISOLATED, ["a", "-", "-", "b"]),
        (Behavior.MERGED_WITH_PREVIOUS, ["a-", "-", "b"]),
        (Behavior.MERGED_WITH_NEXT, ["a", "-", "-b"]),
        (Behavior.CONTIGUOUS, ["a", "--", "b"]),
    ],
)
def test_what_becomes_of_the_matches(behavior: Behavior, pieces: list[str]) -> None:
    split = Split(literal_pattern("-"), behavior)
    assert [piece.text for piece in split.split(AlignedText.whole("a--b"))] == pieces


@cache
def split_file(pattern: str, kind: str, behavior: str, invert: bool) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    split = config({kind: pattern}, behavior, invert)
    return both(byte_level_file(pre_tokenizer={"type": "Sequence", "pretokenizers": [split, BYTE_LEVEL]}))


@pytest.mark.parametrize("invert", [False, True], ids=["", "inverted"])
@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize(
    ("kind", "pattern"), [("String", " "), ("Regex", r"\s+"), ("Regex", r"\p{L}+"), ("Regex", "a|")]
)
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_pieces_are_the_reference_s(kind: str, pattern: str, behavior: str, invert: bool, text: str) -> None:
    assert_same(*split_file(pattern, kind, behavior, invert), text)


def test_every_split_of_a_sequence_is_applied() -> None:
    splits = [config({"Regex": r"\p{N}{1,3}"}, "Isolated"), config({"Regex": "[一-龥]+"}, "Isolated")]
    ours, _ = both(byte_level_file(pre_tokenizer={"type": "Sequence", "pretokenizers": splits}))
    pieces = ours.trace("no123456x漢字").text_stages[-1].segments
    assert [piece.text for piece in pieces] == ["no", "123", "456", "x", "漢字"]


@pytest.mark.parametrize(
    ("value", "error", "where"),
    [
        pytest.param({"type": "Split"}, MalformedFile, "/pre_tokenizer", id="no pattern"),
        pytest.param(config({"Foo": "a"}, "Isolated"), MalformedFile, "/pre_tokenizer/pattern", id="no kind"),
        pytest.param(config({"Regex": 3}, "Isolated"), MalformedFile, "/pre_tokenizer/pattern/Regex", id="no string"),
        pytest.param(config({"String": "a"}, "Glued"), UnsupportedComponent, "/pre_tokenizer/behavior", id="behaviour"),
        pytest.param(config({"String": "a"}, "Isolated", 1), MalformedFile, "/pre_tokenizer/invert", id="invert"),
        pytest.param({"type": "Foo"}, UnsupportedComponent, "/pre_tokenizer/type", id="unknown type"),
        pytest.param({"type": "Sequence"}, MalformedFile, "/pre_tokenizer", id="a sequence without its list"),
        pytest.param([], MalformedFile, "/pre_tokenizer", id="a list"),
    ],
)
def test_a_bad_config_names_its_place(value: object, error: type[Exception], where: str) -> None:
    with pytest.raises(error) as raised:
        build(value)
    assert raised.value.where == where


def test_deep_sequences_are_refused() -> None:
    value: dict[str, object] = BYTE_LEVEL
    for _ in range(100):
        value = {"type": "Sequence", "pretokenizers": [value]}
    with pytest.raises(MalformedFile, match="nested deeper than 64"):
        build(value)
