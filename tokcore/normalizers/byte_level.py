"""ByteLevel normalizer: every UTF-8 byte written as one display character."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.bytemap import display_bytes
from tokcore.normalizers.edits import respelled, spread
from tokcore.spans import AlignedText, utf8_length


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Writes the text in the byte display alphabet; the bytes of a character all keep its span.

    >>> ByteLevel().normalize(AlignedText.whole("é ")).origins
    (Span(start=0, end=1), Span(start=0, end=1), Span(start=1, end=2))
    """

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return display_bytes(text.encode())

    def normalize(self, text: AlignedText) -> AlignedText:
        new = self.rewrite(text.text)
        if text.text.isascii():
            return respelled(text, new)
        return spread(text, new, map(utf8_length, text.text))
