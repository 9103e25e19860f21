"""What the models with a vocabulary of strings have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokcore.errors import TokcoreError


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Strings and their ids.

    >>> Vocabulary({"a": 0, "c": 2}, ("a", None, "c")).id_to_token(2)
    'c'

    `vocab`: string → id; `strings`: the inverse, None for an id without entry.
    """

    vocab: Mapping[str, int]
    strings: Sequence[str | None]

    @property
    def entry_count(self) -> int:
        return len(self.vocab)

    def token_to_id(self, token: str) -> int | None:
        return self.vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        return self.strings[id] if 0 <= id < len(self.strings) else None

    def id_of_unknown(self, unk_token: str) -> int:
        """The unknown token's id; that it has none is an error only where a text needs it."""
        id = self.vocab.get(unk_token)
        if id is None:
            raise TokcoreError(
                where="/model/unk_token",
                what=f"the unknown token {unk_token!r} is needed but is not in the vocabulary",
                remedy="add it to /model/vocab",
            )
        return id
