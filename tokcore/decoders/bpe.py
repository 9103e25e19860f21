"""BPEDecoder: the end-of-word suffix becomes a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.fields import Fields


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """Replaces `suffix` by a space, and by nothing in the last token.

    >>> BPEDecoder("</w>").decode(["lo", "w</w>", "tide</w>"])
    ['lo', 'w ', 'tide']

    An empty suffix is found around every character, as in the reference.
    """

    suffix: str = "</w>"
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        last = len(tokens) - 1
        return [token.replace(self.suffix, "" if index == last else " ") for index, token in enumerate(tokens)]

    def decode_between(self, token: str, joined: bool) -> str:
        return token.replace(self.suffix, "" if joined else " ")


def build_bpe_decoder(fields: Fields) -> BPEDecoder:
    """{"type": "BPEDecoder", "suffix": "</w>"}."""
    return BPEDecoder(fields.string("suffix"))
