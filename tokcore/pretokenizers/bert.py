"""BertPreTokenizer: words between white space, each punctuation character a word of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import pieces
from tokcore.spans import AlignedText
from tokcore.unicode_data.character_classes import PUNCTUATION


@dataclass(frozen=True, slots=True)
class BertPreTokenizer:
    """Leaves white space out and cuts around each punctuation character.

    >>> [piece.text for piece in BertPreTokenizer().split(AlignedText.whole("Hey,  you!?"))]
    ['Hey', ',', 'you', '!', '?']
    """

    def split(self, text: AlignedText) -> list[AlignedText]:
        return pieces(text, _pattern().spans(text.text))


@cache
def _pattern() -> Pattern:
    return compile_pattern(f"{PUNCTUATION}|[^\\s{PUNCTUATION}]+")


def build_bert(fields: Fields) -> BertPreTokenizer:
    """{"type": "BertPreTokenizer"}."""
    return BertPreTokenizer()
