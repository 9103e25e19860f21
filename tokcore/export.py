"""A Tokenizer written back as a tokenizer.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from tokcore.errors import UnsupportedComponent
from tokcore.models.bpe import BPE
from tokcore.models.load_unigram import as_written_for_reference
from tokcore.models.unigram import Unigram
from tokcore.models.wordlevel import WordLevel
from tokcore.models.wordpiece import WordPiece
from tokcore.pipeline import Tokenizer


def to_json(tokenizer: Tokenizer) -> dict[str, Any]:
    """The value of a tokenizer.json that encodes as this tokenizer does.

    >>> from tokcore.loader import load_json
    >>> tokenizer = load_json('{"model": {"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}')
    >>> to_json(tokenizer)["model"]["merges"]
    [['a', 'b']]
    """
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [asdict(token) for _, token in sorted(tokenizer.added_tokens.items())],
        **tokenizer.components,
        "model": model_json(tokenizer),
    }


def model_json(tokenizer: Tokenizer) -> dict[str, Any]:
    """The "model" object of the file."""
    model = tokenizer.model.component
    write = WRITERS.get(type(model))
    if write is None:
        raise UnsupportedComponent(
            where="/model",
            what=f"model {tokenizer.model.name} cannot be written",
            remedy="supported: " + ", ".join(sorted(known.__name__ for known in WRITERS)),
        )
    return {"type": type(model).__name__, **write(model)}


def bpe_json(model: BPE) -> dict[str, Any]:
    strings = model.strings
    return {
        "dropout": None,
        "unk_token": model.unk_token,
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "end_of_word_suffix": model.end_of_word_suffix,
        "fuse_unk": model.fuse_unk,
        "byte_fallback": model.byte_fallback,
        "ignore_merges": model.ignore_merges,
        "vocab": dict(model.vocab),
        "merges": [[strings[left], strings[right]] for left, right, _ in model.rules.all_rules()],
    }


def wordpiece_json(model: WordPiece) -> dict[str, Any]:
    return {
        "unk_token": model.unk_token,
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "max_input_chars_per_word": model.max_input_chars_per_word,
        "vocab": dict(model.vocab),
    }


def wordlevel_json(model: WordLevel) -> dict[str, Any]:
    return {"vocab": dict(model.vocab), "unk_token": model.unk_token}


def unigram_json(model: Unigram) -> dict[str, Any]:
    """Scores are written so that the reference, which does not read the last bit exactly, reads what they are."""
    entries = zip(model.strings, map(as_written_for_reference, model.scores), strict=True)
    return {
        "unk_id": model.unk_id,
        "vocab": [[token, score] for token, score in entries],
        "byte_fallback": model.byte_fallback,
    }


# A model class's name is its name in the file.
WRITERS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    BPE: bpe_json,
    WordPiece: wordpiece_json,
    WordLevel: wordlevel_json,
    Unigram: unigram_json,
}
