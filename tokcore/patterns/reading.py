"""Reading a pattern out of a component's options."""

from __future__ import annotations

from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern, literal_pattern


def read_pattern(fields: Fields, key: str = "pattern") -> tuple[Pattern, str | None]:
    """The pattern of {key: {"String": text} or {"Regex": source}}, and the text if it is one.

    >>> pattern, literal = read_pattern(Fields({"pattern": {"String": "a."}}, "/normalizer"))
    >>> pattern.spans("a.ab"), literal
    ([(0, 2)], 'a.')
    """
    place = Fields(fields.required(key), fields.at(key))
    if list(place.value) == ["String"]:
        literal = place.string("String")
        return literal_pattern(literal), literal
    if list(place.value) == ["Regex"]:
        return compile_pattern(place.string("Regex"), place.at("Regex")), None
    raise MalformedFile(
        where=place.pointer,
        what=f"found an object with the keys {', '.join(place.value) or '(none)'}",
        remedy='must have one key, "String" or "Regex"',
    )
