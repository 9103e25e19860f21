"""WordLevel: a piece is one token of the vocabulary, or unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokcore.errors import TokcoreError
from tokcore.spans import ByteSpan
from tokcore.tokens import ModelToken


@dataclass(frozen=True, slots=True)
class WordLevel:
    """A vocabulary of whole pieces and the token for all others.

    >>> words = WordLevel({"[UNK]": 0, "olá": 1}, ("[UNK]", "olá"), "[UNK]")
    >>> words.tokenize("olá")
    [ModelToken(id=1, value='olá', at=ByteSpan(start=0, end=4))]

    `vocab`: string → id; `strings`: the inverse, None for an id without entry.
    Source: the WordLevel model of the reference library.
    """

    vocab: Mapping[str, int]
    strings: Sequence[str | None]
    unk_token: str

    @property
    def entry_count(self) -> int:
        return len(self.vocab)

    def token_to_id(self, token: str) -> int | None:
        return self.vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        return self.strings[id] if 0 <= id < len(self.strings) else None

    def tokenize(self, piece: str) -> list[ModelToken]:
        """The one token of a piece."""
        id, value = self.vocab.get(piece), piece
        if id is None:
            id, value = self.vocab.get(self.unk_token), self.unk_token
        if id is None:
            raise TokcoreError(
                where="/model/unk_token",
                what=f"the unknown token {self.unk_token!r} is needed but is not in the vocabulary",
                remedy="add it to /model/vocab",
            )
        return [ModelToken(id, value, ByteSpan(0, len(piece.encode())))]
