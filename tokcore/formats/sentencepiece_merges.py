"""The merge rules of a SentencePiece BPE, which lists pieces with scores and no rules."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from tokcore.errors import UnsupportedComponent
from tokcore.formats.sentencepiece_file import NORMAL, Piece

# Every cut of a piece is looked up. Trainers stop at 16 characters unless told otherwise.
LONGEST_PIECE = 1000


def merge_rules(pieces: Sequence[Piece]) -> list[tuple[int, int, int]]:
    """(left id, right id, joined id) of every two normal pieces that make a third, best score first.

    >>> merge_rules([Piece("a", -5, 1), Piece("b", -6, 1), Piece("ab", -1, 1), Piece("aab", -2, 1)])
    [(0, 1, 2), (0, 2, 3)]

    Law: SentencePiece joins the neighbours whose piece has the best score, leftmost on a tie, whatever its two halves
    are. Scores of different pieces must therefore differ; of one piece only one pair of halves ever meets.
    """
    normal = {piece.text: id for id, piece in enumerate(pieces) if piece.kind == NORMAL}
    require_reachable(normal)
    rules: list[tuple[float, int, int, int]] = []
    for text, id in normal.items():
        for cut in range(1, len(text)):
            left, right = normal.get(text[:cut]), normal.get(text[cut:])
            if left is not None and right is not None:
                rules.append((-pieces[id].score, id, left, right))
    rules.sort(key=itemgetter(0, 1))
    owners: dict[float, int] = {}
    for score, id, _, _ in rules:
        if owners.setdefault(score, id) != id:
            raise UnsupportedComponent(
                where=f"pieces/{id}",
                what=f"the score {-score:g} of {pieces[id].text!r} is also that of {pieces[owners[score]].text!r}",
                remedy="give the pieces of a BPE scores of their own: they are the order of the merges",
            )
    return [(left, right, id) for _, id, left, right in rules]


def require_reachable(normal: dict[str, int]) -> None:
    """Refuse two characters that are a piece although one of them is none, from which BPE could not start."""
    for text, id in normal.items():
        if len(text) > LONGEST_PIECE:
            raise UnsupportedComponent(
                where=f"pieces/{id}",
                what=f"a piece of {len(text)} characters",
                remedy=f"leave pieces of a BPE at {LONGEST_PIECE} characters at most",
            )
        if len(text) == 2 and not (text[0] in normal and text[1] in normal):
            raise UnsupportedComponent(
                where=f"pieces/{id}",
                what=f"{text!r} is a piece, but not each of its characters is",
                remedy="add the characters as pieces",
            )
