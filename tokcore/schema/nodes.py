"""A schema that has been read: what a value must be, free of how the keywords said it.

>>> Union("", (Null("/anyOf/0"), Boolean("/anyOf/1"))).branches[1].pointer
'/anyOf/1'

`pointer` is the JSON pointer of the part of the schema that is responsible.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tokcore.schema.expr import Expr

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Anything."""

    pointer: str


@dataclass(frozen=True, slots=True)
class Never:
    """Nothing; `cut`: only because a recursion was followed no further."""

    pointer: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Null:
    pointer: str


@dataclass(frozen=True, slots=True)
class Boolean:
    pointer: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or an integer, between bounds; `above_low`, `below_high`: the bound itself is left out."""

    pointer: str
    integer: bool = False
    low: Decimal | None = None
    high: Decimal | None = None
    above_low: bool = False
    below_high: bool = False
    steps: tuple[Decimal, ...] = ()


@dataclass(frozen=True, slots=True)
class String:
    """`low` to `high` code points, matched by all of `values` (expressions over the decoded text)."""

    pointer: str
    low: int = 0
    high: int | None = None
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Array:
    """`low` to `high` elements: first the prefix, then `items`; `unique`: the pointer of a uniqueItems."""

    pointer: str
    prefix: tuple[SchemaNode, ...]
    items: SchemaNode
    low: int = 0
    high: int | None = None
    unique: str | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """A property, optional or required; `pointer`: where it is named."""

    name: str
    node: SchemaNode
    required: bool
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Object:
    """Properties in the order they are written; `additional` is None where the schema does not say.

    `declared`: whether it lists properties at all. `low`, `high`: how many properties.
    """

    pointer: str
    properties: tuple[Property, ...] = ()
    additional: SchemaNode | None = None
    declared: bool = False
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """One of some values."""

    pointer: str
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """Any of the branches."""

    pointer: str
    branches: tuple[SchemaNode, ...]


@dataclass(frozen=True, slots=True)
class Implied:
    """Keywords without a `type`: a value of a part's type must be as the part says, other values are free."""

    pointer: str
    parts: tuple[Typed, ...]


Typed = Null | Boolean | Number | String | Array | Object
SchemaNode = AnyValue | Never | Constant | Union | Implied | Typed


def identity(value: Json) -> object:
    """What two JSON values have in common if and only if JSON Schema calls them equal.

    >>> identity(1) == identity(1.0), identity(1) == identity(True), identity({"a": []}) == identity({"a": {}})
    (True, False, False)
    """
    if isinstance(value, bool) or value is None:
        return str(value), None
    if isinstance(value, dict):
        return "object", frozenset((name, identity(each)) for name, each in value.items())
    if isinstance(value, list):
        return "array", tuple(map(identity, value))
    return ("string", value) if isinstance(value, str) else ("number", value)


def escape_pointer(name: str) -> str:
    """One step of a JSON pointer.

    >>> escape_pointer("a/b~c")
    'a~1b~0c'
    """
    return name.replace("~", "~0").replace("/", "~1")
