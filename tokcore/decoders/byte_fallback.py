"""ByteFallback decoder: runs of <0xHH> tokens become the text of their bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from tokcore.fields import Fields

# Two hexadecimal digits, or a plus sign and one: what the reference's number parser takes.
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """Reads each run of byte tokens as UTF-8.

    >>> ByteFallback().decode(["<0xC3>", "<0xA9>", "a", "<0xC3>", "<0x62>"])
    ['é', 'a', '�', '�']

    Law: a run is valid as a whole, or each of its bytes becomes its own U+FFFD.
    """

    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        decoded: list[str] = []
        for is_bytes, run in groupby(zip(map(byte_of, tokens), tokens, strict=True), lambda pair: pair[0] is not None):
            if not is_bytes:
                decoded += [token for _, token in run]
                continue
            data = bytes(byte for byte, _ in run if byte is not None)
            try:
                decoded.append(data.decode())
            except UnicodeDecodeError:
                decoded += ["\ufffd"] * len(data)
        return decoded

    def decode_between(self, token: str, joined: bool) -> str:
        byte = None if joined else byte_of(token)
        return token if byte is None else bytes([byte]).decode("utf-8", "surrogateescape")


def byte_of(token: str) -> int | None:
    """The byte that a token spells, None for any other token.

    >>> byte_of("<0xE2>"), byte_of("<0x+5>"), byte_of("<0x 5>"), byte_of("a")
    (226, 5, None, None)
    """
    spelled = _BYTE.fullmatch(token)
    return None if spelled is None else int(spelled[1], 16)


def build_byte_fallback(fields: Fields) -> ByteFallback:
    """{"type": "ByteFallback"}."""
    return ByteFallback()
