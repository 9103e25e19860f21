"""Rewriting one token that arrives in stretches: the parts that streaming forms of decoders are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tokcore.decoders.cleanup import REPLACEMENTS


class Rewriter(Protocol):
    """Gives the rewritten token out stretch by stretch.

    Laws: what `feed` and `finish` give, joined, is the same under every cut of the token; a call costs as much as its
    text is long, whatever came before. `held` is the text not yet accounted for, `reason` says why.
    """

    def feed(self, text: str) -> str: ...

    def finish(self) -> str: ...

    @property
    def held(self) -> str: ...

    @property
    def reason(self) -> str | None: ...


@dataclass
class EachCharacter:
    """Every character is rewritten by itself: nothing is held.

    >>> EachCharacter(str.upper).feed("ab")
    'AB'
    """

    rewrite: Callable[[str], str]
    held: str = field(default="", init=False)
    reason: str | None = field(default=None, init=False)

    def feed(self, text: str) -> str:
        return self.rewrite(text)

    def finish(self) -> str:
        return ""


class Literal:
    """`str.replace(old, new)` in stretches, for an `old` that is not empty.

    >>> literal = Literal("</w>", " ")
    >>> literal.feed("lo</"), literal.held, literal.feed("w>w</"), literal.finish()
    ('lo', '</', ' w', '</')

    Law: held is the longest tail that begins `old`.
    """

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        # Knuth, Morris and Pratt: how much of `old` still stands when the character after so many of its own is wrong.
        self._falls = [0, 0]
        for character in old[1:]:
            length = self._falls[-1]
            while length and old[length] != character:
                length = self._falls[length]
            self._falls.append(length + (old[length] == character))
        self._length = 0

    @property
    def held(self) -> str:
        return self._old[: self._length]

    @property
    def reason(self) -> str | None:
        return f"`{self.held}` may become `{self._old}`" if self._length else None

    def feed(self, text: str) -> str:
        old, length = self._old, self._length
        if not length and old[0] not in text:
            return text
        parts: list[str] = []
        for character in text:
            while length and old[length] != character:
                shorter = self._falls[length]
                parts.append(old[: length - shorter])
                length = shorter
            if old[length] != character:
                parts.append(character)
                continue
            length += 1
            if length == len(old):
                parts.append(self._new)
                length = 0
        self._length = length
        return "".join(parts)

    def finish(self) -> str:
        held, self._length = self.held, 0
        return held


@dataclass
class Around:
    """`str.replace("", new)` in stretches: `new` around every character.

    >>> around = Around("-")
    >>> around.feed("ab"), around.finish()
    ('-a-b', '-')

    `of_nothing`: what an empty token becomes.
    """

    new: str
    of_nothing: str | None = None
    held: str = field(default="", init=False)
    reason: str | None = field(default=None, init=False)
    _empty: bool = field(default=True, init=False)

    def feed(self, text: str) -> str:
        self._empty = self._empty and not text
        return "".join(self.new + character for character in text)

    def finish(self) -> str:
        return self.of_nothing if self._empty and self.of_nothing is not None else self.new


class Cascade:
    """One rewriter after another.

    >>> Cascade([Literal("a", "b"), Literal("bb", "c")]).feed("abx")
    'cx'
    """

    def __init__(self, rewriters: Sequence[Rewriter]) -> None:
        self._rewriters = rewriters

    @property
    def held(self) -> str:
        # What a later one holds stands earlier in the text.
        return "".join(rewriter.held for rewriter in reversed(self._rewriters))

    @property
    def reason(self) -> str | None:
        return next(filter(None, (rewriter.reason for rewriter in reversed(self._rewriters))), None)

    def feed(self, text: str) -> str:
        for rewriter in self._rewriters:
            text = rewriter.feed(text)
        return text

    def finish(self) -> str:
        text = ""
        for rewriter in self._rewriters:
            text = rewriter.feed(text) + rewriter.finish()
        return text


class AtTheEnd:
    """The whole token is held until it ends, where any of it may still change.

    >>> whole = AtTheEnd(str.title, "anything may change")
    >>> whole.feed("ab "), whole.feed("c"), whole.held, whole.finish()
    ('', '', 'ab c', 'Ab C')
    """

    def __init__(self, rewrite: Callable[[str], str], why: str) -> None:
        self._rewrite, self._why = rewrite, why
        self._parts: list[str] = []

    @property
    def held(self) -> str:
        return "".join(self._parts)

    @property
    def reason(self) -> str | None:
        return self._why if self._parts else None

    def feed(self, text: str) -> str:
        if text:
            self._parts.append(text)
        return ""

    def finish(self) -> str:
        held, self._parts = self.held, []
        return self._rewrite(held)


def replacing(old: str, new: str) -> Rewriter:
    """`str.replace(old, new)` in stretches.

    >>> replacing("", "-").finish(), replacing("a", "b").feed("aa")
    ('-', 'bb')
    """
    return Literal(old, new) if old else Around(new)


def cleaning_up() -> Rewriter:
    """`clean_up` in stretches.

    >>> rewriter = cleaning_up()
    >>> rewriter.feed("I do"), rewriter.held, rewriter.feed(" not ."), rewriter.finish()
    ('I', ' do', " don't.", '')
    """
    return Cascade([Literal(dirty, clean) for dirty, clean in REPLACEMENTS])
