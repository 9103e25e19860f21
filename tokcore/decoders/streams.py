"""Streaming forms that several decoders share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokcore.decoders.rewriters import Rewriter
from tokcore.protocols import Stretch


class PerToken:
    """A decoder that rewrites each token by itself; only the first may be treated otherwise.

    >>> from tokcore.decoders.rewriters import Literal
    >>> stream = PerToken(False, lambda token, first: token.replace("▁▁", " "), lambda first: Literal("▁▁", " "))
    >>> stream.feed("a▁", True), stream.feed("b▁", False), stream.held, stream.feed("▁", True)
    ([('a▁', True)], [('b', False)], b'\\xe2\\x96\\x81', [(' ', True)])

    `whole` rewrites a token that is there from end to end, `begin` gives the rewriter of one that is not.
    """

    early = False

    def __init__(self, joined: bool, whole: Callable[[str, bool], str], begin: Callable[[bool], Rewriter]) -> None:
        self.joined = joined
        self._whole, self._begin = whole, begin
        self._first = True
        # One token of all stretches is there before its first stretch: it may be empty.
        self._open = begin(True) if joined else None

    @property
    def held(self) -> bytes:
        return b"" if self._open is None else self._open.held.encode()

    @property
    def reason(self) -> str | None:
        return None if self._open is None else self._open.reason

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        if self._open is None:
            first, self._first = self._first, False
            if ends:
                return [(self._whole(text, first), True)]
            self._open = self._begin(first)
        text = self._open.feed(text)
        if ends:
            text += self._open.finish()
            self._open = None
        return [(text, ends)]

    def finish(self) -> Sequence[Stretch]:
        return [] if self._open is None else [(self._open.finish(), False)]


class Joining:
    """What joins the tokens by a fixed text: the last step where a file has no decoder, and Fuse, which takes "".

    >>> stream = Joining(" ")
    >>> stream.feed("low", True), stream.feed("lo", True)
    ([('low', False)], [(' lo', False)])
    """

    early, joined, held, reason = False, True, b"", None

    def __init__(self, joiner: str = "") -> None:
        self._joiner = joiner
        self._between = ""

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        text = self._between + text
        self._between = self._joiner if ends else ""
        return [(text, False)]

    def finish(self) -> Sequence[Stretch]:
        return []
