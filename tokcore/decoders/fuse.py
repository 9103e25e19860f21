"""Fuse decoder: all tokens become one, so that the next step sees the whole text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.streams import Joining
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream


@dataclass(frozen=True, slots=True)
class Fuse:
    """Joins the tokens.

    >>> Fuse().decode([" a", "b"]), Fuse().decode([])
    ([' ab'], [''])
    """

    joins: ClassVar[bool] = True

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return ["".join(tokens)]

    def decode_between(self, token: str, joined: bool) -> str:
        return token

    def stream(self, joined: bool) -> DecoderStream:
        return Joining()


def build_fuse(fields: Fields) -> Fuse:
    """{"type": "Fuse"}."""
    return Fuse()
