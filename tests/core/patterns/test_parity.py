"""Every match is the reference's: random texts, and every code point in several surroundings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.patterns import onig_reference as reference
from tests.core.patterns.cases import NASTY, PUBLISHED, TEXT_PIECES
from tokcore.patterns import compile_pattern

PATTERNS = {**PUBLISHED, **{pattern: pattern for pattern in NASTY}}
TEXTS = st.lists(st.sampled_from(TEXT_PIECES) | st.characters(exclude_categories=["Cs"]), max_size=14).map("".join)


@pytest.mark.parametrize("name", PATTERNS)
@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_spans_are_the_reference_s(name: str, text: str) -> None:
    text = text.replace(reference.MARK, "")
    assert compile_pattern(PATTERNS[name]).spans(text) == reference.spans(PATTERNS[name], text)


PROPERTIES = """
    L N M P S Z C Lu Ll Lt Lm Lo Nd Nl No Mn Mc Pc Sk So Zs Cc Cf Cn Co Alpha Alnum Upper Lower Punct Space Word XDigit
    Graph Print Cntrl Any Han Hiragana Katakana Latin Cyrillic Greek Common In_Armenian Emoji Ideographic ID_Start Cased
"""
BRACKETS = """alnum alpha ascii blank cntrl digit graph lower print punct space upper xdigit word"""
SETS = [rf"\p{{{name}}}" for name in PROPERTIES.split()] + [f"[[:{name}:]]" for name in BRACKETS.split()]
SETS += [r"\w", r"\W", r"\s", r"\S", r"\d", r"\D", r"\h", r"\H", r"[^\p{L}]", r"[\W_]", r"(?i)[^\p{Ll}]"]
# Inside a long stretch of unassigned characters, ideographs, syllables or private ones all are alike.
TELLING = regex.sub(
    r"([\p{Cn}\p{Co}]{2})[\p{Cn}\p{Co}]+|([一-鿿가-힣𠀀-𳑿]{2})[一-鿿가-힣𠀀-𳑿]+", r"\1\2", reference.ALL_CHARACTERS
)


@pytest.mark.parametrize("item", SETS)
def test_a_set_holds_the_reference_s_characters_of_all_code_points(item: str) -> None:
    pattern = compile_pattern(item if item.startswith("(?i)") else f"{item}+")
    text = reference.ALL_CHARACTERS if item in (r"\p{L}", r"\p{Cn}", r"\w") else TELLING
    ours = [text[start:end] for start, end in pattern.spans(text)]
    assert ours == reference.pieces(pattern.source, text)


# A newline after each makes every line a text of its own to these patterns.
SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "alone": lambda c: c,
    "between-letters": lambda c: f"a{c}b",
    "after-space": lambda c: f" {c}",
    "after-quote": lambda c: f"'{c}",
    "after-quote-before-e": lambda c: f"'{c}e",
    "between-digits": lambda c: f"1{c}2",
    "doubled": lambda c: c + c,
}


@pytest.mark.parametrize("surrounding", SURROUNDINGS)
@pytest.mark.parametrize("name", ["llama3", "qwen3.5", "deepseek", "o200k"])
def test_published_patterns_cut_at_the_reference_s_places_around_every_character(name: str, surrounding: str) -> None:
    text = "\n".join(map(SURROUNDINGS[surrounding], TELLING))
    ours = [text[start:end] for start, end in compile_pattern(PUBLISHED[name]).spans(text)]
    assert ours == reference.pieces(PUBLISHED[name], text)


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "digits", "bloom", "bert-words", "clip", "scripts"])
def test_other_patterns_cut_at_the_reference_s_places_between_any_two_neighbours(name: str) -> None:
    ours = [TELLING[start:end] for start, end in compile_pattern(PUBLISHED[name]).spans(TELLING)]
    assert ours == reference.pieces(PUBLISHED[name], TELLING)
