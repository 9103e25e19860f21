"""AlignedText: every character knows its source, checked by cutting the source."""

from __future__ import annotations

from hypothesis import given

from tests.strategies import texts
from tokcore.spans import AlignedText, Span, byte_ends


@given(text=texts)
def test_an_unchanged_text_is_cut_into_its_characters(text: str) -> None:
    whole = AlignedText.whole(text)
    assert [span.cut(text) for span in whole.origins] == list(text)
    assert whole.is_verbatim


def test_a_slice_keeps_the_origins() -> None:
    part = AlignedText.whole("Olá, 🚀!").slice(3, 6)
    assert (part.text, [span.cut(part.source) for span in part.origins]) == (", 🚀", [",", " ", "🚀"])
    assert part.span(1, 3) == Span(4, 6)


@given(text=texts)
def test_byte_ends_count_utf8(text: str) -> None:
    assert byte_ends(text) == [len(text[: end + 1].encode()) for end in range(len(text))]
