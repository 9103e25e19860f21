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

The names are those of the Unicode property values, of Grapheme_Cluster_Break where nothing else is said. CONSONANT and
LINKER are of Indic_Conjunct_Break and hold characters of the first plane only: others make no cluster below six bytes.
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


def chosen(condition: Callable[[str], bool]) -> list[str]:
    return list(filter(condition, characters()))


def bert(**options: bool) -> Callable[[str], str]:
    flags = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)
    normalizer: Callable[[str], str] = normalizers.BertNormalizer(**{**flags, **options}).normalize_str
    return normalizer


def categories() -> str:
    strip_accents = normalizers.StripAccents().normalize_str
    clean, nonspacing = bert(clean_text=True), bert(strip_accents=True)
    return (
        CATEGORIES.format(made=made())
        + "\n"
        + assignment("MARKS", chosen(lambda c: not strip_accents(c)))
        + assignment("NONSPACING_MARKS", chosen(lambda c: not nonspacing(c)))
        + assignment("CONTROLS", chosen(lambda c: not clean(c)))
    )


# ---- lower case


def lowercase() -> str:
    """Where the oldest Python that may run, the reference, and the newest Unicode (by way of `regex`) differ."""
    lower = normalizers.Lowercase().normalize_str
    newest = regex.compile(r"\p{Changes_When_Lowercased}")
    newer = chosen(lambda c: not (lower(c) == c.lower() and (c.lower() != c) == (newest.match(c) is not None)))
    pairs: list[tuple[int, int, int]] = []
    for code, target in ((ord(c), ord(lower(c))) for c in newer if lower(c) != c):
        first = pairs.pop()[0] if pairs and pairs[-1][1:] == (code - 1, target - code) else code
        pairs.append((first, code, target - code))
    rows = "".join(f"    (0x{first:04X}, 0x{last:04X}, {distance}),\n" for first, last, distance in pairs)
    kept = assignment("KEPT", (c for c in newer if lower(c) == c))
    return f"{LOWERCASE.format(made=made(with_regex=True))}\nPAIRS = (\n{rows})\n{kept}"


# ---- grapheme clusters


@cache
def clusters() -> Callable[[str], str]:
    """Writes X for every grapheme cluster below six bytes, and for every character of a longer one.

    A charsmap whose keys are all the single bytes but NUL: any text begins with one of them.
    """
    base, leaf = 256, 512
    units = [base << 10] + [0] * 1023
    for byte in range(1, 256):
        units[base ^ byte] = byte | 1 << 8 | (base ^ byte ^ leaf) << 10
    units[leaf] = 1 << 31
    charsmap = struct.pack("<1025I", len(units) * 4, *units) + b"X\0"
    normalizer: Callable[[str], str] = normalizers.Precompiled(charsmap).normalize_str
    return normalizer


def joined(text: str, longest: int) -> bool:
    """Whether the reference makes fewer clusters of the text than of its characters, told by how many X there are."""
    return len(clusters()(text)) == longest


PREPEND, COPYRIGHT, ZWJ, ACUTE, KA, VIRAMA = "\u0600", "©", "\u200d", "\u0301", "\u0915", "\u094d"


def graphemes() -> str:
    extending = chosen(lambda c: joined(f"a{c}", 1))
    extend = [c for c in extending if c != ZWJ and joined(f"{COPYRIGHT}{c}{ZWJ}{COPYRIGHT}{ACUTE}", 5)]
    plain = set(characters()) - set(extending) - {"\0"}
    hangul = {
        name: {c for c in plain if not joined(f"{PREPEND}{before}{c}", 2)}
        for name, before in (("L", "\u1100"), ("V", "가"), ("T", "각"))
    }
    syllables = {c for c in hangul["L"] if "가" <= c <= "힣"}
    first_plane = [c for c in plain if c < "\U00010000"]
    consonants = [c for c in first_plane if joined(f"{c}{VIRAMA}{KA}{ACUTE}", 4)]
    sets = {
        "CONTROL": chosen(lambda c: len(c.encode()) < 4 and not joined(f"{c}{ACUTE}", 1)),
        "PREPEND": chosen(lambda c: joined(f"{c}a", 1)),
        "EXTEND": extend,
        "SPACING_MARK": set(extending) - set(extend) - {ZWJ},
        "EXTENDED_PICTOGRAPHIC": [c for c in plain if not joined(f"{COPYRIGHT}{ZWJ}{c}", 2)],
        "CONSONANT": consonants,
        "LINKER": [c for c in extend if c < "\U00010000" and joined(f"{KA}{c}{KA}{ACUTE}", 4)],
        "HANGUL_L": hangul["L"] - syllables - hangul["V"] - hangul["T"],
        "HANGUL_V": hangul["V"] - hangul["T"],
        "HANGUL_T": hangul["T"],
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
