"""The normalization forms beside the reference library: same text, same span for every character."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.normalizers.normal_form_reference import FORMS, reference_offsets, reference_text
from tests.strategies import texts
from tests.tools import make_normalization_table as table
from tokcore.normalizers import build, changes, stretches
from tokcore.spans import AlignedText
from tokcore.unicode_data.normalization import INERT

forms = pytest.mark.parametrize("form", FORMS)

# Marks of four classes, two that decompose to more marks, what they join, jamo, compatibility forms, one of the table.
ALPHABET = "ae\u0301\u0323\u0327\u0345éế\u1100\u1161\u11a8가각\u0344\u1e9bﬁ½\u0f73\u1df6"
CORE = "ae\u0301\u0323\u0327é\u1161\u11a8가\u0344ﬁ\u0f73\u1df6"
CONTEXTS = ("a{0}\u0301b", "{0}", "{0}\u0323\u0301", "a\u0301{0}\u0323")


def normalized(text: str, *names: str) -> AlignedText:
    aligned = AlignedText.whole(text)
    for step in build({"type": "Sequence", "normalizers": [{"type": name} for name in names]}):
        aligned = step.component.normalize(aligned)
    return aligned


def differing(strings: Sequence[str], *names: str) -> list[str]:
    """Of these strings those whose text or spans are not the reference's."""
    theirs = reference_offsets(strings, *names)
    ours = (normalized(text, *names) for text in strings)
    return [
        ascii(text)
        for text, aligned, offsets in zip(strings, ours, theirs, strict=True)
        if aligned.text != reference_text(text, *names) or list(map(tuple, aligned.origins)) != offsets
    ]


def scalar_values() -> list[str]:
    return [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def changing(unicode: Any = unicodedata) -> list[str]:
    """Characters that decompose or have a class, those of the table, and every 29th Hangul syllable."""
    return [
        character
        for character in scalar_values()
        if unicode.combining(character)
        or character in newer()
        or (unicode.normalize("NFKD", character) != character and not "가" <= character <= "힣")
        or ("가" <= character <= "힣" and ord(character) % 29 == 0)
    ]


@cache
def newer() -> frozenset[str]:
    """The characters of the table."""
    return frozenset(chr(code) for first, last in INERT for code in range(first, last + 1))


@cache
def every_character_in_context() -> str:
    """A line for each context of each character; one context where whole planes are empty or private."""
    return "\n".join(
        context.format(c)
        for c in scalar_values()
        if c != "\n"
        for context in (CONTEXTS if c < "\U00040000" or "\U000e0000" <= c < "\U000f0000" else CONTEXTS[:1])
    )


def first_difference(ours: str, theirs: str) -> tuple[str, str] | None:
    """The first line that differs, as (ours, theirs); None: the texts are equal."""
    if ours == theirs:
        return None
    pairs = zip(ours.split("\n"), theirs.split("\n"), strict=False)
    return next((ascii(our), ascii(their)) for our, their in pairs if our != their)


@forms
def test_short_strings_of_awkward_characters(form: str) -> None:
    short = ["".join(letters) for length in range(1, 4) for letters in product(ALPHABET, repeat=length)]
    assert differing(short, form) == []


@forms
def test_strings_of_four_characters(form: str) -> None:
    assert differing(["".join(letters) for letters in product(CORE, repeat=4)], form) == []


@forms
def test_spans_of_every_changing_character_in_context(form: str) -> None:
    assert differing([context.format(c) for c in changing() for context in CONTEXTS], form) == []


@forms
def test_text_of_every_character_in_context(form: str) -> None:
    text = every_character_in_context()
    (step,) = build({"type": form})
    assert first_difference(step.component.rewrite(text), reference_text(text, form)) is None  # type: ignore[attr-defined]


@forms
def test_newest_unicode_gives_the_same(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = pytest.importorskip("unicodedata2", reason="the newest Unicode data comes with the package unicodedata2")
    stand_in = SimpleNamespace(
        normalize=newest.normalize,
        combining=newest.combining,
        is_normalized=lambda form, text: newest.normalize(form, text) == text,
    )
    changes.composite.cache_clear()
    monkeypatch.setattr(changes, "unicodedata", stand_in)
    monkeypatch.setattr(stretches, "unicodedata", stand_in)
    try:
        assert differing([context.format(c) for c in changing(newest) for context in CONTEXTS], form) == []
    finally:
        changes.composite.cache_clear()


def test_the_table_is_what_its_script_makes() -> None:
    pytest.importorskip("unicodedata2", reason="the table's script needs the package unicodedata2")
    if not table.is_current():
        pytest.skip("the table was made from other versions of its packages than those installed")
    assert table.source() == table.TARGET.read_text(encoding="utf-8")


def test_blocks_and_stretches_end_before_nothing_that_joins() -> None:
    decompositions = [unicodedata.decomposition(c).split() for c in scalar_values()]
    second = {chr(int(parts[1], 16)) for parts in decompositions if len(parts) == 2 and parts[0][0] != "<"}
    jamo = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for character in set(scalar_values()) - newer():
        first = unicodedata.normalize("NFKD", character)[0]
        if unicodedata.combining(first) or first in second or first in jamo:
            assert stretches.regex.fullmatch(stretches.JOINING, character), ascii(character)


marks_and_letters = st.text(st.sampled_from(ALPHABET + "\u0334\u3099か\u1100\u0c3c\u32ff \n"), max_size=40)


@forms
@given(text=texts | marks_and_letters | st.text(st.characters(codec="utf-8", categories=["Mn", "Lu", "Lo", "No"])))
def test_any_text(form: str, text: str) -> None:
    assert differing([text], form) == []


@pytest.mark.parametrize("names", [("NFD", "NFC"), ("NFKC", "NFD"), ("NFC", "NFKD", "NFC")], ids=" then ".join)
@given(text=texts | marks_and_letters)
def test_forms_in_sequence(names: tuple[str, ...], text: str) -> None:
    assert differing([text], *names) == []


@pytest.mark.parametrize("names", [("NFD", "NFC"), ("NFC", "NFD"), ("NFKD", "NFC"), ("NFKC", "NFD")], ids=" then ".join)
def test_two_forms_on_short_strings(names: tuple[str, ...]) -> None:
    assert differing(["".join(letters) for letters in product(ALPHABET, repeat=3)], *names) == []
