"""Whether no value is valid under two nodes."""

from __future__ import annotations

from tokcore.schema.accept import accepts, element
from tokcore.schema.automaton import Automaton
from tokcore.schema.errors import SchemaTooLarge
from tokcore.schema.expr import Both
from tokcore.schema.meet import intersect
from tokcore.schema.nodes import (
    AnyValue,
    Array,
    Constant,
    Implied,
    Never,
    Number,
    Object,
    SchemaNode,
    String,
    Union,
)

# Patterns that are not told apart with so few states count as overlapping.
MAX_TERMS = 2000


def are_disjoint(first: SchemaNode, second: SchemaNode) -> bool:
    """Whether certainly no value is valid under both; False where that is not plain to see.

    >>> from tokcore.schema.nodes import Property
    >>> dog = Object("", (Property("kind", Constant("", ("dog",)), True),))
    >>> cat = Object("", (Property("kind", Constant("", ("cat",)), True),))
    >>> are_disjoint(dog, cat), are_disjoint(dog, Object(""))
    (True, False)
    """
    match first, second:
        case (Never(), _) if not first.cut:
            return True
        case (_, Never()) if not second.cut:
            return True
        case (AnyValue() | Never(), _) | (_, AnyValue() | Never()):
            return False
        case (Union(), _):
            return all(are_disjoint(each, second) for each in first.branches)
        case (_, Union()):
            return all(are_disjoint(first, each) for each in second.branches)
        case (Constant(), _):
            return not any(accepts(second, each, if_cut=True) for each in first.values)
        case (_, Constant()):
            return not any(accepts(first, each, if_cut=True) for each in second.values)
        case (Implied(), Implied()):
            return False
        case (Implied(), _):
            return any(type(part) is type(second) and are_disjoint(part, second) for part in first.parts)
        case (_, Implied()):
            return are_disjoint(second, first)
        case (Number(), Number()):
            both = intersect(first, second)
            assert isinstance(both, Number)
            if both.low is None or both.high is None:
                return False
            return both.low > both.high or (both.low == both.high and (both.above_low or both.below_high))
        case (String(), String()):
            return _are_disjoint_strings(first, second)
        case (Array(), Array()):
            both_arrays = intersect(first, second)
            assert isinstance(both_arrays, Array)
            if both_arrays.high is not None and both_arrays.low > both_arrays.high:
                return True
            certain = range(min(both_arrays.low, max(len(first.prefix), len(second.prefix)) + 1))
            return any(are_disjoint(element(first, index), element(second, index)) for index in certain)
        case (Object(), Object()):
            return _are_disjoint_objects(first, second) or _are_disjoint_objects(second, first)
    return type(first) is not type(second)


def _are_disjoint_strings(first: String, second: String) -> bool:
    both = intersect(first, second)
    assert isinstance(both, String)
    if both.high is not None and both.low > both.high:
        return True
    values = (*first.values, *second.values)
    if len(values) < 2:
        return False
    try:
        return Automaton(Both(values, ""), MAX_TERMS).matches_nothing
    except SchemaTooLarge:
        return False


def _are_disjoint_objects(first: Object, second: Object) -> bool:
    """Whether a property that the first requires has no value that is valid under both."""
    theirs = {each.name: each.node for each in second.properties}
    anything: SchemaNode = AnyValue("")
    other = anything if second.additional is None else second.additional
    return any(each.required and are_disjoint(each.node, theirs.get(each.name, other)) for each in first.properties)
