"""The parsed form of a pattern: what it means, free of how either dialect spells it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Span:
    """The code points `low` to `high`, both included, as they stand in the pattern."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Property:
    """A named set of characters: `name` is a key of `properties.SPELLINGS`, or a name of `newer.NAMES`."""

    name: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Union:
    """Characters of any of the parts; of none where there are no parts."""

    parts: tuple[CharSet, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """Characters that all parts hold."""

    parts: tuple[CharSet, ...]


@dataclass(frozen=True, slots=True)
class Complement:
    """Characters that `inner` does not hold."""

    inner: CharSet


CharSet = Span | Property | Union | Intersection | Complement


class Anchor(Enum):
    """A place between two characters; the value is the source spelling."""

    LINE_START = "^"
    LINE_END = "$"
    TEXT_START = r"\A"
    TEXT_END = r"\z"
    TEXT_END_OR_LAST_NEWLINE = r"\Z"
    WORD_EDGE = r"\b"
    NO_WORD_EDGE = r"\B"
    SEARCH_START = r"\G"
    KEEP = r"\K"


class Look(Enum):
    """The four look-arounds; the value is their spelling in both dialects."""

    AHEAD = "(?="
    NOT_AHEAD = "(?!"
    BEHIND = "(?<="
    NOT_BEHIND = "(?<!"


class Greed(Enum):
    """How a repetition takes its choice; the value is the suffix."""

    GREEDY = ""
    LAZY = "?"
    POSSESSIVE = "+"


@dataclass(frozen=True, slots=True)
class Literal:
    """A run of characters; `fold` is set under (?i)."""

    text: str
    fold: bool


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a set; `fold` only for bracketed classes under (?i): a bare property ignores (?i)."""

    members: CharSet
    fold: bool


@dataclass(frozen=True, slots=True)
class AnyCharacter:
    """The dot."""

    newline_too: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts one after another; no parts match the empty string."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first branch that leads to a match."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A group whose text `Backreference` and `Conditional` may ask for; `number` counts from 1."""

    number: int
    body: Node


@dataclass(frozen=True, slots=True)
class Atomic:
    """A group that is left for good once it has matched."""

    body: Node


@dataclass(frozen=True, slots=True)
class Scoped:
    """A group with its own options: same meaning as its body, but literals do not join across its border."""

    body: Node


@dataclass(frozen=True, slots=True)
class LookAround:
    """A condition on what stands before or after; it starts at character `at` of the pattern."""

    kind: Look
    body: Node
    at: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """`body` at least `low` times and at most `high` times (None: no limit)."""

    body: Node
    low: int
    high: int | None
    greed: Greed


@dataclass(frozen=True, slots=True)
class Backreference:
    """The text that group `number` matched."""

    number: int


@dataclass(frozen=True, slots=True)
class Conditional:
    """`yes` where group `number` has matched, else `no`."""

    number: int
    yes: Node
    no: Node


Node = (
    Literal
    | OneOf
    | AnyCharacter
    | Anchor
    | Sequence
    | Choice
    | Capture
    | Atomic
    | Scoped
    | LookAround
    | Repeat
    | Backreference
    | Conditional
)


def is_zero_width(node: Node) -> bool:
    """Whether the node is an anchor or look-around and nothing else: the reference refuses to repeat those.

    >>> is_zero_width(Anchor.LINE_START), is_zero_width(Sequence(()))
    (True, False)
    """
    return isinstance(node, Anchor | LookAround)


def can_be_empty(node: Node) -> bool:
    """Whether the node might match the empty string; True where that is not certain.

    >>> can_be_empty(Literal("a", False)), can_be_empty(Repeat(Literal("a", False), 0, 1, Greed.GREEDY))
    (False, True)
    """
    match node:
        case Literal(text, _):
            return text == ""
        case OneOf() | AnyCharacter():
            return False
        case Sequence(parts):
            return all(map(can_be_empty, parts))
        case Choice(branches):
            return any(map(can_be_empty, branches))
        case Capture(_, body) | Atomic(body) | Scoped(body):
            return can_be_empty(body)
        case Repeat(body, low, _, _):
            return low == 0 or can_be_empty(body)
        case Conditional(_, yes, no):
            return can_be_empty(yes) or can_be_empty(no)
        case _:
            return True
