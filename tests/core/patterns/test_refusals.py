"""What is refused, and how the error says it."""

from __future__ import annotations

import random

import pytest

from tests.core.patterns import onig_reference as reference
from tokcore.errors import PatternError
from tokcore.patterns import compile_pattern
from tokcore.patterns.cursor import MAX_DEPTH, MAX_LENGTH

# Pattern, what the error names, the character it stands at; these do not compile in the reference either.
WRONG = {
    "open group": ("a(b", "a group without its ')'", 1),
    "closing parenthesis": ("ab)", "a ) that closes nothing", 2),
    "open class": ("a[b", "a class without its ']'", 1),
    "empty class": ("a[]", "an empty class", 1),
    "swapped range": ("[b-a]", "a range with its ends swapped", 2),
    "range to a set": (r"[a-\d]", "a range that ends in a set", 2),
    "range from a set": (r"[\d-a]", "a range that starts with a set", 1),
    "star first": ("a|*", "* with nothing before it to repeat", 2),
    "interval first": ("{2}", "a repetition with nothing before it", 0),
    "repeated anchor": ("a^*", "a repetition of an anchor or look-around", 1),
    "count": ("a{100001}", "a repetition count above 100000", 0),
    "property": (r"a\p{Foo}", "the property 'Foo'", 1),
    "newer script": (r"\p{Sidetic}", "the property 'Sidetic'", 0),
    "bracket": ("[[:foo:]]", "the bracket [:foo:]", 1),
    "option": ("(?s)a", "'(?s'", 0),
    "python group": ("(?P<n>a)", "'(?P'", 0),
    "group number": (r"(a)\2", "a reference to group 2", 3),
    "group name": (r"\k<x>", "a reference to 'x'", 0),
    "last backslash": ("a\\", "a backslash that ends the pattern", 1),
    "short \\u": (r"\u12", "\\u without four hexadecimal digits", 0),
    "half a character": (r"a\xc3", "escaped bytes that are not one UTF-8 character", 1),
    "capture in a negative look-behind": ("(?<!(a))b", "a capturing group inside the look-behind", 0),
    "text end in a look-behind": (r"x(?<=a\z)", "\\z inside the look-behind", 1),
}
# These compile there and have no exact translation here.
UNTRANSLATED = {
    "absent": ("a(?~b)", "'(?~'", 1),
    "call": (r"(?<x>a\g<x>?b)", "\\g (a call of a group)", 6),
    "grapheme": (r"a\X", "\\X (a grapheme cluster)", 1),
    "segment": (r"\y", "\\y", 0),
    "callout": ("(*FAIL)", "(* (a callout)", 0),
    "ascii words": (r"(?W)\w", "'(?W'", 0),
    "surrogate": (r"\x{d800}", "U+D800", 0),
    "reference under (?i)": (r"(?i)(s)\1", "a reference under (?i)", 7),
    "word edge in a look-behind": (r"(?<=\ba)b", "\\b inside the look-behind", 0),
    "several letters in a look-behind": ("(?<=(?i:ss))a", "a letter that (?i) makes equal to several", 0),
    "atomic in a look-behind": ("(?<=(?>a|ab)b)c", "an atomic group inside the look-behind", 0),
    "changed property": (r"\p{Diacritic}", "the property 'Diacritic'", 0),
}


@pytest.mark.parametrize(
    ("pattern", "what", "at"), [*WRONG.values(), *UNTRANSLATED.values()], ids=[*WRONG, *UNTRANSLATED]
)
def test_error_names_the_construct_and_its_place(pattern: str, what: str, at: int) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern, "/pre_tokenizer/pattern/Regex")
    assert caught.value.where == "/pre_tokenizer/pattern/Regex"
    assert what in caught.value.what
    assert caught.value.what.endswith(f"at character {at}")
    assert caught.value.remedy


@pytest.mark.parametrize("pattern", [row[0] for row in WRONG.values()], ids=WRONG)
def test_the_reference_refuses_it_too(pattern: str) -> None:
    assert not reference.compiles(pattern)


@pytest.mark.parametrize("pattern", [row[0] for row in UNTRANSLATED.values()], ids=UNTRANSLATED)
def test_the_reference_takes_it(pattern: str) -> None:
    assert reference.compiles(pattern)


@pytest.mark.parametrize("opening", ["(", "(?:", "(?=", "(?>", "[a", "(?i:", "(?i)(", "(?<=a|", "(a|"])
@pytest.mark.parametrize("depth", [50, MAX_DEPTH, MAX_DEPTH + 1, 2_000])
def test_depth_is_bounded(opening: str, depth: int) -> None:
    close = "]" if opening == "[a" else ")"
    pattern = opening * depth + "a" + close * depth
    try:
        compile_pattern(pattern)
    except PatternError as error:
        assert depth > 50 or "look-behind" in error.what
        assert "nesting" in error.what or "look-behind" in error.what
    else:
        assert depth <= MAX_DEPTH


def test_length_is_bounded() -> None:
    compile_pattern("a" * MAX_LENGTH)
    with pytest.raises(PatternError, match=f"more than {MAX_LENGTH} characters"):
        compile_pattern("a" * (MAX_LENGTH + 1))


def test_a_translation_that_grows_too_long_is_refused() -> None:
    with pytest.raises(PatternError, match="its translation has more than"):
        compile_pattern(r"(?i)" + r"[\p{L}]" * 1_000)


ALPHABET = [
    *"ab1-^$|?*+(){}[]\\.,:<>=!#&~'",
    "(?",
    "(?<",
    "(?i",
    "[:alpha:]",
    r"\p{",
    "L}",
    "{2,",
    "&&",
    r"\x",
    r"\k<",
    "é",
    "\x00",
]


@pytest.mark.parametrize("seed", range(20))
def test_any_string_compiles_or_is_refused(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        pattern = "".join(chance.choices(ALPHABET, k=chance.randint(1, 12)))
        try:
            compile_pattern(pattern).spans("ab1-\n")
        except PatternError:
            continue
        assert reference.compiles(pattern), pattern
