r"""Sets of characters: their algebra, their spelling in a pattern, their UTF-8 bytes.

>>> spell(difference(ALL, of("a-z")))
'[^a-z]'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# Sorted, disjoint, not touching; both ends included; Unicode scalar values only.
Ranges = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
ALL: Ranges = ((0, 0xD7FF), (0xE000, LAST))
NONE: Ranges = ()

# Characters with a meaning in Python's, Rust's or ECMAScript's patterns.
_META = frozenset("\\.*+?()[]{}|^$")
_META_IN_CLASS = frozenset("\\[]^-&~|")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def ranges(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """Pairs in any order as sorted, joined ranges without surrogates.

    >>> ranges([(98, 99), (97, 97), (0xD700, 0xE000)])
    ((97, 99), (55040, 55295), (57344, 57344))
    """
    joined: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if low > high:
            continue
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return tuple(part for low, high in joined for part in _without_surrogates(low, high))


def _without_surrogates(low: int, high: int) -> Iterator[tuple[int, int]]:
    if low <= min(high, 0xD7FF):
        yield low, min(high, 0xD7FF)
    if max(low, 0xE000) <= high:
        yield max(low, 0xE000), high


def of(text: str) -> Ranges:
    """The set of the characters of a text, `a-z` standing for a range, a hyphen at the end for itself.

    >>> of("a-c_-")
    ((45, 45), (95, 95), (97, 99))
    """
    pairs, at = [], 0
    while at < len(text):
        wide = text[at + 1 : at + 2] == "-" and at + 2 < len(text)
        pairs.append((ord(text[at]), ord(text[at + 2 if wide else at])))
        at += 3 if wide else 1
    return ranges(pairs)


def union(*sets: Ranges) -> Ranges:
    return ranges(pair for each in sets for pair in each)


def complement(members: Ranges) -> Ranges:
    """All other characters.

    >>> complement(complement(of("a-z"))) == of("a-z")
    True
    """
    pairs, at = [], 0
    for low, high in members:
        pairs.append((at, low - 1))
        at = high + 1
    return ranges([*pairs, (at, LAST)])


def intersection(first: Ranges, second: Ranges) -> Ranges:
    """Characters of both, found in one pass over the two.

    >>> intersection(of("a-m"), of("k-z"))
    ((107, 109),)
    """
    pairs, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        low, high = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if low <= high:
            pairs.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return tuple(pairs)


def difference(first: Ranges, second: Ranges) -> Ranges:
    return intersection(first, complement(second))


# ---- spelling


def spell_literal(text: str) -> str:
    r"""A text as a pattern that matches it alone.

    >>> spell_literal('{"a.b"}\n')
    '\\{"a\\.b"\\}\\n'
    """
    return "".join(_spell(character, _META) for character in text)


def spell(members: Ranges) -> str:
    r"""One character of the set as a pattern, by its members or by what is not in it.

    >>> spell(of("a")), spell(of("0-9]")), spell(complement(of('"')))
    ('a', '[0-9\\]]', '[^"]')
    """
    if len(members) == 1 and members[0][0] == members[0][1]:
        return spell_literal(chr(members[0][0]))
    others = complement(members)
    by_others = others and members[-1][1] == LAST and len(others) <= len(members)
    return _class(others, "^") if by_others else _class(members, "")


def _class(members: Ranges, sign: str) -> str:
    # A range over the surrogates' gap is one range: no text holds them.
    closed = _over_the_gap(members)
    return f"[{sign}{''.join(map(_spell_range, closed))}]"


def _over_the_gap(members: Ranges) -> list[tuple[int, int]]:
    closed: list[tuple[int, int]] = []
    for low, high in members:
        if closed and closed[-1][1] == 0xD7FF and low == 0xE000:
            closed[-1] = (closed[-1][0], high)
        else:
            closed.append((low, high))
    return closed


def _spell_range(pair: tuple[int, int]) -> str:
    low, high = (_spell(chr(code), _META_IN_CLASS) for code in pair)
    if pair[0] == pair[1]:
        return low
    return low + high if pair[0] + 1 == pair[1] else f"{low}-{high}"


def _spell(character: str, meta: frozenset[str]) -> str:
    if character in meta:
        return "\\" + character
    if character in _NAMED:
        return _NAMED[character]
    if character < " " or character == "\x7f":
        return f"\\x{ord(character):02x}"
    return character


# ---- bytes

_FIRST_OF_LENGTH = (0x00, 0x80, 0x800, 0x10000)
_LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF, LAST)

ByteRange = tuple[int, int]


def utf8_sequences(members: Ranges) -> Iterator[tuple[ByteRange, ...]]:
    """The set as sequences of byte ranges: a character is in it if and only if its bytes are in one of them.

    >>> list(utf8_sequences(((0x61, 0x7A), (0xE9, 0xE9), (0x1F600, 0x1F63F))))
    [((97, 122),), ((195, 195), (169, 169)), ((240, 240), (159, 159), (152, 152), (128, 191))]
    """
    for low, high in members:
        for first, last in zip(_FIRST_OF_LENGTH, _LAST_OF_LENGTH, strict=True):
            start, end = max(low, first), min(high, last)
            if start <= end:
                yield from _sequences(chr(start).encode(), chr(end).encode())


def _sequences(low: bytes, high: bytes) -> Iterator[tuple[ByteRange, ...]]:
    """Byte ranges between two characters of one length: cut so that each byte's range does not depend on the others."""
    if len(low) == 1:
        yield ((low[0], high[0]),)
        return
    least, most = b"\x80" * (len(low) - 1), b"\xbf" * (len(low) - 1)
    if low[0] == high[0]:
        yield from (((low[0], low[0]), *rest) for rest in _sequences(low[1:], high[1:]))
        return
    start, end = low[0], high[0]
    if low[1:] != least:
        yield from (((start, start), *rest) for rest in _sequences(low[1:], most))
        start += 1
    whole_end = end if high[1:] == most else end - 1
    if start <= whole_end:
        yield ((start, whole_end), *(((0x80, 0xBF),) * (len(low) - 1)))
    if whole_end < end:
        yield from (((end, end), *rest) for rest in _sequences(least, high[1:]))
