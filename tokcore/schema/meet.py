"""What two parts of a schema say together.

>>> from decimal import Decimal
>>> intersect(Number("/a", low=Decimal(1)), Number("/b", integer=True)).low
Decimal('1')
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from tokcore.schema.accept import accepts, element
from tokcore.schema.errors import SchemaTooLarge
from tokcore.schema.nodes import (
    AnyValue,
    Array,
    Constant,
    Implied,
    Never,
    Number,
    Object,
    Property,
    SchemaNode,
    String,
    Typed,
    Union,
)

MAX_BRANCHES = 2000


def intersect(first: SchemaNode, second: SchemaNode) -> SchemaNode:
    """What both say. Where one decides alone, it is the result itself; else the pointer is the first one's."""
    match first, second:
        case (AnyValue(), other) | (other, AnyValue()):
            return other
        case (Never(), _):
            return first
        case (_, Never()):
            return second
        case (Union(), _):
            return _union(first, [intersect(each, second) for each in first.branches])
        case (_, Union()):
            return _union(second, [intersect(first, each) for each in second.branches])
        case (Constant(), other) | (other, Constant()):
            constant = first if isinstance(first, Constant) else second
            assert isinstance(constant, Constant)
            return _filtered(constant, other)
        case (Implied(), Implied()):
            return _merge_implied(first, second)
        case (Implied(), _):
            return _imply(first, second)
        case (_, Implied()):
            return _imply(second, first)
    return _same_type(first, second) if type(first) is type(second) else Never(second.pointer)  # type: ignore[arg-type]


def _union(origin: Union, branches: list[SchemaNode]) -> SchemaNode:
    flat = [inner for each in branches for inner in (each.branches if isinstance(each, Union) else (each,))]
    left = [each for each in flat if not isinstance(each, Never) or each.cut]
    if len(left) > MAX_BRANCHES:
        raise SchemaTooLarge(
            where=origin.pointer,
            what=f"alternatives that combine to more than {MAX_BRANCHES}",
            remedy="use fewer alternatives",
        )
    return Union(origin.pointer, tuple(left)) if left else Never(origin.pointer)


def _filtered(constant: Constant, other: SchemaNode) -> SchemaNode:
    values = [each for each in constant.values if accepts(other, each)]
    if isinstance(other, Number) and other.integer:
        # 1.0 is an integer to JSON Schema, and a float to whoever reads the text.
        values = [int(each) if isinstance(each, float) else each for each in values]
    return Constant(constant.pointer, tuple(values)) if values else Never(constant.pointer)


def _merge_implied(first: Implied, second: Implied) -> Implied:
    parts: dict[type, Typed] = {type(part): part for part in first.parts}
    for part in second.parts:
        known = parts.get(type(part))
        parts[type(part)] = part if known is None else _same_type(known, part)
    return Implied(first.pointer, tuple(parts.values()))


def _imply(implied: Implied, typed: SchemaNode) -> SchemaNode:
    for part in implied.parts:
        if type(part) is type(typed):
            return _same_type(typed, part)
    return typed


def _same_type(first: Typed, second: Typed) -> Typed:
    match first, second:
        case (Number(), Number()):
            return _numbers(first, second)
        case (String(), String()):
            high = _smaller(first.high, second.high)
            values = tuple(dict.fromkeys((*first.values, *second.values)))
            return String(first.pointer, max(first.low, second.low), high, values)
        case (Array(), Array()):
            return _arrays(first, second)
        case (Object(), Object()):
            return _objects(first, second)
    return first


def _smaller(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else min(first, second)


def _numbers(first: Number, second: Number) -> Number:
    lows = [(each.low, each.above_low) for each in (first, second) if each.low is not None]
    highs = [(each.high, not each.below_high) for each in (first, second) if each.high is not None]
    low, above_low = max(lows, default=(None, False))
    high, up_to_high = min(highs, default=(None, True))
    steps = tuple(dict.fromkeys((*first.steps, *second.steps)))
    return Number(first.pointer, first.integer or second.integer, low, high, above_low, not up_to_high, steps)


def _arrays(first: Array, second: Array) -> Array:
    length = max(len(first.prefix), len(second.prefix))
    prefix = tuple(intersect(element(first, index), element(second, index)) for index in range(length))
    return Array(
        first.pointer,
        prefix,
        intersect(first.items, second.items),
        max(first.low, second.low),
        _smaller(first.high, second.high),
        first.unique or second.unique,
    )


def _objects(first: Object, second: Object) -> Object:
    theirs = {each.name: each for each in second.properties}
    mine = {each.name for each in first.properties}
    merged = []
    for each in first.properties:
        other = theirs.get(each.name)
        if other is not None:
            required = each.required or other.required
            merged.append(replace(each, node=intersect(each.node, other.node), required=required))
        else:
            merged.append(_beside(each, second.additional))
    merged += [_beside(each, first.additional) for each in second.properties if each.name not in mine]
    additional = [each.additional for each in (first, second) if each.additional is not None]
    return Object(
        first.pointer,
        tuple(merged),
        reduce(intersect, additional) if additional else None,
        first.declared or second.declared,
        max(first.low, second.low),
        _smaller(first.high, second.high),
    )


def _beside(mine: Property, their_additional: SchemaNode | None) -> Property:
    return mine if their_additional is None else replace(mine, node=intersect(mine.node, their_additional))
