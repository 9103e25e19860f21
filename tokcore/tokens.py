"""Tokens: as the model gives them, as a person sees them, and all of a text's together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, overload

from tokcore.spans import ByteSpan, Span


class Origin(Enum):
    """Where a token comes from: the model, the added-token list, the post-processor's template, or the padding."""

    MODEL = "model"
    ADDED = "added"
    TEMPLATE = "template"
    PADDING = "padding"


class ModelToken(NamedTuple):
    """What the model makes of one piece: id, value as stored, and the bytes of the piece it covers.

    >>> ModelToken(279, "Ġthe", ByteSpan(0, 5)).at.end
    5
    """

    id: int
    value: str
    at: ByteSpan


class Token(NamedTuple):
    """One token of an encoded text.

    >>> Token(279, "Ġthe", b" the", Span(3, 7), Origin.MODEL, piece=1).span.cut("see the sea")
    ' the'

    `value` is the token as the file stores it, `raw` the bytes it stands for, `span` its code points of the source
    (None where it stands for no text). `piece` is the index of its piece among all pieces and added tokens of the
    text, None for a token the post-processor placed. `sequence` is 0 for the text, 1 for its pair. `special` is the
    token's place in the special-tokens mask: template and padding tokens have it, until a second post-processor of the
    BERT kind encloses them.
    """

    id: int
    value: str
    raw: bytes
    span: Span | None
    origin: Origin
    piece: int | None = None
    type_id: int = 0
    sequence: int = 0
    special: bool = False


class TokenColumns(Sequence[Token]):
    """Tokens kept as columns and put together when looked at: a megabyte's tokens are rarely all wanted.

    >>> spans = {"starts": [0], "ends": [3], "pieces": [0]}
    >>> columns = TokenColumns(ids=[3], **spans, added={}, values={}, string=str, raw=lambda id: b"3")
    >>> columns[0].span, columns[0].origin
    (Span(start=0, end=3), <Origin.MODEL: 'model'>)

    `added`: index → matched text of the added tokens; `values`: index → value where that is not the id's string.
    `string`, `raw`: stored string and bytes of an id.
    """

    __slots__ = ("_raw", "_string", "added", "ends", "ids", "pieces", "starts", "values")

    def __init__(
        self,
        *,
        ids: list[int],
        starts: list[int],
        ends: list[int],
        pieces: list[int],
        added: Mapping[int, str],
        values: Mapping[int, str],
        string: Callable[[int], str],
        raw: Callable[[int], bytes],
    ) -> None:
        self.ids, self.starts, self.ends, self.pieces = ids, starts, ends, pieces
        self.added, self.values = added, values
        self._string, self._raw = string, raw

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Token, ...]: ...
    def __getitem__(self, index: int | slice) -> Token | tuple[Token, ...]:
        if isinstance(index, slice):
            return tuple(map(self._token, range(*index.indices(len(self.ids)))))
        return self._token(range(len(self.ids))[index])

    def __iter__(self) -> Iterator[Token]:
        return map(self._token, range(len(self.ids)))

    def strings(self) -> list[str]:
        """One stored token string per token."""
        values = list(map(self._string, self.ids))
        for index, text in (*self.values.items(), *self.added.items()):
            values[index] = text
        return values

    def _token(self, index: int) -> Token:
        id = self.ids[index]
        value, origin = self.added.get(index), Origin.ADDED
        if value is None:
            value, origin = self.values.get(index), Origin.MODEL
        if value is None:
            value = self._string(id)
        span = Span(self.starts[index], self.ends[index])
        return Token(id, value, self._raw(id), span, origin, self.pieces[index])


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text and its tokens.

    >>> encoding = Encoding("see", (Token(3, "see", b"see", Span(0, 3), Origin.MODEL, piece=0),))
    >>> encoding.ids, encoding.tokens, encoding.offsets
    ([3], ['see'], [(0, 3)])

    `entries` are the tokens whole, a tuple or columns. The list properties have the names and values of the reference
    library: `tokens` are the stored strings, offsets count code points and are (0, 0) where a token stands for no text.
    `overflowing`: what truncation cut off, made into encodings of the same kind, worked out when looked at.
    """

    source: str
    entries: Sequence[Token]
    pair_source: str | None = None
    overflowing: Sequence[Encoding] = field(default=(), compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def ids(self) -> list[int]:
        """One id per token."""
        if isinstance(self.entries, TokenColumns):
            return self.entries.ids[:]
        return [token.id for token in self.entries]

    @property
    def tokens(self) -> list[str]:
        """One stored token string per token."""
        if isinstance(self.entries, TokenColumns):
            return self.entries.strings()
        return [token.value for token in self.entries]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """One (start, end) in code points per token, (0, 0) where there is no source text."""
        if isinstance(self.entries, TokenColumns):
            return list(zip(self.entries.starts, self.entries.ends, strict=True))
        return [(0, 0) if token.span is None else (token.span.start, token.span.end) for token in self.entries]

    @property
    def type_ids(self) -> list[int]:
        """0 for the first text, 1 for the second of a pair, or as the post-processor sets them."""
        if isinstance(self.entries, TokenColumns):
            return [0] * len(self.entries)
        return [token.type_id for token in self.entries]

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 where the post-processor or the padding placed the token."""
        if isinstance(self.entries, TokenColumns):
            return [0] * len(self.entries)
        return [int(token.special) for token in self.entries]

    @property
    def attention_mask(self) -> list[int]:
        """0 where the token is padding, 1 elsewhere."""
        if isinstance(self.entries, TokenColumns):
            return [1] * len(self.entries)
        return [int(token.origin is not Origin.PADDING) for token in self.entries]

    @property
    def word_ids(self) -> list[int | None]:
        """The index of each token's piece, None for tokens the post-processor placed."""
        if isinstance(self.entries, TokenColumns):
            return list(self.entries.pieces)
        return [token.piece for token in self.entries]
