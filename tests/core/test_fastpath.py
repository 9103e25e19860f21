"""The fast path and the traced path are one: words in any order, cut in any way, cached or not."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings

from tests.reference import added, both, byte_level_file
from tests.strategies import texts_with
from tokcore import Tokenizer
from tokcore.fastpath import CACHED_WORD_LENGTH, Word, WordCache, cut
from tokcore.patterns import compile_pattern

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
GPT2 = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}


def split(pattern: str, behavior: str = "Isolated") -> dict[str, object]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}


PIPELINES = {
    "one cut": [split(r"\s+|\S+"), BYTE_LEVEL],
    "cuts with gaps": [split(r"\p{N}{1,3}"), split("[一-龥]+"), BYTE_LEVEL],
    "a group in the pattern": [split(r"(a)(b)?|\s"), BYTE_LEVEL],
    "empty matches": [split(r"a*"), BYTE_LEVEL],
    "a cut that drops": [split(" ", "Removed"), BYTE_LEVEL],
    "a cut behind ByteLevel": [split(r"\s"), BYTE_LEVEL, split("Ġ|a")],
    "the GPT-2 cut second": [split(r"\n"), GPT2],
    "no cut": [BYTE_LEVEL],
}


@cache
def tokenizer(pipeline: str, normalizer: str | None) -> Tokenizer:
    steps = {"type": "Sequence", "pretokenizers": PIPELINES[pipeline]}
    words = [added("<s>", special=True), added("<n>", normalized=True), added("é", normalized=True, lstrip=True)]
    merges = ["Ġ a", "a b", "Ã ©", "1 2"]
    first = normalizer and {"type": normalizer}
    return both(byte_level_file(merges, pre_tokenizer=steps, normalizer=first, added_tokens=words))[0]


@pytest.mark.parametrize("normalizer", [None, "NFC", "NFD"])
@pytest.mark.parametrize("pipeline", PIPELINES)
@given(text=texts_with("<s>", "<n>", "é", "e\u0301", " ", "ab", "12 34", "漢字"))
@settings(max_examples=40, deadline=None)
def test_fast_and_traced_tokens_are_the_same(pipeline: str, normalizer: str | None, text: str) -> None:
    ours = tokenizer(pipeline, normalizer)
    for split_special_tokens in (False, True):
        traced = ours.trace(text, split_special_tokens=split_special_tokens).encoding
        encoding = ours.encode(text, split_special_tokens=split_special_tokens)
        assert tuple(encoding.entries) == tuple(traced.entries)
        assert (encoding.ids, encoding.tokens, encoding.offsets) == (traced.ids, traced.tokens, traced.offsets)
        assert (encoding.word_ids, encoding.type_ids) == (traced.word_ids, traced.type_ids)
        assert encoding.special_tokens_mask == traced.special_tokens_mask
        assert ours.encode_ids(text, split_special_tokens=split_special_tokens) == traced.ids


@pytest.mark.parametrize("pattern", [r"\s+|\S+", "a", "a*", "(a)|b", "$", "(?=a)"])
@given(text=texts_with("a", "b", " "))
@settings(max_examples=60, deadline=None)
def test_a_cut_text_joins_to_itself_without_empty_words(pattern: str, text: str) -> None:
    words = cut(compile_pattern(pattern), text)
    assert "".join(words) == text
    assert all(words)


def test_the_word_cache_is_bounded_and_leaves_out_long_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokcore.fastpath.CACHED_WORDS", 3)
    asked: list[str] = []

    def work_out(text: str) -> Word:
        asked.append(text)
        return Word((len(text),), (0,), (len(text),), (0,), 1)

    cache = WordCache(work_out)
    for text in ("a", "b", "c", "d", "d", "x" * (CACHED_WORD_LENGTH + 1)):
        assert cache[text].ids == (len(text),)
    assert sorted(cache) == ["d"]
    assert asked.count("d") == 1


def test_words_of_many_tokens_fill_the_cache_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokcore.fastpath.CACHED_TOKENS", 10)
    cache = WordCache(lambda text: Word((0,) * 6, (0,) * 6, (1,) * 6, (0,) * 6, 1))
    for text in ("a", "b", "c"):
        assert len(cache[text].ids) == 6
    assert sorted(cache) == ["c"]


def test_columns_are_tokens_like_any_others() -> None:
    encoding = tokenizer("one cut", None).encode("ab <s> 12")
    entries = encoding.entries
    assert entries[-1] == tuple(entries)[-1]
    assert entries[1:3] == tuple(entries)[1:3]
    assert len(entries) == len(encoding.ids)
    with pytest.raises(IndexError):
        entries[len(entries)]


def test_an_unknown_token_keeps_its_own_value_in_columns() -> None:
    file = {"model": {"type": "Unigram", "vocab": [["<unk>", 0.0], ["a", -1.0]], "unk_id": 0, "byte_fallback": False}}
    ours, reference = both(file)
    assert ours.encode("axya").tokens == reference.encode("axya").tokens == ["a", "xy", "a"]
