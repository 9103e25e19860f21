"""WhitespaceSplit: what stands between white space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import pieces
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    r"""Leaves white space out.

    >>> [piece.text for piece in WhitespaceSplit().split(AlignedText.whole(" Hey,\tyou! "))]
    ['Hey,', 'you!']

    Law: white space is Unicode's White_Space; U+001C to U+001F, which Python strips, are none.
    """

    def split(self, text: AlignedText) -> list[AlignedText]:
        return pieces(text, _pattern().spans(text.text))


@cache
def _pattern() -> Pattern:
    return compile_pattern("\\S+")


def build_whitespace_split(fields: Fields) -> WhitespaceSplit:
    """{"type": "WhitespaceSplit"}."""
    return WhitespaceSplit()
