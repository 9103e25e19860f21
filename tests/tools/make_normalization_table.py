"""Writes tokcore/unicode_data/normalization.py: python tests/tools/make_normalization_table.py (needs unicodedata2)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from tokenizers import normalizers

# Imported late: the tests collect this file where the package may be absent.
NEWEST = "unicodedata2"
TARGET = Path(__file__).parents[2] / "tokcore" / "unicode_data" / "normalization.py"
HEADER = '''\
"""Characters that the reference's normalization forms leave alone, whatever newer Unicode makes of them.

>>> sum(last - first + 1 for first, last in INERT)
{count}

The reference knows no decomposition, no combining class and no composition for these: they stay as they are, and no
mark moves or composes across them. All else is the same in every Unicode since the reference's (stability policy).
Made by tests/tools/make_normalization_table.py from tokenizers {tokenizers} and unicodedata2 {unicodedata2}.
"""

# (first, last), both included.
INERT = (
{lines}
)
'''

REFERENCE = {form: getattr(normalizers, form)().normalize_str for form in ("NFC", "NFD", "NFKC", "NFKD")}
LOWEST_CLASS, HIGHEST_CLASS = "\u0334", "\u0345"  # combining classes 1 and 240


def characters() -> Iterator[str]:
    """Every Unicode scalar value."""
    return (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


def compositions() -> dict[str, str]:
    """Pair → composite, of the newest Unicode; Hangul, which is arithmetic, aside."""
    unicode = import_module(NEWEST)
    pairs = {}
    for character in characters():
        parts = unicode.decomposition(character).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)
            if unicode.normalize("NFC", pair) == character:
                pairs[pair] = character
    return pairs


def is_kept(text: str) -> bool:
    return all(normalize(text) == text for normalize in REFERENCE.values())


def is_inert_in_reference(character: str) -> bool:
    """Kept when alone, not moved before a mark of the highest class nor after one of the lowest."""
    return is_kept(character) and is_kept(HIGHEST_CLASS + character) and is_kept(character + LOWEST_CLASS)


def inert_characters() -> list[str]:
    """Characters that newest Unicode decomposes, reorders or composes and the reference does not."""
    unicode = import_module(NEWEST)
    pairs = compositions()
    composing = set("".join(pairs))
    composing_in_reference = set("".join(pair for pair, whole in pairs.items() if REFERENCE["NFC"](pair) == whole))
    return [
        character
        for character in characters()
        if unicode.combining(character) or unicode.decomposition(character) or character in composing
        if character not in composing_in_reference and is_inert_in_reference(character)
    ]


def ranges(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers, in order, as (first, last).

    >>> ranges([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for code in codes:
        first = found.pop()[0] if found and found[-1][1] == code - 1 else code
        found.append((first, code))
    return found


def source() -> str:
    inert = inert_characters()
    lines = [f"    (0x{first:04X}, 0x{last:04X})," for first, last in ranges(map(ord, inert))]
    return HEADER.format(
        count=len(inert),
        tokenizers=version("tokenizers"),
        unicodedata2=version(NEWEST),
        lines="\n".join(lines),
    )


def is_current() -> bool:
    """Whether the table was made from the packages that are installed here."""
    return f"tokenizers {version('tokenizers')} and {NEWEST} {version(NEWEST)}." in TARGET.read_text(encoding="utf-8")


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8")
    sys.stdout.write(f"{TARGET} written\n")
