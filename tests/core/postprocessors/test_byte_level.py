"""ByteLevel post-processor: no token added, white space taken out of the spans on request."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.postprocessors.compare import assert_same_encoding, byte_level, load
from tests.strategies import texts
from tokcore.postprocessors import build
from tokcore.postprocessors.byte_level import ByteLevel
from tokcore.spans import Span
from tokcore.tokens import Origin, Token
from tokcore.truncation import Part


def token(value: str, start: int, end: int) -> Token:
    return Token(0, value, b"", Span(start, end), Origin.MODEL)


@pytest.mark.parametrize(
    ("value", "span", "trimmed"),
    [
        pytest.param("Ġthe", (3, 7), (4, 7), id="a leading space"),
        pytest.param("theĠĠ", (0, 5), (0, 3), id="trailing spaces"),
        pytest.param("ĠĠ", (2, 4), (4, 4), id="nothing but spaces"),
        pytest.param("Ċ", (2, 3), (2, 3), id="a newline is no space in the display alphabet"),
        pytest.param("the", (0, 3), (0, 3), id="no space"),
        pytest.param("\u3000a", (2, 4), (3, 4), id="white space of the text itself"),
        pytest.param("\x1ca", (2, 4), (2, 4), id="a separator that is no white space"),
    ],
)
def test_trimmed_spans(value: str, span: tuple[int, int], trimmed: tuple[int, int]) -> None:
    before = [token("x", 0, 1), token(value, *span)]
    ((tokens, _),) = ByteLevel(trim_offsets=True).process([Part(before)], add_special_tokens=True)
    assert tokens[1].span == trimmed


@pytest.mark.parametrize(
    ("value", "span", "trimmed"),
    [
        pytest.param("Ġa", (0, 1), (0, 1), id="one space, which was put there"),
        pytest.param("ĠĠa", (0, 2), (2, 2), id="two spaces are the text's own"),
        pytest.param("Ġ", (0, 1), (0, 0), id="nothing but one space ends empty"),
    ],
)
def test_the_space_put_before_the_text_is_not_trimmed(
    value: str, span: tuple[int, int], trimmed: tuple[int, int]
) -> None:
    processor = ByteLevel(trim_offsets=True, add_prefix_space=True)
    (((first,), _),) = processor.process([Part([token(value, *span)])], add_special_tokens=True)
    assert first.span == trimmed


def test_without_trim_offsets_tokens_are_left_alone() -> None:
    (step,) = build({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False})
    parts = [Part([token("Ġa", 0, 2)])]
    assert step.component.process(parts, add_special_tokens=True) is parts
    assert step.component.added_count(pair=True) == 0


@given(text=texts, pair=st.one_of(st.none(), texts), trim=st.booleans(), prefix=st.booleans())
@settings(max_examples=150, deadline=None)
def test_encodings_equal_the_reference(text: str, pair: str | None, trim: bool, prefix: bool) -> None:
    assert_same_encoding(*load(byte_level(trim, prefix)), text, pair)
