"""Whether a request fits a context: what each part takes, what is left, and what to cut. Exact, in whole tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True, slots=True)
class Part:
    """Things of one kind: the first costs `first_tokens`, each further one `each_tokens`.

    >>> tools = Part("tools", 8, first_tokens=147, each_tokens=65)
    >>> tools.tokens, tools.fewer(130), tools.fewer(131), tools.more(129)
    (602, 2, 3, 1)

    `reserved`: kept free for what comes after the input (an answer, a margin). What can be cut anywhere is as many
    things of one token each: `Part.of_tokens("system", 300)`. Nothing is below 0.
    """

    name: str
    count: int
    first_tokens: int
    each_tokens: int
    reserved: bool = False

    @classmethod
    def of_tokens(cls, name: str, tokens: int, reserved: bool = False) -> Part:
        return cls(name, tokens, 1, 1, reserved)

    @property
    def tokens(self) -> int:
        return self.first_tokens + (self.count - 1) * self.each_tokens if self.count else 0

    def fewer(self, tokens: int) -> int | None:
        """The smallest number of things to leave out that saves so many tokens; None where all of them are too few.

        Law: the first one goes last, for the others rest on it: the frame of all tools is part of its cost.
        """
        if tokens <= 0:
            return 0
        units = -(-tokens // self.each_tokens) if self.each_tokens else self.count
        if units < self.count:
            return units
        return self.count if self.tokens >= tokens else None

    def more(self, tokens: int) -> int | None:
        """How many more things so many tokens have room for; None where more of them cost nothing."""
        first = 0 if self.count else 1
        room = tokens - first * self.first_tokens
        if room < 0:
            return 0
        return first + room // self.each_tokens if self.each_tokens else None

    def saved(self, units: int) -> int:
        """What so many things fewer save; raises ValueError for more than there are."""
        if units > self.count:
            raise ValueError(f"{self.count} of {self.name}, {units} to leave out")
        return self.tokens if units == self.count else units * self.each_tokens


@dataclass(frozen=True, slots=True)
class Cut:
    """So many things of a part left out, and the tokens that are free after it (below 0: still missing)."""

    part: Part
    units: int
    left_tokens: int


@dataclass(frozen=True, slots=True)
class Budget:
    """The parts of one request in the order of the prompt, and the context they share.

    >>> chunks, answer = Part("documents", 6, 512, 512), Part.of_tokens("answer", 1_024, reserved=True)
    >>> budget = Budget(4_000, (chunks, answer))
    >>> budget.used_tokens, budget.room_tokens, budget.left_tokens
    (4096, 2976, -96)
    >>> [(cut.part.name, cut.units, cut.left_tokens) for cut in budget.cuts()]
    [('documents', 1, 416), ('answer', 96, 0)]
    """

    context_tokens: int
    parts: tuple[Part, ...]

    @property
    def used_tokens(self) -> int:
        return sum(part.tokens for part in self.parts)

    @property
    def reserved_tokens(self) -> int:
        return sum(part.tokens for part in self.parts if part.reserved)

    @property
    def input_tokens(self) -> int:
        return self.used_tokens - self.reserved_tokens

    @property
    def room_tokens(self) -> int:
        """What the whole input may take, template included; below 0 where the reserves alone are too much."""
        return self.context_tokens - self.reserved_tokens

    @property
    def left_tokens(self) -> int:
        """Below 0: so many too many."""
        return self.context_tokens - self.used_tokens

    @property
    def over_tokens(self) -> int:
        return max(0, -self.left_tokens)

    def cuts(self) -> tuple[Cut, ...]:
        """What each part alone can do: the fewest things to leave out for a fit, or all, where that is too few.

        Empty where the request fits.
        """
        if not self.over_tokens:
            return ()
        return tuple(self._cut(part) for part in self.parts if part.tokens)

    def largest(self, name: str) -> int | None:
        """The most tokens each thing of a part may take for a fit, all of them kept; None where not even one each.

        >>> parts = Part("documents", 3, 512, 512), Part.of_tokens("answer", 200, reserved=True)
        >>> Budget(1_000, parts).largest("documents")
        266
        """
        part = next(part for part in self.parts if part.name == name)
        room = self.left_tokens + part.tokens
        return room // part.count if 0 < part.count <= room else None

    def plan(self, order: Iterable[str]) -> tuple[Cut, ...]:
        """Parts cut one after another, by name, until the request fits; each whole, but the last as little as will do.

        Empty where it fits already; the last one's `left_tokens` is below 0 where all of them are too few.
        """
        by_name, found, budget = {part.name: part for part in self.parts if part.tokens}, list[Cut](), self
        for name in order:
            if not budget.over_tokens:
                break
            if name in by_name:
                found.append(budget._cut(by_name[name]))
                budget = Budget(budget.context_tokens + by_name[name].saved(found[-1].units), self.parts)
        return tuple(found)

    def _cut(self, part: Part) -> Cut:
        units = part.fewer(self.over_tokens)
        units = part.count if units is None else units
        return Cut(part, units, self.left_tokens + part.saved(units))


@dataclass(frozen=True, slots=True)
class Measured:
    """One sentence in one language, as a tokenizer counts it.

    >>> english, portuguese = Measured("English", 64, 14), Measured("Portuguese", 80, 25)
    >>> round(float(portuguese.bytes_per_token), 2), portuguese.factor(english)
    (3.2, Fraction(25, 14))
    """

    name: str
    bytes: int
    tokens: int

    @property
    def bytes_per_token(self) -> Fraction:
        return Fraction(self.bytes, self.tokens)

    def factor(self, reference: Measured) -> Fraction:
        """How many times the tokens of the same sentence in another language: (bytes ÷ bytes per token) of both."""
        return (self.bytes / self.bytes_per_token) / (reference.bytes / reference.bytes_per_token)


def scaled(tokens: int, factor: Fraction) -> int:
    """An estimate in whole tokens, never below the exact product.

    >>> scaled(20_000, Fraction(25, 14)), scaled(512, Fraction(1))
    (35715, 512)
    """
    return ceil(tokens * factor)


def about(value: Fraction | int, digits: int = 3) -> int:
    """A value of 0 or more, to so many significant digits; a half goes up.

    >>> about(Fraction(20_000 * 25, 14)), about(Fraction(20_000 * 58, 14)), about(7), about(9_996)
    (35700, 82900, 7, 10000)
    """
    step = Fraction(10) ** max(0, len(str(int(value))) - digits)
    return int((value / step + Fraction(1, 2)) // 1 * step)


@dataclass(frozen=True, slots=True)
class KvShape:
    """What a model keeps of each token: a key and a value, for every layer and every head that has its own.

    >>> KvShape(layers=36, kv_heads=8, head_dim=128, number_bytes=2).bytes_per_token
    147456
    """

    layers: int
    kv_heads: int
    head_dim: int
    number_bytes: int

    @property
    def bytes_per_token(self) -> int:
        return 2 * self.layers * self.kv_heads * self.head_dim * self.number_bytes
