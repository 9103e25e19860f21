"""Model files: what the reference loads, loads the same; old files without a type; trained ones; written back."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers, trainers

from tests.reference import SHARED, both
from tests.strategies import texts
from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.export import to_json
from tokcore.models import build
from tokcore.protocols import Model

WORDLEVEL: dict[str, Any] = {"vocab": {"[UNK]": 0, "a": 1, "##b": 2, "ab": 3}, "unk_token": "[UNK]"}
WORDPIECE: dict[str, Any] = {**WORDLEVEL, "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
UNIGRAM: dict[str, Any] = {"vocab": [["<unk>", 0], ["a", -1.5], ["b", -2]], "unk_id": 0, "byte_fallback": True}
BPE: dict[str, Any] = {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}


def reference_model(model: Any) -> tokenizers.models.Model:
    """The model as the reference library loads it; ValueError where it does not."""
    try:
        return tokenizers.Tokenizer.from_str(json.dumps({"version": "1.0", "model": model})).model
    except Exception as error:
        raise ValueError(str(error)) from None


def same_tokens(ours: Model, theirs: tokenizers.models.Model, piece: str) -> None:
    expected = [(token.id, token.value, token.offsets) for token in theirs.tokenize(piece)]
    assert [(token.id, token.value, tuple(token.at)) for token in ours.tokenize(piece)] == expected, piece


def without(model: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in model.items() if name != key}


@pytest.mark.parametrize(
    ("model", "name"),
    [
        pytest.param(BPE, "BPE", id="vocab and merges"),
        pytest.param({**BPE, "fuse_unk": None, "unk_token": "a"}, "BPE", id="a flag null"),
        pytest.param({**BPE, "merges": ["#version: 0.2", "a b"]}, "BPE", id="the head of a merges.txt"),
        pytest.param({**WORDPIECE, "merges": []}, "BPE", id="merges before all else"),
        pytest.param({**WORDPIECE, "merges": ["a zz"]}, "WordPiece", id="unless one is broken"),
        pytest.param({**BPE, "merges": ["a zz"], "unk_token": "a"}, "WordLevel", id="broken merges, unk_token"),
        pytest.param({**BPE, "ignore_merges": "no", "unk_token": "a"}, "WordLevel", id="an option of the wrong type"),
        pytest.param(WORDPIECE, "WordPiece", id="all four keys of WordPiece"),
        pytest.param({**WORDPIECE, "max_input_chars_per_word": -1}, "WordLevel", id="a limit that is none"),
        pytest.param(without(WORDPIECE, "continuing_subword_prefix"), "WordLevel", id="no prefix"),
        pytest.param(WORDLEVEL, "WordLevel", id="vocab and unk_token"),
        pytest.param({**WORDLEVEL, "foo": 1}, "WordLevel", id="an unknown key"),
        pytest.param(UNIGRAM, "Unigram", id="a list for a vocab"),
        pytest.param({"vocab": UNIGRAM["vocab"]}, "Unigram", id="a list alone"),
        pytest.param({**UNIGRAM, "merges": [], "unk_token": "a"}, "Unigram", id="a list and the keys of others"),
    ],
)
def test_a_file_without_a_type_is_the_first_model_that_fits(model: dict[str, Any], name: str) -> None:
    ours, theirs = build(model), reference_model(model)
    assert (ours.name, type(theirs).__name__) == (name, name)
    same_tokens(ours.component, theirs, "ab")


MALFORMED = [
    pytest.param({}, "/model", "'vocab' is missing", id="empty"),
    pytest.param({"vocab": {"a": 0}}, "/model", "'merges' is missing", id="untyped, vocab alone"),
    pytest.param({**BPE, "merges": ["a zz"]}, "/model/merges/0", "'zz'", id="untyped BPE"),
    pytest.param({**UNIGRAM, "unk_id": 3}, "/model/unk_id", "found 3", id="untyped Unigram"),
    pytest.param(without(WORDPIECE, "unk_token"), "/model", "'unk_token' is missing", id="untyped WordPiece"),
    pytest.param({"unk_token": "a", "vocab": {"a": -1}}, "/model/vocab/a", "a number", id="untyped WordLevel"),
    pytest.param({**WORDLEVEL, "type": None}, "/model/type", "found null", id="type null"),
    *(
        pytest.param({**without(model, key), "type": name}, "/model", f"'{key}' is missing", id=f"{name} without {key}")
        for name, model, keys in (
            ("WordLevel", WORDLEVEL, ("vocab", "unk_token")),
            ("WordPiece", WORDPIECE, tuple(WORDPIECE)),
            ("Unigram", UNIGRAM, ("vocab",)),
        )
        for key in keys
    ),
    *(
        pytest.param({**model, "type": name, key: value}, f"/model/{place}", what, id=f"{name}: {key} {value}"[:60])
        for name, model, key, value, place, what in (
            ("WordLevel", WORDLEVEL, "unk_token", None, "unk_token", "found null"),
            ("WordLevel", WORDLEVEL, "vocab", [], "vocab", "found a list"),
            ("WordLevel", WORDLEVEL, "vocab", {"a/b": 1.0}, "vocab/a~1b", "found a number"),
            ("WordPiece", WORDPIECE, "vocab", {"a": 2**32}, "vocab/a", "found a number"),
            ("WordPiece", WORDPIECE, "continuing_subword_prefix", 2, "continuing_subword_prefix", "found a number"),
            *(
                ("WordPiece", WORDPIECE, "max_input_chars_per_word", limit, "max_input_chars_per_word", "found")
                for limit in (None, -1, 3.0, "3", True, 2**64)
            ),
            ("Unigram", UNIGRAM, "vocab", {}, "vocab", "found an object"),
            ("Unigram", UNIGRAM, "vocab", [["a", 0], {"b": 1}], "vocab/1", "found an object"),
            ("Unigram", UNIGRAM, "vocab", [["a"]], "vocab/0", "a list of 1"),
            ("Unigram", UNIGRAM, "vocab", [["a", 0, 0]], "vocab/0", "a list of 3"),
            ("Unigram", UNIGRAM, "vocab", [[0, "a"]], "vocab/0/0", "found a number"),
            ("Unigram", UNIGRAM, "vocab", [["a", "0"]], "vocab/0/1", "found a string"),
            ("Unigram", UNIGRAM, "vocab", [["a", True]], "vocab/0/1", "found a boolean"),
            ("Unigram", UNIGRAM, "vocab", [["a", 10**400]], "vocab/0/1", "out of range"),
            ("Unigram", UNIGRAM, "vocab", [["a", -math.inf]], "vocab/0/1", "out of range"),
            ("Unigram", UNIGRAM, "vocab", [["a", math.nan]], "vocab/0/1", "out of range"),
            ("Unigram", UNIGRAM, "vocab", [], "vocab", "the vocabulary is empty"),
            *(("Unigram", UNIGRAM, "unk_id", id, "unk_id", "found") for id in (3, 2**70, -1, 0.0, "0", True)),
            *(("Unigram", UNIGRAM, "byte_fallback", flag, "byte_fallback", "found") for flag in (None, 1)),
        )
    ),
]


@pytest.mark.parametrize(("model", "where", "what"), MALFORMED)
def test_a_malformed_model_names_its_place_and_the_reference_refuses_it_too(
    model: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(MalformedFile) as raised:
        build(model)
    assert raised.value.where == where
    assert what in raised.value.what
    with pytest.raises(ValueError):
        reference_model(model)


def test_what_is_only_not_supported_is_not_taken_for_another_model() -> None:
    with pytest.raises(UnsupportedComponent, match="/model/dropout"):
        build({**BPE, "dropout": 0.5, "unk_token": "a"})


@pytest.mark.parametrize(
    "model",
    [
        pytest.param({"type": "Unigram", "vocab": []}, id="empty vocabulary without an unknown token"),
        pytest.param({"type": "Unigram", "vocab": [["a", -1], ["a", -2]], "unk_id": None}, id="a token twice"),
        pytest.param({"type": "Unigram", "vocab": [["a", 10**25]], "unk_id": 0, "alpha": "x"}, id="an unknown key"),
        pytest.param({"type": "WordPiece", **WORDPIECE, "max_input_chars_per_word": 2**64 - 1}, id="no limit"),
        pytest.param({"type": "WordPiece", **WORDPIECE, "vocab": {}}, id="an empty vocabulary"),
        pytest.param({"type": "WordLevel", **WORDLEVEL, "vocab": {"a": 7, "[UNK]": 3}}, id="holes"),
    ],
)
def test_what_the_reference_loads_is_loaded(model: dict[str, Any]) -> None:
    ours, theirs = build(model).component, reference_model(model)
    for token in ("a", "b", "[UNK]", ""):
        assert ours.token_to_id(token) == theirs.token_to_id(token)
    for id in (*range(9), 2**32 - 1):
        assert ours.id_to_token(id) == theirs.id_to_token(id)
    for piece in ("a", "b", "aa"):
        try:
            expected = [(token.id, token.value) for token in theirs.tokenize(piece)]
        except Exception:
            with pytest.raises(TokcoreError):
                ours.tokenize(piece)
        else:
            assert [(token.id, token.value) for token in ours.tokenize(piece)] == expected


PARAGRAPHS = (
    "The river rose in the night. By morning the lower fields were a lake, and the cows stood on the dyke, chewing.",
    "Nobody had counted the boats, but everybody knew that there were more of them than last year; newer, louder.",
    "A chuva não parou até quinta-feira. O moleiro, que já vira três cheias, pôs os sacos de farinha no sótão.",
    "«Não é a água», disse ele, «é a lama que fica.» Ninguém lhe respondeu; todos tinham visto as marcas na parede.",
    "Der Fluss stieg über Nacht. Größere Häuser hielten stand, kleinere nicht; am Sonntag läuteten die Glocken.",
    "川は夜のうちに増水した。朝になると畑は湖になっていた。 水が引くまで三日かかった。",
    "Река поднялась ночью. Утром на дамбе стояли коровы, а лодки плыли по улицам, как в старых рассказах.",
    "12 boats, 3.5 metres, 1987-02-11: the numbers are in the book. def level(t): return 0.4 * t + 1.2  # metres",
)
TRAINED = ("Unigram", "Unigram with byte fallback", "Unigram with NFKC", "WordPiece", "WordPiece of bytes", "WordLevel")


@cache
def trained(name: str) -> tuple[Model, tokenizers.Tokenizer]:
    """A small tokenizer trained by the reference library, and its model in tokcore."""
    special = ["<unk>"]
    trainer: Any
    if name.startswith("Unigram"):
        reference = tokenizers.Tokenizer(models.Unigram())
        reference.pre_tokenizer = pre_tokenizers.Metaspace()
        if "byte" in name:
            special += [f"<0x{byte:02X}>" for byte in range(256)]
        trainer = trainers.UnigramTrainer(
            vocab_size=700, special_tokens=special, unk_token="<unk>", show_progress=False
        )
    elif name.startswith("WordPiece"):
        reference = tokenizers.Tokenizer(models.WordPiece(unk_token="<unk>"))
        reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        if "bytes" in name:
            reference.pre_tokenizer = pre_tokenizers.ByteLevel()
        trainer = trainers.WordPieceTrainer(vocab_size=500, special_tokens=special, show_progress=False)
    else:
        reference = tokenizers.Tokenizer(models.WordLevel(unk_token="<unk>"))
        reference.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordLevelTrainer(special_tokens=special, show_progress=False)
    if "NFKC" in name:
        reference.normalizer = normalizers.NFKC()
    reference.train_from_iterator(PARAGRAPHS, trainer)
    file = json.loads(reference.to_str())
    if "byte fallback" in name:
        file["model"]["byte_fallback"] = True
    return build(file["model"]).component, tokenizers.Tokenizer.from_str(json.dumps(file))


def pieces(reference: tokenizers.Tokenizer, text: str) -> list[str]:
    """What the model gets to see of a text."""
    normalized = text if reference.normalizer is None else reference.normalizer.normalize_str(text)
    return [piece for piece, _ in reference.pre_tokenizer.pre_tokenize_str(normalized)]


@pytest.mark.parametrize("name", TRAINED)
@settings(max_examples=150, deadline=None)
@given(text=texts | st.lists(st.sampled_from([*" ".join(PARAGRAPHS).split(), " "]), max_size=9).map("".join))
def test_a_trained_model_gives_the_reference_s_tokens(name: str, text: str) -> None:
    ours, reference = trained(name)
    for piece in {text, *pieces(reference, text)} - {""}:
        same_tokens(ours, reference.model, piece)


@pytest.mark.parametrize("name", TRAINED)
def test_every_word_of_the_corpus_is_cut_as_the_reference_cuts_it(name: str) -> None:
    files = sorted((SHARED / "corpora" / "udhr").glob("*.txt"))
    if not files:
        pytest.skip("needs ../shared/corpora/udhr")
    ours, reference = trained(name)
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    words = {piece for line in lines for piece in pieces(reference, line)}
    for piece in sorted(words) + lines[::40]:
        if piece:
            same_tokens(ours, reference.model, piece)


@pytest.mark.parametrize("name", TRAINED)
def test_a_model_written_back_is_the_same_in_both(name: str) -> None:
    _, trained_reference = trained(name)
    model = json.loads(trained_reference.to_str())["model"]
    spaces = {"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated", "invert": False}
    ours, reference = both({"version": "1.0", "pre_tokenizer": spaces, "model": model})
    written = to_json(ours)
    again, reference_again = both(written)
    assert reference_again.to_str() == reference.to_str()
    assert again.model == ours.model
    for text in PARAGRAPHS:
        theirs = reference.encode(text)
        encoding = again.trace(text).encoding
        assert (encoding.ids, encoding.tokens, encoding.offsets) == (theirs.ids, theirs.tokens, theirs.offsets)
        assert again.encode_ids(text) == theirs.ids
