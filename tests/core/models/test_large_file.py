"""A tokenizer.json as large as the largest published ones, made here: 33 MB, 330,000 entries, 640,000 rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice, product
from string import ascii_letters
from typing import Any

import pytest
import tokenizers

from tests.reference import byte_level_file
from tokcore import Tokenizer
from tokcore.errors import MalformedFile

ENTRIES, RULES, SIZE = 330_000, 640_000, 33_000_000
LETTERS = ascii_letters[:36]


def strings() -> Iterator[str]:
    """Every string of two and of three letters, then random ones of four."""
    choice = random.Random(1)
    for length in (2, 3):
        yield from map("".join, product(LETTERS, repeat=length))
    while True:
        yield "".join(choice.choices(LETTERS, k=4))


def large_file() -> dict[str, Any]:
    """Every way to make a string of two shorter ones is a rule, up to RULES of them."""
    file = byte_level_file()
    vocab = file["model"]["vocab"]
    for string in strings():
        vocab.setdefault(string, len(vocab))
        if len(vocab) == ENTRIES:
            break
    rules = (
        [string[:at], string[at:]]
        for string in vocab
        for at in range(1, len(string))
        if string[:at] in vocab and string[at:] in vocab
    )
    file["model"]["merges"] = list(islice(rules, RULES))
    return file


@pytest.fixture(scope="module")
def text() -> str:
    # Indented as published files are; `json` itself takes seconds for that.
    compact = json.dumps(large_file(), ensure_ascii=False)
    return compact.replace('", "', '",\n        "').replace("], [", "\n      ],\n      [\n        ")


def test_it_loads_and_gives_the_reference_s_tokens(text: str) -> None:
    assert len(text.encode()) > SIZE
    ours, theirs = Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text)
    assert (ours.vocab_size, ours.model.component.rules.count) == (ENTRIES, RULES)
    words = random.Random(2)
    sample = " ".join("".join(words.choices(ascii_letters, k=words.randrange(1, 12))) for _ in range(2000))
    assert ours.encode(sample).ids == theirs.encode(sample).ids


@pytest.mark.parametrize("kept", [0.2, 0.9, 0.9999])
def test_cut_short_it_is_one_error_with_its_place(text: str, kept: float) -> None:
    with pytest.raises(MalformedFile, match=r"line \d+ column \d+: not JSON"):
        Tokenizer.from_str(text[: int(len(text) * kept)])


def test_its_last_rule_of_an_absent_token_is_named(text: str) -> None:
    before, _, behind = text.rpartition('"')
    broken = before.rpartition('"')[0] + '"☃"' + behind
    with pytest.raises(MalformedFile, match=f"/model/merges/{RULES - 1}: token '☃' is not in the vocabulary"):
        Tokenizer.from_str(broken)
