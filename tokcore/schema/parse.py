"""JSON Schema → nodes: every keyword is looked at; what cannot be enforced is refused with its pointer.

>>> parse({"type": "string", "maxLength": 3}, Ledger())
String(pointer='', low=0, high=3, values=())
>>> parse({"properties": {"a": {"not": {}}}}, Ledger())
Traceback (most recent call last):
tokcore.schema.errors.SchemaError: /properties/a/not: excludes values (say what the value may be instead)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import NoReturn, cast

from tokcore.schema.disjoint import are_disjoint
from tokcore.schema.errors import SchemaError, SchemaTooLarge
from tokcore.schema.keywords import check_json, read_array, read_number, read_object_counts, read_string, refused_of
from tokcore.schema.ledger import KEYWORDS, Ledger
from tokcore.schema.meet import intersect
from tokcore.schema.nodes import (
    AnyValue,
    Array,
    Boolean,
    Constant,
    Implied,
    Never,
    Null,
    Number,
    Object,
    Property,
    SchemaNode,
    Typed,
    Union,
    escape_pointer,
)
from tokcore.schema.pointers import resolve

MAX_NODES = 20_000
MAX_DEPTH = 50
MAX_ONE_OF = 200
RECURSION = 2

_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
# A schema without `type` is about the types its keywords are about.
_ABOUT = {
    **dict.fromkeys(("properties", "required", "additionalProperties", "minProperties", "maxProperties"), "object"),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems"), "array"),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
}
_FORMAT_ABOUT = {**dict.fromkeys(("int32", "int64"), "integer"), **dict.fromkeys(("float", "double"), "number")}


def parse(schema: object, ledger: Ledger, *, pointer: str = "", recursion: int = RECURSION) -> SchemaNode:
    """The node of a schema; references are looked up in the schema itself.

    `pointer` stands before all pointers; `recursion`: how many times a reference is followed inside itself.
    """
    return _Parser(schema, ledger, pointer, recursion).read(schema, "", ("",))


@dataclass(slots=True)
class _Parser:
    root: object
    ledger: Ledger
    prefix: str
    recursion: int
    count: int = 0

    def at(self, pointer: str) -> str:
        return self.prefix + pointer

    def malformed(self, pointer: str, what: str, remedy: str) -> NoReturn:
        raise SchemaError(where=self.at(pointer), what=what, remedy=remedy)

    def read(self, schema: object, pointer: str, trail: tuple[str, ...], depth: int = 0) -> SchemaNode:
        self.count += 1
        if self.count > MAX_NODES:
            what = f"more than {MAX_NODES} schemas, references followed"
            raise SchemaTooLarge(where=self.at(pointer), what=what, remedy="use fewer references or a lower recursion")
        if depth > MAX_DEPTH:
            what = f"schemas nested more than {MAX_DEPTH} deep, references followed"
            raise SchemaTooLarge(where=self.at(pointer), what=what, remedy="nest fewer levels or use a lower recursion")
        if schema is True:
            return AnyValue(self.at(pointer))
        if schema is False:
            return Never(self.at(pointer))
        if not isinstance(schema, dict):
            self.malformed(pointer, f"found {_shown(schema)} for a schema", "a schema is an object, true or false")
        self.look_at_all(schema, pointer)
        return self.combined(schema, pointer, trail, depth + 1)

    def look_at_all(self, schema: dict[str, object], pointer: str) -> None:
        for keyword in schema:
            if not isinstance(keyword, str):
                self.malformed(pointer, f"a keyword that is {_shown(keyword)}", "use texts for names")
            if keyword.startswith("x-"):
                continue
            place = f"{pointer}/{escape_pointer(keyword)}"
            if keyword not in KEYWORDS:
                self.malformed(place, "an unknown keyword", "leave it out, or begin its name with x-")
            self.ledger.note(self.at(place), keyword)
        if pointer and "$id" in schema:
            self.malformed(f"{pointer}/$id", "a schema with an address of its own", "use $defs and $ref")

    # ---- the whole

    def combined(self, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int) -> SchemaNode:
        found: list[SchemaNode] = [self.own(schema, pointer, trail, depth)]
        if "enum" in schema or "const" in schema:
            found += self.constants(schema, pointer)
        if "$ref" in schema:
            found.append(self.reference(schema["$ref"], pointer, trail, depth))
        for index, each in enumerate(self.list_of(schema, "allOf", pointer)):
            found.append(self.read(each, f"{pointer}/allOf/{index}", trail, depth))
        if "anyOf" in schema:
            found.append(Union(self.at(f"{pointer}/anyOf"), self.branches(schema, "anyOf", pointer, trail, depth)))
        node = reduce(intersect, found)
        if "oneOf" in schema:
            node = self.one_of(node, schema, pointer, trail, depth)
        if schema.get("nullable") is True and "type" not in schema:
            node = Union(self.at(pointer), (node, Null(self.at(f"{pointer}/nullable"))))
        elif not isinstance(schema.get("nullable", False), bool):
            self.malformed(f"{pointer}/nullable", f"found {_shown(schema['nullable'])}", "use true or false")
        # A cut branch has done its work once nothing can be compared with it any more; a lone one stays.
        return node

    def list_of(self, schema: dict[str, object], keyword: str, pointer: str) -> list[object]:
        found = schema.get(keyword, [])
        if not isinstance(found, list) or (keyword in schema and not found):
            self.malformed(f"{pointer}/{keyword}", f"found {_shown(found)}", "use a list of one schema or more")
        return found

    def branches(
        self, schema: dict[str, object], keyword: str, pointer: str, trail: tuple[str, ...], depth: int
    ) -> tuple[SchemaNode, ...]:
        listed = self.list_of(schema, keyword, pointer)
        return tuple(self.read(each, f"{pointer}/{keyword}/{index}", trail, depth) for index, each in enumerate(listed))

    def one_of(
        self, node: SchemaNode, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int
    ) -> SchemaNode:
        place = f"{pointer}/oneOf"
        branches = self.branches(schema, "oneOf", pointer, trail, depth)
        if len(branches) > MAX_ONE_OF:
            what, remedy = f"{len(branches)} branches to compare with each other", f"use at most {MAX_ONE_OF}, or anyOf"
            raise SchemaTooLarge(where=self.at(place), what=what, remedy=remedy)
        met = [intersect(node, each) for each in branches]
        pair = next(
            ((i, j) for j in range(len(met)) for i in range(j) if not are_disjoint(met[i], met[j])),
            None,
        )
        if pair is not None:
            what = f"a value may be valid under both {pair[0]} and {pair[1]}"
            remedy = "use anyOf, or give the branches different types or a required property with different constants"
            self.ledger.refuse(self.at(place), "oneOf", what, remedy)
        return intersect(node, Union(self.at(place), branches))

    def reference(self, target: object, pointer: str, trail: tuple[str, ...], depth: int) -> SchemaNode:
        place = f"{pointer}/$ref"
        if not isinstance(target, str):
            self.malformed(place, f"found {_shown(target)}", "use a text like #/$defs/name")
        found, where = resolve(self.root, target, self.at(place))
        if trail.count(where) > self.recursion:
            return Never(self.at(place), cut=True)
        return self.read(found, where, (*trail, where), depth)

    def constants(self, schema: dict[str, object], pointer: str) -> list[SchemaNode]:
        found: list[SchemaNode] = []
        if "const" in schema:
            place = self.at(f"{pointer}/const")
            found.append(Constant(place, (check_json(schema["const"], place),)))
        if "enum" in schema:
            place = self.at(f"{pointer}/enum")
            values = schema["enum"]
            if not isinstance(values, list) or not values:
                self.malformed(f"{pointer}/enum", f"found {_shown(values)}", "use a list of one value or more")
            found.append(Constant(place, tuple(check_json(value, f"{place}/{i}") for i, value in enumerate(values))))
        return found

    # ---- one schema's own keywords

    def own(self, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int) -> SchemaNode:
        types, explicit = self.types(schema, pointer)
        for keyword, what in refused_of(schema, types if explicit else None):
            self.ledger.refuse(self.at(f"{pointer}/{keyword}"), keyword, what)
        parts = [self.typed(name, schema, pointer, trail, depth) for name in types]
        if explicit:
            return parts[0] if len(parts) == 1 else Union(self.at(f"{pointer}/type"), tuple(parts))
        return Implied(self.at(pointer), tuple(parts)) if parts else AnyValue(self.at(pointer))

    def types(self, schema: dict[str, object], pointer: str) -> tuple[list[str], bool]:
        if "type" not in schema:
            about = [_ABOUT[keyword] for keyword in schema if keyword in _ABOUT]
            if "format" in schema and not about:
                about.append(_FORMAT_ABOUT.get(str(schema["format"]), "string"))
            return list(dict.fromkeys(about)), False
        found = schema["type"]
        names = found if isinstance(found, list) else [found]
        if not names or any(name not in _TYPES for name in names):
            self.malformed(f"{pointer}/type", f"found {_shown(found)}", f"use one or several of {', '.join(_TYPES)}")
        types = list(dict.fromkeys(cast(list[str], names)))
        if "number" in types and "integer" in types:
            types.remove("integer")
        if schema.get("nullable") is True and "null" not in types:
            types.append("null")
        return types, True

    def typed(self, name: str, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int) -> Typed:
        place = self.at(pointer)
        match name:
            case "null":
                return Null(place)
            case "boolean":
                return Boolean(place)
            case "integer" | "number":
                return read_number(Number(place, name == "integer"), schema, self.ledger)
            case "string":
                return read_string(place, schema, self.ledger)
            case "array":
                return self.array(schema, pointer, trail, depth)
        return self.object(schema, pointer, trail, depth)

    def array(self, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int) -> Array:
        if isinstance(schema.get("items"), list):
            self.malformed(f"{pointer}/items", "a list of schemas, as in drafts before 2020-12", "use prefixItems")
        prefix = self.branches(schema, "prefixItems", pointer, trail, depth)
        items: SchemaNode = AnyValue(self.at(pointer))
        if "items" in schema:
            items = self.read(schema["items"], f"{pointer}/items", trail, depth)
        return read_array(Array(self.at(pointer), prefix, items), schema)

    def object(self, schema: dict[str, object], pointer: str, trail: tuple[str, ...], depth: int) -> Object:
        listed = schema.get("properties", {})
        if not isinstance(listed, dict):
            self.malformed(f"{pointer}/properties", f"found {_shown(listed)}", "use an object of schemas")
        names = schema.get("required", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.malformed(f"{pointer}/required", f"found {_shown(names)}", "use a list of property names")
        required = dict.fromkeys(cast(list[str], names))
        properties = [
            Property(
                check_json(name, self.at(f"{pointer}/properties")),  # type: ignore[arg-type]
                self.read(each, f"{pointer}/properties/{escape_pointer(name)}", trail, depth),
                name in required,
                self.at(f"{pointer}/properties/{escape_pointer(name)}"),
            )
            for name, each in listed.items()
        ]
        additional: SchemaNode | None = None
        if "additionalProperties" in schema:
            additional = self.read(schema["additionalProperties"], f"{pointer}/additionalProperties", trail, depth)
        place = self.at(f"{pointer}/required")
        for name in required:
            if name not in listed:
                check_json(name, place)
                node: SchemaNode = AnyValue(place) if additional is None else replace(additional)
                properties.append(Property(name, node, True, place))
        found = Object(self.at(pointer), tuple(properties), additional, "properties" in schema)
        return read_object_counts(found, schema)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
