"""Padding: tokens put at one end until a text has the length wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokcore.errors import UnsupportedComponent
from tokcore.fields import Fields
from tokcore.tokens import Origin, Token
from tokcore.truncation import Part, Tokens, changed, merged, size, variant

LONGEST_PADDING = 2**24


@dataclass(frozen=True, slots=True)
class Padding:
    """Fills up to `length` tokens, then to a whole multiple of `multiple`.

    >>> padding = Padding(pad_token(0, "[PAD]"), length=None, multiple=4)
    >>> padding.target(9)
    12

    `length` None: as long as the longest of a batch, which for one text is its own length. `multiple` 0: any length.
    `left`: the tokens go before the text.
    """

    token: Token
    length: int | None = None
    multiple: int = 0
    left: bool = False

    def pad(self, parts: Sequence[Part]) -> list[Part]:
        """The parts as one, filled up; what overflows is filled up to the same length."""
        whole = merged(parts)
        target = self.target(len(whole.tokens))

        def filled(tokens: Tokens) -> Tokens:
            padding = (self.token,) * (target - len(tokens))
            return (*padding, *tokens) if self.left else (*tokens, *padding)

        return [Part(filled(whole.tokens), changed(whole.overflowing, filled))]

    def pad_ids(self, ids: list[int]) -> list[int]:
        """Ids filled up."""
        padding = [self.token.id] * (self.target(len(ids)) - len(ids))
        return padding + ids if self.left else ids + padding

    def target(self, length: int) -> int:
        """To how many tokens a text of this length is filled; a longer one is left alone."""
        target = length if self.length is None else self.length
        return target + -target % self.multiple if self.multiple else target


def pad_token(id: int, value: str, type_id: int = 0) -> Token:
    """The token that fills: no text, special, not to be attended to."""
    return Token(id, value, value.encode(), None, Origin.PADDING, type_id=type_id, special=True)


def build_padding(value: object, pointer: str = "/padding") -> Padding | None:
    """{"strategy": "BatchLongest" | {"Fixed": length}, "direction", "pad_to_multiple_of", "pad_id", …}; null: none."""
    if value is None:
        return None
    fields = Fields(value, pointer)
    strategy = fields.required("strategy")
    length = None
    if isinstance(strategy, dict) and list(strategy) == ["Fixed"]:
        length = bounded(strategy["Fixed"], fields.at("strategy") + "/Fixed")
    else:
        variant(fields, "strategy", ["BatchLongest", '{"Fixed": length}'])
    multiple = fields.value.get("pad_to_multiple_of")
    return Padding(
        pad_token(fields.natural("pad_id"), fields.string("pad_token"), fields.natural("pad_type_id")),
        length=length,
        multiple=0 if multiple is None else bounded(multiple, fields.at("pad_to_multiple_of")),
        left=variant(fields, "direction", ["Left", "Right"]) == "Left",
    )


def bounded(value: object, pointer: str) -> int:
    """A length that still fits in memory as tokens."""
    length = size(value, pointer)
    if length > LONGEST_PADDING:
        raise UnsupportedComponent(
            where=pointer, what=f"padding to {length} tokens", remedy=f"use at most {LONGEST_PADDING}"
        )
    return length
