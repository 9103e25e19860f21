"""Digits: numbers apart from everything else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import Behavior, pieces, regroup, runs
from tokcore.spans import AlignedText
from tokcore.unicode_data.character_classes import NUMERIC


@dataclass(frozen=True, slots=True)
class Digits:
    """Cuts around every run of numeric characters, or around each of them.

    >>> [piece.text for piece in Digits().split(AlignedText.whole("Route 66²"))]
    ['Route ', '66²']
    >>> [piece.text for piece in Digits(individual_digits=True).split(AlignedText.whole("Route 66²"))]
    ['Route ', '6', '6', '²']

    Law: numeric is what Rust takes for it, the general categories Nd, Nl and No of Unicode 17.
    """

    individual_digits: bool = False

    def split(self, text: AlignedText) -> list[AlignedText]:
        matches = self.cut_pattern().spans(text.text)
        return pieces(text, regroup(runs(matches, len(text.text)), Behavior.ISOLATED))

    def cut_pattern(self) -> Pattern:
        return _pattern(self.individual_digits)


@cache
def _pattern(individual_digits: bool) -> Pattern:
    return compile_pattern(NUMERIC if individual_digits else f"{NUMERIC}+")


def build_digits(fields: Fields) -> Digits:
    """{"type": "Digits", "individual_digits": …}."""
    return Digits(fields.boolean("individual_digits"))
