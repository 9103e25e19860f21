"""Truncation: which tokens stay, what overflows, and where it cannot be done."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.postprocessors.compare import (
    BERT,
    TEMPLATE,
    assert_same_encoding,
    byte_level,
    load,
    padding,
    roberta,
    sequence,
    special,
    template,
    text,
    truncation,
)
from tests.zoo import trained_file
from tests.zoo_recipes import RECIPES
from tokcore import Origin, Token, Tokenizer
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.truncation import CannotTruncate, Lazy, Part, Strategy, Truncation, build_truncation, choices, merged

CHUNKS = [
    pytest.param(truncation(3), [["a", "b", "c"], ["d", "e", "f"], ["g"]], id="right"),
    pytest.param(truncation(3, direction="Left"), [["e", "f", "g"], ["b", "c", "d"], ["a"]], id="left"),
    pytest.param(truncation(4, stride=2), [list("abcd"), list("cdef"), list("efg")], id="stride"),
    pytest.param(
        truncation(4, stride=2, direction="Left"), [list("defg"), list("bcde"), list("abc")], id="left, stride"
    ),
    pytest.param(truncation(7), [list("abcdefg")], id="just long enough"),
    pytest.param(truncation(6, stride=5), [list("abcdef"), list("bcdefg")], id="one by one"),
    pytest.param(truncation(0), [[], list("abcdefg")], id="to nothing"),
]


@pytest.mark.parametrize(("config", "chunks"), CHUNKS)
def test_one_text_is_cut_into_stretches(config: Any, chunks: list[list[str]]) -> None:
    built = build_truncation(config)
    assert built is not None
    letters = [Token(ord(letter), letter, b"", None, Origin.MODEL) for letter in "abcdefg"]
    (cut,) = built.cut([Part(letters)], placed=0)
    assert [[token.value for token in stretch] for stretch in (cut.tokens, *cut.overflowing)] == chunks


@pytest.mark.parametrize(
    ("strategy", "lengths", "limit", "kept"),
    [
        *[("LongestFirst", *case) for case in [([0, 8], 7, [0, 7]), ([2, 8], 7, [2, 5]), ([4, 8], 7, [3, 4])]],
        *[("LongestFirst", *case) for case in [([8, 0], 7, [7, 0]), ([8, 2], 7, [5, 2]), ([8, 4], 7, [4, 3])]],
        *[("LongestFirst", *case) for case in [([8, 8], 7, [3, 4]), ([9, 9], 1, [0, 1]), ([9, 8], 1, [1, 0])]],
        *[("LongestFirst", *case) for case in [([2, 2], 7, [2, 2]), ([3, 4], 0, [0, 0]), ([9], 4, [4])]],
        *[
            ("OnlyFirst", *case)
            for case in [([9], 4, [4]), ([9, 3], 7, [4, 3]), ([3, 4], 7, [3, 4]), ([5, 4], 0, [0, 0])]
        ],
        *[("OnlySecond", *case) for case in [([3, 9], 7, [3, 4]), ([3], 7, [3]), ([5], 0, [0])]],
    ],
)
def test_how_many_tokens_each_text_keeps(strategy: str, lengths: list[int], limit: int, kept: list[int]) -> None:
    assert Truncation(limit, Strategy(strategy)).lengths(lengths, placed=0) == kept


@pytest.mark.parametrize(
    ("strategy", "stride", "lengths", "where"),
    [
        pytest.param("OnlySecond", 0, [9], "/truncation/strategy", id="no second text"),
        pytest.param("OnlyFirst", 0, [2, 9], "/truncation/strategy", id="the first has too few"),
        pytest.param("OnlySecond", 0, [9, 2], "/truncation/strategy", id="the second has too few"),
        pytest.param("LongestFirst", 5, [9], "/truncation/stride", id="stride as long as the text"),
        pytest.param("LongestFirst", 2, [9, 9], "/truncation/stride", id="stride as long as one half"),
    ],
)
def test_what_cannot_be_cut_says_why(strategy: str, stride: int, lengths: list[int], where: str) -> None:
    parts = [Part(tuple("abcdefghi")[:length]) for length in lengths]  # type: ignore[arg-type]
    with pytest.raises(CannotTruncate) as raised:
        Truncation(5, Strategy(strategy), stride).cut(parts, placed=0)
    assert raised.value.where == where


def test_a_short_text_is_never_refused() -> None:
    assert Truncation(5, Strategy.ONLY_SECOND, stride=9).lengths([5], placed=0) == [5]


def test_more_placed_tokens_than_the_limit_leave_the_text_whole() -> None:
    tokenizer, reference = load(BERT, truncation=truncation(1))
    assert len(tokenizer.encode("abcdef")) > 1
    assert_same_encoding(tokenizer, reference, "abcdef")


@given(counts=st.lists(st.integers(0, 3), max_size=4))
@settings(deadline=None)
def test_every_combination_overflows_once_but_the_one_kept(counts: list[int]) -> None:
    total = 1
    for count in counts:
        total *= count + 1
    found = [tuple(choices(counts, index)) for index in range(total - 1)]
    assert len({*found, (0,) * len(counts)}) == total
    assert all(0 <= pick <= count for picks in found for pick, count in zip(picks, counts, strict=True))


def test_what_overflows_is_made_when_looked_at() -> None:
    made: list[int] = []
    huge = Lazy(10**30, lambda index: made.append(index) or index)  # type: ignore[func-returns-value]
    assert huge[7] == 7 and huge[1:3] == [1, 2] and made == [7, 1, 2]
    whole = merged([Part((), Lazy(10**6, lambda _: ())), Part((), Lazy(10**6, lambda _: ()))])
    assert len(whole.overflowing) == (10**6 + 1) ** 2 - 1


def test_a_long_text_with_a_long_stride_costs_no_more_than_the_text() -> None:
    tokenizer, _ = load(truncation=truncation(513, stride=512))
    encoding = tokenizer.encode("a b" * 50_000)
    assert len(encoding) == 513 and len(encoding.overflowing) > 90_000
    assert len(encoding.overflowing[-1]) == 513


def test_the_trace_shows_truncation_before_and_padding_behind_the_post_processor() -> None:
    tokenizer, _ = load(BERT, truncation=truncation(4), padding=padding({"Fixed": 6}))
    stages = tokenizer.trace("xyzw").token_stages
    assert [(stage.name, stage.component, stage.pointer) for stage in stages] == [
        ("model", "BPE", "/model"),
        ("truncation", "LongestFirst", "/truncation"),
        ("post-processor", "BertProcessing", "/post_processor"),
        ("padding", "Fixed", "/padding"),
    ]
    assert [[token.value for sequence in stage.sequences for token in sequence] for stage in stages] == [
        ["Ġ", "x", "y", "z", "w"],
        ["Ġ", "x"],
        ["[CLS]", "Ġ", "x", "[SEP]"],
        ["[CLS]", "Ġ", "x", "[SEP]", "[PAD]", "[PAD]"],
    ]


PROCESSORS = [
    None,
    BERT,
    roberta(),
    byte_level(),
    TEMPLATE,
    template([text(type_id=5)], [text("B", 2), text("A", 3)]),
    template([text(type_id=3), special("three", 9), text(type_id=4)], [text("B"), text("A"), text("B", 1)]),
    template([], [special("three"), text("B", 4)]),
    sequence(BERT, BERT),
    sequence(roberta(), BERT, byte_level()),
    sequence(byte_level(), TEMPLATE),
    sequence(TEMPLATE, BERT),
]
truncations = st.one_of(
    st.none(),
    st.builds(
        truncation,
        st.integers(0, 12),
        st.sampled_from(["LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond"]),
        st.sampled_from([0, 0, 0, 1, 2, 4]),
        st.sampled_from(["Left", "Right"]),
    ),
)
paddings = st.one_of(
    st.none(),
    st.builds(
        padding,
        st.one_of(st.just("BatchLongest"), st.builds(lambda length: {"Fixed": length}, st.integers(0, 20))),
        st.sampled_from(["Left", "Right"]),
        st.sampled_from([None, 0, 1, 4, 8]),
    ),
)
short_texts = st.lists(st.sampled_from(["a", " a", "  ", "ab", "é", "\n\n", "<x>", "🚀", "z"]), max_size=9).map("".join)


@given(
    processor=st.sampled_from(PROCESSORS),
    cutting=truncations,
    filling=paddings,
    source=short_texts,
    pair=st.one_of(st.none(), short_texts),
    add_special_tokens=st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_cut_and_filled_encodings_equal_the_reference(
    processor: Any, cutting: Any, filling: Any, source: str, pair: str | None, add_special_tokens: bool
) -> None:
    tokenizer, reference = load(processor, truncation=cutting, padding=filling)
    assert_same_encoding(tokenizer, reference, source, pair, add_special_tokens)


def test_null_is_no_truncation() -> None:
    assert build_truncation(None) is None


@pytest.mark.parametrize(
    ("change", "where"),
    [
        pytest.param({"max_length": -1}, "/truncation/max_length", id="negative"),
        pytest.param({"max_length": 3.0}, "/truncation/max_length", id="a fraction"),
        pytest.param({"max_length": 2**64}, "/truncation/max_length", id="too large"),
        pytest.param({"max_length": True}, "/truncation/max_length", id="a boolean"),
        pytest.param({"stride": None}, "/truncation/stride", id="no number"),
        pytest.param({"strategy": "longest_first"}, "/truncation/strategy", id="unknown strategy"),
        pytest.param({"strategy": {"LongestFirst": 1}}, "/truncation/strategy", id="strategy with a value"),
        pytest.param({"direction": "right"}, "/truncation/direction", id="unknown direction"),
        pytest.param({"direction": None}, "/truncation/direction", id="null direction"),
    ],
)
def test_malformed_settings_name_their_place_and_the_reference_refuses_them_too(change: Any, where: str) -> None:
    file = json.dumps({"model": {"type": "BPE", "vocab": {}, "merges": []}, "truncation": {**truncation(5), **change}})
    with pytest.raises((MalformedFile, UnsupportedComponent)) as raised:
        Tokenizer.from_str(file)
    assert raised.value.where == where
    with pytest.raises(Exception, match="line 1"):
        tokenizers.Tokenizer.from_str(file)


@pytest.mark.parametrize("missing", ["max_length", "strategy", "stride"])
def test_every_setting_but_the_direction_must_be_there(missing: str) -> None:
    value = truncation(5)
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/truncation: key '{missing}' is missing"):
        build_truncation(value)
    del (old := truncation(5))["direction"]
    assert build_truncation(old) == Truncation(5)


def test_a_strategy_may_be_spelled_as_an_object() -> None:
    file = json.dumps({"model": {"vocab": {"a": 0}, "merges": []}, "truncation": truncation(1, {"OnlyFirst": None})})  # type: ignore[arg-type]
    assert Tokenizer.from_str(file).encode_ids("aaa") == tokenizers.Tokenizer.from_str(file).encode("aaa").ids == [0]


@pytest.mark.parametrize("recipe", RECIPES)
def test_text_ids_are_all_ids_of_the_text_alone(recipe: str) -> None:
    file = json.loads(trained_file(recipe)) | {"padding": None}
    cutting = {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    text = "one two three <a> four five 🚀 six"
    whole = Tokenizer.from_str(json.dumps({**file, "truncation": None}))
    cut = Tokenizer.from_str(json.dumps({**file, "truncation": cutting}))
    assert cut.text_ids(text) == whole.encode_ids(text, add_special_tokens=False)
    assert len(cut.encode_ids(text, add_special_tokens=False)) <= 4 < len(cut.text_ids(text))
