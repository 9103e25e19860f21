"""Forty and more tokenizers, trained here with the reference's trainers over different combinations of components."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import tokenizers
from tokenizers import pre_tokenizers, trainers

from tests.zoo_corpus import CORPUS
from tests.zoo_parts import BERT_NAMES, NAMES
from tokcore import Tokenizer

VOCAB_SIZE = 380
EMPTY_MODELS: Mapping[str, dict[str, Any]] = {
    "BPE": {"type": "BPE", "vocab": {}, "merges": []},
    "Unigram": {"type": "Unigram", "vocab": [], "unk_id": None, "byte_fallback": False},
    "WordPiece": {
        "type": "WordPiece",
        "vocab": {},
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    },
    "WordLevel": {"type": "WordLevel", "vocab": {}, "unk_token": "<unk>"},
}


@dataclass(frozen=True)
class Recipe:
    """One tokenizer: its components as JSON, what its trainer is told, and what is changed in the model afterwards.

    `names`: the special tokens, ids 0 to 4. `byte_tokens`: the vocabulary gets <0x00> to <0xFF>, but for the last
    `missing_bytes`. `words`: entries that no merge leads to.
    """

    model: str
    normalizer: Any = None
    pre_tokenizer: Any = None
    post_processor: Any = None
    decoder: Any = None
    added: Sequence[Mapping[str, Any]] = ()
    truncation: Any = None
    padding: Any = None
    names: tuple[str, ...] = NAMES
    training: Mapping[str, Any] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)
    byte_tokens: bool = False
    missing_bytes: int = 0
    words: tuple[str, ...] = ()


def trainer(recipe: Recipe) -> Any:
    """The reference's trainer for a recipe."""
    options: dict[str, Any] = {
        "vocab_size": VOCAB_SIZE,
        "special_tokens": list(recipe.names),
        "show_progress": False,
        **recipe.training,
    }
    if options.pop("bytes", False):
        options["limit_alphabet"] = 256
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    if recipe.model in ("BPE", "WordPiece"):
        # WordPiece has each character twice, with its prefix and without.
        options.setdefault("limit_alphabet", 180 if recipe.model == "BPE" else 90)
    if recipe.model == "Unigram":
        options.setdefault("unk_token", recipe.names[1])
    kinds = {
        "BPE": trainers.BpeTrainer,
        "Unigram": trainers.UnigramTrainer,
        "WordPiece": trainers.WordPieceTrainer,
        "WordLevel": trainers.WordLevelTrainer,
    }
    return kinds[recipe.model](**options)


@cache
def trained_file(name: str) -> str:
    """The tokenizer.json of one of the zoo, trained once in a process."""
    from tests.zoo_recipes import RECIPES

    recipe = RECIPES[name]
    parts = {key: getattr(recipe, key) for key in ("normalizer", "pre_tokenizer", "post_processor", "decoder")}
    model = {**EMPTY_MODELS[recipe.model], **recipe.changes}
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps({"version": "1.0", **parts, "model": model}))
    tokenizer.train_from_iterator(CORPUS, trainer(recipe))
    file = json.loads(tokenizer.to_str())
    model = file["model"] = {**file["model"], **recipe.changes}
    more = [*recipe.words, *(f"<0x{value:02X}>" for value in range(256 - recipe.missing_bytes) if recipe.byte_tokens)]
    if recipe.model == "Unigram":
        lowest = min(score for _, score in model["vocab"])
        model["vocab"] += [[word, lowest - 1.0] for word in more]
    else:
        model["vocab"] |= {word: len(model["vocab"]) + number for number, word in enumerate(more)}
    first = len(model["vocab"])
    file["added_tokens"] += [{**token, "id": first + number} for number, token in enumerate(recipe.added)]
    return json.dumps({**file, "truncation": recipe.truncation, "padding": recipe.padding})


@cache
def zoo(name: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """One of the zoo in tokcore and in the reference library."""
    text = trained_file(name)
    return Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text)


__all__ = ["BERT_NAMES", "NAMES", "Recipe", "trained_file", "zoo"]
