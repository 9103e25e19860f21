"""Strings that remember their origins: they are the strings they seem to be, and never say more than is known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokcore.chat.origins import COMPUTED, Origin, Traced, changed

FIELD = Origin("message", "/messages/0/content")
ROLE = Origin("message", "/messages/0/role")
WORDS = Origin("template", line=3)

texts = st.text(st.sampled_from("ab<> \n\tİßΣσé🚀\u2028"), max_size=12)
traced = st.lists(st.tuples(texts, st.sampled_from([FIELD, ROLE, WORDS, COMPUTED])), max_size=4).map(
    lambda parts: Traced.concat(Traced.of(text, origin) for text, origin in parts)
)
small = st.integers(-4, 8)


def parts(text: str) -> list[tuple[str, str, str]]:
    assert isinstance(text, Traced)
    return [(part, origin.pointer or origin.kind, origin.change) for part, origin in text.parts()]


def plain(value: Any) -> Any:
    """A result without origins; the parts of every text in it are its whole, on the way."""
    if isinstance(value, Traced):
        assert "".join(part for part, _ in value.parts()) == str.__str__(value)
        return str.__str__(value)
    if isinstance(value, list | tuple):
        return type(value)(plain(item) for item in value)
    return value


def outcome(function: Any, *arguments: Any) -> Any:
    try:
        return plain(function(*arguments))
    except (TypeError, ValueError, IndexError) as error:
        return type(error)


# Each takes the text, another traced text, a plain one, and two numbers.
OPERATIONS: list[Any] = [
    *(lambda s, o, b, i, j: s + o, lambda s, o, b, i, j: s + b, lambda s, o, b, i, j: b + s),
    *(lambda s, o, b, i, j: s * i, lambda s, o, b, i, j: i * s, lambda s, o, b, i, j: s % ()),
    *(lambda s, o, b, i, j: s[i], lambda s, o, b, i, j: s[i:j], lambda s, o, b, i, j: s[:: i or None]),
    *(lambda s, o, b, i, j: s[j:i:-1], lambda s, o, b, i, j: list(s), lambda s, o, b, i, j: s + 1),
    *(lambda s, o, b, i, j: s.strip(), lambda s, o, b, i, j: s.strip(b), lambda s, o, b, i, j: s.rstrip()),
    *(lambda s, o, b, i, j: s.lstrip(b or None), lambda s, o, b, i, j: s.partition("a")),
    *(lambda s, o, b, i, j: s.split(), lambda s, o, b, i, j: s.split(b), lambda s, o, b, i, j: s.split(None, i)),
    *(lambda s, o, b, i, j: s.split("a", i), lambda s, o, b, i, j: s.rsplit(), lambda s, o, b, i, j: s.rsplit(b)),
    *(lambda s, o, b, i, j: s.rsplit(None, i), lambda s, o, b, i, j: s.rsplit("a", i)),
    *(lambda s, o, b, i, j: s.splitlines(), lambda s, o, b, i, j: s.splitlines(True)),
    *(lambda s, o, b, i, j: s.rpartition("a"), lambda s, o, b, i, j: s.replace("a", o)),
    *(lambda s, o, b, i, j: s.replace(b, "-", i), lambda s, o, b, i, j: s.removeprefix(b)),
    *(lambda s, o, b, i, j: s.removesuffix(b), lambda s, o, b, i, j: s.join([b, o, s])),
    *(lambda s, o, b, i, j: s.join(["a", 1]), lambda s, o, b, i, j: s.upper(), lambda s, o, b, i, j: s.lower()),
    *(lambda s, o, b, i, j: s.title(), lambda s, o, b, i, j: s.capitalize(), lambda s, o, b, i, j: s.swapcase()),
    *(lambda s, o, b, i, j: s.casefold(), lambda s, o, b, i, j: str(s), lambda s, o, b, i, j: repr(s)),
    *(lambda s, o, b, i, j: f"{s}", lambda s, o, b, i, j: len(s), lambda s, o, b, i, j: hash(s)),
    *(lambda s, o, b, i, j: s == b, lambda s, o, b, i, j: b in s, lambda s, o, b, i, j: s in b + s),
    *(lambda s, o, b, i, j: s < b, lambda s, o, b, i, j: bool(s)),
]


@given(traced, traced, texts, small, small)
def test_every_operation_gives_what_str_gives(text: Traced, other: Traced, bare: str, low: int, high: int) -> None:
    for operation in OPERATIONS:
        plainly = outcome(operation, str.__str__(text), str.__str__(other), bare, low, high)
        assert outcome(operation, text, other, bare, low, high) == plainly


@given(traced, small, small)
def test_a_slice_is_cut_out_of_the_origins_too(text: Traced, start: int, end: int) -> None:
    origins = [origin.pointer or origin.kind for part, origin in text.parts() for _ in part]
    cut = text[start:end]
    assert isinstance(cut, Traced)
    assert [origin.pointer or origin.kind for part, origin in cut.parts() for _ in part] == origins[start:end]


def test_white_space_taken_off_makes_a_field_cut_and_leaves_a_whole_one_whole() -> None:
    framed = "<" + Traced.of(" Hi ", FIELD) + "> "
    assert parts(framed.strip()) == [
        *(("<", "computed", "none"), (" Hi ", FIELD.pointer, "none"), (">", "computed", "cut")),
    ]
    assert parts(Traced.of(" Hi ", FIELD).strip()) == [("Hi", FIELD.pointer, "cut")]


def test_pieces_of_a_split_are_cut_from_where_they_stood() -> None:
    text = Traced.of("a b", FIELD) + Traced.of(" user", ROLE)
    assert isinstance(text, Traced)
    assert [parts(piece) for piece in text.split()] == [
        *([("a", FIELD.pointer, "cut")], [("b", FIELD.pointer, "cut")], [("user", ROLE.pointer, "cut")]),
    ]


def test_a_replacement_keeps_the_writer_of_what_stays_and_of_what_comes() -> None:
    text = Traced.of("a-b", FIELD).replace("-", Traced.of("+", WORDS))
    assert parts(text) == [("a", FIELD.pointer, "cut"), ("+", "template", "none"), ("b", FIELD.pointer, "cut")]
    assert parts(Traced.of("a-b", FIELD).replace("x", "y")) == [("a-b", FIELD.pointer, "none")]


def test_upper_case_is_changed_stretch_by_stretch_where_that_is_the_same() -> None:
    text = Traced.of("<", WORDS) + Traced.of("straße", FIELD)
    assert parts(text.upper()) == [("<", "template", "changed"), ("STRASSE", FIELD.pointer, "changed")]


def test_a_final_sigma_depends_on_its_neighbours_so_that_the_origin_is_not_guessed() -> None:
    text = Traced.of("ΑΣ", FIELD) + Traced.of("Α", ROLE)
    assert [(part, change) for part, _, change in parts(text.lower())] == [("ασα", "none")]
    assert next(Traced(text.lower()).parts())[1].sources == (FIELD.pointer, ROLE.pointer)


def test_a_text_made_of_one_thing_is_changed_and_of_several_computed() -> None:
    assert parts(changed("x", Traced.of("a", FIELD), 7)) == [("x", FIELD.pointer, "changed")]
    both = changed("x", [Traced.of("a", FIELD)], {"k": Traced.of("b", ROLE)})
    ((_, origin),) = both.parts()
    assert (origin.kind, origin.sources) == ("computed", (FIELD.pointer, ROLE.pointer))


def test_strings_of_two_kinds_are_equal_keys() -> None:
    assert {Traced.of("role", FIELD): 1}["role"] == 1 and {"role": 1}[Traced.of("role", FIELD)] == 1


@pytest.mark.parametrize("origin", [FIELD, Origin("tool", "/tools/3/function/name"), Origin("tool", "/tools/12")])
def test_the_index_is_read_off_the_pointer(origin: Origin) -> None:
    assert origin.index == int(origin.pointer.split("/")[2])
    assert Origin("variable", "/bos_token").index is None and WORDS.index is None
