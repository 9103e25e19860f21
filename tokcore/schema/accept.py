"""Whether a value is valid under a node, by the rules of JSON Schema and not by the narrower ones of the pattern."""

from __future__ import annotations

from decimal import Decimal

from tokcore.schema.automaton import Automaton
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
    SchemaNode,
    String,
    Typed,
    Union,
    identity,
)


def element(array: Array, index: int) -> SchemaNode:
    """What the element at an index must be."""
    return array.prefix[index] if index < len(array.prefix) else array.items


def accepts(node: SchemaNode, value: Json, *, if_cut: bool = False) -> bool:
    """Whether a value is valid, by the rules of JSON Schema and not by the narrower ones of the pattern.

    >>> from tokcore.schema.nodes import Property
    >>> accepts(Object("", (Property("a", Null(""), True),)), {"a": None, "b": 1})
    True

    `if_cut`: the answer where a recursion was followed no further.
    """

    def inside(each: SchemaNode, part: Json) -> bool:
        return accepts(each, part, if_cut=if_cut)

    match node:
        case AnyValue():
            return True
        case Never():
            return if_cut and node.cut
        case Constant():
            return identity(value) in map(identity, node.values)
        case Union():
            return any(inside(each, value) for each in node.branches)
        case Implied():
            return all(inside(part, value) for part in node.parts if _has_type(part, value))
        case Null() | Boolean():
            return _has_type(node, value)
        case Number():
            return _has_type(node, value) and _is_number_within(node, value)  # type: ignore[arg-type]
        case String():
            return isinstance(value, str) and _is_string_within(node, value)
        case Array():
            if not isinstance(value, list) or not _counts(node, len(value)):
                return False
            if node.unique is not None and len(set(map(identity, value))) < len(value):
                return False
            return all(inside(element(node, index), part) for index, part in enumerate(value))
        case Object():
            if not isinstance(value, dict) or not _counts(node, len(value)):
                return False
            known = {each.name: each for each in node.properties}
            if any(each.required and name not in value for name, each in known.items()):
                return False
            other = AnyValue("") if node.additional is None else node.additional
            return all(inside(known[name].node if name in known else other, part) for name, part in value.items())


def _has_type(node: Typed, value: Json) -> bool:
    match node:
        case Null():
            return value is None
        case Boolean():
            return isinstance(value, bool)
        case Number():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case String():
            return isinstance(value, str)
        case Array():
            return isinstance(value, list)
        case Object():
            return isinstance(value, dict)


def _counts(node: Array | Object, count: int) -> bool:
    return node.low <= count and (node.high is None or count <= node.high)


def _is_number_within(node: Number, value: int | float) -> bool:
    number = Decimal(str(value))
    if node.integer and number != number.to_integral_value():
        return False
    if node.low is not None and (number < node.low or (node.above_low and number == node.low)):
        return False
    if node.high is not None and (number > node.high or (node.below_high and number == node.high)):
        return False
    return all(_is_multiple(number, step) for step in node.steps)


def _is_multiple(number: Decimal, step: Decimal) -> bool:
    top, bottom = number.as_integer_ratio()
    step_top, step_bottom = step.as_integer_ratio()
    return top * step_bottom % (bottom * step_top) == 0


def _is_string_within(node: String, value: str) -> bool:
    if len(value) < node.low or (node.high is not None and len(value) > node.high):
        return False
    return all(Automaton(each).matches(value) for each in node.values)
