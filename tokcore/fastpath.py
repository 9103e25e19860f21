"""The fast path: the tokens of the traced path by the shortest way, every word worked out but once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, chain
from operator import attrgetter
from typing import NamedTuple, Protocol, runtime_checkable

from tokcore.added_tokens import AddedMatch, AddedToken, Matcher
from tokcore.patterns import Pattern
from tokcore.protocols import Step
from tokcore.spans import AlignedText, Span
from tokcore.tokens import TokenColumns
from tokcore.trace import Stages, trace_tokens

CACHED_WORDS = 100_000
CACHED_TOKENS = 500_000
CACHED_WORD_LENGTH = 128


@runtime_checkable
class Rewriter(Protocol):
    """A normalizer that can rewrite a plain string."""

    def rewrite(self, text: str) -> str: ...


@runtime_checkable
class Cutter(Protocol):
    """A pre-tokenizer that may only cut, so that a plain string is enough: every match a piece, every gap a piece."""

    def cut_pattern(self) -> Pattern | None: ...


class Word(NamedTuple):
    """The tokens of one word: ids, spans in code points of the word, and which of its pieces each lies in.

    `values`: (index, value) of the tokens whose value is not the id's string, as Unigram's unknown ones.
    """

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    pieces: tuple[int, ...]
    piece_count: int
    values: tuple[tuple[int, str], ...] = ()


class WordCache(dict[str, Word]):
    """The tokens of each word seen, worked out on the first look-up; starts anew when full.

    Full is CACHED_WORDS words or CACHED_TOKENS tokens: a word of rare characters can be four tokens a character.
    Shared by threads: every step is one dictionary operation, and a word worked out twice comes out the same.
    """

    def __init__(self, work_out: Callable[[str], Word]) -> None:
        super().__init__()
        self._work_out = work_out
        self._tokens = 0

    def __missing__(self, text: str) -> Word:
        word = self._work_out(text)
        if len(text) <= CACHED_WORD_LENGTH:
            if len(self) >= CACHED_WORDS or self._tokens >= CACHED_TOKENS:
                self.clear()
                self._tokens = 0
            self[text] = word
            self._tokens += len(word.ids)
        return word


class FastPath:
    """The shortest way through one tokenizer's components.

    Law: ids and tokens are those of `trace`, post-processing left out. Leading pre-tokenizers that only cut run on
    plain strings; what the other stages make of a word depends on the word alone and is remembered.
    """

    def __init__(self, stages: Stages, string: Callable[[int], str]) -> None:
        self._stages = stages
        self._string = string
        self._patterns: list[Pattern] = []
        for step in stages.pre_tokenizers:
            pattern = step.component.cut_pattern() if isinstance(step.component, Cutter) else None
            if pattern is None:
                break
            self._patterns.append(pattern)
        self._rest = stages.pre_tokenizers[len(self._patterns) :]
        self._rewriters = [step.component for step in stages.normalizers if isinstance(step.component, Rewriter)]
        self.usable = (
            len(self._rewriters) == len(stages.normalizers)
            and all(map(depends_on_piece_alone, self._rest))
            and not may_outgrow_piece(stages.model)
        )
        self._words = WordCache(self._work_out)

    def ids(self, text: str, split_special_tokens: bool = False) -> list[int]:
        """The ids of a text."""
        ids: list[int] = []
        for token, start, end in stretches(self._stages.raw_matcher, text, split_special_tokens):
            if token is not None:
                ids.append(token.id)
                continue
            normalized = text[start:end]
            for rewriter in self._rewriters:
                normalized = rewriter.rewrite(normalized)
            for token, start, end in stretches(self._stages.normalized_matcher, normalized, split_special_tokens):
                if token is not None:
                    ids.append(token.id)
                else:
                    words = map(self._words.__getitem__, self._cut(normalized[start:end]))
                    ids += chain.from_iterable(map(attrgetter("ids"), words))
        return ids

    def columns(self, text: str, split_special_tokens: bool = False) -> TokenColumns:
        """The tokens of a text with their spans."""
        columns = ColumnBuilder()
        for stretch in self._stages.raw_matcher.split(AlignedText.whole(text), split_special_tokens):
            if isinstance(stretch, AddedMatch):
                columns.add_match(stretch)
                continue
            normalized = stretch
            for step in self._stages.normalizers:
                normalized = step.component.normalize(normalized)
            for segment in self._stages.normalized_matcher.split(normalized, split_special_tokens):
                if isinstance(segment, AddedMatch):
                    columns.add_match(segment)
                else:
                    texts = self._cut(segment.text)
                    columns.add_words(segment, texts, list(map(self._words.__getitem__, texts)))
        return columns.finish(self._string, self._stages.token_bytes)

    def _cut(self, text: str) -> list[str]:
        words = [text]
        for pattern in self._patterns:
            words = list(chain.from_iterable(cut(pattern, word) for word in words))
        return words

    def _work_out(self, text: str) -> Word:
        pieces = [AlignedText.whole(text)]
        for step in self._rest:
            pieces = [piece for whole in pieces for piece in step.component.split(whole)]
        tokens = trace_tokens(self._stages, pieces, 0)
        spans = [token.span or Span(0, 0) for token in tokens]
        return Word(
            tuple(token.id for token in tokens),
            tuple(span.start for span in spans),
            tuple(span.end for span in spans),
            tuple(token.piece or 0 for token in tokens),
            len(pieces),
            tuple((at, token.value) for at, token in enumerate(tokens) if token.value != self._string(token.id)),
        )


class ColumnBuilder:
    """Columns in the making: added tokens and words go on at the end."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._pieces: list[int] = []
        self._added: dict[int, str] = {}
        self._values: dict[int, str] = {}
        self._piece = 0

    def add_match(self, match: AddedMatch) -> None:
        span = match.span
        self._added[len(self._ids)] = match.text
        self._ids.append(match.token.id)
        self._starts.append(span.start)
        self._ends.append(span.end)
        self._pieces.append(self._piece)
        self._piece += 1

    def add_words(self, segment: AlignedText, texts: list[str], words: list[Word]) -> None:
        """The words of a segment in order; together their texts are the segment's."""
        if any(map(attrgetter("values"), words)):
            firsts = accumulate((len(word.ids) for word in words), initial=len(self._ids))
            self._values |= {
                first + at: value for word, first in zip(words, firsts, strict=False) for at, value in word.values
            }
        self._ids += chain.from_iterable(map(attrgetter("ids"), words))
        bases = accumulate(map(len, texts), initial=0)
        if segment.is_verbatim:
            bases = accumulate(map(len, texts), initial=segment.starts[0])
            placed = list(zip(bases, words, strict=False))
            self._starts += [base + start for base, word in placed for start in word.starts]
            self._ends += [base + end for base, word in placed for end in word.ends]
        else:
            starts, ends = segment.starts, segment.ends
            placed = list(zip(bases, words, strict=False))
            self._starts += [starts[base + start] for base, word in placed for start in word.starts]
            self._ends += [ends[base + end - 1] for base, word in placed for end in word.ends]
        numbers = accumulate(map(attrgetter("piece_count"), words), initial=self._piece)
        self._pieces += [number + piece for word, number in zip(words, numbers, strict=False) for piece in word.pieces]
        self._piece = next(numbers)

    def finish(self, string: Callable[[int], str], raw: Callable[[int], bytes]) -> TokenColumns:
        return TokenColumns(
            ids=self._ids,
            starts=self._starts,
            ends=self._ends,
            pieces=self._pieces,
            added=self._added,
            values=self._values,
            string=string,
            raw=raw,
        )


def stretches(matcher: Matcher, text: str, split_special_tokens: bool) -> Iterator[tuple[AddedToken | None, int, int]]:
    """The whole text in order as (added token or None, start, end); empty stretches are left out."""
    done = 0
    for token, (start, end) in matcher.matches(text, split_special_tokens):
        if done < start:
            yield None, done, start
        if start < end:
            yield token, start, end
        done = end
    if done < len(text):
        yield None, done, len(text)


def depends_on_piece_alone(step: Step[object]) -> bool:
    """Whether what a pre-tokenizer does to a piece is the same wherever in the text the piece stands."""
    return not getattr(step.component, "reads_position", False)


def may_outgrow_piece(step: Step[object]) -> bool:
    """Whether a model's byte tokens may spell a prefix or suffix too; their spans then depend on the whole text."""
    affixes = ("continuing_subword_prefix", "end_of_word_suffix")
    byte_fallback: bool = getattr(step.component, "byte_fallback", False)
    return byte_fallback and any(getattr(step.component, name, "") for name in affixes)


def cut(pattern: Pattern, text: str) -> list[str]:
    """The text cut at every match, matches kept; empty pieces are left out."""
    engine = pattern.engine_for(text)
    if not engine.groups and not pattern.can_be_empty:
        words: list[str] = engine.findall(text)
        # The usual pattern leaves no gap between its matches: then they are the pieces.
        if sum(map(len, words)) == len(text):
            return words
    pieces: list[str] = []
    done = 0
    for start, end in pattern.spans(text):
        if done < start:
            pieces.append(text[done:start])
        if start < end:
            pieces.append(text[start:end])
        done = end
    if done < len(text):
        pieces.append(text[done:])
    return pieces
