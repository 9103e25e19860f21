"""Reading typed values out of parsed JSON, with the JSON pointer in every complaint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokcore.errors import MalformedFile, UnsupportedComponent

_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def kind_of(value: object) -> str:
    """What JSON calls a value.

    >>> kind_of([]), kind_of(None)
    ('a list', 'null')
    """
    return _KINDS.get(type(value), type(value).__name__)


def escape_pointer(key: str) -> str:
    """One key as a part of a JSON pointer (RFC 6901).

    >>> escape_pointer("a/b~c")
    'a~1b~0c'
    """
    return key.replace("~", "~0").replace("/", "~1")


def as_name(value: object) -> str | None:
    """A name of a fixed set as a file may write it, a string or {name: null}; None for anything else.

    >>> as_name("NFC"), as_name({"NFC": None}), as_name(["NFC"])
    ('NFC', 'NFC', None)
    """
    if isinstance(value, Mapping) and list(value.values()) == [None]:
        (value,) = value
    return value if isinstance(value, str) else None


class Fields:
    """One JSON object and its place in the file.

    >>> fields = Fields({"type": "NFC", "use_regex": 1}, "/normalizer")
    >>> fields.string("type")
    'NFC'
    >>> fields.boolean("use_regex", default=False)
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: /normalizer/use_regex: found a number (must be a boolean)
    """

    def __init__(self, value: object, pointer: str) -> None:
        if not isinstance(value, Mapping):
            raise wrong_kind(value, pointer, "an object")
        self.value: Mapping[str, Any] = value
        self.pointer = pointer

    def at(self, key: str) -> str:
        return f"{self.pointer}/{escape_pointer(key)}"

    def required(self, key: str) -> Any:
        if key not in self.value:
            raise MalformedFile(
                where=self.pointer or "/", what=f"key {key!r} is missing", remedy=f"add {key!r} to this object"
            )
        return self.value[key]

    def string(self, key: str) -> str:
        value = self.required(key)
        if not isinstance(value, str):
            raise wrong_kind(value, self.at(key), "a string")
        return value

    def optional_string(self, key: str) -> str | None:
        return None if self.value.get(key) is None else self.string(key)

    def boolean(self, key: str, default: bool | None = None) -> bool:
        """`default` None: the key must be there."""
        value = self.value.get(key, default) if default is not None else self.required(key)
        if not isinstance(value, bool):
            raise wrong_kind(value, self.at(key), "a boolean")
        return value

    def natural(self, key: str) -> int:
        """A whole number from 0 to 2³² - 1, the reference's kind of id."""
        value = self.required(key)
        if not is_natural(value):
            raise wrong_kind(value, self.at(key), "a whole number from 0 to 4294967295")
        return int(value)

    def items(self, key: str) -> Iterator[tuple[str, Any]]:
        """(pointer, value) of each entry of a list."""
        value = self.required(key)
        if not isinstance(value, list):
            raise wrong_kind(value, self.at(key), "a list")
        return ((f"{self.at(key)}/{index}", item) for index, item in enumerate(value))

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.required(key)
        if not isinstance(value, Mapping):
            raise wrong_kind(value, self.at(key), "an object")
        return value

    def refuse(self, key: str, what: str, remedy: str) -> UnsupportedComponent:
        """An error to raise for an option that is understood but not supported."""
        return UnsupportedComponent(where=self.at(key), what=what, remedy=remedy)


def is_natural(value: object) -> bool:
    """Whether a value can be an id: a whole number that 32 bits hold.

    >>> is_natural(0), is_natural(True), is_natural(-1)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**32


def wrong_kind(value: object, pointer: str, wanted: str) -> MalformedFile:
    """An error to raise for a value of the wrong JSON type."""
    return MalformedFile(where=pointer or "/", what=f"found {kind_of(value)}", remedy=f"must be {wanted}")


def unknown_component(kind: str, name: str, pointer: str, known: Mapping[str, object]) -> UnsupportedComponent:
    """An error to raise for a component that is not in a table.

    >>> str(unknown_component("normalizer", "Foo", "/normalizer", {"NFC": 1}))
    "/normalizer/type: normalizer 'Foo' is not supported (supported: NFC)"
    """
    return UnsupportedComponent(
        where=f"{pointer}/type",
        what=f"{kind} {name!r} is not supported",
        remedy="supported: " + ", ".join(sorted(known)),
    )
