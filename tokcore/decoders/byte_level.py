"""ByteLevel decoder: display characters back to bytes, bytes to text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.bytemap import undisplay, unicode_to_bytes
from tokcore.decoders.utf8 import Utf8Reader
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream, Stretch

# Characters that stand for themselves, as display of their byte and as text.
_THEMSELVES = "".join(map(chr, range(33, 127)))


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Joins the bytes of all tokens and reads them as UTF-8; what is not UTF-8 becomes U+FFFD.

    >>> ByteLevel().decode(["ĠðŁ", "ļ", "Ģ"])
    [' 🚀']
    """

    joins: ClassVar[bool] = True

    def token_bytes(self, token: str) -> bytes:
        """The bytes of one token; a token with a character outside the alphabet stands for its own text."""
        data = undisplay(token)
        return token.encode("utf-8", "surrogateescape") if data is None else data

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return [b"".join(map(self.token_bytes, tokens)).decode("utf-8", errors="replace")]

    def decode_between(self, token: str, joined: bool) -> str:
        return self.token_bytes(token).decode("utf-8", "surrogateescape")

    def stream(self, joined: bool) -> DecoderStream:
        """Held: the bytes of an unfinished character; of a token in stretches also what may stand for bytes or itself.

        One character outside the alphabet makes the whole token stand for its own text. Only the printable ASCII that
        it begins with is the same either way.
        """
        return _Bytes(self)


class _Bytes:
    """Tokens to bytes, bytes to text. `_display`: what the open token has of the alphabet, None where it has other."""

    early = False
    joined = True

    def __init__(self, decoder: ByteLevel) -> None:
        self._decoder = decoder
        self._reader = Utf8Reader()
        self._display: list[str] | None = []
        self._open = False

    @property
    def held(self) -> bytes:
        return self._reader.held + "".join(self._display or ()).encode()

    @property
    def reason(self) -> str | None:
        if self._display:
            return "these characters stand for bytes unless one follows that stands for none"
        return self._reader.reason

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        if ends and not self._open:
            return [(self._reader.feed(self._decoder.token_bytes(text)), False)]
        self._open = True
        data = self._settled(text)
        if ends:
            data += self._rest()
        return [(self._reader.feed(data), False)]

    def finish(self) -> Sequence[Stretch]:
        return [(self._reader.feed(self._rest()) + self._reader.finish(), False)]

    def _settled(self, text: str) -> bytes:
        """The bytes that are sure when this stretch has been added to the open token."""
        if self._display is None:
            return text.encode()
        if not unicode_to_bytes().keys() >= set(text):
            text = "".join((*self._display, text))
            self._display = None
            return text.encode()
        if not self._display:
            rest = text.lstrip(_THEMSELVES)
            sure, text = text[: len(text) - len(rest)], rest
        else:
            sure = ""
        if text:
            self._display.append(text)
        return sure.encode()

    def _rest(self) -> bytes:
        """The bytes of what the open token has held, now that it ends."""
        rest = self._decoder.token_bytes("".join(self._display or ()))
        self._display, self._open = [], False
        return rest


def build_byte_level(fields: Fields) -> ByteLevel:
    """{"type": "ByteLevel", "add_prefix_space": …, "trim_offsets": …}: the flags mean nothing when decoding."""
    fields.boolean("add_prefix_space")
    fields.boolean("trim_offsets")
    fields.boolean("use_regex", default=True)
    return ByteLevel()
