"""Building one kind of component from its place in the file: a table of names, Sequences laid out flat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tokcore.errors import MalformedFile, TokcoreError
from tokcore.fields import Fields, as_name, unknown_component
from tokcore.protocols import Step

C = TypeVar("C")

DEPTH_LIMIT = 64
SEQUENCE = "Sequence"


@dataclass(frozen=True, slots=True)
class Guesses:
    """What the reference takes a component for where its "type" does not say: the first in `order` that its keys fit.

    `undecided`: known names that say nothing either. `only_named`: what is taken under its own name alone.
    """

    order: tuple[str, ...] = ()
    undecided: Collection[str] = ()
    only_named: Collection[str] = ()


NO_GUESSES = Guesses()


def build_steps(
    kind: str,
    children: str,
    table: Mapping[str, Callable[[Fields], C]],
    value: object,
    pointer: str,
    guesses: Guesses = NO_GUESSES,
    depth: int = 0,
) -> tuple[Step[C], ...]:
    """The steps of one component of the file; null is no step, a Sequence is its children's.

    >>> build_steps("normalizer", "normalizers", {"NFC": lambda fields: "nfc"}, {"type": "NFC"}, "/normalizer")
    (Step(name='NFC', pointer='/normalizer', component='nfc'),)

    `children`: the key under which a Sequence of this kind lists its parts. Law: what is malformed as one guess is
    tried as the next, what is only not supported is not.
    """
    if value is None and depth == 0:
        return ()
    if depth > DEPTH_LIMIT:
        raise MalformedFile(where=pointer, what=f"{kind}s nested deeper than {DEPTH_LIMIT}", remedy="flatten them")
    fields = Fields(value, pointer)
    known = {**table, SEQUENCE: None}
    name = as_name(fields.value.get("type"))

    def build(name: str) -> tuple[Step[C], ...]:
        if name != SEQUENCE:
            return (Step(name, pointer, table[name](fields)),)
        parts = fields.items(children)
        nested = (build_steps(kind, children, table, item, at, guesses, depth + 1) for at, item in parts)
        return tuple(step for steps in nested for step in steps)

    if name in known and name not in guesses.undecided:
        return build(name)
    errors: dict[str, MalformedFile] = {}
    for guess in guesses.order:
        if guess == name or guess not in guesses.only_named:
            try:
                return build(guess)
            except MalformedFile as error:
                errors[guess] = error
    if name in known:
        raise errors[name]
    raise next((error for error in errors.values() if error.where != pointer), no_type(kind, fields, known))


def no_type(kind: str, fields: Fields, known: Mapping[str, object]) -> TokcoreError:
    """The error for a component whose "type" is missing, no name or not known, and whose keys do not tell it either."""
    try:
        return unknown_component(kind, fields.string("type"), fields.pointer, known)
    except MalformedFile as error:
        return error
