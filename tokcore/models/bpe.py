"""BPE: split a piece into characters and join them by the ranked merge rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, pairwise

from tokcore.models.merges import MergeRules, MergeStep, Symbol, merge_steps
from tokcore.models.merging import merge
from tokcore.models.vocabulary import Vocabulary
from tokcore.spans import ByteSpan, utf8_length
from tokcore.tokens import ModelToken


class End(Enum):
    """Why the merging of a piece ends: found whole, one symbol left, no rule for any neighbours, nothing to merge."""

    WHOLE_PIECE = "whole piece"
    ONE_SYMBOL = "one symbol"
    NO_RULE = "no rule"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class MergeTrace:
    """How one piece was merged: the first symbols, every step, or the whole piece found in the vocabulary at once."""

    piece: str
    initial: tuple[Symbol, ...]
    steps: tuple[MergeStep, ...]
    whole_piece: int | None

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """What is left when no rule applies any more."""
        return self.steps[-1].symbols if self.steps else self.initial

    @property
    def unjoined(self) -> tuple[tuple[Symbol, Symbol], ...]:
        """The neighbours that are left: no rule joins any of these pairs."""
        return tuple(pairwise(self.symbols))

    @property
    def end(self) -> End:
        """Why there is no further step.

        >>> bpe = BPE({"a": 0, "b": 1, "ab": 2}, ("a", "b", "ab"), MergeRules([(0, 1, 2)]))
        >>> bpe.trace("abb").end, bpe.trace("ab").end
        (<End.NO_RULE: 'no rule'>, <End.ONE_SYMBOL: 'one symbol'>)

        NOTHING: the vocabulary has no character of the piece and there is no unknown token.
        """
        if self.whole_piece is not None:
            return End.WHOLE_PIECE
        return (End.NOTHING, End.ONE_SYMBOL, End.NO_RULE)[min(len(self.symbols), 2)]


@dataclass(frozen=True, slots=True)
class BPE(Vocabulary):
    """A vocabulary, its merge rules, and what to do with a character the vocabulary lacks.

    >>> bpe = BPE({"a": 0, "b": 1, "ab": 2}, ("a", "b", "ab"), MergeRules([(0, 1, 2)]))
    >>> [token.value for token in bpe.tokenize("abb")]
    ['ab', 'b']

    `vocab`: string → id; `strings`: the inverse, None for an id without entry. A character that is not in the
    vocabulary becomes its byte tokens (`byte_fallback`), else `unk_token` (runs of it are one with `fuse_unk`), else
    nothing. `ignore_merges`: a piece that is in the vocabulary is one token.
    Source: the BPE model of the reference library.
    """

    rules: MergeRules
    unk_token: str | None = None
    continuing_subword_prefix: str = ""
    end_of_word_suffix: str = ""
    fuse_unk: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False

    def merged(self, piece: str) -> tuple[list[int], list[int]]:
        """Ids of the piece's tokens, and how many UTF-8 bytes of the piece each covers."""
        if self.ignore_merges and (whole := self.vocab.get(piece)) is not None:
            return [whole], [len(piece.encode())]
        return merge(*self._characters(piece), self.rules)

    def tokenize(self, piece: str) -> list[ModelToken]:
        """The tokens of one piece."""
        ids, lengths = self.merged(piece)
        ends = list(accumulate(lengths))
        return [
            ModelToken(id, self.strings[id] or "", ByteSpan(end - length, end))
            for id, length, end in zip(ids, lengths, ends, strict=True)
        ]

    def trace(self, piece: str) -> MergeTrace:
        """The merges of one piece, step by step; its symbols are the tokens of `tokenize`."""
        whole = self.vocab.get(piece) if self.ignore_merges else None
        if whole is not None:
            return MergeTrace(piece, (Symbol(whole, 0, len(piece.encode())),), (), whole)
        ids, lengths = self._characters(piece)
        ends = list(accumulate(lengths))
        symbols = tuple(Symbol(id, end - length, end) for id, length, end in zip(ids, lengths, ends, strict=True))
        return MergeTrace(piece, symbols, tuple(merge_steps(symbols, self.rules)), None)

    def _characters(self, piece: str) -> tuple[list[int], list[int]]:
        """The piece before any merge: ids and byte lengths."""
        vocab = self.vocab
        if not self.continuing_subword_prefix and not self.end_of_word_suffix:
            try:
                ids = [vocab[character] for character in piece]
            except KeyError:
                return self._uncertain_characters(piece)
            return ids, [1] * len(ids) if piece.isascii() else list(map(utf8_length, piece))
        return self._uncertain_characters(piece)

    def _uncertain_characters(self, piece: str) -> tuple[list[int], list[int]]:
        ids: list[int] = []
        lengths: list[int] = []
        # An unknown character waits until the next known one, so that a run of them can be fused.
        unknown_bytes = 0
        for position, character in enumerate(piece):
            length = utf8_length(character)
            symbol = character if position == 0 else self.continuing_subword_prefix + character
            if position == len(piece) - 1:
                symbol += self.end_of_word_suffix
            id = self.vocab.get(symbol)
            if id is not None:
                if unknown_bytes:
                    ids.append(self.id_of_unknown(self.unk_token or ""))
                    lengths.append(unknown_bytes)
                    unknown_bytes = 0
                ids.append(id)
                lengths.append(length)
            elif (fallback := self._byte_ids(symbol)) is not None:
                # The reference does not let go of a waiting unknown here: it comes out behind the bytes.
                ids.extend(fallback)
                lengths.extend([1] * len(fallback))
            elif self.unk_token is not None:
                if unknown_bytes and not self.fuse_unk:
                    ids.append(self.id_of_unknown(self.unk_token or ""))
                    lengths.append(unknown_bytes)
                    unknown_bytes = 0
                unknown_bytes += length
        if unknown_bytes:
            ids.append(self.id_of_unknown(self.unk_token or ""))
            lengths.append(unknown_bytes)
        return ids, lengths

    def _byte_ids(self, symbol: str) -> list[int] | None:
        if not self.byte_fallback:
            return None
        ids = [self.vocab.get(f"<0x{byte:02X}>") for byte in symbol.encode()]
        return None if None in ids else [id for id in ids if id is not None]
