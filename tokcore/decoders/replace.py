"""Replace decoder: every match of a pattern becomes a fixed text, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.bounds import longest_match
from tokcore.decoders.rewriters import Around, AtTheEnd, Literal, Rewriter
from tokcore.decoders.streams import PerToken
from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern, literal_pattern
from tokcore.patterns.parse import parse
from tokcore.protocols import DecoderStream


@dataclass(frozen=True, slots=True)
class Replace:
    """Replaces what `pattern` matches by `content`, which is taken as it is: no group references.

    >>> Replace(literal_pattern("▁"), " ").decode(["▁a▁", "b"])
    [' a ', 'b']

    Law: an empty token stays empty even where the pattern matches the empty text. For streams, `literal` is the text
    that the pattern is, None where it is none, and `longest` the most characters that decide about a match (see
    `longest_match`); with neither a token in stretches waits for its end.
    """

    pattern: Pattern
    content: str
    literal: str | None = None
    longest: int | None = None
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

    def stream(self, joined: bool) -> DecoderStream:
        """Held of a token in stretches: what may begin a match; all of it where no bound of a match is known."""
        return PerToken(joined, lambda token, first: self._decode(token), lambda first: self._begin())

    def _begin(self) -> Rewriter:
        if self.literal is not None:
            return Literal(self.literal, self.content) if self.literal else Around(self.content, of_nothing="")
        if self.longest is None or self.pattern.can_be_empty:
            return AtTheEnd(self._decode, "a match of the pattern to replace may reach to the end")
        return _Bounded(self.pattern, self.content, self.longest)


class _Bounded:
    """One token in stretches; what a match is depends on `longest` characters from its beginning on."""

    def __init__(self, pattern: Pattern, content: str, longest: int) -> None:
        self._pattern, self._content, self._longest = pattern, content, longest
        self.held = ""

    @property
    def reason(self) -> str | None:
        return f"`{self.held}` may begin a match of `{self._pattern.source}`" if self.held else None

    def feed(self, text: str) -> str:
        return self._replaced(self.held + text, self._longest)

    def finish(self) -> str:
        return self._replaced(self.held, 1)

    def _replaced(self, text: str, needed: int) -> str:
        """What no more text can change: matches and gaps with `needed` characters from their beginning on."""
        decided = max(0, len(text) - needed + 1)
        parts: list[str] = []
        done = 0
        for start, end in self._pattern.spans(text):
            if start >= decided:
                break
            parts += (text[done:start], self._content)
            done = end
        self.held = text[max(done, decided) :]
        return "".join((*parts, text[done:decided]))


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
        text = place.string("String")
        return Replace(literal_pattern(text), fields.string("content"), literal=text)
    source, pointer = place.string("Regex"), place.at("Regex")
    pattern = compile_pattern(source, pointer)
    return Replace(pattern, fields.string("content"), longest=longest_match(parse(source, pointer)))
