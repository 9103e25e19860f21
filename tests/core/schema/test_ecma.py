"""Patterns of ECMA 262: searched for as `re` does on the common subset, refused where they are not regular."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.schema.automaton import Automaton
from tokcore.schema.ecma import parse_pattern, parse_whole
from tokcore.schema.errors import SchemaError
from tokcore.schema.expr import spelled

COMMON = [
    *("abc", "a|b", "^a", "a$", "^a$", "^a|b$", "(^a|b)c", "a(b|c$)", "^$", "^", "$", "", "(^)a", "^(a|b)*$", "(^a)?b"),
    *(
        "a(^b)",
        "a$b",
        "(a|^)(b|$)",
        "^^a$$",
        "x*^a",
        "a+?b",
        "a{2}",
        "a{2,}",
        "a{1,2}c?",
        "[abc]",
        "[^abc]",
        "[a-]",
        "[-a]",
    ),
    *(
        "[a\\]]",
        r"\.",
        r"[\w.]+",
        r"\d{2}",
        r"^\S+$",
        r"a\sb",
        r"\x61",
        r"\u0062",
        r"(?:ab)+",
        r"(?P<n>a)".replace("P", ""),
    ),
    *(r"[\d-]a", r"\/", r"\-", r"[\b]", r"\cJ", r"[^\n]a", ".b", "((a)|(b))c", "(a|b|)c", "()", "a()b", r"\0"),
]
texts = st.lists(st.sampled_from([*"abcx.-]12 \n/\x08\0é", "ab", "ba"]), max_size=5).map("".join)


def as_python(source):
    return source.replace("(?<", "(?P<").replace(r"\cJ", r"\n").replace("$", r"(?!\n)$")


@pytest.mark.parametrize("source", COMMON)
@settings(max_examples=60, deadline=None)
@given(found=st.lists(texts, min_size=10, max_size=10))
def test_a_pattern_is_found_where_re_finds_it(source, found):
    automaton = Automaton(parse_pattern(source, "/pattern"))
    for text in found:
        assert automaton.matches(text) == (re.search(as_python(source), text, re.ASCII) is not None), text


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        # ECMAScript's own sets: `.` stops at four line ends, \s knows the spaces of Unicode, \d and \w are ASCII.
        ("^.$", ["a", "😀", "\x85"], ["\n", "\r", "\u2028", "\u2029"]),
        (r"^\s$", [" ", "\t", "\xa0", "\u3000", "\ufeff", "\u2028", "\v"], ["\x85", "\x1c", "a"]),
        (r"^\d$", ["7"], ["٣", "a"]),
        (r"^\W$", ["é", "²", "-"], ["a", "_"]),
        (r"^[\s\S]$", ["\n", "a", "😀"], [""]),
        (r"^\u{1F600}$", ["😀"], ["u"]),
        (r"^\ud83d\ude00$", ["😀"], [""]),
        (r"^[\ud83d\ude00-\ud83d\ude02]$", ["😁"], ["😃"]),
        ("^[^]$", ["a", "\n"], [""]),
        ("[]", [], ["", "a"]),
        ("^(?<year>[0-9]{4})$", ["2024"], ["24"]),
        ("a\nb$", ["a\nb"], ["a\nb\n"]),
    ],
)
def test_what_differs_from_python_follows_ecmascript(source, yes, no):
    automaton = Automaton(parse_pattern(source, "/pattern"))
    assert all(map(automaton.matches, yes))
    assert not any(map(automaton.matches, no))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        *[("(?=a)", "look-around"), ("a(?!b)", "look-around"), ("(?<=a)b", "look-around"), (r"(a)\1", "a reference")],
        *[
            (r"\bword", "a word border"),
            (r"\p{L}", "a Unicode property"),
            (r"\k<n>", "a reference"),
            (r"\a", "unknown escape"),
        ],
        *[("(a", "without its ')'"), ("a)", "without its '('"), ("[a", "without its ']'"), ("a{", "starts no count")],
        *[("*a", "nothing to repeat"), ("a**", "nothing to repeat"), ("a{2,1}", "swapped"), ("[b-a]", "swapped")],
        *[
            (r"[\d-z]", "a set at an end"),
            ("(^a)*", "an anchor inside"),
            ("^*", "repeated anchor"),
            ("]", "without its opening"),
        ],
        *[
            (r"\x6", "hexadecimal"),
            (r"\u{110000}", "malformed"),
            (r"\ud83d", "lone surrogate"),
            ("\ud83d", "lone surrogate"),
        ],
        *[
            ("(" * 60 + ")" * 60, "levels of groups"),
            ("a" * 30_000, "characters"),
            ("(?i)a", "unknown kind"),
            ("a{9999999}", "count"),
        ],
        ("a\\", "unknown escape"),
    ],
)
def test_what_is_not_regular_or_not_a_pattern_is_refused_with_its_place(source, says):
    with pytest.raises(SchemaError, match=re.escape(says)) as error:
        parse_pattern(source, "/properties/x/pattern")
    assert error.value.where == "/properties/x/pattern"


@pytest.mark.parametrize(
    "source", ["a|b", "[a-c]{2,4}x?", r"\\d\.", "[^a]+", r"[\]\^\-\&\~\|\[]", "(?:a|bc)*d", "\\x1f\n"]
)
def test_the_spelling_of_a_whole_pattern_reads_back_as_the_same(source):
    once = spelled(parse_whole(source, "pattern"))
    assert spelled(parse_whole(once, "pattern")) == once
