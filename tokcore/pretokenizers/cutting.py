"""Cutting text at matches, and what becomes of the matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from tokcore.spans import AlignedText

Run = tuple[int, int, bool]


class Behavior(Enum):
    """What becomes of the matches, shown on `a--b` with the pattern `-`.

    Removed a b · Isolated a - - b · MergedWithPrevious a- - b · MergedWithNext a - -b · Contiguous a -- b
    """

    REMOVED = "Removed"
    ISOLATED = "Isolated"
    MERGED_WITH_PREVIOUS = "MergedWithPrevious"
    MERGED_WITH_NEXT = "MergedWithNext"
    CONTIGUOUS = "Contiguous"


def pieces(text: AlignedText, cuts: Iterable[tuple[int, int]]) -> list[AlignedText]:
    """The stretches of a text; empty ones are left out.

    >>> [piece.text for piece in pieces(AlignedText.whole("abc"), [(0, 1), (1, 1), (1, 3)])]
    ['a', 'bc']
    """
    return [text.slice(start, end) for start, end in cuts if start < end]


def runs(matches: Iterable[tuple[int, int]], length: int) -> Iterator[Run]:
    """The whole text as (start, end, is a match), in order.

    >>> list(runs([(1, 2)], 3))
    [(0, 1, False), (1, 2, True), (2, 3, False)]
    """
    done = 0
    for start, end in matches:
        if done < start:
            yield done, start, False
        yield start, end, True
        done = end
    if done < length:
        yield done, length, False


def regroup(parts: Iterable[Run], behavior: Behavior, invert: bool = False) -> list[tuple[int, int]]:
    """The runs joined or dropped as the behaviour says; `invert` takes matches for gaps and gaps for matches.

    >>> regroup([(0, 1, False), (1, 2, True), (2, 3, False)], Behavior.MERGED_WITH_NEXT)
    [(0, 1), (1, 3)]
    """
    cuts: list[tuple[int, int]] = []
    previous_matched = False
    for start, end, is_match in parts:
        matched = is_match != invert
        if behavior is Behavior.REMOVED:
            if not matched:
                cuts.append((start, end))
        elif behavior is Behavior.ISOLATED:
            cuts.append((start, end))
        elif cuts and (
            (behavior is Behavior.MERGED_WITH_PREVIOUS and matched and not previous_matched)
            or (behavior is Behavior.MERGED_WITH_NEXT and previous_matched and not matched)
            or (behavior is Behavior.CONTIGUOUS and matched == previous_matched)
        ):
            cuts[-1] = (cuts[-1][0], end)
        else:
            cuts.append((start, end))
        previous_matched = matched
    return cuts
