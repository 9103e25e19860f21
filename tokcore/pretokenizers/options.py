"""Values that pre-tokenizers read from a file: one of several names, a single character."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, as_name, wrong_kind

E = TypeVar("E", bound=Enum)


def choice(fields: Fields, key: str, known: type[E], default: E | None = None) -> E:
    """One of an enumeration's values; `default` None: the key must be there.

    >>> from tokcore.pretokenizers.cutting import Behavior
    >>> choice(Fields({"behavior": "Removed"}, ""), "behavior", Behavior)
    <Behavior.REMOVED: 'Removed'>

    The reference reads {"Removed": null} as "Removed", and null as no choice at all.
    """
    if default is not None and key not in fields.value:
        return default
    value = as_name(fields.required(key))
    if value is None:
        raise wrong_kind(fields.value[key], fields.at(key), "a string")
    try:
        return known(value)
    except ValueError:
        names: Iterable[str] = (member.value for member in known)
        raise fields.refuse(key, f"{key} {value!r} is not known", f"known: {', '.join(names)}") from None


def one_character(fields: Fields, key: str) -> str:
    """A string of exactly one code point.

    >>> one_character(Fields({"delimiter": "--"}, ""), "delimiter")
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: /delimiter: found '--' (must be one character)
    """
    value = fields.string(key)
    if len(value) != 1:
        found = repr(value) if len(value) <= 20 else f"a string of {len(value)} characters"
        raise MalformedFile(where=fields.at(key), what=f"found {found}", remedy="must be one character")
    return value
