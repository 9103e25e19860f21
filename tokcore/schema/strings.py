r"""Strings as JSON writes them: every spelling of a free string, one spelling of a string with a pattern.

>>> spelled(encoded(seq(literal('say "'), chars("a-z"))))
'say \\\\"[a-z]'

A character of a string without `pattern` and `format` may be written in any way JSON allows, and counts as one in
each. Under `pattern` and `format`, and in keys, constants and enumerations, there is one spelling, the one of
`json.dumps(value, ensure_ascii=False)`: the characters themselves, and an escape only where JSON demands it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from tokcore.schema.charsets import ALL, Ranges, difference, of, union
from tokcore.schema.expr import (
    NOTHING,
    Both,
    Chars,
    Choice,
    Expr,
    Literal,
    Mark,
    Repeat,
    Seq,
    both,
    chars,
    choice,
    fold,
    lengths,
    literal,
    repeat,
    seq,
    spelled,
)

__all__ = ["FREE_CHARACTER", "FREE_STRING", "ONE_SPELLING", "content", "encoded", "quoted", "spelled"]

QUOTE = literal('"')
_CONTROLS: Ranges = ((0x00, 0x1F),)
_SHORT = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", '"': '"', "\\": "\\"}
_PLAIN = difference(ALL, union(_CONTROLS, of('"\\')))

_HEX = chars("0-9A-Fa-f")
_BACKSLASH_U = literal("\\u")
_BELOW_SURROGATES = choice(
    seq(chars("0-9A-CE-Fa-ce-f"), repeat(_HEX, 3, 3)), seq(chars("Dd"), chars("0-7"), repeat(_HEX, 2, 2))
)
_PAIR = seq(
    *(chars("Dd"), chars("89ABab"), repeat(_HEX, 2, 2)),
    *(_BACKSLASH_U, chars("Dd"), chars("C-Fc-f"), repeat(_HEX, 2, 2)),
)
# One decoded code point in every spelling. A surrogate escape comes in pairs only: alone it stands for no character.
FREE_CHARACTER = choice(
    chars(_PLAIN),
    seq(
        literal("\\"),
        choice(chars('"\\/bfnrt'), seq(literal("u"), choice(_BELOW_SURROGATES, _PAIR))),
    ),
)
FREE_STRING = seq(QUOTE, repeat(FREE_CHARACTER), QUOTE)


def quoted(value: str) -> Expr:
    r"""A string's one spelling.

    >>> spelled(quoted("a\\b\n"))
    '"a\\\\\\\\b\\\\n"'
    """
    return literal(json.dumps(value, ensure_ascii=False))


def encoded(expression: Expr) -> Expr:
    """What stands between the quotes, for an expression over the decoded value."""

    def encode(node: Expr, inner: tuple[Expr, ...]) -> Expr:
        match node:
            case Literal():
                return literal(json.dumps(node.text, ensure_ascii=False)[1:-1])
            case Chars():
                return one_spelling(node.members)
            case Seq():
                return seq(*inner)
            case Choice():
                return choice(*inner)
            case Repeat():
                return repeat(inner[0], node.low, node.high)
            case Both():
                return both(inner, node.stop)
            case Mark():
                return inner[0]

    return fold(expression, encode)


def one_spelling(members: Ranges) -> Expr:
    r"""The characters of a set as json.dumps writes them.

    >>> spelled(one_spelling(((0x1E, 0x22),)))
    '[ !]|\\\\"|\\\\u001[ef]'
    """
    codes = (code for low, high in members for code in range(low, min(high, ord("\\")) + 1))
    escaped = [code for code in codes if code < 0x20 or chr(code) in _SHORT]
    short = [_SHORT[chr(code)] for code in escaped if chr(code) in _SHORT]
    long: dict[str, str] = {}
    for code in escaped:
        if chr(code) not in _SHORT:
            digits = f"{code:04x}"
            long[digits[:3]] = long.get(digits[:3], "") + digits[3]
    branches = [chars(difference(members, difference(ALL, _PLAIN)))]
    if short:
        branches.append(seq(literal("\\"), chars(union(*(of(each) for each in short)))))
    branches += [seq(literal("\\u" + head), chars(union(*map(of, tails)))) for head, tails in long.items()]
    return choice(*branches)


ONE_SPELLING = one_spelling(ALL)


def content(low: int, high: int | None, values: Sequence[Expr] = ()) -> Expr:
    r"""What stands between the quotes of a string of `low` to `high` code points that all of `values` match.

    >>> spelled(content(0, 3, [repeat(chars("a-z"), 2)]))
    '[a-z]{2,3}'
    >>> spelled(content(2, 3, [repeat(seq(chars("a-z"), chars("0-9")))]))
    '(?=(?:[^\\x00-\\x1f"\\\\]|\\\\["\\\\bfnrt]|\\\\u000[0-7bef]|\\\\u001[0-9a-f]){2,3}")(?:[a-z][0-9])*'
    """
    if not values:
        return repeat(FREE_CHARACTER, low, high)
    if any(each is NOTHING for each in values):
        return NOTHING
    spans = [lengths(each) for each in values]
    if any((high is not None and least > high) or (most is not None and most < low) for least, most in spans):
        return NOTHING
    if any(_is_within(span, low, high) for span in spans):
        return both([encoded(each) for each in values], '"')
    for index, each in enumerate(values):
        if isinstance(each, Repeat) and isinstance(each.body, Chars):
            most = each.high if high is None else high if each.high is None else min(each.high, high)
            clipped = repeat(each.body, max(low, each.low), most)
            return both([encoded(value) for value in (*values[:index], clipped, *values[index + 1 :])], '"')
    counted = repeat(ONE_SPELLING, low, high)
    return both([counted, *(encoded(each) for each in values)], '"')


def _is_within(span: tuple[int, int | None], low: int, high: int | None) -> bool:
    least, most = span
    return least >= low and (high is None or (most is not None and most <= high))
