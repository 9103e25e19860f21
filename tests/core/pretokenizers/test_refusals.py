"""What a file may say, exactly as the reference reads it, and the place of everything else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.pretokenizers.pieces import byte_level, metaspace, reference_file, sequence
from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.pretokenizers import build

TOP = "/pre_tokenizer"
NAMED = {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated", "invert": False}


def one(type: str, **options: object) -> dict[str, Any]:
    return {"type": type, **options}


ACCEPTED = {
    "unknown keys": one("Whitespace", x=1),
    "a behaviour left out": one("Punctuation"),
    "a behaviour as an object": one("Punctuation", behavior={"Removed": None}),
    "a length left out": one("FixedLength"),
    "a length of 64 bits": one("FixedLength", length=2**64 - 1),
    "metaspace with its replacement only": metaspace(),
    "a scheme as an object": metaspace(prepend_scheme={"first": None}),
    "split null": metaspace(split=None),
    "the old flag null": metaspace(add_prefix_space=None),
    "the old flag true beside any scheme": metaspace(add_prefix_space=True, prepend_scheme="never"),
    "the old flag false beside never": metaspace(add_prefix_space=False, prepend_scheme="never"),
    "any old string": metaspace(str_rep="__"),
    "an old string null": metaspace(str_rep=None),
    "a sequence of nothing": sequence(),
}
REFUSED = {
    "no delimiter": (one("CharDelimiterSplit"), TOP),
    "an empty delimiter": (one("CharDelimiterSplit", delimiter=""), f"{TOP}/delimiter"),
    "a long delimiter": (one("CharDelimiterSplit", delimiter="ab"), f"{TOP}/delimiter"),
    "a character of two code points": (one("CharDelimiterSplit", delimiter="e\u0301"), f"{TOP}/delimiter"),
    "a delimiter null": (one("CharDelimiterSplit", delimiter=None), f"{TOP}/delimiter"),
    "no individual_digits": (one("Digits"), TOP),
    "individual_digits null": (one("Digits", individual_digits=None), f"{TOP}/individual_digits"),
    "individual_digits a number": (one("Digits", individual_digits=1), f"{TOP}/individual_digits"),
    "a negative length": (one("FixedLength", length=-1), f"{TOP}/length"),
    "a length with a point": (one("FixedLength", length=2.0), f"{TOP}/length"),
    "a length null": (one("FixedLength", length=None), f"{TOP}/length"),
    "a length true": (one("FixedLength", length=True), f"{TOP}/length"),
    "a length of 65 bits": (one("FixedLength", length=2**64), f"{TOP}/length"),
    "a behaviour null": (one("Punctuation", behavior=None), f"{TOP}/behavior"),
    "a behaviour in small letters": (one("Punctuation", behavior="isolated"), f"{TOP}/behavior"),
    "an unknown behaviour": (one("Punctuation", behavior="Glued"), f"{TOP}/behavior"),
    "a behaviour with a value": (one("Punctuation", behavior={"Removed": 1}), f"{TOP}/behavior"),
    "two behaviours": (one("Punctuation", behavior={"Removed": None, "Isolated": None}), f"{TOP}/behavior"),
    "no replacement": (one("Metaspace"), TOP),
    "an empty replacement": (one("Metaspace", replacement=""), f"{TOP}/replacement"),
    "a long replacement": (one("Metaspace", replacement="▁▁"), f"{TOP}/replacement"),
    "a replacement null": (one("Metaspace", replacement=None), f"{TOP}/replacement"),
    "a scheme null": (metaspace(prepend_scheme=None), f"{TOP}/prepend_scheme"),
    "a scheme in capitals": (metaspace(prepend_scheme="First"), f"{TOP}/prepend_scheme"),
    "split a number": (metaspace(split=1), f"{TOP}/split"),
    "the old flag false without a scheme": (metaspace(add_prefix_space=False), f"{TOP}/add_prefix_space"),
    "the old flag false beside first": (
        metaspace(add_prefix_space=False, prepend_scheme="first"),
        f"{TOP}/add_prefix_space",
    ),
    "the old flag a number": (metaspace(add_prefix_space=0), f"{TOP}/add_prefix_space"),
    "an old string that is none": (metaspace(str_rep=3), f"{TOP}/str_rep"),
    "a sequence null": (one("Sequence", pretokenizers=None), f"{TOP}/pretokenizers"),
    "a part of a sequence": (sequence(byte_level(), one("Digits")), f"{TOP}/pretokenizers/1"),
    "a type in small letters": (one("whitespace"), f"{TOP}/type"),
    "no type": ({"delimiter": "-"}, TOP),
    "a pattern of two kinds": ({**NAMED, "pattern": {"String": "a", "Regex": "b"}}, f"{TOP}/pattern"),
    "a pattern with another key": ({**NAMED, "pattern": {"String": "a", "x": 1}}, f"{TOP}/pattern"),
    "a pattern of no kind": ({**NAMED, "pattern": {}}, f"{TOP}/pattern"),
    "invert null": ({**NAMED, "invert": None}, f"{TOP}/invert"),
}


@pytest.mark.parametrize("config", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_the_reference_reads_is_read(config: dict[str, Any]) -> None:
    reference_file(config)
    build(config)


@pytest.mark.parametrize(("config", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_reference_refuses_is_refused_with_its_place(config: dict[str, Any], where: str) -> None:
    with pytest.raises(Exception, match=r".") as theirs:
        reference_file(config)
    with pytest.raises(TokcoreError) as ours:
        build(config)
    assert not isinstance(theirs.value, TokcoreError)
    assert ours.value.where == where


def test_a_length_of_nothing_is_refused_at_once_where_the_reference_panics_on_the_first_text() -> None:
    config = one("FixedLength", length=0)
    reference_file(config)
    with pytest.raises(MalformedFile, match=f"{TOP}/length: found 0"):
        build(config)


@pytest.mark.parametrize("key", ["behavior", "prepend_scheme"])
def test_an_unknown_name_comes_with_the_known_ones(key: str) -> None:
    config = one("Punctuation", behavior="x") if key == "behavior" else metaspace(prepend_scheme="x")
    with pytest.raises(UnsupportedComponent, match=rf"{TOP}/{key}: {key} 'x' is not known \(known: \w+, \w+, \w+"):
        build(config)
