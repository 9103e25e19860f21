"""Fuse decoder: one string, always."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.decoders import build
from tokcore.decoders.fuse import Fuse
from tokcore.errors import MalformedFile, UnsupportedComponent


@given(tokens=st.lists(st.text()))
@settings(deadline=None)
def test_all_tokens_become_one(tokens: list[str]) -> None:
    assert Fuse().decode(tokens) == ["".join(tokens)]


def test_a_sequence_is_laid_out_flat_with_the_pointer_of_each_step() -> None:
    fuse = {"type": "Fuse"}
    steps = build({"type": "Sequence", "decoders": [fuse, {"type": "Sequence", "decoders": [fuse]}]})
    assert [step.pointer for step in steps] == ["/decoder/decoders/0", "/decoder/decoders/1/decoders/0"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param({"type": "Fusee"}, "/decoder/type: decoder 'Fusee' is not supported", id="unknown"),
        pytest.param({}, "/decoder: key 'type' is missing", id="nothing known by its keys"),
        pytest.param({"type": "Sequence", "decoders": None}, "/decoder/decoders: found null", id="no list"),
        pytest.param([], "/decoder: found a list", id="a list"),
    ],
)
def test_what_is_no_decoder_is_refused(value: object, message: str) -> None:
    with pytest.raises((MalformedFile, UnsupportedComponent), match=message):
        build(value)


def test_a_sequence_nested_too_deep_is_refused() -> None:
    value: dict[str, object] = {"type": "Fuse"}
    for _ in range(400):
        value = {"type": "Sequence", "decoders": [value]}
    with pytest.raises(MalformedFile, match="nested deeper"):
        build(value)
