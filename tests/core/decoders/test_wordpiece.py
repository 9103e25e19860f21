"""WordPiece decoder: words set off by spaces, pieces joined on, English cleaned up."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.decoders.cleanup import clean_up
from tokcore.decoders.wordpiece import WordPiece
from tokcore.errors import MalformedFile


@pytest.mark.parametrize(
    ("decoder", "tokens", "text"),
    [
        pytest.param(WordPiece(), ["##uelo", "Ara", "##új", "##o"], "##uelo Araújo", id="the first keeps its prefix"),
        pytest.param(WordPiece(), ["a", "####"], "a##", id="one prefix a token"),
        pytest.param(WordPiece(), ["do", "n't", "go", "."], "don't go.", id="cleanup"),
        pytest.param(WordPiece(cleanup=False), ["do", "n't", "."], "do n't .", id="no cleanup"),
        pytest.param(WordPiece(), ["a", "do", "not"], "a do not", id="no cleanup across tokens"),
        pytest.param(WordPiece("", cleanup=False), ["a", "b"], "ab", id="an empty prefix begins every token"),
        pytest.param(WordPiece(), [], "", id="nothing"),
    ],
)
def test_tokens_become_text(decoder: WordPiece, tokens: list[str], text: str) -> None:
    assert "".join(decoder.decode(tokens)) == text


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        (" . ? ! ,", ".?!,"),
        ("a ' b", "a'b"),
        (" n't 'm 's 've 're", "n't'm's've're"),
        (" do not", " don't"),
        ("a .. b", "a.. b"),
        ("\u3000.", "\u3000."),
    ],
)
def test_cleanup_takes_out_spaces(dirty: str, clean: str) -> None:
    assert clean_up(dirty) == clean


@pytest.mark.parametrize("missing", ["prefix", "cleanup"])
def test_every_option_must_be_there(missing: str) -> None:
    value: dict[str, object] = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    del value[missing]
    with pytest.raises(MalformedFile, match=f"/decoder: key '{missing}' is missing"):
        build(value)
