"""The normalization forms by themselves: hand-derived results, what holds for any text, what a file may say."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import texts
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.normalizers import TABLE, build
from tokcore.normalizers.normal_forms import NFC, NFD, NFKC, NFKD, NormalForm
from tokcore.spans import AlignedText

ACUTE, DOT_BELOW, CEDILLA, IOTA = "\u0301", "\u0323", "\u0327", "\u0345"

forms = pytest.mark.parametrize("form", [NFC(), NFD(), NFKC(), NFKD()], ids=["NFC", "NFD", "NFKC", "NFKD"])

HAND_DERIVED = {
    "a composite stands for its base alone": (NFC(), f"e{ACUTE}!", [("é", "e"), ("!", "!")]),
    "two marks are used up by one composite": (NFC(), f"e\u0302{ACUTE}!", [("ế", "e"), ("!", "!")]),
    "a decomposed character's parts all stand for it": (NFD(), "ế", [("e", "ế"), ("\u0302", "ế"), (ACUTE, "ế")]),
    "marks with a class of their own move, spans stay": (
        NFD(),
        f"e{ACUTE}{DOT_BELOW}",
        [("e", "e"), (DOT_BELOW, ACUTE), (ACUTE, DOT_BELOW)],
    ),
    "an acute freed by a dot below stands for the dot": (
        NFC(),
        f"é{DOT_BELOW}",
        [("ẹ", "é"), (ACUTE, DOT_BELOW)],
    ),
    "a composite uses up the next character, not its mark": (
        NFC(),
        f"e{DOT_BELOW}{CEDILLA}{ACUTE}",
        [("ȩ", "e"), (DOT_BELOW, CEDILLA), (ACUTE, ACUTE)],
    ),
    "an inserted base composed with a mark stands for the mark": (NFKC(), f"ﬁ{ACUTE}", [("f", "ﬁ"), ("í", ACUTE)]),
    "every part of a fraction stands for it": (NFKD(), "½", [("1", "½"), ("⁄", "½"), ("2", "½")]),
    "a fraction is no canonical matter": (NFC(), "½", [("½", "½")]),
    "jamo compose to the first": (NFC(), "\u1100\u1161\u11a8", [("각", "\u1100")]),
    "a final joins a syllable without one": (NFC(), "가\u11a8", [("각", "가")]),
    "the jamo before the finals joins nothing": (NFC(), "가\u11a7", [("가", "가"), ("\u11a7", "\u11a7")]),
    "a syllable's jamo all stand for it": (NFD(), "각", [("\u1100", "각"), ("\u1161", "각"), ("\u11a8", "각")]),
    "a singleton is replaced": (NFC(), "\u212b", [("Å", "\u212b")]),
    "an excluded composite stays apart": (NFC(), "\u0958", [("\u0915", "\u0958"), ("\u093c", "\u0958")]),
    "marks at the start move without a base": (
        NFC(),
        f"\u0344{DOT_BELOW}",
        [(DOT_BELOW, "\u0344"), ("\u0308", DOT_BELOW), (ACUTE, DOT_BELOW)],
    ),
    "a mark of equal class blocks": (NFC(), f"e\u0315{ACUTE}", [("é", "e"), ("\u0315", ACUTE)]),
    "a mark newer than the reference blocks": (NFC(), f"e\u0c3c{ACUTE}", [(c, c) for c in f"e\u0c3c{ACUTE}"]),
    "no mark moves before one newer than the reference": (
        NFD(),
        f"{ACUTE}\u08d3{DOT_BELOW}",
        [(c, c) for c in f"{ACUTE}\u08d3{DOT_BELOW}"],
    ),
    "a square era name newer than the reference stays": (NFKC(), "\u32ff", [("\u32ff", "\u32ff")]),
}


@pytest.mark.parametrize(("form", "text", "expected"), HAND_DERIVED.values(), ids=HAND_DERIVED.keys())
def test_each_character_of_the_result_stands_for(form: NormalForm, text: str, expected: list[tuple[str, str]]) -> None:
    result = form.normalize(AlignedText.whole(text))
    assert [(c, span.cut(text)) for c, span in zip(result.text, result.origins, strict=True)] == expected


@forms
@pytest.mark.parametrize(
    "text",
    ["", "plain ASCII\n", "中文 🚀", "\u32ff\U0001df95", "\u3400\U00020000", "\u0c3c\u0301"],
    ids=["empty", "ASCII", "no parts", "table", "ideographs", "table before a mark"],
)
def test_text_in_the_form_comes_back_as_the_same_object(form: NormalForm, text: str) -> None:
    whole = AlignedText.whole(text)
    assert form.normalize(whole) is whole
    assert form.rewrite(text) is text


def test_a_slice_keeps_the_spans_of_the_source() -> None:
    result = NFD().normalize(AlignedText.whole("xé é").slice(1, 4))
    assert [span.cut("xé é") for span in result.origins] == ["é", "é", " ", "é", "é"]
    assert result.span(3, 5) == (3, 4)


def test_a_second_form_reads_the_spans_of_the_first() -> None:
    text = AlignedText.whole("ﬁé")
    for form in (NFKD(), NFC(), NFD()):
        text = form.normalize(text)
    assert (text.text, [tuple(span) for span in text.origins]) == ("fie\u0301", [(0, 1), (0, 1), (1, 2), (1, 2)])


def test_a_block_never_ends_before_a_mark() -> None:
    text = "".join("a" * filler + "e" + ACUTE * 3 for filler in range(250, 260))
    assert NFC().rewrite(text) == text.replace("e" + ACUTE, "é")


@forms
@given(text=texts | st.text(st.sampled_from(f"aeéế{ACUTE}{DOT_BELOW}{IOTA}각\u1161ﬁ½\u0c3c\u32ff")))
def test_rewrite_is_the_text_of_normalize_and_spans_never_go_back(form: NormalForm, text: str) -> None:
    result = form.normalize(AlignedText.whole(text))
    assert form.rewrite(text) == result.text
    assert form.rewrite(result.text) is result.text
    assert len(result.text) == len(result.starts) == len(result.ends)
    assert list(result.starts) == sorted(result.starts)
    assert all(end == start + 1 for start, end in result.origins)


@forms
@given(first=texts, second=texts)
def test_what_stands_before_ascii_is_rewritten_alone(form: NormalForm, first: str, second: str) -> None:
    assert form.rewrite(f"{first}\n{second}") == f"{form.rewrite(first)}\n{form.rewrite(second)}"


@forms
def test_a_long_run_of_marks_takes_no_quadratic_time(form: NormalForm) -> None:
    text = (ACUTE + DOT_BELOW) * 60_000
    before = time.process_time()
    assert form.rewrite(text) == DOT_BELOW * 60_000 + ACUTE * 60_000
    assert form.normalize(AlignedText.whole(text)).text[59_999:60_001] == DOT_BELOW + ACUTE
    assert time.process_time() - before < 5


def test_build_lays_sequences_out_flat_with_the_place_of_each() -> None:
    steps = build({"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "Sequence", "normalizers": NESTED}]})
    assert [(step.name, step.pointer, step.component) for step in steps] == [
        ("NFKD", "/normalizer/normalizers/0", NFKD()),
        ("NFC", "/normalizer/normalizers/1/normalizers/0", NFC()),
    ]


NESTED = [{"type": "NFC"}]


@pytest.mark.parametrize("name", ["NFC", "NFD", "NFKC", "NFKD"])
def test_each_form_has_its_name(name: str) -> None:
    component = TABLE[name](None)  # type: ignore[arg-type]
    assert isinstance(component, NormalForm)
    assert component.form == name == type(component).__name__
    assert hash(component) == hash(TABLE[name](None))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, {"type": "Sequence", "normalizers": []}], ids=["null", "empty Sequence"])
def test_nothing_to_do_is_no_step(value: Any) -> None:
    assert build(value) == ()


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "NFC"}
    for _ in range(depth):
        value = {"type": "Sequence", "normalizers": [value]}
    return value


REFUSED = {
    "unknown name": ({"type": "NFX"}, UnsupportedComponent, "/normalizer/type"),
    "name in lower case": ({"type": "nfc"}, UnsupportedComponent, "/normalizer/type"),
    "a string": ("NFC", MalformedFile, "/normalizer"),
    "a list": ([{"type": "NFC"}], MalformedFile, "/normalizer"),
    "no type": ({}, MalformedFile, "/normalizer"),
    "type is null": ({"type": None}, MalformedFile, "/normalizer/type"),
    "Sequence without a list": ({"type": "Sequence"}, MalformedFile, "/normalizer"),
    "Sequence of an object": ({"type": "Sequence", "normalizers": {}}, MalformedFile, "/normalizer/normalizers"),
    "unknown name within": (
        {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "NFX"}]},
        UnsupportedComponent,
        "/normalizer/normalizers/1/type",
    ),
    "nested 100,000 deep": (nested(100_000), MalformedFile, "/normalizer" + "/normalizers/0" * 65),
}


@pytest.mark.parametrize(("value", "error", "where"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_its_place(value: Any, error: type[Exception], where: str) -> None:
    with pytest.raises(error) as caught:
        build(value)
    assert caught.value.where == where  # type: ignore[attr-defined]
