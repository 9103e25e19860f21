"""Unigram: the best way through the lattice, its ties, what is unknown, and the way that came second."""

from __future__ import annotations

import itertools
import json
import math
import random
import struct

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.errors import TokcoreError
from tokcore.models import unigram
from tokcore.models.lattice import TokenIndex, two_best
from tokcore.models.load_unigram import as_read_by_reference, as_written_for_reference
from tokcore.models.unigram import Candidate, Unigram

Vocab = list[tuple[str, float]]

UNK: Vocab = [("<unk>", 0.0)]
BYTES: Vocab = [(f"<0x{byte:02X}>", -50.0) for byte in range(256)]


def build(
    vocab: Vocab, unk_id: int | None = 0, byte_fallback: bool = False
) -> tuple[Unigram, tokenizers.models.Unigram]:
    """The model in tokcore and in the reference library."""
    strings, scores = [token for token, _ in vocab], [score for _, score in vocab]
    return Unigram(strings, scores, unk_id, byte_fallback), tokenizers.models.Unigram(vocab, unk_id, byte_fallback)


def same_tokens(ours: Unigram, theirs: tokenizers.models.Unigram, piece: str) -> None:
    expected = [(token.id, token.value, token.offsets) for token in theirs.tokenize(piece)]
    assert [(token.id, token.value, tuple(token.at)) for token in ours.tokenize(piece)] == expected, piece


AB: Vocab = [*UNK, ("a", -1.0), ("b", -1.0)]


@pytest.mark.parametrize(
    ("vocab", "piece", "tokens"),
    [
        pytest.param([*AB, ("ab", -1.9)], "ab", [("ab", 0, 2)], id="one token beats two"),
        pytest.param([*AB, ("ab", -2.1)], "ab", [("a", 0, 1), ("b", 1, 2)], id="two beat one"),
        pytest.param([*AB, ("ab", -2.0)], "ab", [("ab", 0, 2)], id="on a tie the longer last token"),
        pytest.param([*UNK, ("a", -1.0), ("aa", -1.5)], "aaa", [("a", 0, 1), ("aa", 1, 3)], id="a tie in the middle"),
        pytest.param([*AB, ("ab", -1.0), ("bb", -1.0)], "abbb", [("ab", 0, 2), ("bb", 2, 4)], id="not greedy"),
        pytest.param([*UNK, ("a", -1.0), ("a", -9.0), ("aa", -9.0)], "aa", [("aa", 0, 2)], id="the last of two scores"),
        pytest.param([*AB, ("", 50.0)], "ab", [("a", 0, 1), ("b", 1, 2)], id="an empty token is never met"),
        pytest.param(AB, "axyb", [("a", 0, 1), ("xy", 1, 3), ("b", 3, 4)], id="unknown characters are one token"),
        pytest.param(AB, "éxa", [("éx", 0, 3), ("a", 3, 4)], id="its span counts bytes"),
        pytest.param(AB, "x<unk>ya", [("x<unk>y", 0, 7), ("a", 7, 8)], id="the unknown token's string is unknown"),
        pytest.param([*AB, ("xy", -99.0)], "xyx", [("xy", 0, 2), ("x", 2, 3)], id="a token with no known character"),
        pytest.param([*UNK, ("xy", 30.0), ("z", 99.0)], "xy", [("xy", 0, 2)], id="lost to its characters, yet found"),
        pytest.param([*AB, ("🚀é", -3.0)], "a🚀é", [("a", 0, 1), ("🚀é", 1, 7)], id="a token of several bytes"),
        pytest.param([*UNK, ("abcdefghi", -9.0)], "abcdefghi", [("abcdefghi", 0, 9)], id="a long token"),
        pytest.param([*UNK, ("abcdefghi", -99.0), ("abcd", -1.0)], "abcdefghi", [("abcdefghi", 0, 9)], id="only far"),
        pytest.param(AB, "", [], id="nothing"),
    ],
)
def test_one_piece(vocab: Vocab, piece: str, tokens: list[tuple[str, int, int]]) -> None:
    ours, theirs = build(vocab)
    assert [(token.value, *token.at) for token in ours.tokenize(piece)] == tokens
    same_tokens(ours, theirs, piece)


@pytest.mark.parametrize(
    ("vocab", "piece", "tokens"),
    [
        pytest.param(BYTES, "é", [("<0xC3>", 0, 2), ("<0xA9>", 0, 2)], id="each byte spans the character"),
        pytest.param(BYTES, "ax", [("a", 0, 1), ("<0x78>", 1, 2)], id="one byte"),
        pytest.param(
            BYTES,
            "xéa",
            [("<0x78>", 0, 3), ("<0xC3>", 0, 3), ("<0xA9>", 0, 3), ("a", 3, 4)],
            id="each byte spans the run",
        ),
        pytest.param(BYTES, "<0x41>", [("<0x41>", 0, 6)], id="a byte token's own string"),
        pytest.param(BYTES[:0xA9] + BYTES[0xAA:], "xéa", [("xé", 0, 3), ("a", 3, 4)], id="all or nothing for a run"),
        pytest.param([], "é", [("é", 0, 2)], id="no byte tokens"),
    ],
)
def test_byte_fallback(vocab: Vocab, piece: str, tokens: list[tuple[str, int, int]]) -> None:
    ours, theirs = build([*AB, *vocab], byte_fallback=True)
    assert [(token.value, *token.at) for token in ours.tokenize(piece)] == tokens
    same_tokens(ours, theirs, piece)


@pytest.mark.parametrize(
    ("vocab", "byte_fallback", "piece", "character"),
    [
        pytest.param([("a", -1.0)], False, "ab", "b", id="unknown character"),
        pytest.param([("ab", -1.0)], False, "ab", "a", id="a character that only a later token would save"),
        pytest.param([("a", -1.0), *BYTES], True, "é", "é", id="byte tokens are of no use without it"),
        pytest.param([], False, "a", "a", id="empty vocabulary"),
    ],
)
def test_without_an_unknown_token_needing_it_is_an_error(
    vocab: Vocab, byte_fallback: bool, piece: str, character: str
) -> None:
    ours, theirs = build(vocab, None, byte_fallback)
    with pytest.raises(TokcoreError, match=f"/model/unk_id: '{character}' is not in the vocabulary"):
        ours.tokenize(piece)
    with pytest.raises(Exception, match="`unk_id` is missing"):
        theirs.tokenize(piece)


def test_without_an_unknown_token_a_character_inside_a_better_token_is_no_error() -> None:
    ours, theirs = build([("a", -1.0), ("ab", -1.0)], None)
    same_tokens(ours, theirs, "abaab")
    assert [candidate.value for candidate in ours.trace("ab").candidates] == ["a", "ab"]


@settings(max_examples=600, deadline=None)
@given(
    strings=st.lists(
        st.one_of(st.text("abé", max_size=4), st.text("ab", min_size=5, max_size=20), st.sampled_from(["x", "<0x78>"])),
        max_size=14,
    ),
    score=st.sampled_from(["fractions", "ties", "limits"]),
    generator=st.randoms(use_true_random=False),
    piece=st.text("abé", max_size=24) | st.text("abéxy🚀", max_size=10),
    byte_fallback=st.booleans(),
)
def test_any_vocabulary_gives_the_reference_s_tokens(
    strings: list[str], score: str, generator: random.Random, piece: str, byte_fallback: bool
) -> None:
    choices = {
        "fractions": lambda: -round(generator.random() * 9, 2),
        "ties": lambda: float(generator.randint(-2, 1)),
        "limits": lambda: generator.choice([math.inf, -math.inf, math.nan, -1.0, 40.0]),
    }
    vocab = [*UNK, *((string, choices[score]()) for string in strings)]
    ours, theirs = build(vocab, byte_fallback=byte_fallback)
    same_tokens(ours, theirs, piece)
    assert list(ours.trace(piece).tokens) == ours.tokenize(piece)


def all_ways(candidates: tuple[Candidate, ...], length: int, start: int = 0) -> list[tuple[Candidate, ...]]:
    """Every way through a lattice, by brute force."""
    if start == length:
        return [()]
    return [(c, *rest) for c in candidates if c.start == start for rest in all_ways(candidates, length, c.end)]


@settings(max_examples=200, deadline=None)
@given(
    strings=st.sets(st.text("ab", min_size=1, max_size=4), max_size=10),
    generator=st.randoms(use_true_random=False),
    piece=st.text("abx", min_size=1, max_size=8),
)
def test_best_and_runner_up_are_those_of_all_ways(strings: set[str], generator: random.Random, piece: str) -> None:
    # Quarters add up exactly, so that no order of adding makes a difference.
    scores = {string: -generator.randint(0, 20) / 4 for string in sorted(strings)}
    ours, _ = build([*UNK, *scores.items()])
    trace = ours.trace(piece)
    ways = all_ways(trace.candidates, len(piece))
    totals = sorted((sum(candidate.score for candidate in way) for way in ways), reverse=True)
    assert trace.best in ways
    assert trace.score == totals[0]
    if len(ways) == 1:
        assert (trace.runner_up, trace.runner_up_score, trace.margin) == ((), None, None)
    else:
        assert trace.runner_up in ways
        assert trace.runner_up != trace.best
        assert trace.runner_up_score == totals[1] == sum(candidate.score for candidate in trace.runner_up)
        assert trace.margin == totals[0] - totals[1]
    quick = [(c.start, c.end) for c in trace.best]
    assert quick == [edge[:2] for edge in two_best(ours._edges(piece), len(piece))[0][1]]


def test_the_trace_names_every_candidate() -> None:
    ours, _ = build([*AB, ("ab", -1.5)])
    trace = ours.trace("abx")
    assert trace.candidates == (
        Candidate(0, 1, 1, "a", -1.0, known=True),
        Candidate(0, 2, 3, "ab", -1.5, known=True),
        Candidate(1, 2, 2, "b", -1.0, known=True),
        Candidate(2, 3, 0, "x", -11.5, known=False),
    )
    assert [candidate.value for candidate in trace.runner_up] == ["a", "b", "x"]
    assert (trace.score, trace.margin, trace.listed) == (-13.0, 0.5, 3)


def test_the_trace_of_a_very_long_piece_lists_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unigram, "TRACE_LIMIT", 10)
    ours, _ = build([*AB, ("ab", -1.5)])
    trace = ours.trace("ab" * 50)
    assert (len(trace.candidates), trace.listed) == (9, 6)
    assert trace.candidates[-1].start < trace.listed
    assert len(trace.best) == 50
    assert trace.margin == 0.5


def test_a_long_piece_of_one_letter_gets_the_tokens_of_the_reference() -> None:
    ours, theirs = build([*UNK, *(("a" * length, -1.0 - length / 3) for length in (1, 2, 3, 5, 8, 16, 31))])
    same_tokens(ours, theirs, "a" * 20_001)
    same_tokens(ours, theirs, "x" * 20_001)


@given(tokens=st.sets(st.text("ab", max_size=40), max_size=30), text=st.text("ab", max_size=50))
def test_the_index_finds_every_token_that_stands_there(tokens: set[str], text: str) -> None:
    # With tokens out of the text itself, of every length, so that there is something to find.
    places = itertools.combinations(range(len(text) + 1), 2)
    tokens |= {text[start:end] for start, end in places if start * end % 7 == 0}
    ids = {token: id for id, token in enumerate(sorted(tokens))}
    index = TokenIndex(ids)
    for start in range(len(text)):
        expected = [(end, ids[text[start:end]]) for end in range(start + 1, len(text) + 1) if text[start:end] in ids]
        assert index.starting(text, start) == expected


def test_scores_are_read_to_the_last_bit_as_the_reference_reads_them() -> None:
    generator = random.Random(3)
    numbers = [-generator.random() * 20 for _ in range(3_000)]
    numbers += [struct.unpack("f", struct.pack("f", -generator.random() * 20))[0] for _ in range(1_000)]
    numbers += [generator.uniform(-1, 1) * 10.0 ** generator.randint(-320, 307) for _ in range(2_000)]
    numbers += [0.0, -0.0, 5e-324, 1.7976931348623157e308, 1e16, 123456789012345680.0, 1e22, 1e23]
    entries = [[f"t{index}", number] for index, number in enumerate(numbers)]
    theirs = tokenizers.Tokenizer.from_str(json.dumps({"model": {"type": "Unigram", "vocab": entries}}))
    read = [score for _, score in json.loads(theirs.to_str())["model"]["vocab"]]
    assert list(map(as_read_by_reference, numbers)) == read
    assert read != numbers
    # What has been read once can be written so that it is read again.
    assert [as_read_by_reference(as_written_for_reference(score)) for score in read] == read
