"""TemplateProcessing: texts and special tokens in any order, and what a template may not say."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.postprocessors.compare import TEMPLATE, assert_same_encoding, load, special, template, text
from tests.strategies import texts
from tokcore import TokcoreError
from tokcore.postprocessors import build

ROWS = [
    pytest.param([text()], ["Ġ", "x"], [0, 0], id="the text alone"),
    pytest.param([special("[CLS]", 3), text(type_id=2)], ["[CLS]", "Ġ", "x"], [3, 2, 2], id="type ids"),
    pytest.param([text(), special("three", 1)], ["Ġ", "x", "to", "French", ": "], [0, 0, 1, 1, 1], id="several tokens"),
    pytest.param([special("none"), text()], ["Ġ", "x"], [0, 0], id="no token at all"),
    pytest.param(
        [text(), special("[SEP]"), text(type_id=1)], ["Ġ", "x", "[SEP]", "Ġ", "x"], [0, 0, 0, 1, 1], id="twice"
    ),
    pytest.param([special("[SEP]"), special("[SEP]")], ["[SEP]", "[SEP]"], [0, 0], id="no text"),
    pytest.param([], [], [], id="nothing"),
]


@pytest.mark.parametrize(("single", "tokens", "type_ids"), ROWS)
def test_a_template_lays_out_one_text(single: list[Any], tokens: list[str], type_ids: list[int]) -> None:
    tokenizer, reference = load(template(single, []))
    encoding = tokenizer.encode("x")
    assert (encoding.tokens, encoding.type_ids) == (tokens, type_ids)
    assert encoding.special_tokens_mask == [int(token.piece is None) for token in encoding.entries]
    for add_special_tokens in (True, False):
        assert_same_encoding(tokenizer, reference, "x", None, add_special_tokens)
        assert_same_encoding(tokenizer, reference, "x", "y", add_special_tokens)


pieces = st.one_of(
    st.builds(text, st.just("A"), st.integers(0, 3)),
    st.builds(special, st.sampled_from(["[CLS]", "[SEP]", "three", "none"]), st.integers(0, 3)),
)
pair_pieces = st.one_of(pieces, st.builds(text, st.just("B"), st.integers(0, 3)))


@given(
    single=st.lists(pieces, max_size=4),
    pair=st.lists(pair_pieces, max_size=5),
    first=texts,
    second=st.one_of(st.none(), texts),
    add_special_tokens=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_any_template_equals_the_reference(
    single: list[Any], pair: list[Any], first: str, second: str | None, add_special_tokens: bool
) -> None:
    assert_same_encoding(*load(template(single, pair)), first, second, add_special_tokens)


REFUSED = [
    pytest.param({"single": [text("C")]}, "/post_processor/single/0/Sequence/id", id="a third text"),
    pytest.param({"single": "[CLS] $A"}, "/post_processor/single", id="a string"),
    pytest.param({"single": ["$A"]}, "/post_processor/single/0", id="a piece in short"),
    pytest.param({"single": [{**text(), **special("[CLS]")}]}, "/post_processor/single/0", id="two kinds"),
    pytest.param({"single": [{}]}, "/post_processor/single/0", id="no kind"),
    pytest.param({"pair": [text("B", -1)]}, "/post_processor/pair/0/Sequence/type_id", id="negative type"),
    pytest.param({"pair": [{"Sequence": {"id": "A"}}]}, "/post_processor/pair/0/Sequence", id="no type"),
    pytest.param({"special_tokens": []}, "/post_processor/special_tokens", id="special tokens a list"),
    pytest.param(
        {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": ["1"], "tokens": ["[CLS]"]}}},
        "/post_processor/special_tokens/[CLS]/ids/0",
        id="id a string",
    ),
    pytest.param(
        {"special_tokens": {"a/b": {"id": "a/b", "ids": [1], "tokens": [1]}}},
        "/post_processor/special_tokens/a~1b/tokens/0",
        id="token a number",
    ),
    pytest.param({"special_tokens": {"a": {"ids": [], "tokens": []}}}, "/post_processor/special_tokens/a", id="no id"),
]


def reference_file(value: Any) -> str:
    return json.dumps({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}, "post_processor": value})


@pytest.mark.parametrize(("change", "where"), REFUSED)
def test_a_malformed_template_names_its_place_and_the_reference_refuses_it_too(change: Any, where: str) -> None:
    value = {**TEMPLATE, **change}
    with pytest.raises(TokcoreError) as raised:
        build(value)
    assert raised.value.where == where
    with pytest.raises(Exception, match="PostProcessorWrapper"):
        tokenizers.Tokenizer.from_str(reference_file(value))


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        pytest.param(
            {"special_tokens": {}},
            "/post_processor/single/0/SpecialToken/id",
            "special token '[CLS]' is missing",
            id="an unknown special token",
        ),
        pytest.param(
            {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1, 2], "tokens": ["[CLS]"]}}},
            "/post_processor/special_tokens/[CLS]",
            "2 ids for 1 tokens",
            id="ids and tokens of different length",
        ),
        pytest.param(
            {"single": [text("B")]},
            "/post_processor/single/0/Sequence/id",
            "the template for one text uses B",
            id="the second of one text",
        ),
    ],
)
def test_what_makes_the_reference_panic_later_is_refused_at_once(change: Any, where: str, what: str) -> None:
    value = {**TEMPLATE, **change}
    tokenizers.Tokenizer.from_str(reference_file(value))
    with pytest.raises(TokcoreError) as raised:
        build(value)
    assert (raised.value.where, raised.value.what) == (where, what)


@pytest.mark.parametrize("missing", ["single", "pair", "special_tokens"])
def test_every_key_must_be_there(missing: str) -> None:
    value = {key: item for key, item in TEMPLATE.items() if key != missing}
    with pytest.raises(TokcoreError, match=f"/post_processor: key '{missing}' is missing"):
        build(value)


def test_a_template_without_a_type_is_known_by_its_keys() -> None:
    (step,) = build({key: item for key, item in TEMPLATE.items() if key != "type"})
    assert step.name == "TemplateProcessing"
