"""WordPiece decoder: continuing pieces joined on, all others set off by a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.cleanup import clean_up
from tokcore.decoders.rewriters import EachCharacter, Rewriter, cleaning_up
from tokcore.decoders.streams import PerToken
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Takes `prefix` off a continuing piece, puts a space before any other; the first token is left as it is.

    >>> WordPiece().decode(["##un", "##der", "way", "."])
    ['##un', 'der', ' way', '.']

    `cleanup` takes out spaces before punctuation and contractions, within each token and not across two.
    """

    prefix: str = "##"
    cleanup: bool = True
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return [self.decode_between(token, joined=index == 0) for index, token in enumerate(tokens)]

    def decode_between(self, token: str, joined: bool) -> str:
        if not joined:
            token = token[len(self.prefix) :] if token.startswith(self.prefix) else f" {token}"
        return clean_up(token) if self.cleanup else token

    def stream(self, joined: bool) -> DecoderStream:
        """Held: what may begin the prefix or, with `cleanup`, what is cleaned up, until its token ends."""
        return PerToken(joined, self.decode_between, self._begin)

    def _begin(self, first: bool) -> Rewriter:
        rewriter = cleaning_up() if self.cleanup else EachCharacter(str)
        return rewriter if first else _AfterPrefix(self.prefix, rewriter)


class _AfterPrefix:
    """A token that is not the first, in stretches: without its prefix, or with a space before it."""

    def __init__(self, prefix: str, rest: Rewriter) -> None:
        self._prefix, self._rest = prefix, rest
        self._begun: str | None = ""

    @property
    def held(self) -> str:
        return self._rest.held + (self._begun or "")

    @property
    def reason(self) -> str | None:
        return f"`{self._begun}` may become `{self._prefix}`" if self._begun else self._rest.reason

    def feed(self, text: str) -> str:
        return self._rest.feed(self._past_prefix(text, ends=False))

    def finish(self) -> str:
        return self._rest.feed(self._past_prefix("", ends=True)) + self._rest.finish()

    def _past_prefix(self, text: str, ends: bool) -> str:
        if self._begun is None:
            return text
        begun = self._begun + text
        if not begun.startswith(self._prefix) and self._prefix.startswith(begun) and not ends:
            self._begun = begun
            return ""
        self._begun = None
        return begun[len(self._prefix) :] if begun.startswith(self._prefix) else f" {begun}"


def build_wordpiece(fields: Fields) -> WordPiece:
    """{"type": "WordPiece", "prefix": "##", "cleanup": …}."""
    return WordPiece(fields.string("prefix"), fields.boolean("cleanup"))
