r"""Nodes → expressions over the JSON text: values, commas, white space.

White space: a space or none behind each comma and colon, nothing else anywhere. So both `json.dumps` and its compact
form come through, and no output can run off into blanks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cache

from tokcore.schema.accept import element
from tokcore.schema.automaton import Automaton
from tokcore.schema.charsets import ALL, difference, ranges
from tokcore.schema.errors import SchemaTooLarge
from tokcore.schema.expr import (
    EMPTY,
    NOTHING,
    Both,
    Expr,
    both,
    chars,
    choice,
    literal,
    mark,
    optional,
    repeat,
    seq,
    spelled,
)
from tokcore.schema.ledger import Ledger
from tokcore.schema.nodes import (
    AnyValue,
    Array,
    Boolean,
    Constant,
    Implied,
    Json,
    Never,
    Null,
    Number,
    Object,
    Property,
    SchemaNode,
    String,
    Union,
)
from tokcore.schema.numbers import INTEGER, NUMBER, NUMBER_ENDS, between, integers, multiples
from tokcore.schema.strings import FREE_STRING, QUOTE, content, encoded, quoted

__all__ = ["ANY_DEPTH", "Layout", "spelled", "written"]

# Arrays and objects inside one another, where a schema allows anything.
ANY_DEPTH = 2
MAX_LISTED = 500
MAX_NAME = 200
MAX_STEPS = 1000

_SPACE = optional(literal(" "))
COMMA = seq(literal(","), _SPACE)
COLON = seq(literal(":"), _SPACE)
_BOOLEAN = choice(literal("true"), literal("false"))


def listed(elements: Iterable[Expr], separator: Expr = COMMA) -> Expr:
    """Expressions with separators between them."""
    parts = [part for each in elements for part in (separator, each)]
    return seq(*parts[1:])


def written(value: Json) -> Expr:
    """One JSON value in its one spelling; only the white space is free.

    >>> spelled(written({"a": [1, 2.5, None]}))
    '\\\\{"a": ?\\\\[1, ?2\\\\.5, ?null\\\\]\\\\}'
    """
    match value:
        case dict():
            pairs = [seq(quoted(name), COLON, written(each)) for name, each in value.items()]
            return seq(literal("{"), listed(pairs), literal("}"))
        case list():
            return seq(literal("["), listed(map(written, value)), literal("]"))
    return literal(json.dumps(value, ensure_ascii=False))


@cache
def any_value(depth: int) -> Expr:
    """Any JSON value with arrays and objects at most `depth` deep."""
    scalar = choice(FREE_STRING, NUMBER, _BOOLEAN, literal("null"))
    if depth == 0:
        return scalar
    inner = any_value(depth - 1)
    return choice(scalar, several("[", inner, "]"), several("{", seq(FREE_STRING, COLON, inner), "}"))


def several(opening: str, each: Expr, closing: str, low: int = 0, high: int | None = None) -> Expr:
    """`low` to `high` of the same, between brackets.

    >>> spelled(several("[", chars("0-9"), "]", 1, 3))
    '\\\\[[0-9](?:, ?[0-9]){0,2}\\\\]'
    """
    more = repeat(seq(COMMA, each), max(low - 1, 0), None if high is None else high - 1)
    inside = EMPTY if high == 0 else seq(each, more)
    if low > 0:
        return NOTHING if high == 0 else seq(literal(opening), inside, literal(closing))
    return seq(literal(opening), optional(inside), literal(closing))


def joined(elements: Sequence[tuple[Expr, bool]]) -> Expr:
    """Elements in order, some of which (False) may be absent, with commas between those that are there.

    >>> spelled(joined([(literal("a"), False), (literal("b"), True), (literal("c"), False)]))
    '(?:a, ?)?b(?:, ?c)?'
    >>> spelled(joined([(literal("a"), False), (literal("b"), False)]))
    '(?:a(?:, ?b)?|b)?'

    Law: with a required element the length is the sum of the elements'; without, it grows as n to the power of 1.6.
    """
    first = next((index for index, (_, required) in enumerate(elements) if required), None)
    if first is None:
        return optional(_some_of([each for each, _ in elements]))
    return seq(
        *(optional(seq(each, COMMA)) for each, _ in elements[:first]),
        elements[first][0],
        *(seq(COMMA, each) if required else optional(seq(COMMA, each)) for each, required in elements[first + 1 :]),
    )


def _some_of(elements: Sequence[Expr]) -> Expr:
    """One or more of the elements, in order: some of the left half and perhaps of the right, or of the right alone."""
    if not elements:
        return NOTHING
    if len(elements) == 1:
        return elements[0]
    half = len(elements) // 2
    right = _some_of(elements[half:])
    return choice(seq(_some_of(elements[:half]), optional(seq(COMMA, right))), right)


def other_than(names: Sequence[str]) -> Expr:
    r"""All texts but these.

    >>> spelled(other_than(["a"]))
    '|[^a][\\x00-\U0010ffff]*|a[\\x00-\U0010ffff]+'
    """
    heads: dict[str, list[str]] = {}
    for name in names:
        if name:
            heads.setdefault(name[0], []).append(name[1:])
    others = difference(ALL, ranges((ord(head), ord(head)) for head in heads))
    return choice(
        NOTHING if "" in names else EMPTY,
        seq(chars(others), repeat(chars(ALL))),
        *(
            seq(literal(head), repeat(chars(ALL), 1) if tails == [""] else other_than(tails))
            for head, tails in heads.items()
        ),
    )


@dataclass(slots=True)
class Layout:
    """Writes out nodes; what cannot be enforced is refused, or left out where the ledger says so."""

    ledger: Ledger
    # By the node's id, with the node itself, which must live as long as its id is remembered.
    _done: dict[int, tuple[SchemaNode, Expr]] = field(default_factory=dict)

    def of(self, node: SchemaNode) -> Expr:
        """The texts of a node's values, marked with its pointer; NOTHING where there is no value."""
        if id(node) not in self._done:
            self._done[id(node)] = node, mark(node.pointer, self._write(node))
        return self._done[id(node)][1]

    def _write(self, node: SchemaNode) -> Expr:
        match node:
            case AnyValue():
                return any_value(ANY_DEPTH)
            case Never():
                return NOTHING
            case Null():
                return literal("null")
            case Boolean():
                return _BOOLEAN
            case Number():
                return self._number(node)
            case String():
                inside = _if_any(content(node.low, node.high, node.values), node.pointer)
                return NOTHING if inside is NOTHING else seq(QUOTE, inside, QUOTE)
            case Array():
                return self._array(node)
            case Object():
                return self._object(node)
            case Constant():
                return choice(*map(written, node.values))
            case Union():
                return choice(*map(self.of, node.branches))
            case Implied():
                return choice(*map(self.of, node.parts))

    # ---- numbers

    def _number(self, node: Number) -> Expr:
        bounded = node.low is not None or node.high is not None
        low, high = whole_bounds(node) if node.integer else (None, None)
        if node.integer:
            body = integers(low, high)
        else:
            body = NUMBER
            if bounded:
                body = between(node.low, node.high, above_low=node.above_low, below_high=node.below_high)
        parts = [] if node.steps and not bounded else [body]
        for step in node.steps:
            found = self._steps(node, step, low, high)
            if found is not None:
                parts.append(found)
        if node.steps and node.integer and not bounded and any(step != int(step) for step in node.steps):
            parts.append(INTEGER)
        return _if_any(both(parts, NUMBER_ENDS), node.pointer) if parts else body

    def _steps(self, node: Number, step: Decimal, low: int | None, high: int | None) -> Expr | None:
        if node.integer and low is not None and high is not None and step == int(step):
            first = -(-low // int(step))
            count = high // int(step) - first + 1
            if count <= MAX_STEPS:
                found = [integers(each, each) for each in range(first * int(step), high + 1, int(step))]
                return choice(*found)
        found_all = multiples(step)
        if found_all is None:
            what = f"multiples of {step:f} have no short pattern"
            self.ledger.refuse(f"{node.pointer}/multipleOf", "multipleOf", what, "add near bounds or leave it out")
        return found_all

    # ---- arrays

    def _array(self, node: Array) -> Expr:
        high = node.high
        if node.unique is not None and (high is None or high > 1) and self._has_two(node):
            self.ledger.refuse(node.unique, "uniqueItems", "true, for more than one element", "leave it out")
        if max(len(node.prefix), 0) > MAX_LISTED:
            raise SchemaTooLarge(where=node.pointer, what="too many prefixItems", remedy=f"at most {MAX_LISTED}")
        prefix: list[Expr] = []
        items = EMPTY
        for each in node.prefix:
            found = self.of(each)
            if found is NOTHING:
                # Nothing may stand here, so the array ends before.
                high = len(prefix) if high is None else min(high, len(prefix))
                break
            prefix.append(found)
        else:
            items = self.of(node.items)
            if items is NOTHING:
                high = len(prefix) if high is None else min(high, len(prefix))
        if high is not None and node.low > high:
            return NOTHING
        if not prefix:
            return several("[", items, "]", node.low, high)
        return seq(literal("["), self._elements(prefix, items, node.low, high), literal("]"))

    def _has_two(self, node: Array) -> bool:
        return self.of(element(node, 0)) is not NOTHING and self.of(element(node, 1)) is not NOTHING

    def _elements(self, prefix: list[Expr], items: Expr, low: int, high: int | None) -> Expr:
        prefix = prefix if high is None else prefix[:high]
        more = None if high is None else high - len(prefix)
        tail = EMPTY if more == 0 else repeat(seq(COMMA, items), max(low - len(prefix), 0), more)
        # From the last to the first: what follows an element that may be the last is optional with all behind it.
        for index in range(len(prefix) - 1, -1, -1):
            tail = seq(prefix[index] if index == 0 else seq(COMMA, prefix[index]), tail)
            if index >= low:
                tail = optional(tail)
        return tail

    # ---- objects

    def _object(self, node: Object) -> Expr:
        if len(node.properties) > MAX_LISTED:
            what = f"{len(node.properties)} properties"
            raise SchemaTooLarge(where=node.pointer, what=what, remedy=f"list at most {MAX_LISTED}")
        elements: list[tuple[Expr, bool]] = []
        for each in node.properties:
            found = self._pair(each)
            if found is not NOTHING:
                elements.append((found, each.required))
            elif each.required:
                return NOTHING
        self._check_counts(node, elements)
        extra = self._extra(node)
        if not elements and extra is not NOTHING:
            return several("{", extra, "}", min(node.low, 1), node.high)
        if extra is not NOTHING:
            elements.append((listed_many(extra), False))
        if not elements and node.low > 0:
            return NOTHING
        return seq(literal("{"), joined(elements), literal("}"))

    def _pair(self, each: Property) -> Expr:
        value = self.of(each.node)
        if value is NOTHING:
            return NOTHING
        return mark(each.pointer, seq(quoted(each.name), COLON, value))

    def _extra(self, node: Object) -> Expr:
        """A property that is not listed; NOTHING where none may or need be written."""
        additional = node.additional
        if additional is None:
            if node.declared:
                return NOTHING
            additional = AnyValue(node.pointer)
        value = self.of(additional)
        if value is NOTHING:
            return NOTHING
        names = [each.name for each in node.properties]
        if any(len(name) > MAX_NAME for name in names):
            what = f"a name of more than {MAX_NAME} characters beside additional properties"
            raise SchemaTooLarge(where=node.pointer, what=what, remedy="use a shorter name")
        name = seq(QUOTE, encoded(other_than(names)), QUOTE) if names else FREE_STRING
        return mark(additional.pointer, seq(name, COLON, value))

    def _check_counts(self, node: Object, elements: Sequence[tuple[Expr, bool]]) -> None:
        required = sum(each for _, each in elements)
        only_extra = not elements and self._extra(node) is not NOTHING
        if node.low > required and not (node.low == 1 and only_extra):
            what = f"{node.low}, more than the {required} required properties"
            self.ledger.refuse(f"{node.pointer}/minProperties", "minProperties", what, "make properties required")
        if node.high is None or only_extra:
            return
        if node.high < len(elements) or self._extra(node) is not NOTHING:
            what = f"{node.high}, fewer than may be written"
            self.ledger.refuse(f"{node.pointer}/maxProperties", "maxProperties", what, "list fewer properties")


def _if_any(expression: Expr, pointer: str) -> Expr:
    """The expression, or NOTHING where the patterns that must all match have no text in common."""
    if not isinstance(expression, Both):
        return expression
    try:
        return NOTHING if Automaton(expression).matches_nothing else expression
    except SchemaTooLarge as error:
        raise SchemaTooLarge(where=pointer, what=error.what, remedy=error.remedy) from None


def listed_many(each: Expr) -> Expr:
    """One or more of the same, with commas."""
    return seq(each, repeat(seq(COMMA, each)))


def whole_bounds(node: Number) -> tuple[int | None, int | None]:
    """The bounds of an integer, both included.

    >>> whole_bounds(Number("", integer=True, low=Decimal("0.5"), high=Decimal(3), below_high=True))
    (1, 2)
    """
    low = high = None
    if node.low is not None:
        low = int(node.low.to_integral_value(ROUND_CEILING))
        low += node.above_low and low == node.low
    if node.high is not None:
        high = int(node.high.to_integral_value(ROUND_FLOOR))
        high -= node.below_high and high == node.high
    return low, high
