"""ByteFallback decoder: runs of <0xHH> tokens become the text of their bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from tokcore.decoders.streams import PerToken
from tokcore.decoders.utf8 import begun_character, length_of
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream, Stretch

# Two hexadecimal digits, or a plus sign and one: what the reference's number parser takes.
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")
_BEGUN = re.compile(r"(?:<(?:0(?:x(?:[0-9A-Fa-f]{1,2}|\+[0-9A-Fa-f]?)?)?)?)?")


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

    def stream(self, joined: bool) -> DecoderStream:
        """Held: the bytes of an unfinished character. The characters before it in the same run have left.

        Law: where such a run breaks later, those characters are what `decode` gives as one U+FFFD a byte; `early` says
        that it has happened. From the byte that breaks the run to its end all is as in `decode`.
        """
        if not joined:
            return _Runs()
        return PerToken(True, lambda token, first: self._alone(token), lambda first: _Spelled(self._alone))

    def _alone(self, token: str) -> str:
        return "".join(self.decode([token]))


class _Spelled:
    """One token in stretches, all that there is: a byte, if it turns out to spell one and nothing else."""

    def __init__(self, decode: Callable[[str], str]) -> None:
        self._decode = decode
        self._begun: str | None = ""

    @property
    def held(self) -> str:
        return self._begun or ""

    @property
    def reason(self) -> str | None:
        return _may_spell(self._begun) if self._begun else None

    def feed(self, text: str) -> str:
        if self._begun is None:
            return text
        text = self._begun + text
        self._begun = text if may_become_byte(text) else None
        return text if self._begun is None else ""

    def finish(self) -> str:
        return self._decode(self._begun or "")


class _Runs:
    """Tokens one after another.

    A run of byte tokens is at first one open token; once it is `_broken`, each byte is a token. `_left`: whether
    characters of the run have come out. `_begun`: the start of a token in stretches, None once it cannot spell a byte.
    """

    joined = False

    def __init__(self) -> None:
        self.early = False
        self._bytes = b""
        self._in_run = self._broken = self._left = False
        self._begun: str | None = ""

    @property
    def held(self) -> bytes:
        return self._bytes + (self._begun or "").encode()

    @property
    def reason(self) -> str | None:
        if self._begun:
            return _may_spell(self._begun)
        return f"{len(self._bytes)} of {length_of(self._bytes[0])} bytes of a character" if self._bytes else None

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        if self._begun is None:
            self._begun = "" if ends else None
            return [(text, ends)]
        text = self._begun + text
        if not ends and may_become_byte(text):
            self._begun = text
            return []
        self._begun = "" if ends else None
        byte = byte_of(text) if ends else None
        return [*self._end_of_run(), (text, ends)] if byte is None else self._byte(byte)

    def finish(self) -> Sequence[Stretch]:
        return self._end_of_run()

    def _byte(self, byte: int) -> list[Stretch]:
        # The first one says that there is a token.
        said: list[Stretch] = [] if self._in_run else [("", False)]
        self._in_run = True
        if self._broken:
            return [("\ufffd", True)]
        self._bytes += bytes([byte])
        if begun_character(self._bytes) == self._bytes:
            return said
        try:
            text = self._bytes.decode()
        except UnicodeDecodeError:
            return self._break()
        self._bytes, self._left = b"", True
        return [(text, False)]

    def _break(self) -> list[Stretch]:
        """The bytes that are no character, each a token, behind the one of the characters that have left."""
        self.early = self.early or self._left
        invalid: list[Stretch] = [("\ufffd", True)] * len(self._bytes)
        stretches = [("", True), *invalid] if self._left else invalid
        self._bytes, self._broken = b"", True
        return stretches

    def _end_of_run(self) -> list[Stretch]:
        ended: list[Stretch] = []
        if self._bytes:
            ended = self._break()
        elif self._in_run and not self._broken:
            ended = [("", True)]
        self._in_run = self._broken = self._left = False
        return ended


def may_become_byte(begun: str) -> bool:
    """Whether a token that begins so, and goes on or not, may spell a byte.

    >>> [may_become_byte(begun) for begun in ("", "<0x", "<0xE2>", "<1", "a")]
    [True, True, True, False, False]
    """
    return _BEGUN.fullmatch(begun) is not None or byte_of(begun) is not None


def _may_spell(begun: str) -> str:
    return f"`{begun}` may spell a byte"


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
