"""The keywords of single types: their values checked, and put into a node."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar, cast

from tokcore.errors import require_utf8
from tokcore.schema.ecma import parse_pattern
from tokcore.schema.errors import SchemaError, SchemaTooLarge
from tokcore.schema.formats import FORMATS, OTHER_FORMATS
from tokcore.schema.ledger import KEYWORDS, Ledger, Verdict
from tokcore.schema.nodes import Array, Json, Number, Object, String
from tokcore.schema.numbers import has_room

Schema = Mapping[str, object]

MAX_COUNT = 1_000_000
MAX_DIGITS = 100
MAX_VALUE_DEPTH = 50
# Python reads no longer ones.
MAX_INTEGER_DIGITS = 4000

# What a refused keyword does, and the type it is about (None: all).
_REFUSED: dict[str, tuple[str, str | None]] = {
    **dict.fromkeys(("not",), ("excludes values", None)),
    **dict.fromkeys(("if", "then", "else"), ("depends on another condition", None)),
    **dict.fromkeys(("$dynamicRef", "$recursiveRef"), ("leads to another place from each caller", None)),
    **dict.fromkeys(("$dynamicAnchor", "$recursiveAnchor", "$anchor"), ("names a place for references", None)),
    **dict.fromkeys(
        ("dependentRequired", "dependentSchemas", "dependencies"), ("depends on which properties are there", "object")
    ),
    **dict.fromkeys(("patternProperties", "propertyNames"), ("depends on the spelling of names", "object")),
    **dict.fromkeys(("unevaluatedProperties",), ("depends on what other keywords have looked at", "object")),
    **dict.fromkeys(("unevaluatedItems",), ("depends on what other keywords have looked at", "array")),
    **dict.fromkeys(("additionalItems",), ("belongs to drafts before 2020-12", "array")),
    **dict.fromkeys(("contains", "minContains", "maxContains"), ("asks for an element anywhere", "array")),
}
assert set(_REFUSED) == {keyword for keyword, (verdict, _) in KEYWORDS.items() if verdict is Verdict.REFUSED}


def refused_of(schema: Schema, types: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    """The keywords that cannot be enforced and matter for the types (None: any type), each with what it does."""
    for keyword in schema:
        if keyword in _REFUSED:
            what, about = _REFUSED[keyword]
            if about is None or types is None or about in types:
                yield keyword, what


def check_json(value: object, where: str, depth: int = 0) -> Json:
    """A value that can be written as JSON, unchanged.

    >>> check_json(float("nan"), "/const")
    Traceback (most recent call last):
    tokcore.schema.errors.SchemaError: /const: nan is no JSON number (use a finite number)
    """
    if depth > MAX_VALUE_DEPTH:
        raise SchemaError(
            where=where, what=f"a value nested more than {MAX_VALUE_DEPTH} deep", remedy="nest fewer levels"
        )
    if isinstance(value, str):
        require_utf8(value, where)
    elif isinstance(value, int) and abs(value) >= 10**MAX_INTEGER_DIGITS:
        what = f"an integer of more than {MAX_INTEGER_DIGITS:,} digits"
        raise SchemaError(where=where, what=what, remedy="use a shorter one")
    elif isinstance(value, float) and not math.isfinite(value):
        raise SchemaError(where=where, what=f"{value} is no JSON number", remedy="use a finite number")
    elif isinstance(value, list):
        for each in value:
            check_json(each, where, depth + 1)
    elif isinstance(value, dict):
        for name, each in value.items():
            if not isinstance(name, str):
                raise SchemaError(where=where, what=f"a name that is {name!r:.60}", remedy="use texts for names")
            check_json(name, where, depth + 1)
            check_json(each, where, depth + 1)
    elif value is not None and not isinstance(value, int | float):
        raise SchemaError(where=where, what=f"a value of type {type(value).__name__}", remedy="use JSON values only")
    return cast(Json, value)


def _count(schema: Schema, keyword: str, where: str) -> int | None:
    value = schema.get(keyword)
    if keyword not in schema:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        place = f"{where}/{keyword}"
        raise SchemaError(where=place, what=f"found {value!r:.60}", remedy=f"use a whole number from 0 to {MAX_COUNT}")
    return value


def _decimal(schema: Schema, keyword: str, where: str) -> Decimal | None:
    if keyword not in schema:
        return None
    value, place = schema[keyword], f"{where}/{keyword}"
    if isinstance(value, bool) and keyword.startswith("exclusive"):
        remedy = f"give the bound itself as {keyword}, as drafts since 6 do"
        raise SchemaError(where=place, what=f"found {value}, as in draft 4", remedy=remedy)
    is_long = isinstance(value, int) and abs(value) >= 10**MAX_DIGITS
    if not is_long and (not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value)):
        raise SchemaError(where=place, what=f"found {value!r:.60}", remedy="use a number")
    number = Decimal(0 if is_long else str(value))
    if is_long or abs(number.adjusted()) > MAX_DIGITS:
        raise SchemaError(where=place, what=f"a number of more than {MAX_DIGITS} digits", remedy="use a shorter one")
    return number


def read_number(node: Number, schema: Schema, ledger: Ledger) -> Number:
    """The bounds, the step and the format of a number."""
    where = node.pointer
    low, high = _decimal(schema, "minimum", where), _decimal(schema, "maximum", where)
    above, below = _decimal(schema, "exclusiveMinimum", where), _decimal(schema, "exclusiveMaximum", where)
    name = schema.get("format")
    if isinstance(name, str) and name in OTHER_FORMATS and node.integer:
        bounds = OTHER_FORMATS[name]
        if bounds is not None:
            low = Decimal(bounds[0]) if low is None else max(low, Decimal(bounds[0]))
            high = Decimal(bounds[1]) if high is None else min(high, Decimal(bounds[1]))
    elif name is not None and not (isinstance(name, str) and (name in OTHER_FORMATS or name in FORMATS)):
        ledger.refuse(f"{where}/format", "format", f"unknown format {name!r:.60}", _known_formats())
    step = _decimal(schema, "multipleOf", where)
    if step is not None and step <= 0:
        raise SchemaError(where=f"{where}/multipleOf", what=f"found {step}", remedy="use a number above 0")
    is_above = above is not None and (low is None or above >= low)
    is_below = below is not None and (high is None or below <= high)
    for keyword, bound, used in (("exclusiveMinimum", above, is_above), ("exclusiveMaximum", below, is_below)):
        if used and bound is not None and not node.integer and not has_room(bound):
            what = f"doubles next to {bound:f} do not tell 15 digits apart"
            raise SchemaError(where=f"{where}/{keyword}", what=what, remedy="use a bound with fewer digits")
    return replace(
        node,
        low=above if is_above else low,
        high=below if is_below else high,
        above_low=is_above,
        below_high=is_below,
        steps=() if step is None else (step,),
    )


def read_string(where: str, schema: Schema, ledger: Ledger) -> String:
    """Lengths, pattern and format of a string."""
    values = []
    if "pattern" in schema:
        pattern, place = schema["pattern"], f"{where}/pattern"
        if not isinstance(pattern, str):
            raise SchemaError(where=place, what=f"found {pattern!r:.60}", remedy="use a text")
        try:
            values.append(parse_pattern(pattern, place))
        except SchemaTooLarge:
            raise
        except SchemaError as error:
            ledger.refuse(place, "pattern", error.what, error.remedy)
    if "format" in schema:
        name, place = schema["format"], f"{where}/format"
        if isinstance(name, str) and name in FORMATS:
            values.append(FORMATS[name])
        elif not isinstance(name, str) or name not in OTHER_FORMATS:
            ledger.refuse(place, "format", f"unknown format {name!r:.60}", _known_formats())
    low = _count(schema, "minLength", where) or 0
    return String(where, low, _count(schema, "maxLength", where), tuple(values))


def _known_formats() -> str:
    return f"leave it out, or use one of {', '.join(sorted(FORMATS))}"


N = TypeVar("N", Array, Object)


def _counted(node: N, schema: Schema, low: str, high: str) -> N:
    return replace(node, low=_count(schema, low, node.pointer) or 0, high=_count(schema, high, node.pointer))


def read_array(node: Array, schema: Schema) -> Array:
    """The bounds of an array's length, and whether its elements must differ."""
    unique = schema.get("uniqueItems", False)
    place = f"{node.pointer}/uniqueItems"
    if not isinstance(unique, bool):
        raise SchemaError(where=place, what=f"found {unique!r:.60}", remedy="use true or false")
    return replace(_counted(node, schema, "minItems", "maxItems"), unique=place if unique else None)


def read_object_counts(node: Object, schema: Schema) -> Object:
    """The bounds of the number of properties."""
    return _counted(node, schema, "minProperties", "maxProperties")
