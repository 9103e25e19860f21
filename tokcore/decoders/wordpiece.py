"""WordPiece decoder: continuing pieces joined on, all others set off by a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.cleanup import clean_up
from tokcore.fields import Fields


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


def build_wordpiece(fields: Fields) -> WordPiece:
    """{"type": "WordPiece", "prefix": "##", "cleanup": …}."""
    return WordPiece(fields.string("prefix"), fields.boolean("cleanup"))
