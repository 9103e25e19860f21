"""Replace decoder: every match of a pattern becomes a fixed text, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern, literal_pattern


@dataclass(frozen=True, slots=True)
class Replace:
    """Replaces what `pattern` matches by `content`, which is taken as it is: no group references.

    >>> Replace(literal_pattern("▁"), " ").decode(["▁a▁", "b"])
    [' a ', 'b']

    Law: an empty token stays empty even where the pattern matches the empty text.
    """

    pattern: Pattern
    content: str
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return list(map(self._decode, tokens))

    def decode_between(self, token: str, joined: bool) -> str:
        return self._decode(token)

    def _decode(self, token: str) -> str:
        parts: list[str] = []
        done = 0
        for start, end in self.pattern.spans(token):
            parts += (token[done:start], self.content)
            done = end
        return "".join((*parts, token[done:]))


def build_replace(fields: Fields) -> Replace:
    """{"type": "Replace", "pattern": {"String" | "Regex": …}, "content": …}."""
    place = Fields(fields.required("pattern"), fields.at("pattern"))
    if len(place.value) != 1 or not place.value.keys() <= {"String", "Regex"}:
        raise MalformedFile(
            where=place.pointer,
            what=f"found an object with the keys {', '.join(place.value) or '(none)'}",
            remedy='must have one key, "String" or "Regex"',
        )
    if "String" in place.value:
        return Replace(literal_pattern(place.string("String")), fields.string("content"))
    return Replace(compile_pattern(place.string("Regex"), place.at("Regex")), fields.string("content"))
