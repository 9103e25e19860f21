"""Text between two tags told from the text around them, while it streams."""

from __future__ import annotations

from itertools import groupby

from tokcore.parsing.lexer import lexer_of
from tokcore.parsing.problems import MalformedFormat, finished_stream, require_text
from tokcore.parsing.spec import LONGEST_MARKER


class TagStreamer:
    """Splits text at a pair of tags that may be cut anywhere.

    >>> streamer = TagStreamer("<think>", "</think>", start_inside=True)
    >>> [streamer.feed(delta) for delta in ("weigh<", "/thi", "nk>yes")]
    [[(True, 'weigh')], [], [(False, 'yes')]]

    `feed` gives pairs (inside the tags?, text), neighbours of a kind merged; the tags themselves do not come out. What
    is held back is the longest tail that may become the tag that counts now; `final` lets it out. An open tag inside,
    or a close tag outside, is text. Errors: MalformedFormat for an empty tag, FinishedStream after `final`.
    """

    def __init__(self, open: str, close: str, start_inside: bool = False) -> None:
        for where, tag in (("open", open), ("close", close)):
            if not isinstance(tag, str):
                raise MalformedFormat(where=where, what=f"found {tag!r:.40}", remedy="a tag is a string")
            if not 0 < len(tag) <= LONGEST_MARKER:
                what, remedy = f"a tag of {len(tag)} characters", f"use 1 to {LONGEST_MARKER}"
                raise MalformedFormat(where=where, what=what, remedy=remedy)
        self._lexers = {False: lexer_of(frozenset([open])), True: lexer_of(frozenset([close]))}
        self._inside = start_inside
        self._held = ""
        self._over = False

    def feed(self, delta: str, final: bool = False) -> list[tuple[bool, str]]:
        if self._over:
            raise finished_stream()
        require_text(delta, "delta")
        text, at, pieces = self._held + delta, 0, []
        while True:
            found = self._lexers[self._inside].find(text, at, final)
            if found.start > at:
                pieces.append((self._inside, text[at : found.start]))
            if found.marker is None:
                break
            self._inside, at = not self._inside, found.end
        self._held, self._over = text[found.start :], final
        return [(inside, "".join(text for _, text in run)) for inside, run in groupby(pieces, lambda piece: piece[0])]

    @property
    def held(self) -> str:
        """The text that is held back."""
        return self._held
