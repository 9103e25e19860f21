r"""Repetitions: * + ? {n,m}, their suffixes, and one after another."""

from __future__ import annotations

import re
from collections.abc import Callable

from tokcore.patterns.cursor import Cursor
from tokcore.patterns.tree import Greed, Node, Repeat, is_zero_width

MAX_COUNT = 100_000
_SIGNS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_INTERVAL = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")


def read_quantifiers(cursor: Cursor, atom: Node, at: int, skip: Callable[[], None]) -> Node:
    r"""The atom that starts at `at`, with all repetitions that stand behind it.

    >>> from tokcore.patterns.tree import AnyCharacter
    >>> read_quantifiers(Cursor("{3,1}", ""), AnyCharacter(False), 0, lambda: None)
    Repeat(body=AnyCharacter(newline_too=False), low=1, high=3, greed=<Greed.POSSESSIVE: '+'>)

    Law: an interval with its ends swapped is possessive, {n}? is (?:{n})?, {n,m}+ is (?:{n,m})+.
    """
    while True:
        found = _read_one(cursor, at)
        if found is None:
            return atom
        low, high, greed = found
        if is_zero_width(atom):
            cursor.refuse("a repetition of an anchor or look-around", at, "leave the repetition out")
        atom = Repeat(atom, low, high, greed)
        skip()


def _read_one(cursor: Cursor, at: int) -> tuple[int, int | None, Greed] | None:
    sign = cursor.peek()
    if sign in ("?", "*", "+"):
        cursor.next()
        low, high = _SIGNS[sign]
        if cursor.take("?"):
            return low, high, Greed.LAZY
        return low, high, Greed.POSSESSIVE if cursor.take("+") else Greed.GREEDY
    interval = _INTERVAL.match(cursor.source, cursor.at)
    if interval is None or not (interval[1] or interval[3]):
        return None
    cursor.at = interval.end()
    numbers = [
        int(digits[:8]) if digits else None for digits in (interval[1], interval[3] if interval[2] else interval[1])
    ]
    if max(number or 0 for number in numbers) > MAX_COUNT:
        cursor.refuse(f"a repetition count above {MAX_COUNT}", at, f"repeat at most {MAX_COUNT} times")
    low, high = numbers[0] or 0, numbers[1]
    if high is not None and low > high:
        return high, low, Greed.POSSESSIVE
    if interval[2] and cursor.take("?"):
        return low, high, Greed.LAZY
    return low, high, Greed.GREEDY
