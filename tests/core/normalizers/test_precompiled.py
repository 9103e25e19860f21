"""Precompiled: charsmaps made by hand and by SentencePiece, hand-derived, beside the reference, and damaged."""

from __future__ import annotations

import io
import struct
from base64 import b64encode
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.normalizers.normalizer_reference import (
    Config,
    charsmap,
    differing,
    differing_characters,
    normalized,
    precompiled,
    reference_text,
    rewritten,
)
from tests.core.normalizers.test_clusters import JOINING
from tests.core.normalizers.test_components import PREPEND, replace, strip
from tests.strategies import texts
from tokcore.errors import MalformedFile
from tokcore.normalizers import build
from tokcore.normalizers.charsmap import Charsmap, parse_charsmap
from tokcore.spans import AlignedText

ACUTE = "\u0301"


def rules(**texts: str) -> Config:
    return precompiled(charsmap({key.encode(): new for key, new in texts.items()}))


# The result, and for each of its characters the part of the source that its span cuts out.
HAND_DERIVED: dict[str, tuple[Config, str, str, list[str]]] = {
    "one for one": (rules(a="b"), "xax", "xbx", ["x", "a", "x"]),
    "more for one all stand for it": (rules(a="bcd"), "xax", "xbcdx", ["x", "a", "a", "a", "x"]),
    "one is removed": (rules(a=""), "xay", "xy", ["x", "y"]),
    "one removed at the beginning shifts the rest": (rules(a=""), "aaxy", "xy", ["a", "a"]),
    "one removed behind more for one makes room": (rules(a="bc", d=""), "xady", "xbcy", ["x", "a", "d", "y"]),
    "two removed behind more for one": (rules(a="bc", d=""), "addy", "bcy", ["a", "d", "y"]),
    "all is removed": (rules(a=""), "aa", "", []),
    "a cluster below six bytes is replaced whole": (rules(**{f"a{ACUTE}": "á"}), f"a{ACUTE}x", "áx", ["a", "x"]),
    "a cluster's own length is kept": (rules(**{f"a{ACUTE}": "bc"}), f"a{ACUTE}x", "bcx", ["a", ACUTE, "x"]),
    "a beginning of a cluster replaces it whole": (rules(a="b"), f"a{ACUTE}x", "bx", ["a", "x"]),
    "a cluster of six bytes is taken apart": (rules(a="b"), "a\u3099\u0301", "b\u3099\u0301", list("a\u3099\u0301")),
    "the shortest key wins": (rules(**{"a": "b", f"a{ACUTE}": "á"}), f"a{ACUTE}", "b", ["a"]),
    "keys of several clusters match nothing": (rules(ab="c"), "ab", "ab", ["a", "b"]),
    "a mark of an unknown cluster is replaced": (rules(**{ACUTE: "'"}), f"a{ACUTE}", "a'", ["a", ACUTE]),
    "a mark of a long cluster is replaced": (rules(**{ACUTE: "'"}), f"世{ACUTE}{ACUTE}", "世''", ["世", ACUTE, ACUTE]),
    "CR LF is one cluster": (rules(**{"\r": " ", "\n": " "}), "a\r\n\nb", "a  b", ["a", "\r", "\n", "b"]),
    "a cluster of CR LF removes both": (rules(**{"\r": ""}), "a\r\nb", "ab", ["a", "b"]),
    "a prepended sign joins what follows": (rules(**{"\u0600": "x"}), "\u0600ab", "xb", ["\u0600", "b"]),
    "NUL is never replaced": (rules(a="b"), "\0a", "\0b", ["\0", "a"]),
}  # fmt: skip


@pytest.mark.parametrize(("config", "text", "expected", "cuts"), HAND_DERIVED.values(), ids=HAND_DERIVED.keys())
def test_each_character_of_the_result_stands_for(config: Config, text: str, expected: str, cuts: list[str]) -> None:
    result = normalized(text, config)
    assert (result.text, [span.cut(text) for span in result.origins]) == (expected, cuts)
    assert differing([text], config) == ""


def test_text_that_does_not_change_comes_back_as_the_same_object() -> None:
    for text in ("", "plain", f"e{ACUTE} 世"):
        whole = AlignedText.whole(text)
        assert normalized(whole, rules(a="a", b="c") if "a" not in text else rules(q="x")) is whole


# ---- SentencePiece's own charsmaps

RULES = ("nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf")


@cache
def trained(rule: str) -> bytes:
    """The charsmap of a small model; the field of the model file is read by hand."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="the package sentencepiece makes these charsmaps")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a small text to learn from"] * 20),
        model_writer=model,
        vocab_size=20,
        hard_vocab_limit=False,
        normalization_rule_name=rule,
        minloglevel=2,
    )
    # In normalizer_spec (field 3) precompiled_charsmap is field 2, behind the name (field 1); both have a length.
    name = b"\x0a" + bytes([len(rule)]) + rule.encode()
    start = model.getvalue().index(name) + len(name)
    return field(model.getvalue()[start:])


def field(data: bytes) -> bytes:
    assert data[0] == 0x12
    size = shift = 0
    for at in range(1, 6):
        size |= (data[at] & 0x7F) << shift
        shift += 7
        if data[at] < 0x80:
            return data[at + 1 : at + 1 + size]
    raise AssertionError("no length")


by_rule = pytest.mark.parametrize("rule", RULES)


@pytest.mark.parametrize("rule", ["nmt_nfkc", "nfkc_cf"])
def test_every_character_through_a_trained_charsmap(rule: str) -> None:
    assert differing_characters(precompiled(trained(rule))) == ""


@by_rule
@settings(deadline=None)
@given(text=texts | st.text(st.sampled_from(JOINING + "…½ﬁ①ＡﾞAÉßİ\u0e33\x02\u3000\ufeff"), max_size=30))
def test_any_text_through_a_trained_charsmap(rule: str, text: str) -> None:
    assert differing([text], precompiled(trained(rule))) == ""


@by_rule
@settings(deadline=None)
@given(text=texts)
def test_trained_charsmaps_between_other_normalizers(rule: str, text: str) -> None:
    chain = [strip(), precompiled(trained(rule)), replace(" ", Regex=" {2,}"), PREPEND, replace("▁", String=" ")]
    assert differing([text], *chain) == ""


def test_an_identity_rule_makes_an_empty_charsmap_which_is_refused() -> None:
    with pytest.raises(MalformedFile):
        build(precompiled(trained("identity") if trained("nfkc") else b""))


# ---- damaged charsmaps


def units(*values: int) -> bytes:
    return struct.pack(f"<{len(values) + 1}I", 4 * len(values), *values)


GOOD = charsmap({b"a": "b"})
AT_A = 256 ^ ord("a")
LEAF_OUTSIDE = bytearray(GOOD)
LEAF_OUTSIDE[4 + 4 * AT_A : 8 + 4 * AT_A] = struct.pack("<I", 5000 << 10 | 1 << 8 | ord("a"))
TEXT_OUTSIDE = bytearray(GOOD)
TEXT_OUTSIDE[4 + 4 * 512 : 8 + 4 * 512] = struct.pack("<I", 1 << 31 | 9)
IN_THE_MIDDLE = bytearray(charsmap({b"a": "é"}))
IN_THE_MIDDLE[4 + 4 * 512 : 8 + 4 * 512] = struct.pack("<I", 1 << 31 | 1)

REFUSED: dict[str, tuple[Any, str]] = {
    "missing": ({"type": "Precompiled"}, "/normalizer"),
    "null": ({"type": "Precompiled", "precompiled_charsmap": None}, "/normalizer/precompiled_charsmap"),
    **{
        name: ({"type": "Precompiled", "precompiled_charsmap": text}, "/normalizer/precompiled_charsmap")
        for name, text in {
            "no base64": "!!",
            "base64 for URLs": b64encode(GOOD).decode()[:-4] + "-_-_",
            "base64 with a line break": b64encode(GOOD).decode() + "\n",
            "too much padding": "AAAAAA===",
            "padding where none is due": "BAAAAAAAAAAA====",
            "bits left over": "AAAAAB==",
            "a letter outside ASCII": "AAAAAÄ==",
        }.items()
    },
    **{
        name: (precompiled(bytes(data)), "/normalizer/precompiled_charsmap")
        for name, data in {
            "empty": b"",
            "three bytes": b"\0\0\0",
            "a trie cut short": GOOD[:100],
            "no trie": b"\0\0\0\0abc\0",
            "texts that are no UTF-8": units(0) + b"\xff",
            "a key that leads out of the trie": LEAF_OUTSIDE,
            "a key that leads out of the texts": TEXT_OUTSIDE,
            "a key that leads into a character": IN_THE_MIDDLE,
        }.items()
    },
}


@pytest.mark.parametrize(("value", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_its_place(value: Any, where: str) -> None:
    with pytest.raises(MalformedFile) as caught:
        build(value)
    assert caught.value.where == where


def test_padding_may_be_missing() -> None:
    config = precompiled(charsmap({b"a": "b", b"c": "de"}))
    bare = {**config, "precompiled_charsmap": config["precompiled_charsmap"].rstrip("=")}
    assert rewritten("abc", bare) == reference_text("abc", bare) == "bbde"


@settings(deadline=None)
@given(data=st.data())
def test_a_damaged_charsmap_is_refused_or_works(data: st.DataObject) -> None:
    whole = bytearray(charsmap({b"a": "b", "é".encode(): "ef", b"ab": ""}))
    places = st.sampled_from([*range(8), *(4 + 4 * at + part for at in (AT_A, 512, 609) for part in range(4))])
    for place in data.draw(st.lists(places | st.integers(0, len(whole) - 1), min_size=1, max_size=4)):
        whole[place] = data.draw(st.integers(0, 255))
    try:
        parsed = parse_charsmap(bytes(whole), "/x")
    except MalformedFile:
        return
    assert isinstance(parsed, Charsmap)
    for text in ("a", "é", "ab", "世"):
        assert parsed.replacement(text) is None or isinstance(parsed.replacement(text), str)
