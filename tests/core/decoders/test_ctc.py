"""CTC decoder: repetitions once, padding dropped, delimiter a space."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.decoders.ctc import CTC
from tokcore.errors import MalformedFile


@pytest.mark.parametrize(
    ("decoder", "tokens", "decoded"),
    [
        pytest.param(CTC(), ["<pad>", *"hheell", "<pad>", "l", "o", "<pad>"], ["h", "e", "l", "l", "o"], id="a word"),
        pytest.param(CTC(), ["a", "|", "|", "b"], ["a", " ", "b"], id="the delimiter"),
        pytest.param(CTC(), ["a", "<pad>", "a"], ["a", "a"], id="padding separates"),
        pytest.param(CTC(), ["x<pad>y"], ["xy"], id="padding inside a token"),
        pytest.param(CTC(cleanup=False), ["a", "|", "."], ["a", "|", "."], id="without cleanup the delimiter stays"),
        pytest.param(CTC(), [" ."], ["."], id="cleanup within a token"),
        pytest.param(CTC(), ["|", "."], [" ", "."], id="no cleanup across tokens"),
        pytest.param(CTC("", ""), ["ab"], [" a b "], id="an empty delimiter is everywhere"),
        pytest.param(CTC(), [], [], id="nothing"),
    ],
)
def test_tokens_become_text(decoder: CTC, tokens: list[str], decoded: list[str]) -> None:
    assert decoder.decode(tokens) == decoded


@pytest.mark.parametrize("missing", ["pad_token", "word_delimiter_token", "cleanup"])
def test_every_option_must_be_there(missing: str) -> None:
    value: dict[str, object] = {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True}
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/decoder: key '{missing}' is missing"):
        build(value)
