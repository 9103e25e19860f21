r"""Numbers as JSON writes them, between bounds, in steps.

>>> spelled(integers(1, 120))
'[1-9]|[1-9][0-9]|1(?:[01][0-9]|20)'

Integers are written with digits alone (no `1.0`, no `1e2`). Numbers with bounds are written without exponent, so that
the order of the texts' digits is the order of the numbers. Exponents end at 299: beyond, readers make infinity of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from tokcore.schema.charsets import ranges
from tokcore.schema.eliminate import expression_of
from tokcore.schema.expr import EMPTY, NOTHING, Expr, both, chars, choice, literal, optional, repeat, seq, spelled

__all__ = ["INTEGER", "NUMBER", "between", "integers", "multiples", "spelled"]

_DIGIT = chars("0-9")
_MINUS = literal("-")
_DOT = literal(".")
_NATURAL = choice(literal("0"), seq(chars("1-9"), repeat(_DIGIT)))
INTEGER = seq(optional(_MINUS), _NATURAL)
NUMBER = seq(
    INTEGER,
    optional(seq(_DOT, repeat(_DIGIT, 1))),
    optional(seq(chars("eE"), optional(chars("+-")), optional(chars("0-2")), repeat(_DIGIT, 1, 2))),
)
# What never stands right behind a number, in the spelling of a look-ahead.
NUMBER_ENDS = "(?![0-9.])"

# A double keeps apart all decimals of this many digits.
EXACT_DIGITS = 15


def _digit(low: int, high: int) -> Expr:
    return chars(ranges([(48 + low, 48 + high)])) if low <= high else NOTHING


# ---- integers


def integers(low: int | None, high: int | None) -> Expr:
    """All integers from `low` to `high`, both included.

    >>> spelled(integers(-5, None))
    '-[1-5]|-?0|[1-9][0-9]*'
    """
    if low is None and high is None:
        return INTEGER
    if low is not None and high is not None and low > high:
        return NOTHING
    zero = (low is None or low <= 0) and (high is None or high >= 0)
    below = low is None or low < 0
    above = high is None or high > 0
    return choice(
        seq(_MINUS, _positive(max(1, -(high or 0)), None if low is None else -low)) if below else NOTHING,
        seq(optional(_MINUS), literal("0")) if zero else NOTHING,
        _positive(max(1, low or 0), high) if above else NOTHING,
    )


def _positive(low: int, high: int | None) -> Expr:
    """1 ≤ low ≤ high, without sign."""
    text = str(low)
    if high is None:
        longer = seq(chars("1-9"), repeat(_DIGIT, len(text)))
        return seq(chars("1-9"), repeat(_DIGIT)) if low == 1 else choice(_same_length(text, "9" * len(text)), longer)
    branches = []
    for length in range(len(text), len(str(high)) + 1):
        start, end = max(low, 10 ** (length - 1)), min(high, 10**length - 1)
        branches.append(_same_length(str(start), str(end)))
    return choice(*branches)


def _same_length(low: str, high: str) -> Expr:
    """Digit strings of one length from `low` to `high`."""
    if not low:
        return EMPTY
    if set(low) == {"0"} and set(high) == {"9"}:
        return repeat(_DIGIT, len(low), len(low))
    first, last = int(low[0]), int(high[0])
    if first == last:
        return seq(literal(low[0]), _same_length(low[1:], high[1:]))
    rest = len(low) - 1
    whole_from = first if set(low[1:]) <= {"0"} else first + 1
    whole_to = last if set(high[1:]) <= {"9"} else last - 1
    return choice(
        seq(literal(low[0]), _same_length(low[1:], "9" * rest)) if whole_from > first else NOTHING,
        seq(_digit(whole_from, whole_to), repeat(_DIGIT, rest, rest)),
        seq(literal(high[0]), _same_length("0" * rest, high[1:])) if whole_to < last else NOTHING,
    )


# ---- decimals


def between(low: Decimal | None, high: Decimal | None, *, above_low: bool = False, below_high: bool = False) -> Expr:
    r"""All numbers from `low` to `high`, without exponent; `above_low`, `below_high`: the bound itself is left out.

    >>> spelled(between(Decimal(0), Decimal(1)))
    '-0(?:\\.0+)?|0(?:\\.[0-9]+)?|1(?:\\.0+)?'

    Law: where a bound is left out, fractions have so few digits that no double rounds a text onto the bound; the
    bound must then be `has_room`.
    """
    strict = [each for each, left_out in ((low, above_low), (high, below_high)) if each is not None and left_out]
    digits = min((EXACT_DIGITS - _whole_digits(each) for each in strict), default=None)
    positive = negative = NOTHING
    if high is None or high >= 0:
        edge_left_out = above_low and low is not None and low >= 0
        positive = _magnitude(max(low or Decimal(0), Decimal(0)), high, edge_left_out, below_high, digits)
    if low is None or low <= 0:
        edge_left_out = below_high and high is not None and high <= 0
        least = Decimal(0) if high is None else max(high.copy_negate(), Decimal(0))
        negative = _magnitude(least, None if low is None else low.copy_negate(), edge_left_out, above_low, digits)
    return choice(seq(_MINUS, negative), positive)


def has_room(bound: Decimal) -> bool:
    """Whether doubles tell enough decimals next to a bound apart for the bound to be left out."""
    digits = len("".join(map(str, bound.as_tuple().digits)).strip("0"))
    return digits <= EXACT_DIGITS and _whole_digits(bound) < EXACT_DIGITS


def _whole_digits(number: Decimal) -> int:
    return len(str(abs(int(number))))


def _magnitude(low: Decimal, high: Decimal | None, above: bool, below: bool, digits: int | None) -> Expr:
    """Unsigned numbers with at most `digits` digits behind the point."""
    if high is not None and (high < low or (high == low and (above or below))):
        return NOTHING
    whole, fraction = _halves(low)
    any_fraction = optional(seq(_DOT, repeat(_DIGIT, 1, digits)))
    at_low = _at_least(fraction, above, digits)
    if high is None:
        return choice(seq(literal(str(whole)), at_low), seq(_positive(whole + 1, None), any_fraction))
    top, top_fraction = _halves(high)
    at_high = _at_most(top_fraction, below, digits)
    if whole == top:
        parts = [at_high] if not fraction and not above else [at_low, at_high]
        return seq(literal(str(whole)), both(parts, NUMBER_ENDS))
    return choice(
        seq(literal(str(whole)), at_low),
        seq(_positive(whole + 1, top - 1), any_fraction) if whole + 1 <= top - 1 else NOTHING,
        seq(literal(str(top)), at_high),
    )


def _halves(number: Decimal) -> tuple[int, str]:
    whole, _, fraction = f"{number:f}".partition(".")
    return int(whole), fraction.rstrip("0")


def _less(digits: int | None, count: int = 1) -> int | None:
    return None if digits is None else digits - count


def _at_least(fraction: str, strict: bool, digits: int | None) -> Expr:
    """A point and digits that are `fraction` or more (strict: more); no point at all where zero is enough."""
    if fraction or strict:
        return seq(_DOT, _digits_from(fraction, strict, digits))
    return optional(seq(_DOT, repeat(_DIGIT, 1, digits)))


def _digits_from(fraction: str, strict: bool, digits: int | None) -> Expr:
    if digits == 0 and (fraction or strict):
        return NOTHING
    if fraction:
        first = int(fraction[0])
        return choice(
            seq(_digit(first + 1, 9), repeat(_DIGIT, 0, _less(digits))),
            seq(literal(fraction[0]), _digits_from(fraction[1:], strict, _less(digits))),
        )
    if not strict:
        return repeat(_DIGIT, 0, digits)
    # More than the bound's own digits: zeros, then something. A strict bound always limits the digits.
    assert digits is not None
    return choice(
        *(seq(literal("0" * zeros), chars("1-9"), repeat(_DIGIT, 0, digits - zeros - 1)) for zeros in range(digits))
    )


def _at_most(fraction: str, strict: bool, digits: int | None) -> Expr:
    """Nothing, or a point and digits that are `fraction` or less (strict: less)."""
    if not fraction:
        return NOTHING if strict else optional(seq(_DOT, repeat(literal("0"), 1, digits)))
    return optional(seq(_DOT, _digits_to(fraction, strict, digits)))


def _digits_to(fraction: str, strict: bool, digits: int | None) -> Expr:
    if digits == 0:
        return NOTHING
    first, rest = int(fraction[0]), fraction[1:]
    if rest:
        after = optional(_digits_to(rest, strict, _less(digits)))
    else:
        after = NOTHING if strict else repeat(literal("0"), 0, _less(digits))
    return choice(seq(_digit(0, first - 1), repeat(_DIGIT, 0, _less(digits))), seq(literal(fraction[0]), after))


# ---- steps

MAX_STATES = 1000
MAX_LENGTH = 20_000


def multiples(step: Decimal) -> Expr | None:
    r"""All multiples of `step`, with no more digits behind the point than it has; None where the pattern is too long.

    >>> spelled(multiples(Decimal(2)))
    '-?(?:0|(?:[2468]|[13579][13579]*[02468])(?:[02468]|[13579][13579]*[02468])*)'
    >>> spelled(multiples(Decimal("0.01")))
    '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]{1,2})?'
    """
    _, digits, exponent = step.as_tuple()
    assert step > 0 and isinstance(exponent, int)
    places = max(-exponent, 0)
    scaled = int("".join(map(str, digits))) * 10 ** max(exponent, 0)
    while places and scaled % 10 == 0:
        scaled, places = scaled // 10, places - 1
    if scaled == 1:
        return seq(INTEGER, optional(seq(_DOT, repeat(_DIGIT, 1, places)))) if places else INTEGER
    if scaled * (places + 1) > MAX_STATES:
        return None
    table, start, accepting = _remainders(scaled, places)
    found = expression_of(table, start=start, accepting=accepting, limit=MAX_LENGTH)
    return None if found is None else seq(optional(_MINUS), found)


def _remainders(step: int, places: int) -> tuple[dict[int, dict[str, int]], int, list[int]]:
    """The states of a reader of decimals: the remainder so far, and how many digits stood behind the point.

    Returns the table, its start and its accepting states.
    """
    numbers: dict[object, int] = {}
    table: dict[int, dict[str, int]] = {}
    accepting: list[int] = []
    todo: list[tuple[str, int, int]] = [("start", 0, 0)]
    while todo:
        state = todo.pop()
        kind, remainder, seen = state
        here = numbers.setdefault(state, len(numbers))
        if here in table:
            continue
        row = table[here] = {}
        if kind in ("zero", "whole", "fraction") and remainder * 10 ** (places - seen) % step == 0:
            accepting.append(here)
        for letter, target in _next_states(state, step, places):
            row[letter] = numbers.setdefault(target, len(numbers))
            todo.append(target)
    return table, 0, accepting


def _next_states(state: tuple[str, int, int], step: int, places: int) -> Iterator[tuple[str, tuple[str, int, int]]]:
    kind, remainder, seen = state
    if kind in ("zero", "whole") and places:
        yield ".", ("point", remainder, 0)
    if kind == "start":
        yield "0", ("zero", 0, 0)
    for digit in range(1 if kind == "start" else 0, 10):
        after = (remainder * 10 + digit) % step
        if kind in ("start", "whole"):
            yield str(digit), ("whole", after, 0)
        elif kind in ("point", "fraction") and seen < places:
            yield str(digit), ("fraction", after, seen + 1)
