"""Strip decoder: up to so many of one character taken off the ends of every token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.metaspace import one_character
from tokcore.decoders.streams import PerToken
from tokcore.fields import Fields, wrong_kind
from tokcore.protocols import DecoderStream


@dataclass(frozen=True, slots=True)
class Strip:
    """Takes at most `start` of `content` off a token's beginning and `stop` off its end.

    >>> Strip(" ", start=1).decode(["  lead ", "x"])
    [' lead ', 'x']

    Law: what is left after the beginning is all that the end may take. Where a token runs out (" " with start and stop
    1, or an empty one with stop) the reference panics; here it becomes empty.
    """

    content: str = " "
    start: int = 0
    stop: int = 0
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return list(map(self._decode, tokens))

    def decode_between(self, token: str, joined: bool) -> str:
        return token if joined else self._decode(token)

    def _decode(self, token: str) -> str:
        leading = min(self.start, len(token) - len(token.lstrip(self.content)))
        token = token[leading:]
        trailing = min(self.stop, len(token) - len(token.rstrip(self.content)))
        return token[: len(token) - trailing]

    def stream(self, joined: bool) -> DecoderStream:
        """Held: as much `content` as the end may take, until the token goes on or ends."""
        return PerToken(joined, lambda token, first: self._decode(token), lambda first: _Ends(self))


class _Ends:
    """One token in stretches. `_leading`: how many its beginning may still take; `_trailing`: how many are held."""

    def __init__(self, strip: Strip) -> None:
        self._strip = strip
        self._leading = strip.start
        self._trailing = 0

    @property
    def held(self) -> str:
        return self._strip.content * self._trailing

    @property
    def reason(self) -> str | None:
        if not self._trailing:
            return None
        return f"up to {self._strip.stop} of {self._strip.content!r} are taken off the end"

    def feed(self, text: str) -> str:
        content = self._strip.content
        if self._leading and text:
            rest = text.lstrip(content)
            taken = min(self._leading, len(text) - len(rest))
            self._leading = 0 if rest else self._leading - taken
            text = text[taken:]
        if not text:
            return ""
        kept = text.rstrip(content)
        run = len(text) - len(kept) + (0 if kept else self._trailing)
        before = self.held if kept else ""
        self._trailing = min(run, self._strip.stop)
        return before + kept + content * (run - self._trailing)

    def finish(self) -> str:
        self._trailing = 0
        return ""


def build_strip(fields: Fields) -> Strip:
    """{"type": "Strip", "content": one character, "start": …, "stop": …}."""
    return Strip(one_character(fields, "content"), count(fields, "start"), count(fields, "stop"))


def count(fields: Fields, key: str) -> int:
    """A number of characters, as 64 bits hold it."""
    value = fields.required(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
        raise wrong_kind(value, fields.at(key), "a whole number from 0 to 2^64 - 1")
    return value
