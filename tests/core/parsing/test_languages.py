"""The machines for JSON and Python against the readers that Python has for them."""

import ast
import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tokcore.parsing.json_text import JsonReader, StringReader
from tokcore.parsing.python_literals import python_to_json
from tokcore.parsing.spec import Status

json_pieces = st.sampled_from(
    [*'{}[],:"', "1", "-", "0", ".5", "e+1", "true", "null", '"a"', "\\", "\\u00e9", "\\n", " ", "\n", "x", "é"]
)
json_texts = st.lists(json_pieces, max_size=12).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read(text, cuts=()):
    """What the reader passes on of a whole value, None where the text is none."""
    reader, out, status = JsonReader(""), [], Status.MORE
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, end in pairwise(edges):
        at = start
        if status is Status.MORE:
            got, status = reader.read(text[:end], at, out.append)
            if status is not Status.MORE and text[got:].strip(" \t\r\n"):
                return None
    return "".join(out) if status is Status.DONE else None


def strictly(text):
    def refuse(word):
        raise ValueError(word)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


@given(json_texts, st.lists(st.integers(0, 100), max_size=3))
def test_what_is_read_as_json_is_json(text, cuts):
    # A number by itself ends where something follows: the line's end here.
    text += "\n"
    assert (read(text, cuts) is not None) == strictly(text)


@given(values, st.lists(st.integers(0, 500), max_size=3))
def test_json_is_passed_on_as_written(value, cuts):
    text = json.dumps(value) + "\n"
    assert read(text, cuts).strip() == text.strip()


@given(st.text(st.characters()), st.booleans())
def test_a_string_comes_out_of_its_escapes(text, ascii_only):
    written = json.dumps(text, ensure_ascii=ascii_only)[1:]
    whole, out = "", []
    reader = StringReader()
    for character in written:
        whole += character
        at, status = reader.read(whole, 0, lambda piece, start, end: out.append(piece))
        whole = whole[at:]
    assert (status, whole) == (Status.DONE, "")
    # Two halves of a pair that the text holds as two characters are one where they are read.
    assert "".join(out) == json.loads(f'"{written}')


@given(values.filter(lambda value: "inf" not in repr(value)))
def test_python_literals_come_over_to_json(value):
    assert json.loads(python_to_json(repr(value))) == value


@given(st.text(st.sampled_from("ab\\nxu0141'\"\n é"), max_size=8), st.sampled_from(["'", '"', "'''", '"""']))
def test_python_strings_are_read_as_python_reads_them(inside, quote):
    text = quote + inside + quote
    try:
        expected = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return
    if not isinstance(expected, str) or text.count(quote[0]) != 2 * len(quote) + inside.count(quote[0]):
        return
    got = python_to_json(text)
    if got is not None:  # two strings side by side are one in Python, and not read here
        assert json.loads(got) == expected
    else:
        assert quote[0] in inside
