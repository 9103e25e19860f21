"""Metaspace: schemes beside added tokens, and the spans of what is put before the text."""

from __future__ import annotations

import pytest

from tests.core.pretokenizers.pieces import metaspace, split_pieces
from tests.reference import added, assert_same, both
from tokcore.pretokenizers.metaspace import Metaspace, PrependScheme
from tokcore.spans import AlignedText


@pytest.mark.parametrize(
    ("scheme", "tokens"),
    [
        ("always", ["▁Hey", "▁", "<s>", "▁you", "▁me"]),
        ("first", ["▁Hey", "▁", "<s>", "you", "▁me"]),
        ("never", ["Hey", "▁", "<s>", "you", "▁me"]),
    ],
)
def test_first_is_what_begins_the_source_not_what_follows_an_added_token(scheme: str, tokens: list[str]) -> None:
    vocab = {word: id for id, word in enumerate(["<s>", "▁Hey", "Hey", "▁", "▁you", "you", "▁me"])}
    ours, theirs = both(
        {
            "version": "1.0",
            "added_tokens": [added("<s>", 0, special=True)],
            "pre_tokenizer": metaspace(prepend_scheme=scheme),
            "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "<s>"},
        }
    )
    assert ours.encode("Hey <s>you me").tokens == tokens
    assert_same(ours, theirs, "Hey <s>you me")
    assert_same(ours, theirs, "<s>you me", "Hey you")


def test_what_is_put_before_takes_the_span_of_the_first_character() -> None:
    (first, second) = split_pieces(metaspace(), "é a")
    assert [tuple(span) for span in first.origins] == [(0, 1), (0, 1)]
    assert [tuple(span) for span in second.origins] == [(1, 2), (2, 3)]


def test_a_first_piece_is_known_by_its_span() -> None:
    scheme = Metaspace(scheme=PrependScheme.FIRST)
    text = AlignedText.whole(" a")
    assert [piece.text for piece in scheme.split(text.slice(1, 2))] == ["a"]
    halves = AlignedText("é", "e\u0301", (0, 0), (1, 1))
    assert [piece.text for piece in scheme.split(halves.slice(1, 2))] == ["▁\u0301"]


@pytest.mark.parametrize("scheme", PrependScheme)
def test_only_first_asks_where_a_piece_stands(scheme: PrependScheme) -> None:
    assert Metaspace(scheme=scheme).reads_position is (scheme is PrependScheme.FIRST)
