"""Replace: every match of a pattern becomes a fixed text."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.normalizers.edits import Edit, edited, respelled
from tokcore.patterns import Pattern
from tokcore.patterns.reading import read_pattern
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class Replace:
    """Replaces what `pattern` matches by `content`, which is taken as it is: no group references.

    >>> from tokcore.patterns import literal_pattern
    >>> Replace(literal_pattern("ab"), "-+").normalize(AlignedText.whole("abc")).origins
    (Span(start=1, end=2), Span(start=1, end=2), Span(start=2, end=3))

    Law of the reference: the content takes the span of the last character it replaces; put in by an empty match, that
    of the character before it, and at the very beginning the empty span there. An empty text stays empty.
    `literal`: the pattern is this text.
    """

    pattern: Pattern
    content: str
    literal: str | None = None

    @property
    def may_unplace(self) -> bool:
        """Whether it may put in characters that stand for nothing, at the very beginning."""
        return self.pattern.can_be_empty and bool(self.content)

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        if not text:
            return text
        if self.literal is not None:
            return text.replace(self.literal, self.content)
        if not self.pattern.can_be_empty:
            return self.pattern.engine_for(text).sub(lambda match: self.content, text)
        parts: list[str] = []
        done = 0
        for start, end in self.pattern.spans(text):
            parts += (text[done:start], self.content)
            done = end
        return "".join((*parts, text[done:]))

    def normalize(self, text: AlignedText) -> AlignedText:
        if self.literal is not None and self.literal not in text.text:
            return text
        size = len(self.content)
        if self.literal is not None and len(self.literal) == size == 1:
            return respelled(text, text.text.replace(self.literal, self.content))
        spans = self.pattern.spans(text.text)
        return edited(text, (Edit(start, end, self.content, (end - 1,) * size if end else ()) for start, end in spans))


def build_replace(fields: Fields) -> Replace:
    """{"type": "Replace", "pattern": {"String" | "Regex": …}, "content": …}."""
    pattern, literal = read_pattern(fields)
    return Replace(pattern, fields.string("content"), literal)
