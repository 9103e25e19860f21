"""ByteLevel decoder: display characters back to bytes, bytes to text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.bytemap import undisplay
from tokcore.fields import Fields


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


def build_byte_level(fields: Fields) -> ByteLevel:
    """{"type": "ByteLevel", "add_prefix_space": …, "trim_offsets": …}: the flags mean nothing when decoding."""
    fields.boolean("add_prefix_space")
    fields.boolean("trim_offsets")
    fields.boolean("use_regex", default=True)
    return ByteLevel()
