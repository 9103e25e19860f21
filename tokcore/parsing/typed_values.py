"""Values written as bare text, given the type that a tool's schema asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tokcore.parsing.json_text import LONGEST_NUMBER, JsonReader, escaped
from tokcore.parsing.python_literals import python_to_json
from tokcore.parsing.spec import Schema, Status

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.0+)?")
_DEEPEST_REFERENCE = 16
_STRING = frozenset(["string"])
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
)


def types_of(schema: object, root: Schema, depth: int = 0) -> frozenset[str]:
    """The types a schema allows, by their JSON Schema names; string where it says nothing.

    >>> sorted(types_of({"anyOf": [{"type": "string"}, {"type": "null"}]}, {}))
    ['null', 'string']
    >>> types_of({"$ref": "#/$defs/n"}, {"$defs": {"n": {"enum": [1, 2]}}})
    frozenset({'integer'})

    Looks at type, enum, const, anyOf, oneOf, allOf and references within `root`.
    """
    return _types(schema, root, depth) or _STRING


def _types(schema: object, root: Schema, depth: int) -> frozenset[str]:
    if not isinstance(schema, Mapping) or depth > _DEEPEST_REFERENCE:
        return frozenset()
    if isinstance(schema.get("$ref"), str):
        return _types(_referenced(schema["$ref"], root), root, depth + 1)
    declared = schema.get("type")
    if isinstance(declared, str):
        return frozenset([declared])
    if isinstance(declared, list):
        return frozenset(name for name in declared if isinstance(name, str))
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        return frozenset(next(name for kind, name in _KINDS if isinstance(value, kind)) for value in values)
    found: set[str] = set()
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        for branch in branches if isinstance(branches, list) else ():
            found |= _types(branch, root, depth + 1)
    return frozenset(found)


def _referenced(pointer: str, root: object) -> object:
    if not pointer.startswith("#"):
        return None
    for part in pointer[1:].split("/")[1:]:
        root = root.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(root, Mapping) else None
    return root


def typed(text: str, types: frozenset[str]) -> str:
    """A value's JSON text: of the first of the types it fits, else a string.

    >>> typed("3", frozenset(["integer"])), typed("2026-01-15", frozenset(["integer"]))
    ('3', '"2026-01-15"')
    >>> typed("{'a': None}", frozenset(["object"])), typed("False", frozenset(["boolean", "null"]))
    ('{"a": null}', 'false')

    Where a string is allowed only `null` is anything else. Objects and lists may be written in JSON or in Python.
    """
    bare = text.strip(" \t\r\n")
    if "null" in types and text in ("null", "None") and (text == "null" or "string" not in types):
        return "null"
    if "string" not in types:
        if "null" in types and bare in ("null", "None"):
            return "null"
        if "boolean" in types and bare.lower() in ("true", "false"):
            return bare.lower()
        number = _NUMBER if "number" in types else _INTEGER if "integer" in types else None
        if number is not None and len(bare) <= LONGEST_NUMBER and number.fullmatch(bare):
            return bare
        if (bare[:1] == "{" and "object" in types) or (bare[:1] == "[" and "array" in types):
            written = _json(bare)
            written = python_to_json(bare) if written is None else written
            if written is not None:
                return written
    return f'"{escaped(text)}"'


def _json(text: str) -> str | None:
    out: list[str] = []
    end, status = JsonReader("").read(text, 0, out.append)
    return "".join(out) if status is Status.DONE and end == len(text) else None
