"""Random schemas of the supported kind, and checks against jsonschema."""

from __future__ import annotations

import json
from decimal import Decimal

import jsonschema
from hypothesis import strategies as st

names = st.one_of(
    st.sampled_from(["a", "b", "ab", "kind", 'q"', "x/y", "é", ""]), st.text(max_size=3).filter(str.isprintable)
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1000, 1000),
    st.sampled_from([0.5, -1.25, 1e-7, 1e21, 2.0]),
    st.text(st.characters(codec="utf-8"), max_size=4),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(names, inner, max_size=2)),
    max_leaves=4,
)

PATTERNS = ["^a+$", "b", "^[a-c]{2,4}$", "^x|y$", "[^q]", "^(ab|c)*$", "\\d+", "^.$", "^\\w*$", ""]
FORMATS = ["date", "time", "date-time", "uuid", "email", "ipv4", "ipv6", "uri", "hostname"]


@st.composite
def strings(draw):
    schema = {"type": "string"}
    low = draw(st.integers(0, 3))
    kind = draw(st.sampled_from(["plain", "length", "pattern", "both", "format"]))
    if kind in ("length", "both"):
        schema |= {"minLength": low, "maxLength": low + draw(st.integers(0, 4))}
    if kind in ("pattern", "both"):
        schema["pattern"] = draw(st.sampled_from(PATTERNS))
    if kind == "format":
        schema["format"] = draw(st.sampled_from(FORMATS))
    return schema


@st.composite
def numbers(draw):
    integer = draw(st.booleans())
    schema = {"type": "integer" if integer else "number"}
    bounds = st.integers(-1200, 1200) if integer else st.decimals(-1200, 1200, places=2, allow_nan=False).map(float)
    low, high = draw(st.none() | bounds), draw(st.none() | bounds)
    if low is not None:
        schema[draw(st.sampled_from(["minimum", "exclusiveMinimum"]))] = low
    if high is not None:
        schema[draw(st.sampled_from(["maximum", "exclusiveMaximum"]))] = high
    if draw(st.integers(0, 5)) == 0:
        schema["multipleOf"] = draw(st.sampled_from([2, 5, 10, 3] if integer else [0.01, 0.5, 5, 0.25]))
    return schema


def arrays(inner):
    @st.composite
    def build(draw):
        schema = {"type": "array", "items": draw(inner)}
        if draw(st.booleans()):
            schema["prefixItems"] = draw(st.lists(inner, min_size=1, max_size=3))
            if draw(st.booleans()):
                schema["items"] = False
        if draw(st.booleans()):
            schema["minItems"] = draw(st.integers(0, 3))
        if draw(st.booleans()):
            schema["maxItems"] = draw(st.integers(0, 4))
        return schema

    return build()


def objects(inner):
    @st.composite
    def build(draw):
        properties = draw(st.dictionaries(names, inner, max_size=4))
        schema = {"type": "object", "properties": properties}
        schema["required"] = [name for name in properties if draw(st.booleans())]
        if draw(st.integers(0, 4)) == 0:
            schema["required"].append("extra")
        extra = draw(st.sampled_from([None, False, True, "schema"]))
        if extra == "schema":
            schema["additionalProperties"] = draw(inner)
        elif extra is not None:
            schema["additionalProperties"] = extra
        return schema

    return build()


def combined(inner):
    return st.one_of(
        st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda branches: {"oneOf": branches}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda parts: {"allOf": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda one, rest: {**rest, "allOf": [one]}, inner, st.sampled_from([{"title": "t"}, {"default": 1}])),
    )


leaves = st.one_of(
    strings(),
    numbers(),
    st.sampled_from([True, {}, {"type": "null"}, {"type": "boolean"}, {"type": ["string", "null"]}, {"minLength": 1}]),
    st.builds(lambda value: {"const": value}, values),
    st.builds(lambda found: {"enum": found}, st.lists(values, min_size=1, max_size=3)),
)
schemas = st.recursive(leaves, lambda inner: st.one_of(arrays(inner), objects(inner), combined(inner)), max_leaves=6)


def validator(schema: object) -> jsonschema.protocols.Validator:
    """jsonschema with exact decimals and its format checks."""
    exact = json.loads(json.dumps(schema), parse_float=Decimal)
    kind = jsonschema.Draft202012Validator
    return kind(exact, format_checker=kind.FORMAT_CHECKER)


def read(text: str) -> object:
    return json.loads(text, parse_float=Decimal)


# ---- a schema together with a document that is valid, spelled as the pattern wants it


def _with_free_string(text):
    return st.sampled_from(
        [
            ({"type": "string"}, text),
            ({"type": "string", "minLength": len(text), "maxLength": len(text)}, text),
            ({"type": ["string", "null"], "maxLength": len(text) + 1}, text),
            ({"const": text}, text),
            ({"enum": [0, text]}, text),
            ({"type": "string", "pattern": ""}, text),
            ({"minLength": len(text)}, text),
        ]
    )


def _with_integer(number):
    return st.sampled_from(
        [
            ({"type": "integer"}, number),
            ({"type": "integer", "minimum": number, "exclusiveMaximum": number + 1}, number),
            ({"type": "integer", "exclusiveMinimum": number - 7, "maximum": number + 1000}, number),
            ({"type": "number"}, number),
            ({"type": "number", "minimum": number - 0.5}, number),
            ({"type": "integer", "multipleOf": 5}, number * 5),
            ({"const": number}, number),
        ]
    )


def _with_float(number):
    return st.sampled_from(
        [
            ({"type": "number"}, number),
            ({"type": "number", "minimum": number, "maximum": number}, number),
            ({"type": "number", "exclusiveMinimum": round(number - 1, 2), "maximum": number + 1}, number),
            ({"type": "number", "multipleOf": 0.01}, number),
        ]
    )


_simple_pairs = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=4).flatmap(_with_free_string),
    st.integers(-(10**6), 10**6).flatmap(_with_integer),
    st.integers(-(10**5), 10**5).map(lambda each: each / 100).flatmap(_with_float),
    st.sampled_from([({"type": "null"}, None), ({"type": "boolean"}, True), ({}, {"a": [1, "x"]}), (True, [[]])]),
)


@st.composite
def _array_pairs(draw, inner):
    found = draw(st.lists(inner, max_size=3))
    documents = [document for _, document in found]
    prefix = [schema for schema, _ in found]
    if not found:
        return {"type": "array", "maxItems": draw(st.integers(0, 2))}, []
    if draw(st.booleans()):
        return {"type": "array", "prefixItems": prefix, "items": False, "minItems": len(prefix)}, documents
    return {"type": "array", "items": {"anyOf": prefix}, "maxItems": len(prefix)}, documents


@st.composite
def _object_pairs(draw, inner):
    found = draw(st.dictionaries(names, inner, max_size=4))
    there = {name: draw(st.booleans()) for name in found}
    schema = {
        "type": "object",
        "properties": {name: part for name, (part, _) in found.items()},
        "required": [name for name in found if there[name] and draw(st.booleans())],
    }
    document = {name: part for name, (_, part) in found.items() if there[name]}
    extra = draw(st.none() | inner)
    if extra is not None and "more" not in found:
        schema["additionalProperties"], document["more"] = extra
    return schema, document


_nested = st.recursive(
    _simple_pairs,
    lambda inner: st.one_of(
        _array_pairs(inner),
        _object_pairs(inner),
        inner.map(lambda pair: ({"allOf": [pair[0], {"title": "t"}]}, pair[1])),
    ),
    max_leaves=6,
)
# A reference needs the whole document around it.
pairs = _nested | _nested.map(lambda pair: ({"$ref": "#/$defs/it", "$defs": {"it": pair[0]}}, pair[1]))


def obj(properties, **more):
    """A schema of an object with these properties."""
    return {"type": "object", "properties": properties, **more}
