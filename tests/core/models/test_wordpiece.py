"""WordPiece: the longest token first, a whole piece unknown where one place has none, and every try kept."""

from __future__ import annotations

import json

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.errors import TokcoreError
from tokcore.fields import Fields
from tokcore.models import wordpiece
from tokcore.models.load_wordpiece import build_wordpiece
from tokcore.models.wordpiece import MatchStep, Try, WordPiece


def build(vocab: str, prefix: str = "##", limit: int = 100) -> tuple[WordPiece, tokenizers.models.WordPiece]:
    """The model in tokcore and in the reference library; `vocab` lists the tokens between spaces."""
    ids = {token: id for id, token in enumerate(vocab.split())}
    options = {"unk_token": "[UNK]", "continuing_subword_prefix": prefix, "max_input_chars_per_word": limit}
    ours = build_wordpiece(Fields({"vocab": ids, **options}, "/model"))
    theirs = tokenizers.Tokenizer.from_str(json.dumps({"model": {"type": "WordPiece", "vocab": ids, **options}}))
    return ours, theirs.model


def same_tokens(ours: WordPiece, theirs: tokenizers.models.WordPiece, piece: str) -> None:
    expected = [(token.id, token.value, token.offsets) for token in theirs.tokenize(piece)]
    assert [(token.id, token.value, tuple(token.at)) for token in ours.tokenize(piece)] == expected, piece


@pytest.mark.parametrize(
    ("vocab", "prefix", "limit", "piece", "tokens"),
    [
        pytest.param("[UNK] ab a ##b", "##", 100, "abb", [("ab", 0, 2), ("##b", 2, 3)], id="longest first"),
        pytest.param("[UNK] ab abc ##cd", "##", 100, "abcd", [("[UNK]", 0, 4)], id="no way back from a longest token"),
        pytest.param("[UNK] a ##b", "##", 100, "ba", [("[UNK]", 0, 2)], id="inside-only token at the start"),
        pytest.param("[UNK] a ##b", "##", 100, "abx", [("[UNK]", 0, 3)], id="unknown at the end"),
        pytest.param("[UNK] a ##a", "##", 3, "aaa", [("a", 0, 1), ("##a", 1, 2), ("##a", 2, 3)], id="up to the limit"),
        pytest.param("[UNK] a ##a aaaa", "##", 3, "aaaa", [("[UNK]", 0, 4)], id="one more, though in the vocabulary"),
        pytest.param("[UNK] a", "##", 0, "a", [("[UNK]", 0, 1)], id="no characters allowed"),
        pytest.param("[UNK] é ##é", "##", 2, "éé", [("é", 0, 2), ("##é", 2, 4)], id="the limit counts characters"),
        pytest.param("[UNK] 漢 ##字 漢字", "##", 9, "漢字字", [("漢字", 0, 6), ("##字", 6, 9)], id="several bytes"),
        pytest.param("[UNK] a ab b", "", 100, "abab", [("ab", 0, 2), ("ab", 2, 4)], id="empty prefix"),
        pytest.param("[UNK] a éb", "é", 100, "ab", [("a", 0, 1), ("éb", 1, 2)], id="prefix of several bytes"),
        pytest.param("[UNK] a ##b", "##", 100, "##b", [("##b", 0, 3)], id="prefix in the text"),
        pytest.param("[UNK] a ##", "##", 100, "ax", [("[UNK]", 0, 2)], id="the bare prefix is no token"),
    ],
)
def test_one_piece(vocab: str, prefix: str, limit: int, piece: str, tokens: list[tuple[str, int, int]]) -> None:
    ours, theirs = build(vocab, prefix, limit)
    assert [(token.value, *token.at) for token in ours.tokenize(piece)] == tokens
    same_tokens(ours, theirs, piece)


def test_an_unknown_token_outside_the_vocabulary_is_an_error_only_when_needed() -> None:
    ours, theirs = build("a ##b")
    same_tokens(ours, theirs, "ab")
    with pytest.raises(TokcoreError, match=r"/model/unk_token: the unknown token '\[UNK\]' is needed"):
        ours.tokenize("abx")
    with pytest.raises(Exception, match="Missing"):
        theirs.tokenize("abx")


def test_the_trace_keeps_the_tries_that_failed() -> None:
    ours, _ = build("[UNK] un ##want ##ed")
    trace = ours.trace("unwanted")
    # "##want", the longest entry, has six characters: longer strings cannot be there.
    assert trace.steps[0].tries == (
        *(Try(6, "unwant", None), Try(5, "unwan", None), Try(4, "unwa", None), Try(3, "unw", None), Try(2, "un", 1)),
    )
    assert [step.match for step in trace.steps] == [Try(2, "un", 1), Try(6, "##want", 2), Try(8, "##ed", 3)]
    assert (trace.listed, trace.too_long, trace.failed_at) == (8, False, None)


def test_the_trace_of_an_unknown_piece_ends_where_nothing_matched() -> None:
    ours, _ = build("[UNK] un ##ed")
    trace = ours.trace("unxed")
    assert (trace.failed_at, trace.steps[-1].match, trace.steps[-1].tries[-1]) == (2, None, Try(3, "##x", None))
    assert [token.value for token in trace.tokens] == ["[UNK]"]


def test_the_trace_of_a_piece_that_is_too_long_tried_nothing() -> None:
    ours, _ = build("[UNK] a ##a", limit=3)
    trace = ours.trace("aaaa")
    assert (trace.too_long, trace.steps, trace.failed_at, len(trace.tokens)) == (True, (), None, 1)


def test_the_trace_of_a_very_long_piece_lists_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "TRACE_LIMIT", 7)
    ours, _ = build("a ##a ##b ##aaa")
    trace = ours.trace("abababab")
    assert sum(len(step.tries) for step in trace.steps) <= 7
    assert trace.listed == trace.steps[-1].tries[-1].end < 8 == len(trace.tokens)


@settings(max_examples=300, deadline=None)
@given(
    vocab=st.sets(st.text("ab#é", min_size=1, max_size=5).filter(str.strip), max_size=12),
    prefix=st.sampled_from(["##", "", "é"]),
    piece=st.text("ab#éx", min_size=1, max_size=12),
    limit=st.sampled_from([100, 6]),
)
def test_any_vocabulary_gives_the_reference_s_tokens_and_a_trace_that_ends_in_them(
    vocab: set[str], prefix: str, piece: str, limit: int
) -> None:
    ours, theirs = build(" ".join(["[UNK]", *sorted(vocab)]), prefix, limit)
    same_tokens(ours, theirs, piece)
    trace = ours.trace(piece)
    assert list(trace.tokens) == ours.tokenize(piece)
    for step in trace.steps:
        assert all(attempt.id is None for attempt in step.tries[:-1])
        assert [attempt.end for attempt in step.tries] == sorted((t.end for t in step.tries), reverse=True)
    matches = [step.match for step in trace.steps]
    if matches and None not in matches:
        assert [match.sought for match in matches if match] == [token.value for token in trace.tokens]


def test_a_step_without_tries_has_no_match() -> None:
    assert MatchStep(0, ()).match is None
