"""Building one kind of component from its place in the file: a table of names, Sequences laid out flat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, unknown_component
from tokcore.protocols import Step

C = TypeVar("C")

DEPTH_LIMIT = 64


def build_steps(
    kind: str, children: str, table: Mapping[str, Callable[[Fields], C]], value: object, pointer: str, depth: int = 0
) -> tuple[Step[C], ...]:
    """The steps of one component of the file; null is no step, a Sequence is its children's.

    >>> build_steps("normalizer", "normalizers", {"NFC": lambda fields: "nfc"}, {"type": "NFC"}, "/normalizer")
    (Step(name='NFC', pointer='/normalizer', component='nfc'),)

    `children`: the key under which a Sequence of this kind lists its parts.
    """
    if value is None and depth == 0:
        return ()
    if depth > DEPTH_LIMIT:
        raise MalformedFile(where=pointer, what=f"{kind}s nested deeper than {DEPTH_LIMIT}", remedy="flatten them")
    fields = Fields(value, pointer)
    name = fields.string("type")
    if name == "Sequence":
        nested = (build_steps(kind, children, table, item, at, depth + 1) for at, item in fields.items(children))
        return tuple(step for steps in nested for step in steps)
    if name not in table:
        raise unknown_component(kind, name, pointer, {**table, "Sequence": None})
    return (Step(name, pointer, table[name](fields)),)
