r"""Bracketed classes: [a-z], [^...], [[:alpha:]], nested classes, && intersections."""

from __future__ import annotations

from dataclasses import replace

from tokcore.patterns.cursor import Cursor
from tokcore.patterns.escapes import read_escape
from tokcore.patterns.properties import bracket_set, is_word
from tokcore.patterns.tree import CharSet, Complement, Intersection, Property, Span, Union


def read_class(cursor: Cursor, at: int) -> CharSet:
    r"""The set of a class that starts at `at`; the cursor is just past its opening bracket.

    >>> read_class(Cursor("^a-c&&b]", ""), 0)
    Complement(inner=Intersection(parts=(Union(parts=(Span(low=97, high=99),)), Union(parts=(Span(low=98, high=98),)))))

    Law: && binds less than standing side by side, and ^ less than &&.
    """
    cursor.enter(at)
    negated = cursor.take("^")
    operands: list[CharSet] = []
    parts: list[CharSet] = []
    if cursor.peek() == "]":
        # A bracket that closes at once is a character, provided that another one closes the class.
        if not _closes_later(cursor):
            cursor.refuse("an empty class", at, "write \\] for a bracket")
        cursor.next()
        _read_range(cursor, ord("]"), parts)
    while not cursor.take("]"):
        if cursor.take("&&"):
            operands.append(Union(tuple(parts)))
            parts = []
            continue
        _read_item(cursor, at, parts)
    whole = Union(tuple(parts))
    result: CharSet = Intersection((*operands, whole)) if operands else whole
    cursor.leave()
    return Complement(result) if negated else result


def _closes_later(cursor: Cursor) -> bool:
    rest = cursor.source[cursor.at + 1 :]
    escaped = False
    for character in rest:
        if character == "]" and not escaped:
            return True
        escaped = character == "\\" and not escaped
    return False


def _read_item(cursor: Cursor, class_at: int, parts: list[CharSet]) -> None:
    at = cursor.at
    character = cursor.next()
    if character == "":
        cursor.refuse("a class without its ']'", class_at, "close it, or write \\[ for a bracket")
    if character == "[":
        bracket = _read_bracket(cursor, at)
        if bracket is not None:
            parts.append(bracket)
            _forbid_range(cursor, at)
        else:
            parts.append(read_class(cursor, at))
            if cursor.peek() == "-":
                cursor.next()
                parts.append(Span(ord("-"), ord("-")))
        return
    found = _read_character(cursor, character)
    if isinstance(found, int):
        _read_range(cursor, found, parts)
    else:
        parts.append(found)
        _forbid_range(cursor, at)


def _read_bracket(cursor: Cursor, at: int) -> CharSet | None:
    if cursor.peek() != ":":
        return None
    # It is a named bracket where :] comes before any other closing one.
    close = cursor.source.find("]", cursor.at)
    if close < 0 or cursor.source[close - 1] != ":" or close - 1 == cursor.at:
        return None
    name = cursor.source[cursor.at + 1 : close - 1]
    cursor.at = close + 1
    negated = name.startswith("^")
    return bracket_set(cursor, name.removeprefix("^"), negated, at)


def _read_character(cursor: Cursor, character: str) -> int | CharSet:
    if character != "\\":
        return ord(character)
    if cursor.take("b"):
        return 0x08
    if cursor.peek() in ("8", "9"):
        return ord(cursor.next())
    found = read_escape(cursor)
    # In a class the reference takes word characters from another table than outside: that of [[:word:]].
    return replace(found, name="[:word:]") if isinstance(found, Property) and is_word(found.name) else found


def _read_range(cursor: Cursor, low: int, parts: list[CharSet]) -> None:
    at = cursor.at
    high = low
    if cursor.peek() == "-" and cursor.peek(2) != "-]" and cursor.peek(3) != "-&&":
        cursor.next()
        character = cursor.next()
        if character == "[":
            cursor.refuse("a range that ends in a class", at, "write \\- for a hyphen or \\[ for a bracket")
        if character == "":
            cursor.refuse("a class without its ']'", at, "close it, or write \\[ for a bracket")
        found = _read_character(cursor, character)
        if not isinstance(found, int):
            cursor.refuse("a range that ends in a set", at, "write \\- for a hyphen")
        high = found
        if low > high:
            cursor.refuse("a range with its ends swapped", at, "put the lower character first")
    parts.append(Span(low, high))
    if at != cursor.at and cursor.peek() == "-":
        # After a range a hyphen stands for itself.
        cursor.next()
        parts.append(Span(ord("-"), ord("-")))
        if cursor.peek() == "-" and cursor.peek(2) != "-]":
            cursor.refuse("two hyphens after a range", cursor.at, "write \\- for a hyphen")


def _forbid_range(cursor: Cursor, at: int) -> None:
    if cursor.peek() == "-" and cursor.peek(2) != "-]":
        cursor.refuse("a range that starts with a set", at, "write \\- for a hyphen")
