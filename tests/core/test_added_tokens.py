"""Added tokens: matched first, leftmost and longest, as their five flags say."""

from __future__ import annotations

import sys
from functools import cache

import pytest
import tokenizers
from hypothesis import given, settings

from tests.reference import added, assert_same, both, byte_level_file
from tests.strategies import texts_with
from tokcore import Tokenizer
from tokcore.added_tokens import WHITE_SPACE, AddedToken, Matcher, assign_ids
from tokcore.errors import MalformedFile
from tokcore.patterns import is_word_character
from tokcore.spans import AlignedText


def found(tokens: list[AddedToken], text: str, split_special_tokens: bool = False) -> list[str]:
    matcher = Matcher({token.content: token for token in tokens})
    return [span.cut(text) for _, span in matcher.matches(text, split_special_tokens)]


def test_the_longest_of_several_is_taken() -> None:
    assert found([AddedToken(0, "<a"), AddedToken(1, "<a>"), AddedToken(2, "a>>")], "<a>>") == ["<a>"]


def test_the_leftmost_is_taken_before_a_longer_one() -> None:
    assert found([AddedToken(0, "ab"), AddedToken(1, "bcd")], "abcd") == ["ab"]


def test_white_space_is_taken_in_once() -> None:
    tokens = [AddedToken(0, "<|a|>", lstrip=True, rstrip=True), AddedToken(1, "<|b|>", lstrip=True, rstrip=True)]
    assert found(tokens, "  <|a|> <|b|> ") == ["  <|a|> ", "<|b|> "]


def test_a_word_character_beside_a_single_word_token_refuses_it() -> None:
    text = "cat concat cat's cats _cat cat"
    spans = [tuple(span) for _, span in Matcher({"cat": AddedToken(0, "cat", single_word=True)}).matches(text)]
    assert spans == [(0, 3), (11, 14), (27, 30)]


def test_the_search_resumes_behind_a_refused_match() -> None:
    assert found([AddedToken(0, "ab", single_word=True), AddedToken(1, "a")], "abc") == []


def test_special_tokens_stay_text_when_they_are_to_be_split() -> None:
    tokens = [AddedToken(0, "<s>", special=True), AddedToken(1, "<think>")]
    assert found(tokens, "<s><think>", split_special_tokens=True) == ["<think>"]


def test_no_tokens_no_match() -> None:
    matcher = Matcher({})
    assert not matcher
    assert matcher.split(AlignedText.whole("a")) == [AlignedText.whole("a")]


@pytest.mark.parametrize(
    ("tokens", "ids"),
    [
        pytest.param([AddedToken(9, "a"), AddedToken(9, "<x>")], {"a": 0, "<x>": 3}, id="a string of the vocabulary"),
        pytest.param([AddedToken(7, "<x>"), AddedToken(5, "<y>")], {"<x>": 3, "<y>": 4}, id="the file's ids are void"),
        pytest.param([AddedToken(3, ""), AddedToken(3, "<y>")], {"<y>": 3}, id="an empty string is passed over"),
        pytest.param(
            [AddedToken(3, "<x>"), AddedToken(4, "<x>"), AddedToken(4, "<y>")],
            {"<x>": 3, "<y>": 4},
            id="a repeated string",
        ),
    ],
)
def test_ids_are_those_the_reference_assigns(tokens: list[AddedToken], ids: dict[str, int]) -> None:
    assert {token.content: token.id for token in assign_ids(tokens, {"a": 0, "b": 1, "c": 2}, 3)} == ids


FLAGGED = [
    added("<a>", 300, lstrip=True),
    added("<b>", 301, rstrip=True, special=True),
    added("<c>", 302, single_word=True),
    added("Yes", 303, normalized=True),
    added("cat", 304, single_word=True, normalized=True, special=True),
    added("<a><", 305),
    added(" x", 306, lstrip=True, rstrip=True),
    added(" y", 306),
    added("é", 307),
    added("e\u0301s", 308, normalized=True),
]


@cache
def flagged(normalizer: str | None) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    value = normalizer and {"type": normalizer}
    return both(byte_level_file(["l o", "c a", "ca t"], added_tokens=FLAGGED, normalizer=value))


@pytest.mark.parametrize("normalizer", [None, "NFC"])
@given(text=texts_with("<a>", "<b>", "<c>", "Yes", "cat", " ", " x", "<a><b>", "<b> x", "<b> y", "e\u0301s", "és"))
@settings(max_examples=300, deadline=None)
def test_any_mix_of_flags_matches_as_in_the_reference(normalizer: str | None, text: str) -> None:
    assert_same(*flagged(normalizer), text)


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        pytest.param(added("\n", lstrip=True, rstrip=True), None, ["\n\n", "a\n\n\nb"], id="both sides"),
        pytest.param(added("<e>", rstrip=True), added("\n", lstrip=True), ["a<e>\nb", "<e>\n"], id="swallowed whole"),
        pytest.param(added("  ", lstrip=True, rstrip=True), None, ["    ", "     "], id="spaces"),
        pytest.param(added("\n", rstrip=True), added(" ", lstrip=True), ["\n ", "a\n b"], id="the next is a space"),
    ],
)
def test_white_space_taken_in_may_leave_nothing_of_the_next(
    first: dict[str, object], second: dict[str, object] | None, texts: list[str]
) -> None:
    pair = both(byte_level_file(added_tokens=[first, *([] if second is None else [second])]))
    for text in texts:
        assert_same(*pair, text)


@pytest.mark.parametrize(
    ("flags", "text"),
    [({}, "he"), ({"lstrip": True}, "a  b"), ({"rstrip": True}, "a  b"), ({"single_word": True}, "a bc !?")],
    ids=["plain", "lstrip", "rstrip", "single_word"],
)
def test_a_token_whose_normalized_form_is_empty_cuts_everywhere(flags: dict[str, bool], text: str) -> None:
    model = {"type": "WordLevel", "vocab": {"<unk>": 0}, "unk_token": "<unk>"}
    tokens = [added("\u0301", 1, normalized=True, **flags)]
    pair = both({"normalizer": {"type": "StripAccents"}, "added_tokens": tokens, "model": model})
    assert_same(*pair, text)


def test_one_string_twice_is_stored_normalized_if_one_entry_is() -> None:
    tokens = [added("AB", normalized=True), added("AB", special=True)]
    ours, reference = both(byte_level_file(normalizer={"type": "Lowercase"}, added_tokens=tokens))
    id = reference.token_to_id("AB")
    for skip in (True, False):
        assert ours.decode([id], skip) == reference.decode([id], skip) == "ab"


@pytest.mark.parametrize("missing", ["id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"])
def test_all_seven_keys_must_be_there_as_in_the_reference(missing: str) -> None:
    entry = added("<x>")
    del entry[missing]
    with pytest.raises(MalformedFile, match=f"/added_tokens/0: key '{missing}' is missing"):
        both(byte_level_file(added_tokens=[entry]))


def test_word_characters_are_the_reference_s_over_all_code_points() -> None:
    _, reference = both(byte_level_file(added_tokens=[added("<w>", 300, single_word=True)]))
    id = reference.token_to_id("<w>")
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    batch = reference.encode_batch_fast([character + "<w>" for character in characters])
    theirs = {character for character, encoding in zip(characters, batch, strict=True) if id not in encoding.ids}
    different = {character for character in characters if is_word_character(character)} ^ theirs
    assert sorted(different)[:5] == []


def test_white_space_is_the_reference_s_over_all_code_points() -> None:
    _, reference = both(byte_level_file(added_tokens=[added("<w>", 300, lstrip=True)]))
    characters = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    batch = reference.encode_batch_fast([character + "<w>" for character in characters])
    theirs = {character for character, encoding in zip(characters, batch, strict=True) if len(encoding.ids) == 1}
    assert sorted(theirs ^ WHITE_SPACE)[:5] == []


def test_a_short_token_at_the_end_of_the_text_ends_with_the_text() -> None:
    matcher = Matcher({"<a>": AddedToken(7, "<a>"), "<a>>": AddedToken(8, "<a>>")})
    assert [(token.id, *span) for token, span in matcher.matches("<a>><a>")] == [(8, 0, 4), (7, 4, 7)]
