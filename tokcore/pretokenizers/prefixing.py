"""Putting characters before a text."""

from __future__ import annotations

from tokcore.spans import AlignedText


def with_prefix(text: AlignedText, prefix: str) -> AlignedText:
    """Text with characters put before it, which take the span of what was first.

    >>> with_prefix(AlignedText.whole("ab"), " ").origins[0]
    Span(start=0, end=1)
    """
    count = len(prefix)
    starts = (text.starts[0],) * count + tuple(text.starts)
    ends = (text.ends[0],) * count + tuple(text.ends)
    return AlignedText(text.source, prefix + text.text, starts, ends)
