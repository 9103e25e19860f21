"""Metaspace decoder: spaces again, and which of them the text never had."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.decoders.metaspace import Metaspace
from tokcore.errors import MalformedFile, UnsupportedComponent


@pytest.mark.parametrize(
    ("options", "tokens", "decoded"),
    [
        pytest.param({"prepend_scheme": "always"}, ["▁How", "▁are"], ["How", " are"], id="always"),
        pytest.param({"prepend_scheme": "first"}, ["▁How", "▁are"], ["How", " are"], id="first"),
        pytest.param({"prepend_scheme": "never"}, ["▁How", "▁are"], [" How", " are"], id="never"),
        pytest.param({}, ["▁How", "▁are"], ["How", " are"], id="always unless given"),
        pytest.param({"add_prefix_space": True}, ["▁How"], ["How"], id="old file"),
        pytest.param(
            {"add_prefix_space": False, "prepend_scheme": "never"}, ["▁How"], [" How"], id="old and new agree"
        ),
        pytest.param({"add_prefix_space": True, "prepend_scheme": "never"}, ["▁a"], [" a"], id="the scheme counts"),
        pytest.param({}, ["▁▁a▁b▁", "c▁▁"], ["ab", "c  "], id="the first token loses every one"),
        pytest.param({"str_rep": "x", "split": False}, ["▁a", "▁"], ["a", " "], id="other keys mean nothing"),
        pytest.param({"replacement": "_"}, ["_a", "▁b_"], ["a", "▁b "], id="another replacement"),
        pytest.param({}, [], [], id="nothing"),
    ],
)
def test_tokens_become_text(options: dict[str, object], tokens: list[str], decoded: list[str]) -> None:
    (step,) = build({"type": "Metaspace", "replacement": "▁", **options})
    assert step.component.decode(tokens) == decoded


@pytest.mark.parametrize(
    ("options", "where"),
    [
        pytest.param({"replacement": "▁▁"}, "/decoder/replacement", id="two characters"),
        pytest.param({"replacement": ""}, "/decoder/replacement", id="no character"),
        pytest.param({"replacement": None}, "/decoder/replacement", id="null"),
        pytest.param({"prepend_scheme": "Always"}, "/decoder/prepend_scheme", id="unknown scheme"),
        pytest.param({"prepend_scheme": None}, "/decoder/prepend_scheme", id="null scheme"),
        pytest.param({"split": 1}, "/decoder/split", id="split a number"),
        pytest.param({"str_rep": 1}, "/decoder/str_rep", id="str_rep a number"),
        pytest.param({"add_prefix_space": False}, "/decoder/add_prefix_space", id="old file without a prefix space"),
    ],
)
def test_a_malformed_decoder_names_its_place(options: dict[str, object], where: str) -> None:
    with pytest.raises((MalformedFile, UnsupportedComponent)) as raised:
        build({"type": "Metaspace", "replacement": "▁", **options})
    assert raised.value.where == where


def test_the_replacement_must_be_there() -> None:
    with pytest.raises(MalformedFile, match="key 'replacement' is missing"):
        build({"type": "Metaspace"})
    assert Metaspace().replacement == "▁"
