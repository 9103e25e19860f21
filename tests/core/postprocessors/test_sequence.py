"""A Sequence of post-processors is its steps one after another, as in the reference, odd combinations included."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.core.postprocessors.compare import (
    BERT,
    TEMPLATE,
    assert_same_encoding,
    byte_level,
    load,
    roberta,
    sequence,
    special,
    template,
    text,
)
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.postprocessors import build

STEPS = {
    "bert": BERT,
    "roberta": roberta(),
    "byte level": byte_level(),
    "template": TEMPLATE,
    "bos": template([special("[CLS]"), text()], [special("[CLS]"), text(), text("B", 1)]),
    "text": template([text(type_id=4)], [text("B", 5)]),
    "nothing": template([], []),
    "empty": sequence(),
}


@pytest.mark.parametrize("first", STEPS)
@pytest.mark.parametrize("second", STEPS)
def test_two_steps_equal_the_reference(first: str, second: str) -> None:
    tokenizer, reference = load(sequence(STEPS[first], STEPS[second]))
    for source, pair, add_special_tokens in product(["", " a  ab"], [None, "", "a b"], [True, False]):
        assert_same_encoding(tokenizer, reference, source, pair, add_special_tokens)


def test_nesting_makes_no_difference() -> None:
    nested, reference = load(sequence(sequence(byte_level()), sequence(sequence(BERT), roberta())))
    flat, _ = load(sequence(byte_level(), BERT, roberta()))
    assert nested.encode("a b", "c").entries == flat.encode("a b", "c").entries
    assert_same_encoding(nested, reference, "a b", "c")


def test_what_is_enclosed_again_is_special_no_longer() -> None:
    tokenizer, _ = load(sequence(BERT, BERT))
    assert tokenizer.encode("x").special_tokens_mask == [1, 0, 0, 0, 0, 1]


def test_a_template_behind_three_parts_is_refused_where_the_reference_panics() -> None:
    tokenizer, _ = load(sequence(TEMPLATE, TEMPLATE))
    for encode in (tokenizer.encode, tokenizer.encode_ids, tokenizer.trace):
        with pytest.raises(UnsupportedComponent, match=r"/post_processor/processors/1: .* is given 3 parts"):
            encode("x")
    assert tokenizer.encode_ids("x", add_special_tokens=False) == [
        tokenizer.token_to_id("Ġ"),
        tokenizer.token_to_id("x"),
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(
            {"type": "Sequence", "processors": {}}, "/post_processor/processors: found an object", id="no list"
        ),
        pytest.param(
            sequence({"type": "Bert"}), "/post_processor/processors/0/type: post-processor 'Bert'", id="unknown"
        ),
        pytest.param({}, "/post_processor: key 'type' is missing", id="nothing known by its keys"),
    ],
)
def test_what_is_no_post_processor_is_refused(value: Any, message: str) -> None:
    with pytest.raises((MalformedFile, UnsupportedComponent), match=message):
        build(value)
