"""FixedLength: cut into pieces of so many characters."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, wrong_kind
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import pieces
from tokcore.spans import AlignedText

DEFAULT_LENGTH = 5
LENGTH_LIMIT = 2**64
# A pattern repeats nothing more often than this.
REPEAT_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class FixedLength:
    """Pieces of `length` code points, the last one what is left.

    >>> [piece.text for piece in FixedLength(3).split(AlignedText.whole("abcdefgh"))]
    ['abc', 'def', 'gh']
    """

    length: int = DEFAULT_LENGTH

    def split(self, text: AlignedText) -> list[AlignedText]:
        total = len(text.text)
        # A step beyond the text would overflow where the length is near its limit.
        starts = range(0, total, min(self.length, total or 1))
        return pieces(text, ((start, min(start + self.length, total)) for start in starts))

    def cut_pattern(self) -> Pattern | None:
        return compile_pattern(f"(?m:.{{1,{self.length}}})") if self.length <= REPEAT_LIMIT else None


def build_fixed_length(fields: Fields) -> FixedLength:
    """{"type": "FixedLength", "length": 5 unless given}.

    The reference loads a length of 0 and then panics on the first text; here the file is refused.
    """
    length = fields.value.get("length", DEFAULT_LENGTH)
    if not isinstance(length, int) or isinstance(length, bool):
        raise wrong_kind(length, fields.at("length"), "a whole number")
    if not 0 < length < LENGTH_LIMIT:
        what = f"found {length}" if abs(length) < LENGTH_LIMIT else "found a number too large"
        raise MalformedFile(where=fields.at("length"), what=what, remedy="must be from 1 to 2⁶⁴ - 1")
    return FixedLength(length)
