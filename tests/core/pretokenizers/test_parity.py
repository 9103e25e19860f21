"""Every pre-tokenizer inside a tokenizer: what the reference says, on the traced and on the fast path."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings

from tests.core.pretokenizers.pieces import byte_level, metaspace, our_pieces, reference_pieces, sequence, split_pieces
from tests.reference import added, assert_same, both, byte_level_file
from tests.strategies import texts, texts_with
from tokcore import Tokenizer
from tokcore.fastpath import Cutter, cut
from tokcore.pretokenizers import build
from tokcore.pretokenizers.cutting import Behavior

BERT = {"type": "BertPreTokenizer"}
WORDS = {"type": "WhitespaceSplit"}
CONFIGS: dict[str, dict[str, Any]] = {
    "Bert": BERT,
    "delimiter": {"type": "CharDelimiterSplit", "delimiter": "a"},
    "digits": {"type": "Digits", "individual_digits": False},
    "each digit": {"type": "Digits", "individual_digits": True},
    "fixed length": {"type": "FixedLength", "length": 3},
    "fixed length 1": {"type": "FixedLength", "length": 1},
    **{f"punctuation {one.value}": {"type": "Punctuation", "behavior": one.value} for one in Behavior},
    "scripts": {"type": "UnicodeScripts"},
    "whitespace": {"type": "Whitespace"},
    "whitespace split": WORDS,
    **{f"metaspace {scheme}": metaspace(prepend_scheme=scheme) for scheme in ("always", "first", "never")},
    **{f"uncut {scheme}": metaspace(prepend_scheme=scheme, split=False) for scheme in ("always", "first", "never")},
    "metaspace of a": {"type": "Metaspace", "replacement": "a"},
    "GPT-2": byte_level(use_regex=True, add_prefix_space=True),
}
CHAINS = {
    "T5": sequence(WORDS, metaspace(add_prefix_space=True, str_rep="▁")),
    "words, then first": sequence(WORDS, metaspace(prepend_scheme="first")),
    "scripts, then first": sequence({"type": "UnicodeScripts"}, metaspace(prepend_scheme="first")),
    "twice": sequence(metaspace(prepend_scheme="first"), metaspace(prepend_scheme="first")),
    "digits, then GPT-2": sequence(CONFIGS["each digit"], byte_level(use_regex=True, add_prefix_space=True)),
    "Falcon": sequence(CONFIGS["punctuation Contiguous"], byte_level(use_regex=True), CONFIGS["digits"]),
    "bytes, then first": sequence(byte_level(), metaspace(prepend_scheme="first")),
    "GPT-2's bytes in threes": sequence(byte_level(use_regex=True), CONFIGS["fixed length"]),
    "in each other": sequence(sequence(), sequence(BERT, sequence(CONFIGS["fixed length"]))),
}
ADDED = [added("<s>", special=True), added("<n>", normalized=True, lstrip=True), added("1a", single_word=True)]
every_config = pytest.mark.parametrize("name", [*CONFIGS, *CHAINS])
pasted = texts_with("<s>", "<n>", "1a", " ", "  ", "▁", "a", "é", "e\u0301", "-", "!?", "12", "漢字 かな", "\u0378")


def config_of(name: str) -> dict[str, Any]:
    return CONFIGS.get(name) or CHAINS[name]


@cache
def in_bytes(name: str, normalizer: str | None) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """Each byte a token, whatever the pieces: spans and piece numbers of every character."""
    config = config_of(name)
    steps = config if "ByteLevel" in str(config) else sequence(config, byte_level())
    first = normalizer and {"type": normalizer}
    return both(byte_level_file(["Ġ a", "Ã ©"], pre_tokenizer=steps, normalizer=first, added_tokens=ADDED))


@cache
def in_words(name: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """Each piece a token."""
    vocab = {word: id for id, word in enumerate(["?", "a", "▁a", "12", "漢字", "!", "é", "Ġa"])}
    tokens = [{**token, "id": len(vocab) + index} for index, token in enumerate(ADDED)]
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "?"}
    return both({"version": "1.0", "added_tokens": tokens, "pre_tokenizer": config_of(name), "model": model})


@pytest.mark.parametrize("normalizer", [None, "NFD"], ids=["", "normalized"])
@every_config
@given(text=pasted)
@settings(max_examples=20, deadline=None)
def test_bytes_of_pieces_are_the_reference_s(name: str, normalizer: str | None, text: str) -> None:
    assert_same(*in_bytes(name, normalizer), text)


@every_config
@given(text=pasted)
@settings(max_examples=25, deadline=None)
def test_pieces_and_their_numbers_are_the_reference_s(name: str, text: str) -> None:
    assert_same(*in_words(name), text)
    assert_same(*in_words(name), text, " a12")


@every_config
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_a_pre_tokenizer_by_itself_is_the_reference_s(name: str, text: str) -> None:
    assert our_pieces(config_of(name), text) == reference_pieces(config_of(name), text)


@pytest.mark.parametrize("name", [name for name in CONFIGS if name[:5] not in ("metas", "uncut", "GPT-2")])
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_what_only_cuts_leaves_the_pieces_as_they_stand_in_the_text(name: str, text: str) -> None:
    pieces = split_pieces(CONFIGS[name], text)
    spans = [piece.span(0, len(piece.text)) for piece in pieces]
    assert [span.cut(text) for span in spans] == [piece.text for piece in pieces]
    assert all(span.start < span.end for span in spans)
    assert sorted(spans) == spans


@pytest.mark.parametrize(
    "name", ["Bert", "digits", "each digit", "scripts", "whitespace", "whitespace split", "fixed length"]
)
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_a_piece_is_not_cut_again(name: str, text: str) -> None:
    pieces = split_pieces(CONFIGS[name], text)
    assert [split_pieces(CONFIGS[name], piece.text)[0].text for piece in pieces] == [piece.text for piece in pieces]


CUTTERS = ("digits", "each digit", "fixed length", "punctuation Isolated", "punctuation Contiguous")


@pytest.mark.parametrize("name", CUTTERS)
@given(text=texts)
@settings(max_examples=25, deadline=None)
def test_a_cut_pattern_cuts_as_the_component_does(name: str, text: str) -> None:
    (step,) = build(CONFIGS[name])
    assert isinstance(step.component, Cutter)
    pattern = step.component.cut_pattern()
    assert pattern is not None
    assert cut(pattern, text) == [piece.text for piece in split_pieces(CONFIGS[name], text)]


def test_only_what_keeps_the_whole_text_has_a_cut_pattern() -> None:
    steps = {name: build(config)[0].component for name, config in CONFIGS.items()}
    cutting = {name for name, one in steps.items() if isinstance(one, Cutter) and one.cut_pattern() is not None}
    assert cutting == set(CUTTERS) | {"fixed length 1"}
