"""Prepend: a fixed text put before a text that is not empty."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.normalizers.edits import Edit, edited
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class Prepend:
    """Puts `prefix` before a text, with the span of its first character.

    >>> Prepend("▁").normalize(AlignedText.whole("ab")).origins
    (Span(start=0, end=1), Span(start=0, end=1), Span(start=1, end=2))

    Law of the reference: with an empty prefix the first character loses its span to an empty one.
    """

    prefix: str

    @property
    def may_unplace(self) -> bool:
        """Whether the first character may come to stand for nothing."""
        return not self.prefix

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return self.prefix + text if text else text

    def normalize(self, text: AlignedText) -> AlignedText:
        if not text.text:
            return text
        if not self.prefix:
            return edited(text, [Edit(0, 1, text.text[0], ())])
        return edited(text, [Edit(0, 0, self.prefix, (0,) * len(self.prefix))])


def build_prepend(fields: Fields) -> Prepend:
    """{"type": "Prepend", "prepend": …}."""
    return Prepend(fields.string("prepend"))
