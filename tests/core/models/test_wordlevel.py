"""WordLevel: one token a piece, known or unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from tokenizers import Tokenizer as ReferenceTokenizer
from tokenizers import models, trainers

from tests.reference import assert_same, both
from tests.strategies import texts_with
from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.models import build


def file(vocab: str, unk_token: str = "[UNK]") -> dict[str, Any]:
    """A WordLevel file that cuts at spaces and drops them; `vocab` lists the tokens between commas."""
    ids = {token: id for id, token in enumerate(vocab.split(","))}
    spaces = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": False}
    model = {"type": "WordLevel", "vocab": ids, "unk_token": unk_token}
    return {"version": "1.0", "pre_tokenizer": spaces, "model": model}


@pytest.mark.parametrize(
    ("vocab", "text", "tokens", "offsets"),
    [
        pytest.param("[UNK],a", "a", ["a"], [(0, 1)], id="known"),
        pytest.param("[UNK],a", "b", ["[UNK]"], [(0, 1)], id="unknown"),
        pytest.param("[UNK],olá,🚀", "olá 🚀 é", ["olá", "🚀", "[UNK]"], [(0, 3), (4, 5), (6, 7)], id="several bytes"),
        pytest.param("a,[UNK]", "[UNK] a", ["[UNK]", "a"], [(0, 5), (6, 7)], id="the unknown token's own string"),
        pytest.param("[UNK],a", "A", ["[UNK]"], [(0, 1)], id="case counts"),
        pytest.param("[UNK],", "  ", [], [], id="an empty token is never met"),
    ],
)
def test_each_piece_is_one_token(vocab: str, text: str, tokens: list[str], offsets: list[tuple[int, int]]) -> None:
    ours, reference = both(file(vocab))
    assert (ours.encode(text).tokens, ours.encode(text).offsets) == (tokens, offsets)
    assert_same(ours, reference, text)


def test_an_unknown_token_outside_the_vocabulary_is_an_error_only_when_needed() -> None:
    ours, reference = both(file("a"))
    assert_same(ours, reference, "a a")
    with pytest.raises(TokcoreError, match=r"/model/unk_token: the unknown token '\[UNK\]' is needed"):
        ours.encode("a b")
    with pytest.raises(Exception, match="Missing"):
        reference.encode("a b")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"type": "WordLevel", "unk_token": "a"}, id="WordLevel"),
        pytest.param(
            {"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "", "max_input_chars_per_word": 9},
            id="WordPiece",
        ),
        pytest.param({"type": "BPE", "merges": []}, id="BPE"),
    ],
)
def test_a_vocabulary_with_an_id_given_twice_or_far_out_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(MalformedFile, match="/model/vocab/z: id 1 belongs to 'b' already"):
        build({**options, "vocab": {"a": 0, "b": 1, "z": 1}})
    with pytest.raises(UnsupportedComponent, match="/model/vocab: id 4294967295 in a vocabulary of 2"):
        build({**options, "vocab": {"a": 0, "z": 2**32 - 1}})


@pytest.fixture(scope="module")
def trained() -> dict[str, Any]:
    reference = ReferenceTokenizer(models.WordLevel(unk_token="[UNK]"))
    trainer = trainers.WordLevelTrainer(special_tokens=["[UNK]"], show_progress=False)
    reference.train_from_iterator(["o rio", "a", "🚀", " ", "e\u0301", "o rio"], trainer)
    return file(",".join(sorted(reference.get_vocab(), key=reference.get_vocab().__getitem__)))


@settings(max_examples=200, deadline=None)
@given(text=texts_with("a", "🚀", "e\u0301", " "))
def test_a_trained_tokenizer_gives_the_reference_s_tokens(trained: dict[str, Any], text: str) -> None:
    assert_same(*both(trained), text)
