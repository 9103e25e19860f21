"""Padding: how many tokens, on which side, and what they say about themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers

from tests.core.postprocessors.compare import BERT, assert_same_encoding, load, padding, truncation
from tokcore import Origin, Tokenizer
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.padding import LONGEST_PADDING, Padding, build_padding, pad_token


@pytest.mark.parametrize(
    ("length", "multiple", "given", "target"),
    [
        pytest.param(None, 0, 5, 5, id="one text is its own longest"),
        pytest.param(None, 4, 5, 8, id="to a multiple"),
        pytest.param(None, 4, 8, 8, id="already a multiple"),
        pytest.param(None, 4, 0, 0, id="nothing is a multiple"),
        pytest.param(10, 0, 7, 10, id="fixed"),
        pytest.param(10, 8, 7, 16, id="fixed, then to a multiple"),
        pytest.param(3, 4, 5, 4, id="longer texts are left alone"),
        pytest.param(3, 4, 0, 4, id="an empty text"),
    ],
)
def test_to_how_many_tokens_a_text_is_filled(length: int | None, multiple: int, given: int, target: int) -> None:
    padding = Padding(pad_token(0, "[PAD]"), length, multiple)
    assert padding.target(given) == target
    assert len(padding.pad_ids([1] * given)) == max(given, target)


@pytest.mark.parametrize("direction", ["Left", "Right"])
def test_padding_says_what_it_is(direction: str) -> None:
    tokenizer, reference = load(BERT, padding=padding({"Fixed": 6}, direction))
    encoding = tokenizer.encode("xy")
    filled = [token for token in encoding.entries if token.origin is Origin.PADDING]
    assert [(t.id, t.value, t.span, t.piece, t.type_id, t.special) for t in filled] == [
        (0, "[PAD]", None, None, 7, True)
    ]
    assert encoding.attention_mask == ([0, 1, 1, 1, 1, 1] if direction == "Left" else [1, 1, 1, 1, 1, 0])
    assert_same_encoding(tokenizer, reference, "xy")


def test_what_overflows_is_filled_to_the_same_length() -> None:
    tokenizer, reference = load(padding=padding(multiple=5), truncation=truncation(4))
    encoding = tokenizer.encode("uvwxyz")
    assert [len(part) for part in (encoding, *encoding.overflowing)] == [5, 5]
    assert_same_encoding(tokenizer, reference, "uvwxyz")


def test_what_overflows_is_filled_to_the_setting_and_not_to_a_longer_text() -> None:
    tokenizer, reference = load(padding=padding({"Fixed": 2}), truncation=truncation(4))
    encoding = tokenizer.encode("wxyz")
    assert [len(part) for part in (encoding, *encoding.overflowing)] == [4, 2]
    assert_same_encoding(tokenizer, reference, "wxyz")


def test_null_is_no_padding() -> None:
    assert build_padding(None) is None
    tokenizer, _ = load()
    assert tokenizer.encode("xy").attention_mask == [1, 1, 1]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        pytest.param({"strategy": "Fixed"}, "/padding/strategy", id="fixed without a length"),
        pytest.param({"strategy": "Longest"}, "/padding/strategy", id="unknown strategy"),
        pytest.param({"strategy": {"Fixed": -1}}, "/padding/strategy/Fixed", id="negative length"),
        pytest.param({"strategy": {"Fixed": [3]}}, "/padding/strategy/Fixed", id="length a list"),
        pytest.param({"strategy": {"Fixed": 3, "x": 1}}, "/padding/strategy", id="two strategies"),
        pytest.param({"direction": "left"}, "/padding/direction", id="unknown direction"),
        pytest.param({"direction": None}, "/padding/direction", id="no direction"),
        pytest.param({"pad_to_multiple_of": -1}, "/padding/pad_to_multiple_of", id="negative multiple"),
        pytest.param({"pad_id": 2**32}, "/padding/pad_id", id="id too large"),
        pytest.param({"pad_type_id": "0"}, "/padding/pad_type_id", id="type id a string"),
        pytest.param({"pad_token": None}, "/padding/pad_token", id="no token"),
    ],
)
def test_malformed_settings_name_their_place_and_the_reference_refuses_them_too(change: Any, where: str) -> None:
    file = json.dumps({"model": {"type": "BPE", "vocab": {}, "merges": []}, "padding": {**padding(), **change}})
    with pytest.raises((MalformedFile, UnsupportedComponent)) as raised:
        Tokenizer.from_str(file)
    assert raised.value.where == where
    with pytest.raises(Exception, match="line 1"):
        tokenizers.Tokenizer.from_str(file)


@pytest.mark.parametrize("missing", ["strategy", "direction", "pad_id", "pad_type_id", "pad_token"])
def test_every_setting_but_the_multiple_must_be_there(missing: str) -> None:
    value = padding()
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/padding: key '{missing}' is missing"):
        build_padding(value)
    del (old := padding())["pad_to_multiple_of"]
    assert build_padding(old) == build_padding(padding())


@pytest.mark.parametrize("change", [{"strategy": {"Fixed": 10**12}}, {"pad_to_multiple_of": LONGEST_PADDING + 1}])
def test_padding_that_would_fill_the_memory_is_refused(change: Any) -> None:
    with pytest.raises(UnsupportedComponent, match="padding to"):
        build_padding({**padding(), **change})
