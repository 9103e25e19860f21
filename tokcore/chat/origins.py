"""Text that remembers who wrote each of its characters, while a template joins, cuts and changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, SupportsIndex

Kind = Literal["template", "generation", "message", "tool", "variable", "clock", "computed"]
Change = Literal["none", "cut", "changed"]

# Lists and objects are searched for their writers this far.
MOST_SOURCES = 8
MOST_SEARCHED = 1000
# A text of more runs than this, repeated, becomes one run.
MOST_RUNS = 10_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote a stretch of the prompt.

    `kind`: the template (`line`), its generation prompt, a message, a tool, a variable, the clock, or computed: made
    of several things (`sources`) or of something that leaves no trace. `pointer`: JSON pointer of the value, such as
    /messages/0/content; a name of an object ends in #. `change`: "none" is the value as it was given, "cut" a stretch
    of it, "changed" what the template made of it.
    """

    kind: Kind
    pointer: str = ""
    line: int | None = None
    change: Change = "none"
    sources: tuple[str, ...] = ()

    @property
    def index(self) -> int | None:
        """Which message or which tool.

        >>> Origin("message", "/messages/12/content").index
        12
        """
        parts = self.pointer.split("/")
        return int(parts[2]) if self.kind in ("message", "tool") and len(parts) > 2 else None

    @property
    def name(self) -> str:
        """What a list of sources calls it."""
        return self.pointer or (self.kind if self.line is None else f"{self.kind} line {self.line}")

    def as_cut(self) -> Origin:
        return replace(self, change="cut") if self.change == "none" else self

    def as_changed(self) -> Origin:
        return self if self.kind == "computed" else replace(self, change="changed")


COMPUTED = Origin("computed")
Runs = tuple[tuple[int, Origin], ...]


class Traced(str):
    """A string with the origins of its characters; it equals, hashes and behaves like the string it is.

    >>> word = Traced.of("  Olá", Origin("message", "/messages/0/content"))
    >>> [(text, origin.kind, origin.change) for text, origin in ("<" + word.strip() + word.upper()).parts()]
    [('<', 'computed', 'none'), ('Olá', 'message', 'cut'), ('  OLÁ', 'message', 'changed')]

    Law: whatever is done to it gives the text that str gives; where the origin cannot be followed exactly, the result
    says "computed" or "changed".
    """

    __slots__ = ("_runs",)
    _runs: Runs

    def __new__(cls, text: object = "", runs: Runs | None = None) -> Traced:
        self = super().__new__(cls, str.__str__(text) if isinstance(text, str) else str(text))
        if runs is None:
            runs = text._runs if isinstance(text, Traced) else ((len(self), COMPUTED),)
        self._runs = runs
        return self

    @classmethod
    def of(cls, text: str, origin: Origin) -> Traced:
        """A text with one origin."""
        return cls(text, ((len(text), origin),) if text else ())

    @classmethod
    def concat(cls, texts: Iterable[str]) -> Traced:
        """The texts one after another."""
        all_texts = list(texts)
        runs = (run for text in all_texts for run in runs_of(text))
        return cls("".join(all_texts), merged(runs))

    def parts(self) -> Iterator[tuple[str, Origin]]:
        """Plain texts with one origin each; together they are the whole."""
        text, start = str.__str__(self), 0
        for length, origin in self._runs:
            if length:
                yield text[start : start + length], origin
            start += length

    def cut(self, start: int, end: int) -> Traced:
        """Characters `start` to `end`; what is not whole any more says that it is cut."""
        runs, at = [], 0
        for length, origin in self._runs:
            left, right = max(at, start), min(at + length, end)
            if left < right:
                runs.append((right - left, origin if right - left == length else origin.as_cut()))
            at += length
        return Traced(str.__str__(self)[start:end], tuple(runs))

    def mapped(self, change: Callable[[str], str]) -> Traced:
        """The text changed stretch by stretch where that gives the same as changing it whole."""
        whole = change(str.__str__(self))
        pieces = [(change(text), origin.as_changed()) for text, origin in self.parts()]
        if "".join(text for text, _ in pieces) != whole:
            return changed(whole, self)
        return Traced(whole, merged((len(text), origin) for text, origin in pieces))

    # ---- what Python and Jinja do with strings

    def __str__(self) -> str:
        return self

    def __add__(self, other: str, /) -> str:
        if not isinstance(other, str) or hasattr(other, "__html__"):
            return NotImplemented
        return Traced.concat((self, other))

    def __radd__(self, other: str, /) -> str:
        return Traced.concat((other, self)) if isinstance(other, str) else NotImplemented

    def __mul__(self, times: SupportsIndex, /) -> str:
        text, count = str.__mul__(self, times), max(0, times.__index__())
        if len(self._runs) == 1:
            return Traced(text, ((len(text), self._runs[0][1]),))
        return Traced(text, merged(self._runs * count)) if len(self._runs) * count < MOST_RUNS else changed(text, self)

    __rmul__ = __mul__

    def __mod__(self, values: Any, /) -> str:
        return changed(str.__mod__(self, values), self, values)

    def __getitem__(self, key: SupportsIndex | slice, /) -> str:
        if isinstance(key, slice):
            start, end, step = key.indices(len(self))
            if step == 1:
                return self.cut(start, max(start, end))
            if len(self._runs) <= 1:
                return changed(str.__getitem__(self, key), self)
            characters = list(self)
            return Traced.concat([changed(characters[at], characters[at]) for at in range(start, end, step)])
        at = range(len(self))[key]
        return self.cut(at, at + 1)

    def __iter__(self) -> Iterator[str]:
        for text, origin in self.parts():
            once = origin if len(text) == 1 else origin.as_cut()
            for character in text:
                yield Traced(character, ((1, once),))

    def strip(self, chars: str | None = None, /) -> str:
        return Traced(self.lstrip(chars)).rstrip(chars)

    def lstrip(self, chars: str | None = None, /) -> str:
        return self.cut(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None, /) -> str:
        return self.cut(0, len(str.rstrip(self, chars)))

    def removeprefix(self, prefix: str, /) -> str:
        return self.cut(len(self) - len(str.removeprefix(self, prefix)), len(self))

    def removesuffix(self, suffix: str, /) -> str:
        return self.cut(0, len(str.removesuffix(self, suffix)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        pieces, at = [], 0
        for piece in str.split(self, sep, maxsplit):
            start = str.find(self, piece, at) if sep is None else at
            pieces.append(self.cut(start, start + len(piece)))
            at = start + len(piece) + (0 if sep is None else len(sep))
        return list(pieces)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        pieces, end = [], len(self)
        for piece in reversed(str.rsplit(self, sep, maxsplit)):
            start = str.rfind(self, piece, 0, end) if sep is None else end - len(piece)
            pieces.append(self.cut(start, start + len(piece)))
            end = start - (0 if sep is None else len(sep))
        return list(reversed(pieces))

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines, at = [], 0
        for line, whole in zip(str.splitlines(self, keepends), str.splitlines(self, True), strict=True):
            lines.append(self.cut(at, at + len(line)))
            at += len(whole)
        return list(lines)

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        head, middle, _ = map(len, str.partition(self, sep))
        return self.cut(0, head), self.cut(head, head + middle), self.cut(head + middle, len(self))

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        head, middle, _ = map(len, str.rpartition(self, sep))
        return self.cut(0, head), self.cut(head, head + middle), self.cut(head + middle, len(self))

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        if not old:
            return changed(str.replace(self, old, new, count), self, new)
        pieces = self.split(old, count)
        return Traced.concat([text for piece in pieces for text in (new, piece)][1:])

    def join(self, texts: Iterable[str], /) -> str:
        pieces = list(texts)
        str.join(self, pieces)  # refuses what is no text
        return Traced.concat([text for piece in pieces for text in (self, piece)][1:])

    def upper(self) -> str:
        return self.mapped(str.upper)

    def lower(self) -> str:
        return self.mapped(str.lower)

    def title(self) -> str:
        return self.mapped(str.title)

    def capitalize(self) -> str:
        return self.mapped(str.capitalize)

    def swapcase(self) -> str:
        return self.mapped(str.swapcase)

    def casefold(self) -> str:
        return self.mapped(str.casefold)


class TracedInt(int):
    """A whole number that was given; written out, it says where."""

    origin: Origin

    def __str__(self) -> str:
        return Traced.of(int.__repr__(self), self.origin)


class TracedFloat(float):
    """A number that was given; written out, it says where."""

    origin: Origin

    def __str__(self) -> str:
        return Traced.of(float.__repr__(self), self.origin)


def runs_of(text: str) -> Runs:
    """The runs of a text, computed where it has none."""
    if isinstance(text, Traced):
        return text._runs
    return ((len(text), COMPUTED),) if text else ()


def merged(runs: Iterable[tuple[int, Origin]]) -> Runs:
    """Neighbours of one origin as one run, empty runs left out."""
    grouped = groupby((run for run in runs if run[0]), key=lambda run: run[1])
    return tuple((sum(length for length, _ in group), origin) for origin, group in grouped)


def changed(text: str, *values: Any) -> Traced:
    """A text made of values: changed from the one thing that is in them, or computed from several.

    >>> role = Traced.of("user", Origin("message", "/messages/0/role"))
    >>> changed("resu", role).parts().__next__()[1].change
    'changed'
    """
    origins = list(dict.fromkeys(origins_in(values)))
    text = str.__str__(text)
    if len(origins) == 1:
        return Traced.of(text, origins[0].as_changed())
    names = dict.fromkeys(source for origin in origins for source in origin.sources or (origin.name,))
    return Traced.of(text, Origin("computed", sources=tuple(names)[:MOST_SOURCES]))


def origins_in(value: Any) -> Iterator[Origin]:
    """The origins of everything in a value, as far as they are known (depth first, up to a bound)."""
    stack, searched = [value], 0
    while stack and searched < MOST_SEARCHED:
        searched += 1
        match stack.pop():
            case Traced() as text:
                yield from (replace(origin, change="none") for length, origin in text._runs if length)
            case TracedInt() | TracedFloat() as number:
                yield number.origin
            case Mapping() as mapping:
                stack.extend(item for pair in reversed(list(mapping.items())) for item in reversed(pair))
            case list() | tuple() as items:
                stack.extend(reversed(items))
