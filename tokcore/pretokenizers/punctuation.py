"""Punctuation: cut at each punctuation character."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import Behavior, pieces, regroup, runs
from tokcore.pretokenizers.options import choice
from tokcore.spans import AlignedText
from tokcore.unicode_data.character_classes import PUNCTUATION


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Cuts at each punctuation character; `behavior` says what becomes of it.

    >>> [piece.text for piece in Punctuation().split(AlignedText.whole("Hey!? 3$"))]
    ['Hey', '!', '?', ' 3', '$']

    Law: every printing ASCII character that is no letter, digit or space counts, and of the others the general
    categories P* of an old Unicode.
    """

    behavior: Behavior = Behavior.ISOLATED

    def split(self, text: AlignedText) -> list[AlignedText]:
        matches = _pattern(contiguous=False).spans(text.text)
        return pieces(text, regroup(runs(matches, len(text.text)), self.behavior))

    def cut_pattern(self) -> Pattern | None:
        if self.behavior is Behavior.ISOLATED:
            return _pattern(contiguous=False)
        return _pattern(contiguous=True) if self.behavior is Behavior.CONTIGUOUS else None


@cache
def _pattern(contiguous: bool) -> Pattern:
    return compile_pattern(f"{PUNCTUATION}+" if contiguous else PUNCTUATION)


def build_punctuation(fields: Fields) -> Punctuation:
    """{"type": "Punctuation", "behavior": "Isolated" unless given}."""
    return Punctuation(choice(fields, "behavior", Behavior, Behavior.ISOLATED))
