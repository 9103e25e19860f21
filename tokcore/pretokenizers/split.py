"""Split: cut the text at the matches of a pattern."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.patterns import Pattern
from tokcore.patterns.reading import read_pattern
from tokcore.pretokenizers.cutting import Behavior, pieces, regroup, runs
from tokcore.pretokenizers.options import choice
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class Split:
    """Cuts at every match of `pattern`; `invert` cuts at what lies between the matches.

    >>> from tokcore.patterns import compile_pattern
    >>> split = Split(compile_pattern("-"), Behavior.MERGED_WITH_PREVIOUS)
    >>> [piece.text for piece in split.split(AlignedText.whole("a--b"))]
    ['a-', '-', 'b']
    """

    pattern: Pattern
    behavior: Behavior
    invert: bool = False

    def split(self, text: AlignedText) -> list[AlignedText]:
        matches = runs(self.pattern.spans(text.text), len(text.text))
        return pieces(text, regroup(matches, self.behavior, self.invert))

    def cut_pattern(self) -> Pattern | None:
        """The pattern, where cutting at each of its matches is all that this split does."""
        return self.pattern if self.behavior is Behavior.ISOLATED else None


def build_split(fields: Fields) -> Split:
    """{"type": "Split", "pattern": {"Regex" | "String": …}, "behavior": …, "invert": …}."""
    pattern, _ = read_pattern(fields)
    return Split(pattern, choice(fields, "behavior", Behavior), fields.boolean("invert"))
