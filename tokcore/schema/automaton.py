r"""The automaton of a pattern: byte by byte, made as far as somebody walks.

>>> automaton = Automaton(seq(literal("é"), repeat(chars("0-9"), 0, 100000)))
>>> automaton.matches("é123"), automaton.matches("é1x"), len(automaton) < 30
(True, False, True)
"""

from __future__ import annotations

from tokcore.schema.expr import Expr, chars, literal, repeat, seq
from tokcore.schema.terms import MAX_TERMS, Moves, Term, Terms

__all__ = ["Automaton", "State", "chars", "literal", "repeat", "seq"]

# What may still come. `nullable`: the text may end here; `least`: bytes of the shortest way to an end.
State = Term


class Automaton:
    """A pattern that is walked one byte at a time.

    >>> automaton = Automaton(literal("ab"))
    >>> state = automaton.step(automaton.start, ord("a"))
    >>> state.nullable, state.least, automaton.step(state, ord("x"))
    (False, 1, None)

    Law: from every state that `step` gives a text can still be completed; where it cannot, `step` is None.
    Raises SchemaTooLarge where a walk would need more than `limit` states.
    """

    def __init__(self, expression: Expr, limit: int = MAX_TERMS) -> None:
        self._terms = Terms(limit)
        self.start: State = self._terms.of(expression)

    def __len__(self) -> int:
        """How many terms have been made so far."""
        return len(self._terms)

    @property
    def matches_nothing(self) -> bool:
        return self.start is self._terms.nothing

    def moves(self, state: State) -> Moves:
        """Disjoint sets of bytes (bit b of a number: byte b), each with the state it leads to."""
        return self._terms.moves(state)

    def row(self, state: State) -> list[State | None]:
        """The next state after each of the 256 bytes."""
        return state.row or self._terms.row(state)

    def step(self, state: State, byte: int) -> State | None:
        return self.row(state)[byte]

    def walk(self, state: State, data: bytes) -> tuple[State, int]:
        """As far as the bytes go: the last state and how many bytes led there.

        >>> automaton = Automaton(literal("abc"))
        >>> automaton.walk(automaton.start, b"abx")[1]
        2
        """
        for count, byte in enumerate(data):
            following = self.row(state)[byte]
            if following is None:
                return state, count
            state = following
        return state, len(data)

    def matches(self, text: str) -> bool:
        """Whether the pattern matches the whole text."""
        data = text.encode("utf-8", "surrogatepass")
        state, count = self.walk(self.start, data)
        return count == len(data) and state.nullable

    def shortest(self, state: State) -> bytes:
        """A shortest way from a state to an end.

        >>> automaton = Automaton(repeat(literal("no"), 2))
        >>> automaton.shortest(automaton.start)
        b'nono'
        """
        found = bytearray()
        while not state.nullable:
            mask, state = min(self.moves(state), key=lambda move: move[1].least)
            found.append((mask & -mask).bit_length() - 1)
        return bytes(found)
