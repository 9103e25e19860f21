"""Tokenizers trained here over many combinations of components give what the reference gives, on every kind of text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from tests.reference import SHARED
from tests.strategies import AWKWARD, texts_with
from tests.zoo import trained_file, zoo
from tests.zoo_corpus import SIXTEEN_KINDS
from tests.zoo_recipes import RECIPES
from tokcore import decoders, normalizers, postprocessors, pretokenizers
from tokcore.parity import Given, compare, first_difference
from tokcore.parity_texts import texts_for

CORPUS = sorted((SHARED / "corpora" / "udhr").glob("*.txt"))
WORDS = (
    "<|im_start|>",
    "<sp>",
    "<both>",
    " cat",
    "river",
    "FERRY é",
    "<s>",
    "[SEP]",
    "<mask>",
    " \n",
    "ferryman",
    "'s",
)


def named(value: Any) -> Iterator[str]:
    """The components in one place of a file, those inside a Sequence and the Sequence itself."""
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        yield value["type"]
        for key in ("normalizers", "pretokenizers", "processors", "decoders"):
            for child in value.get(key, ()):
                yield from named(child)


def test_there_are_forty_and_each_component_stands_in_three_of_them() -> None:
    assert len(RECIPES) >= 40
    kinds = {
        "normalizer": normalizers.TABLE,
        "pre_tokenizer": pretokenizers.TABLE,
        "post_processor": postprocessors.TABLE,
        "decoder": decoders.TABLE,
    }
    for place, table in kinds.items():
        counts = Counter(name for recipe in RECIPES.values() for name in set(named(getattr(recipe, place))))
        assert {name: counts[name] for name in (*table, "Sequence") if counts[name] < 3} == {}, place
    models = Counter(recipe.model for recipe in RECIPES.values())
    assert min(models[name] for name in ("BPE", "Unigram", "WordPiece", "WordLevel")) >= 4


def test_there_are_all_flags_truncations_and_paddings() -> None:
    tokens = [token for recipe in RECIPES.values() for token in recipe.added]
    for flag in ("single_word", "lstrip", "rstrip", "normalized", "special"):
        assert sum(token[flag] for token in tokens) >= 3
    assert sum(recipe.truncation is not None for recipe in RECIPES.values()) >= 3
    assert sum(recipe.padding is not None for recipe in RECIPES.values()) >= 3
    assert len(SIXTEEN_KINDS) == 16


@pytest.mark.parametrize("name", RECIPES)
def test_trained_files_are_small_and_hold_their_special_tokens_first(name: str) -> None:
    file = json.loads(trained_file(name))
    # Unigram keeps every character of what it learns from.
    limit = 700 if RECIPES[name].model == "Unigram" else 400
    assert len(file["model"]["vocab"]) <= limit + 256 * RECIPES[name].byte_tokens
    assert [token["content"] for token in file["added_tokens"]][:5] == list(RECIPES[name].names)


@pytest.mark.parametrize("name", RECIPES)
def test_the_sixteen_kinds_and_awkward_texts_are_as_in_the_reference(name: str) -> None:
    texts = ["", *SIXTEEN_KINDS.values(), *AWKWARD, "".join(AWKWARD), " ".join(AWKWARD)]
    report = compare(*zoo(name), texts)
    assert report.difference is None, report.difference


@pytest.mark.parametrize("name", RECIPES)
def test_generated_texts_are_as_in_the_reference(name: str) -> None:
    ours, theirs = zoo(name)
    report = compare(ours, theirs, texts_for(ours, len(name), 25))
    assert report.difference is None, report.difference


@pytest.mark.parametrize("name", RECIPES)
@given(text=texts_with(*WORDS), pair=texts_with("a", " cat", "<s>"))
@settings(max_examples=5, deadline=None)
def test_any_text_and_pair_are_as_in_the_reference(name: str, text: str, pair: str) -> None:
    for given_ in (Given(text), Given(text, pair), Given(text, split_special_tokens=True)):
        assert first_difference(*zoo(name), given_) is None


@pytest.mark.skipif(not CORPUS, reason="the UDHR corpus is not beside this checkout")
@pytest.mark.parametrize("name", RECIPES)
def test_a_text_of_some_length_is_as_in_the_reference(name: str) -> None:
    path = CORPUS[list(RECIPES).index(name) * 7 % len(CORPUS)]
    report = compare(*zoo(name), [path.read_text(encoding="utf-8")[:6000]])
    assert report.difference is None, report.difference
