r"""Forced outputs: a model that would rather chat, held to a pattern.

>>> mask = TokenMask('\\{"n": [0-9]+\\}', [bytes([byte]) for byte in range(128)] + [b"Sure, ", b""], end_ids=[129])
>>> text = forced(mask, seed=1).text
>>> mask.automaton.matches(text)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tokcore.schema.automaton import Automaton, State
from tokcore.schema.errors import SchemaError
from tokcore.schema.mask import TokenMask
from tokcore.schema.terms import members_of

FREE_STEPS = 200


@dataclass(frozen=True, slots=True)
class Forced:
    """What came out: the ids, the end id last where there is one, and their text."""

    ids: tuple[int, ...]
    text: str


def sample(automaton: Automaton, seed: int, *, free_bytes: int = FREE_STEPS) -> str:
    """A text that the automaton matches; the same seed gives the same text.

    >>> from tokcore.schema.ecma import parse_whole
    >>> automaton = Automaton(parse_whole("[ab]{3}", "pattern"))
    >>> len(sample(automaton, 7))
    3

    The first `free_bytes` bytes are chosen freely, the rest as short as possible, so that it always comes to an end.
    """
    random = Random(seed)
    state, found = automaton.start, bytearray()
    while True:
        ends = state.nullable and (len(found) >= free_bytes or not automaton.moves(state) or random.random() < 0.3)
        if ends:
            return found.decode()
        if len(found) >= free_bytes:
            found += automaton.shortest(state)
            return found.decode()
        mask, following = _choose(automaton, state, random)
        found.append(random.choice(members_of(mask)))
        state = following


def _choose(automaton: Automaton, state: State, random: Random) -> tuple[int, State]:
    """A way on: now any, now one that leads to an end soonest, or every string would run on for long."""
    moves = automaton.moves(state)
    if random.random() < 0.4:
        least = min(left.least for _, left in moves)
        moves = tuple(move for move in moves if move[1].least == least)
    return random.choice(moves)


def forced(mask: TokenMask, seed: int, *, free_steps: int = FREE_STEPS, wish: Sequence[int] = ()) -> Forced:
    """An output put together from allowed tokens, chosen at random with a seed.

    `wish`: tokens it would rather say; one that is allowed is always taken first, in order. After `free_steps` tokens
    only those are chosen that lead to an end soonest.
    Raises SchemaError where the vocabulary has no token for what must come.
    """
    random = Random(seed)
    ids: list[int] = []
    state, data = mask.start, bytearray()
    wishes = list(wish)
    while True:
        allowed = mask.allowed(state)
        if not allowed:
            if mask.may_end(state):
                return Forced(tuple(ids), data.decode())
            what = "no token of the vocabulary begins what must come next"
            raise SchemaError(where=f"token {len(ids)}", what=what, remedy="use a vocabulary that has all single bytes")
        if wishes and wishes[0] in allowed:
            id = wishes.pop(0)
        else:
            choices = allowed.ids
            ends = [each for each in choices if each in mask.end_ids]
            if ends and (len(ids) >= free_steps or random.random() < 0.5):
                id = ends[0]
            elif len(ids) < free_steps:
                id = random.choice(choices)
            else:
                id = min(choices, key=lambda each: _left(mask, state, each))
        ids.append(id)
        if id in mask.end_ids:
            return Forced(tuple(ids), data.decode())
        data += mask.vocabulary.tokens[id]
        state = mask.advance(state, id)


def _left(mask: TokenMask, state: State, id: int) -> int:
    return mask.advance(state, id).least
