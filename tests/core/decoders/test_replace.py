"""Replace decoder: matches replaced token by token."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.errors import MalformedFile, PatternError


@pytest.mark.parametrize(
    ("pattern", "content", "tokens", "decoded"),
    [
        pytest.param({"String": "▁"}, " ", ["▁a▁▁", "b"], [" a  ", "b"], id="a string"),
        pytest.param({"String": "."}, "!", ["a.b"], ["a!b"], id="a string is no expression"),
        pytest.param({"Regex": "[ab]+"}, "-", ["xaby", "ba"], ["x-y", "-"], id="an expression"),
        pytest.param({"Regex": "(a)(b)"}, "$2\\1", ["ab"], ["$2\\1"], id="no group references"),
        pytest.param({"Regex": "a*"}, "-", ["ab", "baab", ""], ["-b-", "-b-b-", ""], id="empty matches"),
        pytest.param({"Regex": "b|"}, "-", ["ab"], ["-a-"], id="none behind a match"),
        pytest.param({"String": ""}, "-", ["ab", ""], ["-a-b-", ""], id="an empty string is everywhere"),
        pytest.param({"String": "ab"}, "", ["a", "b", "ab"], ["a", "b", ""], id="never across tokens"),
    ],
)
def test_tokens_become_text(pattern: dict[str, str], content: str, tokens: list[str], decoded: list[str]) -> None:
    (step,) = build({"type": "Replace", "pattern": pattern, "content": content})
    assert step.component.decode(tokens) == decoded


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        pytest.param("a", "/decoder/pattern", id="a string"),
        pytest.param({}, "/decoder/pattern", id="no pattern"),
        pytest.param({"String": "a", "Regex": "a"}, "/decoder/pattern", id="two patterns"),
        pytest.param({"Glob": "a"}, "/decoder/pattern", id="unknown kind"),
        pytest.param({"String": 1}, "/decoder/pattern/String", id="a number"),
        pytest.param({"Regex": "("}, "/decoder/pattern/Regex", id="does not compile"),
    ],
)
def test_a_malformed_decoder_names_its_place(pattern: object, where: str) -> None:
    with pytest.raises((MalformedFile, PatternError)) as raised:
        build({"type": "Replace", "pattern": pattern, "content": ""})
    assert raised.value.where == where
