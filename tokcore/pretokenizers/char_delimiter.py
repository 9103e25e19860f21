"""CharDelimiterSplit: cut at one character and leave it out."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.pretokenizers.options import one_character
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class CharDelimiterSplit:
    """The stretches between the delimiters.

    >>> [piece.text for piece in CharDelimiterSplit("-").split(AlignedText.whole("-a--bc"))]
    ['a', 'bc']
    """

    delimiter: str

    def split(self, text: AlignedText) -> list[AlignedText]:
        pieces = []
        start = 0
        for part in text.text.split(self.delimiter):
            end = start + len(part)
            if part:
                pieces.append(text.slice(start, end))
            start = end + 1
        return pieces


def build_char_delimiter_split(fields: Fields) -> CharDelimiterSplit:
    """{"type": "CharDelimiterSplit", "delimiter": one character}."""
    return CharDelimiterSplit(one_character(fields, "delimiter"))
