"""Whether a document is valid, by the rules of JSON Schema 2020-12, and which keyword it breaks.

>>> broken_keyword({"type": "array", "uniqueItems": True}, [1, 1.0])
'/uniqueItems'

This is for what the pattern does *not* enforce: a counter-example is believed only when this function names the keyword
that it breaks. Keywords it cannot judge (formats and patterns outside the enforced ones) count as fulfilled, so that it
errs towards no counter-example.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from tokcore.schema.accept import accepts
from tokcore.schema.automaton import Automaton
from tokcore.schema.ecma import parse_pattern
from tokcore.schema.errors import SchemaError
from tokcore.schema.keywords import read_number, read_string
from tokcore.schema.ledger import Ledger
from tokcore.schema.nodes import Json, Number, escape_pointer, identity
from tokcore.schema.pointers import resolve

MAX_DEPTH = 100

Schema = dict[str, Json]
_TYPE_OF = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null", int: "integer"}


def broken_keyword(schema: object, value: Json) -> str | None:
    """The pointer of a keyword that the value breaks; None where it breaks none."""
    return next(_Judge(schema).broken(schema, value, "", 0), None)


@dataclass(frozen=True, slots=True)
class _Judge:
    root: object

    def is_valid(self, schema: object, value: Json, depth: int) -> bool:
        return next(self.broken(schema, value, "", depth), None) is None

    def broken(self, schema: object, value: Json, pointer: str, depth: int) -> Iterator[str]:
        if depth > MAX_DEPTH:
            # A reference that leads to itself and nowhere else.
            return
        if schema is False:
            yield pointer
        if not isinstance(schema, dict):
            return
        for keyword in self._own(schema, value):
            yield f"{pointer}/{escape_pointer(keyword)}"
        yield from self._in_place(schema, value, pointer, depth + 1)
        if isinstance(value, dict):
            yield from self._object(schema, value, pointer, depth + 1)
        if isinstance(value, list):
            yield from self._array(schema, value, pointer, depth + 1)

    def _own(self, schema: Schema, value: Json) -> Iterator[str]:
        """Keywords that need no other schema."""
        if "type" in schema and not _has_type(schema, value):
            yield "type"
        if "const" in schema and identity(schema["const"]) != identity(value):
            yield "const"
        if "enum" in schema and identity(value) not in map(identity, cast(list[Json], schema["enum"])):
            yield "enum"
        lenient = Ledger(weaken=True)
        if isinstance(value, str):
            for keyword in ("minLength", "maxLength", "pattern", "format"):
                if keyword in schema and not accepts(read_string("", {keyword: schema[keyword]}, lenient), value):
                    yield keyword
        if isinstance(value, int | float) and not isinstance(value, bool):
            for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
                if keyword in schema and not accepts(
                    read_number(Number(""), {keyword: schema[keyword]}, lenient), value
                ):
                    yield keyword
        if isinstance(value, list):
            if schema.get("uniqueItems") is True and len(set(map(identity, value))) < len(value):
                yield "uniqueItems"
            yield from _miscounted(schema, len(value), "minItems", "maxItems")
        if isinstance(value, dict):
            yield from _miscounted(schema, len(value), "minProperties", "maxProperties")
            if any(name not in value for name in cast(list[str], schema.get("required", []))):
                yield "required"
            needs = cast(dict[str, list[str]], schema.get("dependentRequired", {}))
            if any(name in value and any(each not in value for each in then) for name, then in needs.items()):
                yield "dependentRequired"

    def _in_place(self, schema: Schema, value: Json, pointer: str, depth: int) -> Iterator[str]:
        """Keywords that apply other schemas to the same value."""
        if "$ref" in schema:
            found, where = resolve(self.root, cast(str, schema["$ref"]), f"{pointer}/$ref")
            if not (value is None and schema.get("nullable") is True):
                yield from self.broken(found, value, where, depth)
        for index, each in enumerate(_list(schema, "allOf")):
            yield from self.broken(each, value, f"{pointer}/allOf/{index}", depth)
        null_is_free = value is None and schema.get("nullable") is True
        for keyword, most in (("anyOf", None), ("oneOf", 1)):
            count = sum(self.is_valid(each, value, depth) for each in _list(schema, keyword))
            if keyword in schema and not null_is_free and (count == 0 or (most is not None and count > most)):
                yield f"{pointer}/{keyword}"
        if "not" in schema and self.is_valid(schema["not"], value, depth):
            yield f"{pointer}/not"
        if "if" in schema:
            branch = "then" if self.is_valid(schema["if"], value, depth) else "else"
            if branch in schema and not self.is_valid(schema[branch], value, depth):
                yield f"{pointer}/{branch}"
        for name, each in _dict(schema, "dependentSchemas").items():
            if isinstance(value, dict) and name in value and not self.is_valid(each, value, depth):
                yield f"{pointer}/dependentSchemas"

    def _object(self, schema: Schema, value: dict[str, Json], pointer: str, depth: int) -> Iterator[str]:
        properties, patterns = _dict(schema, "properties"), _dict(schema, "patternProperties")
        for name, part in value.items():
            seen = name in properties
            if seen:
                yield from self.broken(properties[name], part, f"{pointer}/properties/{escape_pointer(name)}", depth)
            for pattern, each in patterns.items():
                try:
                    found = Automaton(parse_pattern(pattern, pointer)).matches(name)
                except SchemaError:
                    seen = True  # nobody knows whether it matches
                    continue
                seen = seen or found
                if found and not self.is_valid(each, part, depth):
                    yield f"{pointer}/patternProperties"
            if not seen and "additionalProperties" in schema:
                yield from self.broken(schema["additionalProperties"], part, f"{pointer}/additionalProperties", depth)
            if "propertyNames" in schema and not self.is_valid(schema["propertyNames"], name, depth):
                yield f"{pointer}/propertyNames"

    def _array(self, schema: Schema, value: list[Json], pointer: str, depth: int) -> Iterator[str]:
        prefix = _list(schema, "prefixItems")
        for index, part in enumerate(value):
            if index < len(prefix):
                yield from self.broken(prefix[index], part, f"{pointer}/prefixItems/{index}", depth)
            elif "items" in schema:
                yield from self.broken(schema["items"], part, f"{pointer}/items", depth)
        if "contains" in schema:
            count = sum(self.is_valid(schema["contains"], part, depth) for part in value)
            if count < cast(int, schema.get("minContains", 1)):
                yield f"{pointer}/contains"
            if count > cast(int, schema.get("maxContains", count)):
                yield f"{pointer}/maxContains"


def _has_type(schema: Schema, value: Json) -> bool:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if value is None and schema.get("nullable") is True:
        return True
    kind = _TYPE_OF.get(type(value), "number")
    if isinstance(value, float) and value.is_integer():
        kind = "integer"
    return kind in names or (kind == "integer" and "number" in names)


def _miscounted(schema: Schema, count: int, low: str, high: str) -> Iterator[str]:
    if count < cast(int, schema.get(low, 0)):
        yield low
    if count > cast(int, schema.get(high, count)):
        yield high


def _list(schema: Schema, keyword: str) -> list[Json]:
    return cast(list[Json], schema.get(keyword, []))


def _dict(schema: Schema, keyword: str) -> dict[str, Json]:
    return cast(dict[str, Json], schema.get(keyword, {}))
