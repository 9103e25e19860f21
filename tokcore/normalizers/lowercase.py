"""Lowercase: every character by itself, as the reference's Unicode has it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokcore.normalizers.charsets import one_of
from tokcore.normalizers.edits import Edit, edited, respelled
from tokcore.spans import AlignedText
from tokcore.unicode_data.lowercase import KEPT, PAIRS

# The only character whose lower case is two; what Python makes of it is the same.
DOTTED_I = "\u0130"
NEWER_PAIRS = {code: code + distance for first, last, distance in PAIRS for code in range(first, last + 1)}
NEWER = re.compile(f"({one_of(''.join(map(chr, NEWER_PAIRS)) + KEPT)})")


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Lower case without regard to neighbours: no final sigma.

    >>> Lowercase().rewrite("ΟΔΟΣ İ")
    'οδοσ i̇'
    """

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        if text.isascii():
            return text.lower()
        text = text.replace("Σ", "σ")
        if NEWER.search(text) is None:
            return text.lower()
        parts = NEWER.split(text)
        parts[::2] = [part.lower() for part in parts[::2]]
        parts[1::2] = [part.translate(NEWER_PAIRS) for part in parts[1::2]]
        return "".join(parts)

    def normalize(self, text: AlignedText) -> AlignedText:
        """Each character keeps its span; the two that come of İ both have that of İ.

        >>> Lowercase().normalize(AlignedText.whole("İI")).origins
        (Span(start=0, end=1), Span(start=0, end=1), Span(start=1, end=2))
        """
        new = self.rewrite(text.text)
        if DOTTED_I not in text.text:
            return respelled(text, new)
        dotted = [at for at, character in enumerate(text.text) if character == DOTTED_I]
        spread = edited(text, (Edit(at, at + 1, "i\u0307", (at, at)) for at in dotted))
        return respelled(spread, new)
