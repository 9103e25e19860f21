"""Truncation: texts cut to a length before post-processing, what is cut off kept apart."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, prod
from typing import Generic, NamedTuple, TypeVar, overload

from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.fields import Fields, kind_of, wrong_kind
from tokcore.tokens import Token

T = TypeVar("T")
Tokens = Sequence[Token]


class CannotTruncate(TokcoreError):
    """The truncation settings cannot be met by this text."""


class Lazy(Sequence[T], Generic[T]):
    """A sequence whose items are made when they are looked at.

    >>> list(Lazy(3, lambda index: index * index))
    [0, 1, 4]

    Overlapping cuts of a long text, and the pairs of two texts' cuts, hold far more tokens than the texts.
    """

    __slots__ = ("_count", "_item")

    def __init__(self, count: int, item: Callable[[int], T]) -> None:
        self._count, self._item = count, item

    def __len__(self) -> int:
        return min(self._count, sys.maxsize)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return list(map(self._item, range(self._count)[index]))
        return self._item(range(self._count)[index])


class Part(NamedTuple):
    """A stretch of the result, a text's tokens or some that a template placed, and what truncation cut off it."""

    tokens: Tokens
    overflowing: Sequence[Tokens] = ()

    def change(self, change: Callable[[Tokens], Tokens]) -> Part:
        """The same change made to the tokens and to each overflowing list of them."""
        return Part(change(self.tokens), changed(self.overflowing, change))


def changed(lists: Sequence[T], change: Callable[[T], T]) -> Sequence[T]:
    return Lazy(len(lists), lambda index: change(lists[index])) if lists else lists


def merged(parts: Sequence[Part]) -> Part:
    """All parts as one.

    Law: what overflows is every choice of one list for each part, the choice of all kept lists left out.
    """
    if len(parts) == 1:
        return parts[0]
    lists = [(part.tokens, part.overflowing) for part in parts]
    counts = [len(overflowing) for _, overflowing in lists]

    def combination(index: int) -> Tokens:
        picked = zip(lists, choices(counts, index), strict=True)
        return tuple(token for (kept, cut), pick in picked for token in (cut[pick - 1] if pick else kept))

    tokens = tuple(token for part in parts for token in part.tokens)
    total = prod(count + 1 for count in counts) - 1
    return Part(tokens, Lazy(total, combination) if total else ())


def choices(counts: Sequence[int], index: int) -> list[int]:
    """Which list each part gives to the overflowing combination number `index`; 0 is the kept one.

    >>> [choices([2, 1], index) for index in range(5)]
    [[1, 0], [1, 1], [2, 0], [2, 1], [0, 1]]

    Law (the reference's order): parts are joined from left to right; each combination that overflows so far meets every
    list of the next part, then the kept lists so far meet its overflowing ones.
    """
    picked: list[int] = []
    for number in reversed(range(len(counts))):
        overflowing_so_far = prod(count + 1 for count in counts[:number]) - 1
        block = counts[number] + 1
        if index >= overflowing_so_far * block:
            picked += [index - overflowing_so_far * block + 1, *[0] * number]
            break
        index, pick = divmod(index, block)
        picked.append(pick)
    return picked[::-1]


class Strategy(Enum):
    """Which text of a pair is cut: the longer one until both are equal, or only the one named."""

    LONGEST_FIRST = "LongestFirst"
    ONLY_FIRST = "OnlyFirst"
    ONLY_SECOND = "OnlySecond"


@dataclass(frozen=True, slots=True)
class Truncation:
    """Cuts to `max_length` tokens, those a post-processor will place included.

    >>> Truncation(4, Strategy.LONGEST_FIRST).lengths([3, 5], placed=0)
    [2, 2]

    Each overflowing list begins with the last `stride` tokens of the one before; `from_left`: the end of the text is
    kept and the lists go towards its beginning.
    """

    max_length: int
    strategy: Strategy = Strategy.LONGEST_FIRST
    stride: int = 0
    from_left: bool = False

    def cut(self, parts: Sequence[Part], placed: int) -> list[Part]:
        """The texts' tokens cut, `placed` tokens left for the post-processor."""
        lengths = self.lengths([len(part.tokens) for part in parts], placed)
        return [self._cut(part, length) for part, length in zip(parts, lengths, strict=True)]

    def kept(self, length: int, placed: int) -> slice:
        """Which tokens of a single text stay."""
        kept = self._checked(self.lengths([length], placed)[0], length)
        return slice(length - kept, length) if self.from_left else slice(kept)

    def lengths(self, lengths: Sequence[int], placed: int) -> list[int]:
        """How many tokens each text keeps.

        Law: where a post-processor places more than `max_length` tokens the reference's 64-bit subtraction starts
        anew at its top, so nothing is cut.
        """
        limit = (self.max_length - placed) % 2**64
        if limit == 0 or sum(lengths) <= limit:
            return [min(length, limit) for length in lengths]
        if self.strategy is Strategy.LONGEST_FIRST:
            return [limit] if len(lengths) == 1 else shares(lengths[0], lengths[1], limit)
        target = 0 if self.strategy is Strategy.ONLY_FIRST else 1
        if target == len(lengths):
            raise CannotTruncate(
                where="/truncation/strategy", what="OnlySecond, but there is no second text", remedy="give a pair"
            )
        left = lengths[target] - (sum(lengths) - limit)
        if left <= 0:
            raise CannotTruncate(
                where="/truncation/strategy",
                what=f"{self.strategy.value} cannot bring {sum(lengths)} tokens to {limit}: that text has too few",
                remedy="use LongestFirst, or a shorter text on the other side",
            )
        return [left if number == target else length for number, length in enumerate(lengths)]

    def _checked(self, kept: int, length: int) -> int:
        if 0 < kept < length and self.stride >= kept:
            raise CannotTruncate(
                where="/truncation/stride",
                what=f"a stride of {self.stride} in a text cut to {kept} tokens makes no headway",
                remedy="use a smaller stride or a greater max_length",
            )
        return kept

    def _cut(self, part: Part, kept: int) -> Part:
        tokens = part.tokens
        length = len(tokens)
        if self._checked(kept, length) >= length:
            return part
        if kept == 0:
            return Part((), (tokens,))
        step = kept - self.stride

        def stretch(number: int) -> Tokens:
            start = number * step
            stop = min(start + kept, length)
            return tokens[length - stop : length - start] if self.from_left else tokens[start:stop]

        return Part(stretch(0), Lazy(ceil((length - kept) / step), lambda index: stretch(index + 1)))


def shares(first: int, second: int, limit: int) -> list[int]:
    """How many tokens each text of a pair keeps when the longer one is cut first.

    >>> shares(2, 8, 7), shares(8, 4, 7), shares(8, 8, 7)
    ([2, 5], [4, 3], [3, 4])
    """
    short, long = sorted((first, second))
    long = short if short > limit else max(short, limit - short)
    if short + long > limit:
        short = limit // 2
        long = short + limit % 2
    return [long, short] if first > second else [short, long]


def build_truncation(value: object, pointer: str = "/truncation") -> Truncation | None:
    """{"max_length": …, "strategy": …, "stride": …, "direction": "Right" unless given}; null is no truncation."""
    if value is None:
        return None
    fields = Fields(value, pointer)
    return Truncation(
        max_length=size(fields.required("max_length"), fields.at("max_length")),
        strategy=Strategy(variant(fields, "strategy", [strategy.value for strategy in Strategy])),
        stride=size(fields.required("stride"), fields.at("stride")),
        from_left="direction" in fields.value and variant(fields, "direction", ["Left", "Right"]) == "Left",
    )


def size(value: object, pointer: str) -> int:
    """A length, as 64 bits hold it."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
        raise wrong_kind(value, pointer, "a whole number from 0 to 2^64 - 1")
    return value


def variant(fields: Fields, key: str, known: Sequence[str]) -> str:
    """One of the known names; like the reference, {"Name": null} is another spelling of "Name"."""
    value = fields.required(key)
    if isinstance(value, dict) and len(value) == 1 and next(iter(value.values())) is None:
        (value,) = value
    if not isinstance(value, str):
        raise MalformedFile(where=fields.at(key), what=f"found {kind_of(value)}", remedy=f"known: {', '.join(known)}")
    if value not in known:
        raise UnsupportedComponent(
            where=fields.at(key), what=f"{value!r} is not known", remedy=f"known: {', '.join(known)}"
        )
    return value
