"""Writes three tables of tokcore/unicode_data: python3.11 tests/tools/make_normalizer_tables.py.

What the reference's normalizers take for a mark, a control character, an upper-case letter, a grapheme cluster. Python
must be the oldest that the project supports: the tables hold what that one does not know.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

import regex
from tokenizers import normalizers

FOLDER = Path(__file__).parents[2] / "tokcore" / "unicode_data"
MADE = "Made by tests/tools/make_normalizer_tables.py from tokenizers {tokenizers}{and_regex}."
LINE = 116

CATEGORIES = '''\
"""Characters that the reference's normalizers leave out, each set as the inside of a character class.

MARKS: StripAccents. NONSPACING_MARKS and CONTROLS: BertNormalizer, whose Unicode is older.
{made}
"""
'''
LOWERCASE = '''\
"""Letters on whose lower case Python and the reference may differ.

PAIRS: (first, last, distance to the lower case), which an older Python does not know. KEPT: the inside of a character
class of letters that a newer Python lowers and the reference does not.
{made}
"""
'''
GRAPHEMES = '''\
"""What the reference's grapheme clusters are made of, each set as the inside of a character class.

The names are those of the Unicode property values, of Grapheme_Cluster_Break; CONSONANT and LINKER of
Indic_Conjunct_Break.
{made}
"""
'''


@cache
def characters() -> tuple[str, ...]:
    """Every Unicode scalar value."""
    return tuple(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


def spell(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def ranges(found: Iterable[str]) -> list[tuple[str, str]]:
    """Neighbouring characters as (first, last).

    >>> ranges("abcx")
    [('a', 'c'), ('x', 'x')]
    """
    result: list[tuple[str, str]] = []
    for character in sorted(found):
        first = result.pop()[0] if result and ord(result[-1][1]) == ord(character) - 1 else character
        result.append((first, character))
    return result


def lines(found: Iterable[str]) -> Iterator[str]:
    """A character class in pieces of one line each."""
    line = ""
    for first, last in ranges(found):
        part = spell(first) + (f"-{spell(last)}" if last > first else "")
        if len(line) + len(part) > LINE - 6:
            yield line
            line = ""
        line += part
    yield line


def assignment(name: str, found: Iterable[str]) -> str:
    parts = [f'"{line}"' for line in lines(found)]
    if len(parts) == 1:
        return f"{name} = {parts[0]}\n"
    return f"{name} = (\n" + "".join(f"    {part}\n" for part in parts) + ")\n"


def outcomes(normalize: Callable[[str], str]) -> dict[str, str]:
    """What each character becomes by itself: all at once, between zeros, which nothing joins or makes."""
    others = [character for character in characters() if character != "0"]
    return dict(zip(others, normalize("0".join(others)).split("0"), strict=True))


def removed(normalize: Callable[[str], str]) -> list[str]:
    return [character for character, new in outcomes(normalize).items() if not new]


def bert(**options: bool) -> Callable[[str], str]:
    flags = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)
    normalizer: Callable[[str], str] = normalizers.BertNormalizer(**{**flags, **options}).normalize_str
    return normalizer


def categories() -> str:
    sets = {
        "MARKS": normalizers.StripAccents().normalize_str,
        "NONSPACING_MARKS": bert(strip_accents=True),
        "CONTROLS": bert(clean_text=True),
    }
    return CATEGORIES.format(made=made()) + "\n" + "".join(assignment(name, removed(by)) for name, by in sets.items())


# ---- lower case


def lowercase() -> str:
    """Where the oldest Python that may run, the reference, and the newest Unicode (by way of `regex`) differ."""
    newest = set(regex.findall(r"\p{Changes_When_Lowercased}", "".join(characters())))
    lower = outcomes(normalizers.Lowercase().normalize_str)
    newer = {c: new for c, new in lower.items() if not (new == c.lower() and (new != c) == (c in newest))}
    pairs: list[tuple[int, int, int]] = []
    for code, target in ((ord(c), ord(new)) for c, new in newer.items() if new != c):
        first = pairs.pop()[0] if pairs and pairs[-1][1:] == (code - 1, target - code) else code
        pairs.append((first, code, target - code))
    rows = "".join(f"    (0x{first:04X}, 0x{last:04X}, {distance}),\n" for first, last, distance in pairs)
    kept = assignment("KEPT", (c for c, new in newer.items() if new == c))
    return f"{LOWERCASE.format(made=made(with_regex=True))}\nPAIRS = (\n{rows})\n{kept}"


# ---- grapheme clusters


SEPARATOR = "\1"  # A control character joins nothing, on either side.


@cache
def clusters() -> Callable[[str], str]:
    """Writes X for every grapheme cluster below six bytes, and for every character of a longer one; keeps separators.

    A charsmap whose keys are all the single bytes but NUL: any text begins with one of them.
    """
    base, leaf = 256, 512
    units = [base << 10] + [0] * 1023
    for byte in range(1, 256):
        place = leaf + (chr(byte) == SEPARATOR)
        units[base ^ byte] = byte | 1 << 8 | (base ^ byte ^ place) << 10
    units[leaf : leaf + 2] = 1 << 31, 1 << 31 | 2
    charsmap = struct.pack("<1025I", len(units) * 4, *units) + f"X\0{SEPARATOR}\0".encode()
    normalizer: Callable[[str], str] = normalizers.Precompiled(charsmap).normalize_str
    return normalizer


@cache
def assigned_planes() -> tuple[str, ...]:
    """Planes 4 to 13 are empty, 15 and 16 private: no character there has a property."""
    return tuple(c for c in characters() if c < "\U00040000" or "\U000e0000" <= c < "\U000f0000")


def making(count: int, context: str, among: Iterable[str] | None = None) -> set[str]:
    """The characters that in this context, in place of {}, make so many X."""
    tried = [c for c in (assigned_planes() if among is None else among) if c != SEPARATOR]
    results = clusters()(SEPARATOR.join(map(context.format, tried))).split(SEPARATOR)
    found = {c for c, result in zip(tried, results, strict=True) if len(result) == count}
    return found | {SEPARATOR} if "\2" in found else found


PREPEND, ZWJ, ACUTE, KA, VIRAMA = "\u0600", "\u200d", "\u0301", "\u0915", "\u094d"


def graphemes() -> str:
    """Told by contexts in which a text is below six bytes long, one X, only if it is one cluster."""
    extending = making(1, "a{}")
    extend = making(5, f"©{{}}{ZWJ}©{ACUTE}", extending - {ZWJ})
    plain = set(assigned_planes()) - extending - {"\0"}
    near = {c for c in characters() if c < "\U00010000"}
    beside = {before: plain - making(2, f"{PREPEND}{before}{{}}", plain) for before in ("\u1100", "가", "각")}
    hangul_l, hangul_v, hangul_t = beside.values()
    sets = {
        "CONTROL": (near - making(1, f"{{}}{ACUTE}", near)) | making(2, f"{PREPEND}{PREPEND}{{}}", plain - near),
        "PREPEND": making(1, "{}a"),
        "EXTEND": extend,
        "SPACING_MARK": extending - extend - {ZWJ},
        "EXTENDED_PICTOGRAPHIC": plain - making(2, f"©{ZWJ}{{}}", plain),
        "CONSONANT": making(4, f"{{}}{VIRAMA}{KA}{ACUTE}", plain),
        "LINKER": making(4, f"{KA}{{}}{KA}{ACUTE}", extend),
        "HANGUL_L": {c for c in hangul_l - hangul_v - hangul_t if not "가" <= c <= "힣"},
        "HANGUL_V": hangul_v - hangul_t,
        "HANGUL_T": hangul_t,
    }
    return GRAPHEMES.format(made=made()) + "\n" + "".join(assignment(*item) for item in sets.items())


def made(with_regex: bool = False) -> str:
    and_regex = f" and regex {version('regex')}" if with_regex else ""
    return MADE.format(tokenizers=version("tokenizers"), and_regex=and_regex)


TABLES = {"categories": categories, "graphemes": graphemes, "lowercase": lowercase}


if __name__ == "__main__":
    for name, source in TABLES.items():
        (FOLDER / f"{name}.py").write_text(source(), encoding="utf-8")
        sys.stdout.write(f"{FOLDER / name}.py written\n")
