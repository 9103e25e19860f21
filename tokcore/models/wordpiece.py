"""WordPiece: from the left, always the longest token that the piece goes on with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tokcore.models.vocabulary import Vocabulary
from tokcore.spans import ByteSpan
from tokcore.tokens import ModelToken

# A trace keeps this many tries: more than a word has, less than a browser page minds.
TRACE_LIMIT = 10_000


# A Try as a plain tuple: most are looked at once.
FoundOrNot = tuple[int, str, int | None]


class Try(NamedTuple):
    """One look into the vocabulary: the string sought for the characters up to `end`, and its id or None."""

    end: int
    sought: str
    id: int | None


@dataclass(frozen=True, slots=True)
class MatchStep:
    """The search at one place: every try, longest first; the last one found its string, or the search failed.

    `start` and the ends of the tries count characters of the piece.
    """

    start: int
    tries: tuple[Try, ...]

    @property
    def match(self) -> Try | None:
        """The try that succeeded, None where none did."""
        return self.tries[-1] if self.tries and self.tries[-1].id is not None else None


@dataclass(frozen=True, slots=True)
class WordPieceTrace:
    """How one piece was cut: a step per place; the tokens are one unknown token where a step found nothing.

    `too_long`: the piece has more characters than the model looks at, so nothing was tried. `listed`: how many
    characters of the piece the steps go over: all that were looked at, unless there were more than TRACE_LIMIT tries.
    """

    piece: str
    steps: tuple[MatchStep, ...]
    listed: int
    too_long: bool
    failed_at: int | None
    tokens: tuple[ModelToken, ...]


@dataclass(frozen=True, slots=True)
class WordPiece(Vocabulary):
    """A vocabulary in which a token that goes on inside a word bears a prefix.

    >>> pieces = WordPiece({"[UNK]": 0, "un": 1, "##do": 2}, ("[UNK]", "un", "##do"), "[UNK]", "##", 100, longest=5)
    >>> [token.value for token in pieces.tokenize("undo")], [token.value for token in pieces.tokenize("undone")]
    (['un', '##do'], ['[UNK]'])

    `vocab`: string → id; `strings`: the inverse, None for an id without entry; `longest`: characters of the longest
    string. Law: one place without a match makes the whole piece unknown, as do too many characters.
    Source: the WordPiece model of the reference library.
    """

    unk_token: str
    continuing_subword_prefix: str
    max_input_chars_per_word: int
    longest: int

    def tokenize(self, piece: str) -> list[ModelToken]:
        """The tokens of one piece."""
        return self._tokens(piece, (tries[-1] for _, tries in self._search(piece) if tries))

    def trace(self, piece: str) -> WordPieceTrace:
        """The search on one piece, failed tries and all; its tokens are those of `tokenize`."""
        steps: list[MatchStep] = []
        last_tries: list[FoundOrNot] = []
        room, listed = TRACE_LIMIT, 0
        failed_at = None
        for start, tries in self._search(piece):
            last_tries += tries[-1:]
            room -= len(tries)
            found = bool(tries) and tries[-1][2] is not None
            if room >= 0:
                steps.append(MatchStep(start, tuple(Try(*attempt) for attempt in tries)))
                listed = tries[-1][0] if found else len(piece)
            if not found:
                failed_at = start
        too_long = len(piece) > self.max_input_chars_per_word
        tokens = tuple(self._tokens(piece, last_tries))
        return WordPieceTrace(piece, tuple(steps), listed, too_long, failed_at, tokens)

    def _search(self, piece: str) -> Iterator[tuple[int, list[FoundOrNot]]]:
        """(start, tries) from the left, up to the end of the piece or the first place without a match.

        What is longer than the vocabulary's longest string cannot be there: it is not tried.
        """
        if len(piece) > self.max_input_chars_per_word:
            return
        get = self.vocab.get
        prefix = ""
        start = 0
        while start < len(piece):
            tries: list[FoundOrNot] = []
            next_start = None
            for end in range(min(len(piece), start + self.longest - len(prefix)), start, -1):
                sought = prefix + piece[start:end]
                id = get(sought)
                tries.append((end, sought, id))
                if id is not None:
                    next_start = end
                    break
            yield start, tries
            if next_start is None:
                return
            start, prefix = next_start, self.continuing_subword_prefix

    def _tokens(self, piece: str, last_tries: Iterable[FoundOrNot]) -> list[ModelToken]:
        """The tokens of the last try of each place if they go over the whole piece, else one unknown token."""
        tokens: list[ModelToken] = []
        start = start_byte = 0
        for end, sought, id in last_tries:
            if id is None:
                break
            end_byte = start_byte + len(piece[start:end].encode())
            tokens.append(ModelToken(id, sought, ByteSpan(start_byte, end_byte)))
            start, start_byte = end, end_byte
        return tokens if start == len(piece) else [self._unknown(piece)]

    def _unknown(self, piece: str) -> ModelToken:
        return ModelToken(self.id_of_unknown(self.unk_token), self.unk_token, ByteSpan(0, len(piece.encode())))
