"""The dialect, one rule a row: each row is worked out by hand and checked against the reference."""

from __future__ import annotations

import pytest

from tests.core.patterns import onig_reference as reference
from tokcore.patterns import compile_pattern, literal_pattern

# What the row shows: pattern, text, the matches.
RULES = {
    "line anchors without any option": ("^a$", "a\na", ["a", "a"]),
    "(?m) lets the dot match a newline": ("(?m)a.b", "a\nb", ["a\nb"]),
    "the dot matches a carriage return": (".+", "a\rb\nc", ["a\rb", "c"]),
    "{n,m}+ repeats and gives back": ("a{1,2}+a", "aaa", ["aaa"]),
    "{m,n} with its ends swapped is possessive": ("a{3,1}a", "aaaa", ["aaaa"]),
    "{n}? is an option, not lazy": ("a{2}?b", "aab", ["aab"]),
    "{n,m}? is lazy": ("a{2,3}?", "aaaaa", ["aa", "aa"]),
    "{,n} starts at none": ("ba{,2}", "baaa", ["baa"]),
    "{,} is text": ("a{,}", "a{,}", ["a{,}"]),
    "an open brace is text": ("a{x", "a{x", ["a{x"]),
    "h is a hexadecimal digit": (r"\h+", "0fgZ", ["0f"]),
    "R takes both of CR LF": (r"\R", "a\r\n\n\u2028", ["\r\n", "\n", "\u2028"]),
    "N and O": (r"a\Nb|a\Ob", "a\nb", ["a\nb"]),
    "bytes make characters": (r"\xe3\x81\x82|\303\251", "あé", ["あ", "é"]),
    "octal after a group number that is not there": (r"(a)\12", "a\n", ["a\n"]),
    "control letters": (r"\ca\C-b", "\x01\x02", ["\x01\x02"]),
    "b in a class is a backspace": (r"[\b]", "b\x08", ["\x08"]),
    "an unknown escape is its letter": (r"\q\_\p", "q_p", ["q_p"]),
    "without braces p is a letter": (r"\pL", "apL", ["pL"]),
    "names in any spelling": (r"\p{ l-u }\p{uppercase_letter}", "AB", ["AB"]),
    "double negation": (r"\P{^L}+", "a1", ["a"]),
    "&& binds less than a union": ("[a[b-d]&&c-e]+", "abcde", ["cd"]),
    "^ binds less than &&": ("[^a-c&&b-d]+", "abcd", ["a", "d"]),
    "an empty intersection": ("[a&&]", "a", []),
    "] first is a character": ("[]a]+", "]a", ["]a"]),
    "a hyphen after a range is a character": ("[a-c-e]+", "a-ed", ["a-e"]),
    "a class beside a bracket name": ("[[:alpha:]1]+", "a1:", ["a1"]),
    "[:alpha:] alone is a class of letters": ("[:alpha:]+", "a:lx", ["a:l"]),
    "[[:punct:]] counts symbols": ("[[:punct:]]+", "+$_a", ["+$_"]),
    "p{Punct} does not": (r"\p{Punct}+", "+$_a", ["_"]),
    "w counts superscript two": (r"\w+", "a²b", ["a²b"]),
    "[[:word:]] does not": ("[[:word:]]+", "a²b", ["a", "b"]),
    "nor does w in a class": (r"[\w]+", "a²b", ["a", "b"]),
    "w stops at a joiner": (r"\w+", "a\u200db", ["a", "b"]),
    "U+001C is no space": (r"\s", "\x1c\x85", ["\x85"]),
    "an option reaches over the bar": ("a(?i)b|c", "aB aC C", ["aB", "aC"]),
    "an option ends with its group": ("((?i)a)b", "Ab AB", ["Ab"]),
    "spaces and comments under (?x)": ("(?x) a b # c\n [ ]", "ab ", ["ab "]),
    "a comment between atom and sign": ("a(?# many )+", "aa", ["aa"]),
    "plain groups do not capture beside named ones": (r"(?<n>a)(b)\k<n>", "aba", ["aba"]),
    "a condition on a group": ("(a)?(?(1)b|c)", "abc", ["ab", "c"]),
    "K moves the start": (r"a\Kb", "ab", ["b"]),
    "long s and Kelvin": ("(?i)sk", "ſ\u212a", ["ſ\u212a"]),
    "ss matches a sharp s": ("(?i)ss", "ßẞSſ", ["ß", "ẞ", "Sſ"]),
    "a sharp s matches ss": ("(?i)ß", "ssẞ", ["ss", "ẞ"]),
    "also in a class": ("(?i)[ß]", "sSa", ["sS"]),
    "not across a group with options": ("(?i:s)(?i:s)", "ßss", ["ss"]),
    "the longest sequence first": ("(?i)ffi", "ﬃ ﬀi", ["ﬃ"]),
    "dotted capital I": ("(?i)İ", "i\u0307 I i", ["i\u0307"]),
    "dotless i is another letter": ("(?i)i", "Iı", ["I"]),
    "(?i) does not reach a bare property": (r"(?i)\p{Lu}", "aA", ["A"]),
    "it reaches one in a class": (r"(?i)[\p{Lu}]+", "aA", ["aA"]),
}


@pytest.mark.parametrize(("pattern", "text", "matches"), RULES.values(), ids=RULES)
def test_rule(pattern: str, text: str, matches: list[str]) -> None:
    assert [text[start:end] for start, end in reference.spans(pattern, text)] == matches
    assert [text[start:end] for start, end in compile_pattern(pattern).spans(text)] == matches


EMPTY = {
    "dropped where the last match ended": ("a*", "abaab", [(0, 1), (2, 4), (5, 5)]),
    "kept elsewhere": ("a|(?=c)", "abcabc", [(0, 1), (2, 2), (3, 4), (5, 5)]),
    "first choice empty": ("|a", "aa", [(0, 0), (1, 1), (2, 2)]),
    "no line starts after the last newline": ("^", "a\nb\n", [(0, 0), (2, 2)]),
    "a line ends there": ("$", "a\nb\n", [(1, 1), (3, 3), (4, 4)]),
    "before the last newline": (r"\Z", "a\n\n", [(2, 2), (3, 3)]),
    "the search starts at the last match": (r"\Ga", "aaba", [(0, 1), (1, 2)]),
    "nothing in an empty text": ("a*", "", []),
}


@pytest.mark.parametrize(("pattern", "text", "spans"), EMPTY.values(), ids=EMPTY)
def test_empty_match(pattern: str, text: str, spans: list[tuple[int, int]]) -> None:
    assert reference.spans(pattern, text) == spans
    assert compile_pattern(pattern).spans(text) == spans


def test_a_literal_is_matched_as_it_stands() -> None:
    assert literal_pattern("a.[\\d]{2}(?i)^$").spans("xa.[\\d]{2}(?i)^$") == [(1, 16)]


def test_newer_characters_are_matched_by_literals_and_ranges_but_by_no_property() -> None:
    newer = "\U00018d80"
    assert compile_pattern(newer).spans(newer) == compile_pattern("[\U00018d00-\U00018dff]").spans(newer) == [(0, 1)]
    assert compile_pattern(r"[\p{L}\w\p{So}]").spans(newer) == []
    assert compile_pattern(r"[^\p{L}]").spans(newer) == compile_pattern(r"\p{Cn}").spans(newer) == [(0, 1)]


def test_common_patterns_run_as_they_are_written() -> None:
    source = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+(?!\S)|\s+"
    plain = compile_pattern(source).engine_for("Olá 🚀").pattern
    assert plain == source.replace(r"\r\n", "\r\n")
