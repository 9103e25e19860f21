"""ByteLevel: bytes as characters, spans kept, GPT-2's cut and prefix space on request."""

from __future__ import annotations

from functools import cache

import pytest
import tokenizers
from hypothesis import given, settings

from tests.reference import added, assert_same, both, byte_level_file
from tests.strategies import texts_with
from tokcore import Tokenizer
from tokcore.errors import MalformedFile
from tokcore.pretokenizers import build
from tokcore.pretokenizers.byte_level import ByteLevel
from tokcore.spans import AlignedText


def test_all_bytes_of_a_character_keep_its_span() -> None:
    (piece,) = ByteLevel().split(AlignedText.whole("i ⭢ j"))
    assert [span.cut("i ⭢ j") for span in piece.origins] == ["i", " ", "⭢", "⭢", "⭢", " ", "j"]


def test_a_prefix_space_takes_the_span_of_the_first_character() -> None:
    (piece,) = ByteLevel(add_prefix_space=True).split(AlignedText.whole("ab"))
    assert (piece.text, [tuple(span) for span in piece.origins]) == ("Ġab", [(0, 1), (0, 1), (1, 2)])


def test_text_that_begins_with_a_space_gets_no_other() -> None:
    assert [piece.text for piece in ByteLevel(add_prefix_space=True).split(AlignedText.whole(" a"))] == ["Ġa"]


@cache
def file(prefix: bool, regex: bool, trim: bool) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    byte_level = {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": regex}
    return both(
        byte_level_file(
            ["Ġ a", "Ġ Ġ", "Ã ©", "a b", "Ġ Ã©"],
            pre_tokenizer=byte_level,
            post_processor=byte_level,
            added_tokens=[added("<s>", special=True), added("<n>", normalized=True, lstrip=True)],
        )
    )


@pytest.mark.parametrize("trim", [False, True], ids=["", "trim"])
@pytest.mark.parametrize("regex", [False, True], ids=["", "regex"])
@pytest.mark.parametrize("prefix", [False, True], ids=["", "prefix"])
@given(text=texts_with("<s>", "<n>", " a", "  ", "é", " é", "ab"))
@settings(max_examples=80, deadline=None)
def test_tokens_and_trimmed_spans_are_the_reference_s(prefix: bool, regex: bool, trim: bool, text: str) -> None:
    assert_same(*file(prefix, regex, trim), text)
    assert_same(*file(prefix, regex, trim), text, " a")


@pytest.mark.parametrize("missing", ["add_prefix_space", "trim_offsets"])
def test_flags_must_be_there_as_in_the_reference(missing: str) -> None:
    value: dict[str, object] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/pre_tokenizer: key '{missing}' is missing"):
        build(value)
