"""Rank files: the implied merges, and the errors of broken lines."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

import pytest
import tiktoken
from hypothesis import assume, given, settings

from tests.reference import bundled
from tests.strategies import texts
from tokcore.bytemap import display_bytes
from tokcore.errors import MalformedFile
from tokcore.models.derived_merges import DerivedMergeRules, split_by_rank
from tokcore.rankfile import from_rank_file, read_ranks


def lines(*tokens: bytes) -> bytes:
    return b"\n".join(b64encode(token) + b" %d" % rank for rank, token in enumerate(tokens))


def test_each_entry_is_split_by_the_ranks_before_it() -> None:
    ranks = {token: rank for rank, token in enumerate(["a", "b", "c", "bc", "ab", "abc"])}
    assert split_by_rank("abc", ranks, below=5) == ["a", "bc"]


def test_an_entry_that_no_two_parts_make_has_no_rule() -> None:
    vocab = read_ranks(lines(b"a", b"b", b"c", b"abc"))
    rules = DerivedMergeRules(vocab, list(vocab))
    assert (rules.split_of(3), rules.count) == (None, 0)
    tokenizer = from_rank_file(lines(b"a", b"b", b"c", b"abc"), pattern=r"\w+")
    assert tokenizer.encode("abc").tokens == ["a", "b", "c"]


def test_qwen36_has_232_entries_that_no_merge_reaches() -> None:
    rules = bundled("qwen3.6").model.component.rules
    assert (rules.count, len(bundled("qwen3.6").model.component.vocab)) == (247_556, 248_044)
    assert 248_044 - 256 - rules.count == 232


def test_the_number_of_a_rule_leaves_out_entries_without_one() -> None:
    vocab = read_ranks(lines(b"a", b"b", b"c", b"abc", b"ab", b"bc"))
    rules = DerivedMergeRules(vocab, list(vocab))
    assert [rules.number(id) for id in (vocab["ab"], vocab["bc"])] == [0, 1]


@pytest.mark.parametrize("name", ["qwen3", "qwen3.6"])
@given(text=texts)
@settings(max_examples=100, deadline=None)
def test_ids_are_those_of_tiktoken_where_every_entry_can_be_reached(name: str, text: str) -> None:
    tokenizer = bundled(name)
    assume(not any(token.content in text for token in tokenizer.added_tokens.values()))
    normalized = "".join(segment.text for segment in tokenizer.trace(text).text_stages[2].segments)
    theirs = tiktoken_of(name).encode_ordinary(normalized)
    split_of = tokenizer.model.component.rules.split_of
    if not any(id >= 256 and split_of(id) is None for id in theirs):
        assert tokenizer.encode_ids(text) == theirs


@cache
def tiktoken_of(name: str) -> tiktoken.Encoding:
    tokenizer = bundled(name)
    (split, *_) = tokenizer.components["pre_tokenizer"]["pretokenizers"]
    ranks = {tokenizer.token_bytes(id): id for id in tokenizer.model.component.vocab.values()}
    return tiktoken.Encoding(name, pat_str=split["pattern"]["Regex"], mergeable_ranks=ranks, special_tokens={})


@pytest.mark.parametrize(
    ("data", "where"),
    [
        pytest.param(b"YQ== 0\nYg==", "line 2", id="no rank"),
        pytest.param(b"YQ== 0\n\nYg== one", "line 3", id="rank not a number"),
        pytest.param(b"Y*== 0", "line 1", id="not base64"),
        pytest.param(b"YQ== 0 1", "line 1", id="three fields"),
        pytest.param(b"YQ== -1", "line 1", id="negative rank"),
        pytest.param(b"YQ== 99999999999", "line 1", id="rank too large"),
        pytest.param(b"YQ== 0\nYg== 0", "line 2", id="rank twice"),
        pytest.param(b"YQ== 0\nYQ== 1", "line 2", id="token twice"),
        pytest.param(b"", "ranks", id="empty"),
    ],
)
def test_a_broken_line_is_named(data: bytes, where: str) -> None:
    with pytest.raises(MalformedFile) as raised:
        read_ranks(data)
    assert raised.value.where == where


def test_tokens_are_stored_in_the_display_alphabet() -> None:
    assert read_ranks(lines(b" the", b"\xff")) == {display_bytes(b" the"): 0, display_bytes(b"\xff"): 1}
