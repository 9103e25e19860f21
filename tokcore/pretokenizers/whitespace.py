"""Whitespace: runs of word characters, and runs of what is neither word nor white space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import pieces
from tokcore.spans import AlignedText

# The reference asks Rust's own engine here: it counts the two joiners as word characters, which Split's does not.
WORD = r"\w\x{200C}\x{200D}"


@dataclass(frozen=True, slots=True)
class Whitespace:
    r"""The matches of `\w+|[^\w\s]+`.

    >>> [piece.text for piece in Whitespace().split(AlignedText.whole("Olá, a²!"))]
    ['Olá', ',', 'a', '²!']

    Law: marks, connector punctuation and joiners are word characters, fractions and superscripts are none.
    """

    def split(self, text: AlignedText) -> list[AlignedText]:
        return pieces(text, _pattern().spans(text.text))


@cache
def _pattern() -> Pattern:
    return compile_pattern(f"[{WORD}]+|[^{WORD}\\s]+")


def build_whitespace(fields: Fields) -> Whitespace:
    """{"type": "Whitespace"}."""
    return Whitespace()
