"""Strip decoder: so many and no more, off the ends of every token."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.decoders import build
from tokcore.decoders.strip import Strip
from tokcore.errors import MalformedFile


@pytest.mark.parametrize(
    ("decoder", "tokens", "decoded"),
    [
        pytest.param(Strip("H", 1), ["Hey", " friend!", "HHH"], ["ey", " friend!", "HH"], id="one at the beginning"),
        pytest.param(Strip("y", 0, 1), ["Hey", " friend!"], ["He", " friend!"], id="one at the end"),
        pytest.param(Strip(" ", 2, 2), ["   a   "], [" a "], id="both ends"),
        pytest.param(Strip("é", 1, 1), ["éaé"], ["a"], id="characters, not bytes"),
        pytest.param(Strip("H", 2, 1), ["HHH"], [""], id="just enough"),
        pytest.param(Strip("H", 2, 2), ["HHH"], [""], id="the reference panics: runs out"),
        pytest.param(Strip(" ", 0, 1), [""], [""], id="the reference panics: empty"),
        pytest.param(Strip(" ", 2**40), ["  a"], ["a"], id="more than there is"),
    ],
)
def test_ends_are_stripped(decoder: Strip, tokens: list[str], decoded: list[str]) -> None:
    assert decoder.decode(tokens) == decoded


@given(token=st.text("ab"), start=st.integers(0, 4), stop=st.integers(0, 4))
@settings(deadline=None)
def test_nothing_but_the_character_goes(token: str, start: int, stop: int) -> None:
    (left,) = Strip("a", start, stop).decode([token])
    assert token.replace("a", "") == left.replace("a", "")
    assert 0 <= len(token) - len(left) <= start + stop
    assert left in token


@pytest.mark.parametrize(
    ("options", "where"),
    [
        pytest.param({"content": "HH"}, "/decoder/content", id="two characters"),
        pytest.param({"content": "e\u0301"}, "/decoder/content", id="two code points"),
        pytest.param({"content": ""}, "/decoder/content", id="none"),
        pytest.param({"start": -1}, "/decoder/start", id="negative"),
        pytest.param({"stop": 2**64}, "/decoder/stop", id="too large"),
        pytest.param({"stop": True}, "/decoder/stop", id="a boolean"),
        pytest.param({"stop": 1.0}, "/decoder/stop", id="a fraction"),
    ],
)
def test_a_malformed_decoder_names_its_place(options: dict[str, object], where: str) -> None:
    with pytest.raises(MalformedFile) as raised:
        build({"type": "Strip", "content": " ", "start": 1, "stop": 0, **options})
    assert raised.value.where == where
