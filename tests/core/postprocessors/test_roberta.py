"""RobertaProcessing: <s> text </s></s> pair </s>, every type id 0, spans trimmed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.postprocessors.compare import assert_same_encoding, load, roberta
from tests.strategies import texts
from tokcore.errors import MalformedFile
from tokcore.postprocessors import build


def test_a_pair_has_two_separators_and_one_type() -> None:
    tokenizer, _ = load(roberta())
    encoding = tokenizer.encode("x", "y")
    assert encoding.tokens == ["<s>", "Ġ", "x", "</s>", "</s>", "Ġ", "y", "</s>"]
    assert encoding.type_ids == [0] * 8
    assert encoding.special_tokens_mask == [1, 0, 0, 1, 1, 0, 0, 1]
    assert [token.sequence for token in encoding.entries if token.piece is not None] == [0, 0, 1, 1]


def test_without_special_tokens_spans_and_types_still_change() -> None:
    tokenizer, _ = load(roberta(add_prefix_space=False))
    encoding = tokenizer.encode(" a", " a", add_special_tokens=False)
    assert (encoding.tokens, encoding.offsets, encoding.type_ids) == (["Ġa", "Ġa"], [(1, 2), (1, 2)], [0, 0])


@pytest.mark.parametrize(
    ("trim_offsets", "add_prefix_space", "offsets"),
    [
        pytest.param(True, True, [(0, 0), (0, 1), (2, 3), (0, 0)], id="the first space was put there"),
        pytest.param(True, False, [(0, 0), (1, 1), (2, 3), (0, 0)], id="every space is trimmed"),
        pytest.param(False, True, [(0, 0), (0, 1), (1, 3), (0, 0)], id="not trimmed"),
    ],
)
def test_spaces_and_spans(trim_offsets: bool, add_prefix_space: bool, offsets: list[tuple[int, int]]) -> None:
    tokenizer, reference = load(roberta(trim_offsets, add_prefix_space))
    assert tokenizer.encode("a a").offsets == offsets
    assert_same_encoding(tokenizer, reference, "a a")


@given(
    text=texts, pair=st.one_of(st.none(), texts), trim=st.booleans(), prefix=st.booleans(), add_special=st.booleans()
)
@settings(max_examples=150, deadline=None)
def test_encodings_equal_the_reference(
    text: str, pair: str | None, trim: bool, prefix: bool, add_special: bool
) -> None:
    assert_same_encoding(*load(roberta(trim, prefix)), text, pair, add_special)


@pytest.mark.parametrize("key", ["trim_offsets", "add_prefix_space"])
@pytest.mark.parametrize("value", [1, None, "true"])
def test_with_a_flag_that_is_no_boolean_it_is_a_bert_processing(key: str, value: object) -> None:
    tokenizer, reference = load({**roberta(), key: value})
    assert [step.name for step in tokenizer.post_processors] == ["BertProcessing"]
    assert_same_encoding(tokenizer, reference, "x", "y")


def test_without_a_separator_it_says_so() -> None:
    with pytest.raises(MalformedFile, match="/post_processor/sep: found null"):
        build({**roberta(), "sep": None})
