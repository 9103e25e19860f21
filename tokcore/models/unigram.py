"""Unigram: of all ways to cut a piece into tokens, the one whose scores add up to the most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from operator import add
from typing import NamedTuple

from tokcore.errors import TokcoreError
from tokcore.models.lattice import Edge, TokenIndex, two_best
from tokcore.spans import ByteSpan, byte_ends
from tokcore.tokens import ModelToken

# How far below the lowest score of the vocabulary an unknown character lies.
UNKNOWN_PENALTY = 10.0
# A trace lists this many candidates: more than a sentence has, less than a browser page minds.
TRACE_LIMIT = 10_000


class Candidate(NamedTuple):
    """A token that may stand at one place: characters `start` to `end` of the piece, its score.

    `known` is False for the unknown token, which may stand for a character that is no token itself.
    """

    start: int
    end: int
    id: int
    value: str
    score: float
    known: bool


@dataclass(frozen=True, slots=True)
class UnigramTrace:
    """How one piece was cut: the lattice, the best way through it, and the one that came second.

    `candidates`: by start, then length; `listed`: how many characters of the piece they go over: all, unless there are
    more than TRACE_LIMIT candidates. `best` and `runner_up` always go over the whole piece; the runner-up is () where
    there is only one way. The tokens are those of the best way, runs of the unknown token made one.
    """

    piece: str
    candidates: tuple[Candidate, ...]
    listed: int
    best: tuple[Candidate, ...]
    score: float
    runner_up: tuple[Candidate, ...]
    runner_up_score: float | None
    tokens: tuple[ModelToken, ...]

    @property
    def margin(self) -> float | None:
        """By how much the best way wins, None where it is the only one."""
        return None if self.runner_up_score is None else self.score - self.runner_up_score


@dataclass(frozen=True, slots=True)
class Unigram:
    """Tokens with their scores, and what to do with a character that is no token.

    >>> unigram = Unigram(["<unk>", "a", "b", "ab"], [0.0, -2.0, -2.0, -3.0], unk_id=0)
    >>> [token.value for token in unigram.tokenize("abaxy")]
    ['ab', 'a', 'xy']
    >>> unigram.trace("ab").margin
    1.0

    `strings`, `scores`: one per id; of equal strings the last one counts. A run of unknown characters is one token,
    its value the characters; with `byte_fallback` it is the byte tokens of all of them, each spanning the whole run,
    if the vocabulary has every one.
    Source: the Unigram model of the reference library.
    """

    strings: Sequence[str]
    scores: Sequence[float]
    unk_id: int | None = None
    byte_fallback: bool = False
    vocab: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _index: TokenIndex = field(init=False, repr=False, compare=False)
    _unknown_score: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        vocab = {token: id for id, token in enumerate(self.strings)}
        object.__setattr__(self, "vocab", vocab)
        object.__setattr__(self, "_index", TokenIndex(vocab))
        # Compared one by one, as the reference does: a NaN is passed over. `min` would start with the first score.
        lowest = float("inf")
        for score in self.scores:
            lowest = score if score < lowest else lowest
        object.__setattr__(self, "_unknown_score", lowest - UNKNOWN_PENALTY)

    @property
    def entry_count(self) -> int:
        return len(self.strings)

    def token_to_id(self, token: str) -> int | None:
        return self.vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        return self.strings[id] if 0 <= id < len(self.strings) else None

    def tokenize(self, piece: str) -> list[ModelToken]:
        """The tokens of one piece."""
        return self._tokens(piece, self._best(piece))

    def trace(self, piece: str) -> UnigramTrace:
        """The lattice of one piece; its tokens are those of `tokenize`."""
        best = self._best(piece)
        ways = two_best(self._usable_edges(piece), len(piece))
        listed = list(islice(self._usable_edges(piece), TRACE_LIMIT + 1))
        end = len(piece)
        if len(listed) > TRACE_LIMIT:
            end = listed[-1][0]
            listed = [edge for edge in listed if edge[0] < end]
        return UnigramTrace(
            piece=piece,
            candidates=self._candidates(piece, listed),
            listed=end,
            best=self._candidates(piece, best),
            # Added up one by one from the left as in `_best`; Python's own `sum` may round less.
            score=reduce(add, (edge[3] for edge in best), 0.0),
            runner_up=self._candidates(piece, ways[1][1]) if len(ways) > 1 else (),
            runner_up_score=ways[1][0] if len(ways) > 1 else None,
            tokens=tuple(self._tokens(piece, best)),
        )

    def _edges(self, piece: str) -> Iterator[Edge]:
        """The lattice: every token at every place, and the unknown token where the character alone is none."""
        scores, starting = self.scores, self._index.starting
        for start in range(len(piece)):
            found = starting(piece, start)
            for end, id in found:
                yield start, end, id, scores[id]
            if not found or found[0][0] != start + 1:
                yield start, start + 1, self.unk_id, self._unknown_score

    def _usable_edges(self, piece: str) -> Iterator[Edge]:
        """The lattice without the unknown token if the file names none."""
        return (edge for edge in self._edges(piece) if edge[2] is not None)

    def _best(self, piece: str) -> list[Edge]:
        """The best way through the lattice: scores add up from the left, of equal ways the one found first stays."""
        totals = [0.0] * (len(piece) + 1)
        last: list[Edge | None] = [None] * (len(piece) + 1)
        for edge in self._edges(piece):
            start, end, id, score = edge
            total = totals[start] + score
            if last[end] is None or total > totals[end]:
                if id is None:
                    raise self._no_unknown_token(piece[start:end])
                totals[end] = total
                last[end] = edge
        way: list[Edge] = []
        edge_before = last[-1]
        while edge_before is not None:
            way.append(edge_before)
            edge_before = last[edge_before[0]]
        return way[::-1]

    def _candidates(self, piece: str, edges: Sequence[Edge]) -> tuple[Candidate, ...]:
        values = ((edge, piece[edge[0] : edge[1]]) for edge in edges)
        return tuple(
            Candidate(start, end, id, value, score, self.vocab.get(value) == id)
            for (start, end, id, score), value in values
            if id is not None
        )

    def _tokens(self, piece: str, way: Sequence[Edge]) -> list[ModelToken]:
        ends = range(1, len(piece) + 1) if piece.isascii() else byte_ends(piece)
        tokens: list[ModelToken] = []
        run_start: int | None = None
        for start, end, id, _ in way:
            # The unknown token's own string, where the text holds it, is taken for unknown characters too.
            if id == self.unk_id:
                run_start = start if run_start is None else run_start
                continue
            if run_start is not None:
                tokens += self._unknown(piece[run_start:start], run_start, start, ends)
                run_start = None
            assert id is not None
            tokens.append(ModelToken(id, self.strings[id], ByteSpan(ends[start - 1] if start else 0, ends[end - 1])))
        if run_start is not None:
            tokens += self._unknown(piece[run_start:], run_start, len(piece), ends)
        return tokens

    def _unknown(self, run: str, start: int, end: int, ends: Sequence[int]) -> list[ModelToken]:
        """The tokens of a run of unknown characters, which lies at `start` to `end` of its piece."""
        at = ByteSpan(ends[start - 1] if start else 0, ends[end - 1])
        # Joined, the unknown characters may be a token after all: then it lost to them.
        id = self.vocab.get(run)
        if id is None and self.byte_fallback:
            values = [f"<0x{byte:02X}>" for byte in run.encode()]
            if all(value in self.vocab for value in values):
                return [ModelToken(self.vocab[value], value, at) for value in values]
        id = self.unk_id if id is None else id
        if id is None:
            raise self._no_unknown_token(run)
        return [ModelToken(id, run, at)]

    def _no_unknown_token(self, text: str) -> TokcoreError:
        return TokcoreError(
            where="/model/unk_id",
            what=f"{text!r} is not in the vocabulary and there is no unknown token",
            remedy="set unk_id to the id of one",
        )
