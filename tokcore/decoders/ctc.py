"""CTC decoder: repeated tokens once, padding dropped, the word delimiter a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from tokcore.decoders.cleanup import clean_up
from tokcore.fields import Fields


@dataclass(frozen=True, slots=True)
class CTC:
    """Reads a speech model's frames: a token that repeats counts once, `pad_token` separates real repetitions.

    >>> CTC().decode(["h", "h", "e", "l", "<pad>", "l", "o", "|", "|"])
    ['h', 'e', 'l', 'l', 'o', ' ']

    Law: `pad_token` is taken out wherever it stands in a token; without `cleanup` the delimiter stays as it is.
    """

    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        decoded = (self._decode(token) for token, _ in groupby(tokens))
        return [token for token in decoded if token]

    def decode_between(self, token: str, joined: bool) -> str:
        return self._decode(token)

    def _decode(self, token: str) -> str:
        token = token.replace(self.pad_token, "")
        return clean_up(token).replace(self.word_delimiter_token, " ") if self.cleanup else token


def build_ctc(fields: Fields) -> CTC:
    """{"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": …}."""
    return CTC(fields.string("pad_token"), fields.string("word_delimiter_token"), fields.boolean("cleanup"))
