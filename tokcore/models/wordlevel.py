"""WordLevel: a piece is one token of the vocabulary, or unknown."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.models.vocabulary import Vocabulary
from tokcore.spans import ByteSpan
from tokcore.tokens import ModelToken


@dataclass(frozen=True, slots=True)
class WordLevel(Vocabulary):
    """A vocabulary of whole pieces and the token for all others.

    >>> words = WordLevel({"[UNK]": 0, "olá": 1}, ("[UNK]", "olá"), "[UNK]")
    >>> words.tokenize("olá")
    [ModelToken(id=1, value='olá', at=ByteSpan(start=0, end=4))]

    `vocab`: string → id; `strings`: the inverse, None for an id without entry.
    Source: the WordLevel model of the reference library.
    """

    unk_token: str

    def tokenize(self, piece: str) -> list[ModelToken]:
        """The one token of a piece."""
        id, value = self.vocab.get(piece), piece
        if id is None:
            id, value = self.id_of_unknown(self.unk_token), self.unk_token
        return [ModelToken(id, value, ByteSpan(0, len(piece.encode())))]
