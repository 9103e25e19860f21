"""ByteLevel post-processor: optionally takes white space out of the spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tokcore.added_tokens import WHITE_SPACE
from tokcore.fields import Fields
from tokcore.spans import Span
from tokcore.tokens import Token
from tokcore.truncation import Part, Tokens

_BLANK = "".join(WHITE_SPACE) + "Ġ"


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Adds no token; with `trim_offsets` the white space at a token's ends no longer counts to its span.

    >>> from tokcore.tokens import Origin
    >>> token = Token(279, "Ġthe", b" the", Span(3, 7), Origin.MODEL)
    >>> ByteLevel(trim_offsets=True).process([Part((token,))], add_special_tokens=True)[0].tokens[0].span
    Span(start=4, end=7)
    """

    trim_offsets: bool = False
    add_prefix_space: bool = False

    @property
    def changes_nothing(self) -> bool:
        return not self.trim_offsets

    def added_count(self, pair: bool) -> int:
        return 0

    def process(self, parts: Sequence[Part], add_special_tokens: bool) -> Sequence[Part]:
        if not self.trim_offsets:
            return parts
        return [part.change(partial(trim, add_prefix_space=self.add_prefix_space)) for part in parts]


def trim(tokens: Tokens, add_prefix_space: bool) -> Tokens:
    """The tokens with the white space at their ends taken out of their spans."""
    return [trimmed(token, index, add_prefix_space) for index, token in enumerate(tokens)]


def trimmed(token: Token, index: int, add_prefix_space: bool) -> Token:
    """One token, `index` among its part's tokens, trimmed.

    Law: a single space before the first token is not trimmed under `add_prefix_space`, which put it there; two or more
    are the text's own and go. Characters are counted in the stored string, so a token whose string has more white space
    than its span is left empty at the span's end.
    """
    if token.span is None:
        return token
    start, end = token.span
    leading = len(token.value) - len(token.value.lstrip(_BLANK))
    trailing = len(token.value) - len(token.value.rstrip(_BLANK))
    if leading == 1 and add_prefix_space and (index == 0 or start == 0):
        leading = 0
    start = min(start + leading, end)
    if end >= trailing:
        end = max(end - trailing, start)
    return token._replace(span=Span(start, end))


def build_byte_level(fields: Fields) -> ByteLevel:
    """{"type": "ByteLevel", "add_prefix_space": …, "trim_offsets": …}; `use_regex` means nothing here."""
    fields.boolean("use_regex", default=True)
    return ByteLevel(fields.boolean("trim_offsets"), fields.boolean("add_prefix_space"))
