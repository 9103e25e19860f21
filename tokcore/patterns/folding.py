r"""What (?i) makes equal: spelled out, because the two engines fold by different rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tokcore.patterns.folds import LARGER, PAIRS, SEQUENCES


class Segment(NamedTuple):
    """A stretch of a folded literal: `singles` may stand for it, or the sequence of one of each of `columns`."""

    singles: str
    columns: tuple[str, ...]


@cache
def classes() -> dict[str, str]:
    """Each cased character with all characters that equal it, itself included.

    >>> [f"{ord(character):X}" for character in classes()["k"]]
    ['4B', '6B', '212A']
    """
    table: dict[str, str] = {}
    for first, count, step, gap in PAIRS:
        for code in range(first, first + count * step, step):
            pair = chr(code) + chr(code + gap)
            table[pair[0]] = table[pair[1]] = pair
    for members in LARGER:
        table.update(dict.fromkeys(members, members))
    return table


@cache
def sequence_of() -> dict[str, str]:
    """Each character that equals a sequence, with that sequence.

    >>> sequence_of()["ß"]
    'ss'
    """
    return {single: sequence for sequence, singles in SEQUENCES.items() for single in singles}


@cache
def _sequences_by_key() -> dict[str, str]:
    return {"".join(map(_key, sequence)): singles for sequence, singles in SEQUENCES.items()}


def _key(character: str) -> str:
    return classes().get(character, character)[0]


@cache
def cased_text() -> str:
    """All characters that equal something else."""
    return "".join(sorted({*classes(), *sequence_of()}))


def segments(text: str) -> Iterator[Segment]:
    """Cut a literal under (?i) into its segments, as the reference does: longest sequence first, no overlap.

    >>> list(segments("ß"))
    [Segment(singles='ßẞ', columns=('Ssſ', 'Ssſ'))]

    Two letters that fold to a single one are matched by it, and a character that folds to letters is matched by them.
    """
    at = 0
    while at < len(text):
        sequence = sequence_of().get(text[at])
        if sequence is not None:
            yield Segment(SEQUENCES[sequence], tuple(map(equals, sequence)))
            at += 1
            continue
        for length in (3, 2):
            piece = text[at : at + length]
            singles = _sequences_by_key().get("".join(map(_key, piece))) if len(piece) == length else None
            if singles is not None:
                yield Segment(singles, tuple(map(equals, piece)))
                at += length
                break
        else:
            yield Segment(equals(text[at]), ())
            at += 1


def equals(character: str) -> str:
    """All characters that equal one by themselves.

    >>> equals("a"), equals("1")
    ('Aa', '1')
    """
    return classes().get(character, character)
