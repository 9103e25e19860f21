"""Rank files with a preset or a pattern, beside tiktoken."""

from __future__ import annotations

import json
import unicodedata

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings

from tests import strategies
from tests.core.formats.materials import rank_file, ranks, texts
from tests.reference import SHARED, shared_tokenizer_json
from tokcore import Tokenizer
from tokcore.bytemap import unicode_to_bytes
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.formats import PRESETS, load
from tokcore.formats.presets import GPT2, LLAMA3, QWEN2, QWEN35
from tokcore.formats.ranks import from_ranks

# tiktoken's own spelling where it has one (tiktoken_ext.openai_public), else ours.
SPELLINGS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    "o200k": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        )
    ),
    "llama3": LLAMA3,
    "qwen2": QWEN2,
    "qwen3.5": QWEN35,
}
SPECIAL = {"<|end|>": 5000, "<|start|>": 5001}


def both(preset: str) -> tuple[Tokenizer, tiktoken.Encoding]:
    tokenizer = from_ranks(rank_file(ranks()), pattern=PRESETS[preset].pattern, special_tokens=SPECIAL).tokenizer()
    encoding = tiktoken.Encoding(preset, pat_str=SPELLINGS[preset], mergeable_ranks=ranks(), special_tokens=SPECIAL)
    return tokenizer, encoding


@pytest.mark.parametrize("preset", SPELLINGS)
def test_ids_bytes_and_text_are_those_of_tiktoken(preset: str) -> None:
    tokenizer, encoding = both(preset)
    for text in [*texts(150), "a<|end|>b<|start|><|end|>"]:
        ids = encoding.encode(text, allowed_special="all")
        assert tokenizer.encode(text).ids == tokenizer.encode_ids(text) == ids, text
        assert tokenizer.encode_ids(text, split_special_tokens=True) == encoding.encode_ordinary(text)
        assert b"".join(map(tokenizer.token_bytes, ids)) == encoding.decode_bytes(ids)
        assert tokenizer.decode(ids, skip_special_tokens=False) == encoding.decode(ids)


@pytest.mark.parametrize("preset", ["cl100k", "o200k"])
@given(text=strategies.texts)
@settings(max_examples=60, deadline=None)
def test_any_text_gets_the_ids_of_tiktoken(preset: str, text: str) -> None:
    # What is not assigned yet may be a letter to one of the two: another Unicode version, not another format.
    text = "".join(character for character in text if unicodedata.category(character) != "Cn")
    tokenizer, encoding = both(preset)
    assert tokenizer.encode_ids(text) == encoding.encode_ordinary(text)


def test_a_piece_that_is_an_entry_is_one_token_even_if_no_two_parts_make_it() -> None:
    entries = {b"a": 0, b"b": 1, b"c": 2, b"abc": 3}
    encoding = tiktoken.Encoding("x", pat_str=GPT2, mergeable_ranks=entries, special_tokens={})
    tokenizer = load("x.tiktoken", rank_file(entries), pattern="gpt2", special_tokens={})
    for text in ("abc", "abcabc", "aabc"):
        assert tokenizer.encode(text).ids == encoding.encode(text)


def test_a_known_name_brings_pattern_and_special_tokens() -> None:
    tokenizer = load("cl100k_base.tiktoken", rank_file(ranks()))
    assert tokenizer.encode("<|endoftext|>").ids == [100257]
    assert load("tokenizer.model", rank_file(ranks())).encode("1234").tokens[0] != "1234"


def test_llama3s_special_tokens_are_those_of_its_file() -> None:
    data = shared_tokenizer_json("llama3")
    if data is None:
        pytest.skip("needs the tokenizers beside the checkout")
    listed = json.loads(data)["added_tokens"]
    assert {token["content"]: token["id"] for token in listed} == dict(PRESETS["llama3"].special_tokens)


def test_the_rank_file_of_a_published_tokenizer_gives_its_ids() -> None:
    data = shared_tokenizer_json("llama3")
    if data is None:
        pytest.skip("needs the tokenizers beside the checkout")
    reference = tokenizers.Tokenizer.from_str(data.decode())
    back = unicode_to_bytes()
    vocab = {bytes(back[c] for c in token): id for token, id in reference.get_vocab(with_added_tokens=False).items()}
    tokenizer = load("x.tiktoken", rank_file(vocab), pattern="llama3")
    for path in sorted((SHARED / "corpora" / "udhr").glob("*.txt"))[::4]:
        text = path.read_text(encoding="utf-8")[:3000]
        assert tokenizer.encode_ids(text) == reference.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    ("name", "options", "error", "says"),
    [
        ("mine.tiktoken", {}, MalformedFile, "give pattern="),
        ("x.tiktoken", {"pattern": "gpt2", "special_tokens": {"<x>": 0}}, MalformedFile, "id 0 of '<x>' belongs to"),
        ("x.tiktoken", {"pattern": "gpt2", "special_tokens": {"a": 9}}, MalformedFile, "is also an entry"),
        ("x.tiktoken", {"pattern": "gpt2", "special_tokens": {"<x>": 4_000_000_000}}, UnsupportedComponent, "unused"),
    ],
)
def test_what_does_not_fit_is_refused(name: str, options: dict, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        load(name, rank_file({b"a": 0, b"b": 1}), **options)
