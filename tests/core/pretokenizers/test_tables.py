"""What each pre-tokenizer makes of a text, derived by hand; the id is the claim."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.pretokenizers.pieces import metaspace, our_pieces, reference_pieces, sequence, split_pieces

BERT = {"type": "BertPreTokenizer"}
DIGITS = {"type": "Digits", "individual_digits": False}
EACH_DIGIT = {"type": "Digits", "individual_digits": True}
SCRIPTS = {"type": "UnicodeScripts"}
WHITESPACE = {"type": "Whitespace"}
WHITESPACE_SPLIT = {"type": "WhitespaceSplit"}


def delimiter(character: str) -> dict[str, Any]:
    return {"type": "CharDelimiterSplit", "delimiter": character}


def punctuation(behavior: str | None = None) -> dict[str, Any]:
    return {"type": "Punctuation"} if behavior is None else {"type": "Punctuation", "behavior": behavior}


def fixed(length: int | None = None) -> dict[str, Any]:
    return {"type": "FixedLength"} if length is None else {"type": "FixedLength", "length": length}


HAND_DERIVED = {
    "Bert: each punctuation mark is a piece, white space none": (BERT, " Hey,  you!?\n", ["Hey", ",", "you", "!", "?"]),
    "Bert: ASCII symbols are punctuation, others are not": (BERT, "a$b€c", ["a", "$", "b€c"]),
    "Bert: a wide space cuts, a separator control does not": (BERT, "a\u3000b\x1cc", ["a", "b\x1cc"]),
    "Bert: nothing but white space is no piece": (BERT, " \t\n", []),
    "delimiter: left out, no empty pieces": (delimiter("-"), "-a--b-", ["a", "b"]),
    "delimiter: only delimiters are no piece": (delimiter("-"), "--", []),
    "delimiter: no pattern": (delimiter("."), "a.b", ["a", "b"]),
    "delimiter: beyond the first plane": (delimiter("🚀"), "a🚀b", ["a", "b"]),
    "digits: a run is one piece": (DIGITS, "Route 66, 2x", ["Route ", "66", ", ", "2", "x"]),
    "digits: each is one piece": (EACH_DIGIT, "a12", ["a", "1", "2"]),
    "digits: superscripts, fractions, Roman and Arabic ones count": (DIGITS, "x²½Ⅷ٣y", ["x", "²½Ⅷ٣", "y"]),
    "digits: a Chinese numeral is a letter": (DIGITS, "一二1", ["一二", "1"]),
    "digits: one of Unicode 17 counts": (DIGITS, "a\U00011de0", ["a", "\U00011de0"]),
    "fixed length: five unless given": (fixed(), "Hello world", ["Hello", " worl", "d"]),
    "fixed length: counts code points, line breaks too": (fixed(2), "👋🏽\r\né", ["👋🏽", "\r\n", "é"]),
    "fixed length: longer than the text": (fixed(2**64 - 1), "abc", ["abc"]),
    "fixed length: counts anew in each piece": (sequence(WHITESPACE_SPLIT, fixed(2)), "abc de", ["ab", "c", "de"]),
    "metaspace: always": (metaspace(), "Hey  you", ["▁Hey", "▁", "▁you"]),
    "metaspace: a space at the start gets no other": (metaspace(), " a ", ["▁a", "▁"]),
    "metaspace: only spaces are replaced": (metaspace(), "a\tb\xa0c", ["▁a\tb\xa0c"]),
    "metaspace: the replacement itself cuts": (metaspace(prepend_scheme="never"), "a▁b ▁", ["a", "▁b", "▁", "▁"]),
    "metaspace: uncut": (metaspace(split=False), "a b", ["▁a▁b"]),
    "metaspace: always in each piece": (sequence(WHITESPACE_SPLIT, metaspace()), "a b", ["▁a", "▁b"]),
    "metaspace: first in the first piece": (
        sequence(WHITESPACE_SPLIT, metaspace(prepend_scheme="first")),
        "a b",
        ["▁a", "b"],
    ),
    "metaspace: no first piece where the text's start was left out": (
        sequence(WHITESPACE_SPLIT, metaspace(prepend_scheme="first")),
        " a b",
        ["a", "b"],
    ),
    "punctuation: isolated unless given": (punctuation(), "Hey!? 3$", ["Hey", "!", "?", " 3", "$"]),
    "punctuation: removed": (punctuation("Removed"), "a--b", ["a", "b"]),
    "punctuation: isolated": (punctuation("Isolated"), "a--b", ["a", "-", "-", "b"]),
    "punctuation: merged with previous": (punctuation("MergedWithPrevious"), "a--b", ["a-", "-", "b"]),
    "punctuation: merged with next": (punctuation("MergedWithNext"), "a--b", ["a", "-", "-b"]),
    "punctuation: contiguous": (punctuation("Contiguous"), "a--b", ["a", "--", "b"]),
    "punctuation: the table is an old one": (
        punctuation(),
        "a\u2e42b\u2e43c\u166d",
        ["a", "\u2e42", "b\u2e43c", "\u166d"],
    ),
    "scripts: kana and ideographs are one": (SCRIPTS, "アレはカー林檎", ["アレはカー林檎"]),
    "scripts: punctuation, digits and line ends are one": (SCRIPTS, "a, 1\nb", ["a", ", 1\n", "b"]),
    "scripts: a space belongs to what is before it": (
        SCRIPTS,
        "Apples are りんご 林檎",
        ["Apples are ", "りんご 林檎"],
    ),
    "scripts: spaces at the start are lost": (SCRIPTS, "  a", ["a"]),
    "scripts: nothing but spaces is lost": (SCRIPTS, "  ", []),
    "scripts: what is unassigned is lost or joined too": (SCRIPTS, "\u0378a\u0378b", ["a\u0378b"]),
    "scripts: a combining mark is alone": (SCRIPTS, "e\u0301a", ["e", "\u0301", "a"]),
    "whitespace: words and the rest": (WHITESPACE, "Olá, you!? ", ["Olá", ",", "you", "!?"]),
    "whitespace: a superscript is no word": (WHITESPACE, "a²b", ["a", "²", "b"]),
    "whitespace: a mark, a joiner and _ are word": (
        WHITESPACE,
        "a\u0330b a\u200db a_b",
        ["a\u0330b", "a\u200db", "a_b"],
    ),
    "whitespace: Hebrew is word": (WHITESPACE, "שלום", ["שלום"]),
    "whitespace: a separator control is no space": (WHITESPACE, "a\x1cb", ["a", "\x1c", "b"]),
    "whitespace split: keeps everything else": (WHITESPACE_SPLIT, " Hey,\tyou\x85\x1c ", ["Hey,", "you", "\x1c"]),
}


@pytest.mark.parametrize(("config", "text", "pieces"), HAND_DERIVED.values(), ids=HAND_DERIVED.keys())
def test_pieces(config: dict[str, Any], text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in split_pieces(config, text)] == pieces
    assert our_pieces(config, text) == reference_pieces(config, text)
