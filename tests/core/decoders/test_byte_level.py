"""ByteLevel decoder: bytes joined before they are read as UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import added, both, byte_level_file
from tokcore.decoders import build
from tokcore.decoders.byte_level import ByteLevel
from tokcore.errors import MalformedFile


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        pytest.param(["ĠðŁ", "ļ", "Ģ"], " 🚀", id="a character in three tokens"),
        pytest.param(["ðŁ"], "\ufffd", id="an incomplete character is one replacement"),
        pytest.param(["ļ", "Ģ"], "\ufffd\ufffd", id="a stray byte is one replacement each"),
        pytest.param(["Ġhi"], " hi", id="the leading space is real"),
        pytest.param(["a b", "▁"], "a b▁", id="a token outside the alphabet is its own text"),
        pytest.param(
            ["é"], "\ufffd", id="an added token made of alphabet characters is read as bytes, as in the reference"
        ),
        pytest.param([], "", id="nothing"),
    ],
)
def test_tokens_become_text(tokens: list[str], text: str) -> None:
    assert ByteLevel().decode(tokens) == [text]


OURS, REFERENCE = both(
    byte_level_file(["Ġ a", "Ã ©"], added_tokens=[added("<s>", special=True), added("a b", 257), added("é", 258)])
)
PLAIN, _ = both(byte_level_file(["Ġ a", "Ã ©"]))


@given(ids=st.lists(st.integers(0, 265), max_size=20), skip=st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_ids_are_decoded_as_by_the_reference(ids: list[int], skip: bool) -> None:
    assert OURS.decode(ids, skip) == REFERENCE.decode(ids, skip)


@given(text=st.text(st.characters(codec="utf-8")))
@settings(deadline=None)
def test_decoding_undoes_encoding(text: str) -> None:
    assert PLAIN.decode(PLAIN.encode_ids(text)) == text


@pytest.mark.parametrize("missing", ["add_prefix_space", "trim_offsets"])
def test_flags_must_be_there_as_in_the_reference(missing: str) -> None:
    value: dict[str, object] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/decoder: key '{missing}' is missing"):
        build(value)
