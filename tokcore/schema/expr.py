r"""The expressions that patterns are made of, before they are spelled.

>>> digits = repeat(chars("0-9"), 1, 3)
>>> spelled(seq(literal("id="), choice(digits, literal("none"))))
'id=(?:[0-9]{1,3}|none)'

A pattern is a regular language: characters, sequence, choice, counted repetition, and the meet of several expressions
(`Both`), which a pattern spells as a look-ahead. Expressions are shared, not copied: the same object may stand in many
places, and whatever walks over them remembers what it has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeVar

from tokcore.schema.charsets import NONE, Ranges, of, spell, spell_literal

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A text."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Chars:
    """One character of a set; no set matches nothing."""

    members: Ranges


@dataclass(frozen=True, slots=True, eq=False)
class Seq:
    """One after another."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Any of the branches."""

    branches: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """The body `low` to `high` times (None: no limit)."""

    body: Expr
    low: int
    high: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """What all of the parts match.

    `stop` is a pattern for what always follows and never stands inside: the look-ahead needs it to find the end.
    """

    parts: tuple[Expr, ...]
    stop: str


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """The part of a pattern that a place of the schema is responsible for."""

    pointer: str
    body: Expr


Expr = Literal | Chars | Seq | Choice | Repeat | Both | Mark

# Longer ones stay whole: laid flat again and again they would grow without bound instead of being shared.
_LAID_FLAT = 16

EMPTY: Expr = Literal("")
NOTHING: Expr = Chars(NONE)


# ---- construction: each keeps the law that only NOTHING itself matches nothing (a Both excepted)


def literal(text: str) -> Expr:
    return Literal(text) if text else EMPTY


def chars(members: str | Ranges) -> Expr:
    found = of(members) if isinstance(members, str) else members
    return Chars(found) if found else NOTHING


def seq(*parts: Expr) -> Expr:
    """One after another; short sequences inside are laid flat and neighbouring texts joined.

    >>> seq(literal("a"), EMPTY, literal("b"))
    Literal(text='ab')
    """
    flat: list[Expr] = []
    for part in parts:
        for each in part.parts if isinstance(part, Seq) and len(part.parts) <= _LAID_FLAT else (part,):
            if each is NOTHING:
                return NOTHING
            if isinstance(each, Literal) and flat and isinstance(flat[-1], Literal):
                flat[-1] = Literal(flat[-1].text + each.text)
            elif each is not EMPTY:
                flat.append(each)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat)) if flat else EMPTY


def choice(*branches: Expr) -> Expr:
    """Any of the branches; those that match nothing are left out, and a branch stands once."""
    flat: dict[int, Expr] = {}
    for branch in branches:
        for each in branch.branches if isinstance(branch, Choice) and len(branch.branches) <= _LAID_FLAT else (branch,):
            if each is not NOTHING:
                flat.setdefault(id(each), each)
    found = tuple(flat.values())
    return found[0] if len(found) == 1 else Choice(found) if found else NOTHING


def repeat(body: Expr, low: int = 0, high: int | None = None) -> Expr:
    if high is not None and high < low:
        return NOTHING
    if body is NOTHING:
        return EMPTY if low == 0 else NOTHING
    if high == 0 or body is EMPTY:
        return EMPTY
    return body if (low, high) == (1, 1) else Repeat(body, low, high)


def optional(body: Expr) -> Expr:
    return EMPTY if body is NOTHING else repeat(body, 0, 1)


def both(parts: Sequence[Expr], stop: str) -> Expr:
    if any(part is NOTHING for part in parts):
        return NOTHING
    return parts[0] if len(parts) == 1 else Both(tuple(parts), stop)


def mark(pointer: str, body: Expr) -> Expr:
    return body if body is NOTHING else Mark(pointer, body)


# ---- spelling

# Where an expression stands decides whether it needs a group around it.
LOOSE, IN_SEQUENCE, UNDER_COUNT = range(3)


def spelled(expression: Expr) -> str:
    r"""The pattern, for `re`, `regex` and, where there is no `Both`, engines without look-ahead.

    >>> spelled(both([repeat(chars("a-z"), 1), repeat(chars("a-f"), 0, 2)], '"'))
    '(?=[a-z]+")[a-f]{0,2}'
    """
    return Speller().text(expression)


@dataclass(slots=True)
class Speller:
    """Writes expressions; remembers what it has written."""

    _memo: dict[tuple[int, int], str] = field(default_factory=dict)

    def text(self, node: Expr, place: int = LOOSE) -> str:
        key = (id(node), place)
        if key not in self._memo:
            self._memo[key] = "".join(
                piece if isinstance(piece, str) else self.text(*piece) for piece in pieces(node, place)
            )
        return self._memo[key]


def pieces(node: Expr, place: int) -> list[str | tuple[Expr, int]]:
    """The spelling of an expression: texts, and inner expressions with the places where they stand."""
    found: list[str | tuple[Expr, int]] = []
    loose = place == UNDER_COUNT
    match node:
        case Literal():
            found, loose = [spell_literal(node.text)], loose and len(node.text) != 1
        case Chars():
            found, loose = [spell(node.members) if node.members else r"[^\x00-\U0010ffff]"], False
        case Mark():
            return [(node.body, place)]
        case Seq():
            found = [(part, IN_SEQUENCE) for part in node.parts]
        case Choice():
            found = [piece for part in node.branches for piece in ("|", (part, LOOSE))][1:]
            loose = place != LOOSE
        case Repeat():
            found = [(node.body, UNDER_COUNT), count(node.low, node.high)]
        case Both():
            *ahead, last = node.parts
            for part in ahead:
                found += ["(?=", (part, IN_SEQUENCE), f"{node.stop})"]
            found.append((last, IN_SEQUENCE))
    return ["(?:", *found, ")"] if loose else found


def count(low: int, high: int | None) -> str:
    """How often, as a quantifier.

    >>> count(0, 1), count(0, None), count(1, None), count(2, 2), count(2, 5), count(2, None)
    ('?', '*', '+', '{2}', '{2,5}', '{2,}')
    """
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((low, high))
    if short is not None:
        return short
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def spelled_length(expression: Expr) -> int:
    """About how many characters the pattern has, without writing it: shared parts are counted once per place.

    >>> body = repeat(chars("0-9"), 1)
    >>> for _ in range(100): body = seq(body, body)
    >>> spelled_length(body) > 2**100
    True
    """

    def size(node: Expr, inner: tuple[int, ...]) -> int:
        match node:
            case Literal():
                return len(spell_literal(node.text))
            case Chars():
                return len(spell(node.members)) if node.members else 20
            case Both():
                return sum(inner) + len(inner) * (4 + len(node.stop))
            case Repeat():
                return sum(inner) + 4 + len(count(node.low, node.high))
            case Choice():
                return sum(inner) + len(inner) + 4
        return sum(inner)

    return fold(expression, size)


def inner_of(node: Expr) -> tuple[Expr, ...]:
    """The expressions right inside this one."""
    match node:
        case Literal() | Chars():
            return ()
        case Seq() | Both():
            return node.parts
        case Choice():
            return node.branches
        case Repeat() | Mark():
            return (node.body,)


def fold(expression: Expr, combine: Callable[[Expr, tuple[T, ...]], T]) -> T:
    """One value per expression, made of the values of the expressions inside; a shared one is visited once.

    >>> fold(seq(chars("a"), chars("b")), lambda node, inner: 1 + sum(inner))
    3
    """
    values: dict[int, T] = {}
    todo: list[Expr] = [expression]
    while todo:
        node = todo[-1]
        missing = [each for each in inner_of(node) if id(each) not in values]
        if missing:
            todo += missing
            continue
        values[id(node)] = combine(node, tuple(values[id(each)] for each in inner_of(node)))
        todo.pop()
    return values[id(expression)]


def lengths(expression: Expr) -> tuple[int, int | None]:
    """Fewest and most characters that a match has (None: no most).

    >>> lengths(seq(literal("ab"), optional(chars("0-9"))))
    (2, 3)
    """

    def span(node: Expr, inner: tuple[tuple[int, int | None], ...]) -> tuple[int, int | None]:
        match node:
            case Literal():
                return len(node.text), len(node.text)
            case Chars():
                return 1, 1
            case Seq():
                return sum(low for low, _ in inner), _sum(high for _, high in inner)
            case Choice():
                highs = [high for _, high in inner]
                return min(low for low, _ in inner), None if None in highs else max(h for h in highs if h is not None)
            case Repeat():
                ((low, high),) = inner
                most = None if high is None or node.high is None else high * node.high
                return low * node.low, 0 if high == 0 else most
            case Both():
                known = [high for _, high in inner if high is not None]
                return max(low for low, _ in inner), min(known) if known else None
            case Mark():
                return inner[0]

    return fold(expression, span)


def _sum(numbers: Iterable[int | None]) -> int | None:
    start: int | None = 0
    return reduce(lambda total, each: None if total is None or each is None else total + each, numbers, start)
