r"""Named sets of characters as the reference knows them (Unicode 16), spelled for the `regex` package."""

from __future__ import annotations

import re
from functools import cache

from tokcore.patterns.cursor import Cursor
from tokcore.patterns.newer import ADDED, ASIS, CHANGED, CUT, NEWER
from tokcore.patterns.tree import Property

# The reference counts these six as word characters in a bare \w or \p{Word} and at \b, but not inside a class;
# `regex` never does.
WORD_FRACTIONS = "\xb2\xb3\xb9\xbc\xbd\xbe"
# `regex` counts the zero-width non-joiner and joiner as word characters; the reference does not.
JOINERS = "\u200c\u200d"

_HEX = "0-9A-Fa-f"
# Name → spelling inside a class, for texts without any character that needs the strict one.
_PLAIN = {
    "\\w": "\\w",
    "\\s": "\\s",
    "\\d": "\\d",
    "\\h": _HEX,
    "WORD": "\\w",
    "XDIGIT": _HEX,
    "[:word:]": "\\w",
    # The reference's bracket counts symbols too, its \p{Punct} does not.
    "[:punct:]": "\\p{P}\\p{S}",
}
_WORDS = {"\\w", "WORD", "[:word:]"}
_BRACKETS = ("alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "space", "upper")


def ranges_text(ranges: tuple[tuple[int, int], ...]) -> str:
    """The inside of a character class for ranges of code points above ASCII.

    >>> ranges_text(((0x370, 0x373), (0x37A, 0x37A)))
    'Ͱ-ͳͺ'
    """
    return "".join(chr(low) if low == high else f"{chr(low)}-{chr(high)}" for low, high in ranges)


NEWER_TEXT = ranges_text(NEWER)


@cache
def _names() -> frozenset[str]:
    return frozenset(f"{CUT} {ADDED} {ASIS} XDIGIT WORD".split())


def property_set(cursor: Cursor, written: str, negated: bool, at: int) -> Property:
    r"""The set of \p{written}; spaces, hyphens, underscores and case do not count.

    >>> property_set(Cursor("", ""), "uppercase letter", False, 0)
    Property(name='UPPERCASELETTER', negated=False)
    """
    name = re.sub("[ _-]", "", written).upper()
    if not name.isascii() or name not in _names():
        remedy = "use a general category, a script or a POSIX name, or write the ranges out"
        cursor.refuse(f"the property {written!r}, which is not known or has no exact translation,", at, remedy)
    return Property(name, negated)


def bracket_set(cursor: Cursor, name: str, negated: bool, at: int) -> Property:
    """The set of [:name:] in a class.

    >>> bracket_set(Cursor("", ""), "punct", True, 0)
    Property(name='[:punct:]', negated=True)
    """
    if name == "xdigit":
        return Property("XDIGIT", negated)
    if name in ("punct", "word"):
        return Property(f"[:{name}:]", negated)
    if name not in _BRACKETS:
        cursor.refuse(f"the bracket [:{name}:], which is not known,", at, "use [:alpha:], [:digit:], [:space:] ...")
    return Property(name.upper(), negated)


def is_word(name: str) -> bool:
    """Whether the property asks for word characters, whose odd ones need the strict spelling."""
    return name in _WORDS


@cache
def spell(name: str, negated: bool, strict: bool) -> str:
    r"""The property as an item for the inside of a `regex` character class.

    >>> spell("LU", False, False), spell("LU", True, False), spell("[:punct:]", True, False)
    ('\\p{LU}', '\\P{LU}', '[^\\p{P}\\p{S}]')
    """
    inside = _strict(name) if strict else _PLAIN.get(name, f"\\p{{{name}}}")
    if not negated:
        return inside
    if re.fullmatch(r"\\[a-z]|\\p\{[^}]*\}", inside):
        return inside[:1] + inside[1].upper() + inside[2:]
    return f"[^{inside}]"


def _strict(name: str) -> str:
    plain = _PLAIN.get(name, f"\\p{{{name}}}")
    if plain == _HEX or name in ASIS.split():
        return plain
    if name in _WORDS:
        more = "" if name == "[:word:]" else WORD_FRACTIONS
        less = WORD_FRACTIONS if name == "[:word:]" else ""
        return f"[[\\w{more}]--[{less}{JOINERS}{NEWER_TEXT}]]"
    if name in ADDED.split():
        return f"{plain}{NEWER_TEXT}"
    more, less = CHANGED.get(name, ("", ""))
    return f"[[{plain}{more}]--[{less}{NEWER_TEXT}]]"
