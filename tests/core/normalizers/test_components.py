"""All normalizers but the normal forms: hand-derived results with what each character stands for, and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.core.normalizers.normalizer_reference import Config, normalized, rewritten, steps
from tests.strategies import texts
from tokcore.errors import MalformedFile, PatternError
from tokcore.normalizers import build
from tokcore.normalizers.edits import base_of
from tokcore.spans import AlignedText

ACUTE = "\u0301"


def bert(clean: bool = False, chinese: bool = False, accents: bool | None = False, lower: bool = False) -> Config:
    return {
        "type": "BertNormalizer",
        "clean_text": clean,
        "handle_chinese_chars": chinese,
        "strip_accents": accents,
        "lowercase": lower,
    }


def replace(content: str, **pattern: str) -> Config:
    return {"type": "Replace", "pattern": pattern, "content": content}


def strip(left: bool = True, right: bool = True) -> Config:
    return {"type": "Strip", "strip_left": left, "strip_right": right}


NMT, LOWERCASE, STRIP_ACCENTS, BYTE_LEVEL = (
    {"type": name} for name in ("Nmt", "Lowercase", "StripAccents", "ByteLevel")
)
PREPEND = {"type": "Prepend", "prepend": "▁"}

# The result, and for each of its characters the part of the source that its span cuts out.
HAND_DERIVED: dict[str, tuple[list[Config], str, str, list[str]]] = {
    "Nmt removes controls, not NUL and U+0085": ([NMT], "\x00\x01\x85\x8f", "\x00\x85", list("\x00\x85")),
    "Nmt makes joiners and U+2581 spaces": ([NMT], "▁\u200da", "  a", ["▁", "\u200d", "a"]),
    "Nmt leaves other white space": ([NMT], "\xa0\u3000", "\xa0\u3000", list("\xa0\u3000")),
    "Lowercase knows no final sigma": ([LOWERCASE], "ΑΣ", "ασ", ["Α", "Σ"]),
    "Lowercase makes two of İ, both stand for it": ([LOWERCASE], "İI", "i\u0307i", ["İ", "İ", "I"]),
    "Lowercase knows letters of Unicode 17": ([LOWERCASE], "\ua7d2\U00016ea0", "ꟓ\U00016ebb", ["\ua7d2", "\U00016ea0"]),
    "Lowercase leaves ẞß and title case": ([LOWERCASE], "ẞǅ", "ßǆ", ["ẞ", "ǅ"]),
    "Strip takes Unicode white space off": ([strip()], "\u3000\x85a b \xa0", "a b", list("a b")),
    "Strip leaves U+001C and U+200B": ([strip()], "\x1ca\u200b", "\x1ca\u200b", list("\x1ca\u200b")),
    "Strip left only": ([strip(right=False)], " é ", "é ", list("é ")),
    "Strip right only": ([strip(left=False)], " é ", " é", list(" é")),
    "Strip counts characters, not bytes": ([strip()], " 世界 ", "世界", list("世界")),
    "Strip empties white space": ([strip()], " \n ", "", []),
    "StripAccents leaves composed letters": ([STRIP_ACCENTS], f"ée{ACUTE}", "ée", list("ée")),
    "StripAccents drops spacing and enclosing marks": ([STRIP_ACCENTS], "क\u093fa\u20dd", "कa", list("कa")),
    "StripAccents leaves marks newer than its table": ([STRIP_ACCENTS], "a\u1ac0", "a\u1ac0", list("a\u1ac0")),
    "Prepend has the span of the first character": ([PREPEND], "ab", "▁ab", ["a", "a", "b"]),
    "Prepend to nothing is nothing": ([PREPEND], "", "", []),
    "Prepend of nothing takes the first span": ([{"type": "Prepend", "prepend": ""}], "ab", "ab", ["", "b"]),
    "Replace stands for the last character replaced": ([replace("xy", String="ab")], "abc", "xyc", ["b", "b", "c"]),
    "Replace takes no group references": ([replace("$1", Regex="(a)")], "a", "$1", ["a", "a"]),
    "Replace of a string is no expression": ([replace("!", String=".")], "a.", "a!", ["a", "."]),
    "Replace removes": ([replace("", Regex=" +")], "a  b", "ab", list("ab")),
    "Replace at an empty match: as what is before": ([replace("-", Regex="(?=b)")], "ab", "a-b", ["a", "a", "b"]),
    "Replace at the beginning stands for nothing": ([replace("-", Regex="^")], "a", "-a", ["", "a"]),
    "Replace of the empty string is everywhere": ([replace("-", String="")], "ab", "-a-b-", ["", "a", "a", "b", "b"]),
    "Replace finds nothing in nothing": ([replace("-", String="")], "", "", []),
    "Replace passes over an empty match behind a match": ([replace("-", Regex="a*")], "ba", "-b-", ["", "b", "a"]),
    "ByteLevel: the bytes stand for their character": ([BYTE_LEVEL], "é ", "Ã©Ġ", ["é", "é", " "]),
    "Bert cleans controls and white space": ([bert(clean=True)], "a\x00\ufffd\u200b\tb\x85", "a b", ["a", "\x09", "b"]),
    "Bert leaves unassigned characters": ([bert(clean=True)], "\u0378", "\u0378", list("\u0378")),
    "Bert spaces ideographs, not kana": ([bert(chinese=True)], "京か", " 京 か", ["京", "京", "京", "か"]),
    "Bert does not space extension I": ([bert(chinese=True)], "\U0002ebf0", "\U0002ebf0", list("\U0002ebf0")),
    "Bert decomposes and drops nonspacing marks": ([bert(accents=True)], "éि", "e\u093f", ["é", "\u093f"]),
    "Bert's accents follow lower case: on": ([bert(accents=None, lower=True)], "É", "e", ["É"]),
    "Bert's accents follow lower case: off": ([bert(accents=None)], "É", "É", list("É")),
    "Bert keeps accents if told": ([bert(accents=False, lower=True)], "É", "é", ["É"]),
    "Bert decomposes Hangul on the way": ([bert(accents=True)], "가", "가", ["가", "가"]),
    "a beginning taken off still is the beginning": ([strip(), replace("-", Regex="^")], "  a", "-a", ["", "a"]),
    "a prefix stands for what is first now": ([strip(), PREPEND], "  ab", "▁ab", ["a", "a", "b"]),
    "spans pass through a sequence": ([{"type": "NFD"}, STRIP_ACCENTS, LOWERCASE], "ÀÉ", "ae", ["À", "É"]),
}  # fmt: skip


@pytest.mark.parametrize(("configs", "text", "expected", "cuts"), HAND_DERIVED.values(), ids=HAND_DERIVED.keys())
def test_each_character_of_the_result_stands_for(
    configs: list[Config], text: str, expected: str, cuts: list[str]
) -> None:
    result = normalized(text, *configs)
    assert (result.text, [span.cut(text) for span in result.origins]) == (expected, cuts)
    assert rewritten(text, *configs) == result.text


def test_what_has_no_place_stands_where_the_text_began() -> None:
    text = AlignedText.whole("<s>  a").slice(3, 6)
    taken_off = normalized(text, strip())
    assert (taken_off.origins, base_of(taken_off)) == (((5, 6),), 3)
    assert normalized(taken_off, LOWERCASE, replace("-", Regex="^")).origins == ((3, 3), (5, 6))


UNTOUCHED = {
    "Nmt": (NMT, "plain é 中\x85"),
    "Lowercase": (LOWERCASE, "plain é 中\ua7d3"),
    "Strip": (strip(), "plain é 中"),
    "StripAccents": (STRIP_ACCENTS, "plain é 中"),
    "Prepend": (PREPEND, ""),
    "Replace a string": (replace("b", String="\n"), "plain é 中"),
    "Replace an expression": (replace("b", Regex=" {2,}"), "plain é 中"),
    "Replace by itself": (replace(" ", String=" "), "plain é 中"),
    "BertNormalizer": (bert(True, True, True, True), "plain ß か"),
    "ByteLevel": (BYTE_LEVEL, "plain"),
}


@pytest.mark.parametrize(("config", "text"), UNTOUCHED.values(), ids=UNTOUCHED.keys())
def test_text_that_does_not_change_comes_back_as_the_same_object(config: Config, text: str) -> None:
    whole = AlignedText.whole(text)
    assert normalized(whole, config) is whole


@pytest.mark.parametrize("config", [entry[0] for entry in UNTOUCHED.values()], ids=UNTOUCHED.keys())
@given(text=texts)
def test_rewrite_is_the_text_of_normalize_and_spans_never_go_back(config: Config, text: str) -> None:
    result = normalized(text, config)
    assert rewritten(text, config) == result.text
    assert len(result.text) == len(result.starts) == len(result.ends)
    assert list(result.starts) == sorted(result.starts)


def without(config: Config, key: str) -> Config:
    return {name: value for name, value in config.items() if name != key}


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    **{
        f"{config['type']} without {key}": (without(config, key), MalformedFile, "/normalizer")
        for config in (strip(), PREPEND, replace("", String="a"), bert())
        for key in config
        if key not in ("type", "strip_accents")
    },
    **{
        f"{config['type']}'s {key} is a number": ({**config, key: 1}, MalformedFile, f"/normalizer/{key}")
        for config in (strip(), PREPEND, replace("", String="a"), bert())
        for key in config
        if key != "type"
    },
    "a flag is null": ({**strip(), "strip_left": None}, MalformedFile, "/normalizer/strip_left"),
    "a pattern that is a string": ({**replace(""), "pattern": "a"}, MalformedFile, "/normalizer/pattern"),
    "no pattern": (replace(""), MalformedFile, "/normalizer/pattern"),
    "two patterns": (replace("", String="a", Regex="a"), MalformedFile, "/normalizer/pattern"),
    "an unknown kind of pattern": (replace("", Glob="a"), MalformedFile, "/normalizer/pattern"),
    "a numeric pattern": ({**replace(""), "pattern": {"String": 1}}, MalformedFile, "/normalizer/pattern/String"),
    "a pattern that does not compile": (replace("", Regex="("), PatternError, "/normalizer/pattern/Regex"),
    "a child": ({"type": "Sequence", "normalizers": [{"type": "Strip"}]}, MalformedFile, "/normalizer/normalizers/0"),
}  # fmt: skip


@pytest.mark.parametrize(("value", "error", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_its_place(value: Any, error: type[Exception], where: str) -> None:
    with pytest.raises(error) as caught:
        build(value)
    assert caught.value.where == where  # type: ignore[attr-defined]


def test_missing_accents_are_null_and_other_keys_are_passed_over() -> None:
    config = {**without(bert(lower=True), "strip_accents"), "never_split": []}
    assert steps([config])[0].component == steps([bert(accents=None, lower=True)])[0].component
