"""BPEDecoder: a space where the end-of-word suffix stood, none at the end."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.decoders.bpe import BPEDecoder
from tokcore.errors import MalformedFile


@pytest.mark.parametrize(
    ("suffix", "tokens", "decoded"),
    [
        pytest.param("</w>", ["lo", "w</w>", "tide</w>"], ["lo", "w ", "tide"], id="the last suffix is no space"),
        pytest.param("</w>", ["a</w>"], ["a"], id="one token is the last"),
        pytest.param("</w>", ["</w>a</w>b", "c"], [" a b", "c"], id="wherever it stands"),
        pytest.param("", ["ab", "c"], [" a b ", "c"], id="an empty suffix is everywhere"),
        pytest.param("</w>", [], [], id="nothing"),
    ],
)
def test_tokens_become_text(suffix: str, tokens: list[str], decoded: list[str]) -> None:
    assert BPEDecoder(suffix).decode(tokens) == decoded


@pytest.mark.parametrize(
    ("value", "where", "what"),
    [
        pytest.param({"type": "BPEDecoder"}, "/decoder", "key 'suffix' is missing", id="no suffix"),
        pytest.param({"type": "BPEDecoder", "suffix": None}, "/decoder/suffix", "found null", id="null"),
    ],
)
def test_a_malformed_decoder_names_its_place(value: object, where: str, what: str) -> None:
    with pytest.raises(MalformedFile) as raised:
        build(value)
    assert (raised.value.where, raised.value.what) == (where, what)


def test_a_decoder_without_a_type_is_known_by_its_suffix() -> None:
    (step,) = build({"suffix": "@@"})
    assert (step.name, step.component) == ("BPEDecoder", BPEDecoder("@@"))
