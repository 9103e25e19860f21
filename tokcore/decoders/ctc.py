"""CTC decoder: repeated tokens once, padding dropped, the word delimiter a space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from tokcore.decoders.cleanup import clean_up
from tokcore.decoders.rewriters import Cascade, EachCharacter, Literal, Rewriter, cleaning_up, replacing
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream, Stretch


@dataclass(frozen=True, slots=True)
class CTC:
    """Reads a speech model's frames: a token that repeats counts once, `pad_token` separates real repetitions.

    >>> CTC().decode(["h", "h", "e", "l", "<pad>", "l", "o", "|", "|"])
    ['h', 'e', 'l', 'l', 'o', ' ']

    Law: `pad_token` is taken out wherever it stands in a token; without `cleanup` the delimiter stays as it is.
    """

    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        decoded = (self._decode(token) for token, _ in groupby(tokens))
        return [token for token in decoded if token]

    def decode_between(self, token: str, joined: bool) -> str:
        return self._decode(token)

    def _decode(self, token: str) -> str:
        token = token.replace(self.pad_token, "")
        return clean_up(token).replace(self.word_delimiter_token, " ") if self.cleanup else token

    def stream(self, joined: bool) -> DecoderStream:
        """Held of a token in stretches: what may repeat the one before, and what may begin a text to be replaced."""
        return _Frames(joined, self._decode, self._begin)

    def _begin(self) -> Rewriter:
        without_padding = Literal(self.pad_token, "") if self.pad_token else EachCharacter(str)
        if not self.cleanup:
            return without_padding
        return Cascade([without_padding, cleaning_up(), replacing(self.word_delimiter_token, " ")])


class _Frames:
    """Tokens without repetitions; of one that is decoded to nothing not even its end comes out.

    `_previous`: the token before. `_same`: how much of it the open token has repeated so far, None once it differs.
    """

    early = False
    # Nothing may come of one token, so that what comes out is no certain one.
    joined = False

    def __init__(self, joined: bool, decode: Callable[[str], str], begin: Callable[[], Rewriter]) -> None:
        self._decode, self._begin = decode, begin
        self._joined = joined
        self._previous: str | None = None
        self._same: int | None = None
        self._parts: list[str] = []
        self._open: Rewriter | None = begin() if joined else None
        self._came_out = False

    @property
    def held(self) -> bytes:
        if self._open is not None:
            return self._open.held.encode()
        return (self._previous or "")[: self._same or 0].encode()

    @property
    def reason(self) -> str | None:
        if self._open is not None:
            return self._open.reason
        return None if not self._same else f"`{self.held.decode()}` may repeat the token before"

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        if self._open is None and self._same is None and ends:
            if text == self._previous:
                return []
            self._previous = text
            decoded = self._decode(text)
            return [(decoded, True)] if decoded else []
        if self._open is None and self._previous is not None:
            same = self._same or 0
            if self._previous.startswith(text, same) and not (ends and same + len(text) < len(self._previous)):
                self._same = None if ends else same + len(text)
                return []
            text = self._previous[:same] + text
        self._same = None
        self._open = self._open or self._begin()
        return self._rewritten(text, ends)

    def finish(self) -> Sequence[Stretch]:
        return self._rewritten("", True) if self._joined else []

    def _rewritten(self, text: str, ends: bool) -> Sequence[Stretch]:
        assert self._open is not None
        if not self._joined:
            self._parts.append(text)
        text = self._open.feed(text) + (self._open.finish() if ends else "")
        came_out = self._came_out or text != ""
        self._came_out = came_out and not ends
        if ends:
            self._previous, self._parts, self._open = "".join(self._parts), [], None
        return [(text, ends)] if came_out and (text or ends) else []


def build_ctc(fields: Fields) -> CTC:
    """{"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": …}."""
    return CTC(fields.string("pad_token"), fields.string("word_delimiter_token"), fields.boolean("cleanup"))
