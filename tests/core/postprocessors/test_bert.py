"""BertProcessing: [CLS] text [SEP] pair [SEP]."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.postprocessors.compare import BERT, assert_same_encoding, load
from tests.strategies import texts
from tokcore import Origin, TokcoreError, Tokenizer
from tokcore.postprocessors import build

ROWS = [
    pytest.param("x", None, ["[CLS]", "Ġ", "x", "[SEP]"], [0, 0, 0, 0], [1, 0, 0, 1], id="one text"),
    pytest.param("", None, ["[CLS]", "[SEP]"], [0, 0], [1, 1], id="no text"),
    pytest.param("", "y", ["[CLS]", "[SEP]", "Ġ", "y", "[SEP]"], [0, 0, 1, 1, 1], [1, 1, 0, 0, 1], id="pair"),
]


@pytest.mark.parametrize(("text", "pair", "tokens", "type_ids", "mask"), ROWS)
def test_tokens_are_placed_around_texts(
    text: str, pair: str | None, tokens: list[str], type_ids: list[int], mask: list[int]
) -> None:
    tokenizer, reference = load(BERT)
    encoding = tokenizer.encode(text, pair)
    assert (encoding.tokens, encoding.type_ids, encoding.special_tokens_mask) == (tokens, type_ids, mask)
    assert_same_encoding(tokenizer, reference, text, pair)


def test_placed_tokens_stand_for_no_text() -> None:
    tokenizer, _ = load(BERT)
    first, *_, last = tokenizer.encode("x").entries
    for token in (first, last):
        assert (token.span, token.piece, token.origin, token.raw) == (None, None, Origin.TEMPLATE, token.value.encode())


def test_without_special_tokens_nothing_is_placed() -> None:
    tokenizer, reference = load(BERT)
    assert tokenizer.encode_ids("x", add_special_tokens=False) == reference.encode("x", add_special_tokens=False).ids
    assert tokenizer.encode("x", "y", add_special_tokens=False).special_tokens_mask == [0, 0, 0, 0]


@given(text=texts, pair=st.one_of(st.none(), texts), add_special_tokens=st.booleans())
@settings(max_examples=100, deadline=None)
def test_encodings_equal_the_reference(text: str, pair: str | None, add_special_tokens: bool) -> None:
    assert_same_encoding(*load(BERT), text, pair, add_special_tokens)


@pytest.mark.parametrize(
    ("sep", "where"),
    [
        pytest.param([258, "[SEP]"], "/post_processor/sep/0", id="turned round"),
        pytest.param(["[SEP]", -1], "/post_processor/sep/1", id="negative id"),
        pytest.param(["[SEP]", 2**32], "/post_processor/sep/1", id="id too large"),
        pytest.param(["[SEP]"], "/post_processor/sep", id="no id"),
        pytest.param(["[SEP]", 1, 2], "/post_processor/sep", id="three parts"),
        pytest.param("[SEP]", "/post_processor/sep", id="a string"),
        pytest.param(None, "/post_processor/sep", id="null"),
    ],
)
def test_a_malformed_token_names_its_place_and_the_reference_refuses_it_too(sep: Any, where: str) -> None:
    value = {**BERT, "sep": sep}
    with pytest.raises(TokcoreError) as raised:
        build(value)
    assert raised.value.where == where
    with pytest.raises(Exception, match="PostProcessorWrapper"):
        tokenizers.Tokenizer.from_str(
            json.dumps({"model": {"type": "BPE", "vocab": {}, "merges": []}, "post_processor": value})
        )


@pytest.mark.parametrize("missing", ["cls", "sep"])
def test_both_tokens_must_be_there(missing: str) -> None:
    value = {key: item for key, item in BERT.items() if key != missing}
    with pytest.raises(TokcoreError, match=f"/post_processor: key '{missing}' is missing"):
        build(value)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        pytest.param({"sep": ["s", 1], "cls": ["c", 2]}, "BertProcessing", id="no type"),
        pytest.param({**BERT, "type": "RobertaProcessing"}, "BertProcessing", id="called Roberta, without its options"),
        pytest.param(
            {**BERT, "trim_offsets": True, "add_prefix_space": True}, "RobertaProcessing", id="called Bert, with them"
        ),
    ],
)
def test_the_keys_decide_as_in_the_reference(value: Any, name: str) -> None:
    (step,) = build(value)
    assert step.name == name
    file = {"model": {"vocab": {"a": 0, "b": 1}, "merges": []}, "post_processor": value}
    theirs = tokenizers.Tokenizer.from_str(json.dumps(file)).encode("a", "b")
    assert Tokenizer.from_str(json.dumps(file)).encode("a", "b").tokens == theirs.tokens
