"""The law of the incremental detokenizer on every tokenizer at hand: joined, it is what decoding all ids gives."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from tests.core.streaming.cutting import cuts_of, emitted, is_early
from tests.reference import BUNDLED, SHARED_FILES, bundled, shared_tokenizer_json
from tests.strategies import AWKWARD
from tests.zoo import trained_file
from tests.zoo_corpus import CORPUS, SIXTEEN_KINDS
from tests.zoo_recipes import RECIPES
from tokcore import Tokenizer
from tokcore.streaming.cuts import even, seeded

TEXTS = (*SIXTEEN_KINDS.values(), "".join(AWKWARD), " ".join(AWKWARD), *CORPUS)


@cache
def published(name: str) -> Tokenizer | None:
    text = shared_tokenizer_json(name)
    return None if text is None else Tokenizer.from_str(text)


@cache
def trained(name: str) -> Tokenizer:
    """One of the zoo that gives whole texts."""
    return Tokenizer.from_str(json.dumps({**json.loads(trained_file(name)), "truncation": None, "padding": None}))


def random_ids(tokenizer: Tokenizer, seed: int, count: int) -> list[int]:
    """Any ids: learnt, added, single bytes, outside the vocabulary."""
    generator = random.Random(seed)
    added = sorted(tokenizer.added_tokens) or [0]
    short = [id for id in range(min(tokenizer.id_limit, 600)) if len(tokenizer.id_to_token(id) or "") <= 2] or [0]
    strange = (-1, tokenizer.id_limit, 2**70)
    pools: list[Sequence[int]] = [range(tokenizer.id_limit), range(tokenizer.id_limit), added, short, short, strange]
    return [generator.choice(generator.choice(pools)) for _ in range(count)]


def assert_streams(tokenizer: Any, ids: list[int], cuts: Sequence[tuple[int, ...]]) -> None:
    for skip in (True, False):
        whole = tokenizer.decode(ids, skip)
        texts = {"".join(emitted(tokenizer, ids, sizes, skip)) for sizes in cuts}
        assert len(texts) == 1, "cuts disagree"
        assert is_early(tokenizer, ids, skip) or texts == {whole}


def assert_all(tokenizer: Tokenizer) -> None:
    for text in TEXTS:
        ids = tokenizer.encode_ids(text)
        assert_streams(tokenizer, ids, [even(len(ids), max(len(ids), 1)), even(len(ids), 1), seeded(len(ids), 1)])
        assert not is_early(tokenizer, ids) or "\ufffd" in tokenizer.decode(ids)
    for seed in range(40):
        ids = random_ids(tokenizer, seed, seed)
        assert_streams(tokenizer, ids, list(cuts_of(len(ids), random_cuts=1)) if seed < 12 else [even(seed, 1)])


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled(name: str) -> None:
    assert_all(bundled(name))


@pytest.mark.parametrize("name", RECIPES)
def test_trained_here(name: str) -> None:
    assert_all(trained(name))


@pytest.mark.parametrize("name", SHARED_FILES)
def test_published(name: str) -> None:
    tokenizer = published(name)
    if tokenizer is None:
        pytest.skip(f"{name}: its tokenizer.json is not beside this checkout")
    assert_all(tokenizer)


def test_text_of_a_byte_fallback_tokenizer_is_never_early() -> None:
    """What a model's own tokenizer made of a text holds no broken run."""
    for name, recipe in RECIPES.items():
        if recipe.byte_tokens and not recipe.missing_bytes:
            tokenizer = trained(name)
            for text in TEXTS:
                assert not is_early(tokenizer, tokenizer.encode_ids(text)), (name, text)
