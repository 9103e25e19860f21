"""How far a match of a pattern can reach, so that a stream knows when it has seen all of one."""

from __future__ import annotations

from tokcore.patterns.tree import (
    AnyCharacter,
    Atomic,
    Capture,
    Choice,
    Literal,
    Node,
    OneOf,
    Repeat,
    Scoped,
    Sequence,
)

# A stream looks again at this many characters for each that arrives.
FARTHEST = 100


def longest_match(node: Node) -> int | None:
    r"""The most characters that a match takes, None where that is not known or more than 100.

    >>> from tokcore.patterns.parse import parse
    >>> [longest_match(parse(source, "")) for source in ("[ab]c?", "(?:ab|\\d{2,3}){2}", "a+", r"a(?=b)")]
    [2, 6, None, None]

    Law: where there is a number, whether a match begins at a character, and where it ends, depends on that many
    characters from there on and on nothing else. So look-arounds, anchors and references have none, nor has what
    ignores case: a letter may then match two.
    """
    length = _longest(node)
    return length if length is not None and length <= FARTHEST else None


def _longest(node: Node) -> int | None:
    match node:
        case Literal(text, fold=False):
            return len(text)
        case OneOf(fold=False) | AnyCharacter():
            return 1
        case Sequence(parts):
            lengths = list(map(_longest, parts))
            return None if None in lengths else sum(filter(None, lengths))
        case Choice(branches):
            lengths = list(map(_longest, branches))
            return None if None in lengths else max(filter(None, lengths), default=0)
        case Capture(_, body) | Atomic(body) | Scoped(body):
            return _longest(body)
        case Repeat(body, _, int(high), _):
            once = _longest(body)
            return None if once is None else once * high
        case _:
            return None
