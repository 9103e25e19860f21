r"""What may still come: expressions over bytes, and what is left of one after a byte.

>>> terms = Terms()
>>> start = terms.of(seq(literal("a"), repeat(chars("b"), 1, 2)))
>>> [(members_of(mask), left.nullable) for mask, left in terms.moves(start)]
[([97], False)]

A state of the automaton *is* the expression of what may still come (Brzozowski's derivatives). So states are made only
where somebody goes, a count of a hundred thousand costs no more than a count of one, and the meet of two expressions
needs no table. Equal terms are one object.

Law: a term other than `nothing` has at least one match, and `least` is the number of bytes of its shortest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from tokcore.schema.charsets import utf8_sequences
from tokcore.schema.errors import SchemaTooLarge
from tokcore.schema.expr import Both, Chars, Choice, Expr, Literal, Mark, Repeat, Seq, chars, fold, literal, repeat, seq

__all__ = ["Term", "Terms", "chars", "literal", "members_of", "repeat", "seq"]

MAX_TERMS = 400_000
MAX_PAIRS = 50_000
MAX_BRANCHES = 20_000

_NOTHING, _EMPTY, _TEXT, _BYTE, _THEN, _EITHER, _TIMES, _MEET = range(8)

Moves = tuple[tuple[int, "Term"], ...]


class Term:
    """An expression over bytes, and what has been found out about it."""

    __slots__ = ("branches", "first", "kind", "least", "moves", "nullable", "parts", "row", "second", "uid")

    def __init__(self, kind: int, uid: int, nullable: bool, least: int) -> None:
        self.kind, self.uid, self.nullable, self.least = kind, uid, nullable, least
        self.first: Term | None = None
        self.second: Term | None = None
        self.parts: tuple[object, ...] = ()
        self.branches: tuple[Term, ...] = ()
        self.moves: Moves | None = None
        self.row: list[Term | None] | None = None


def members_of(mask: int) -> list[int]:
    """The bytes of a set that is kept as the bits of a number.

    >>> members_of(0b1001)
    [0, 3]
    """
    return [byte for byte in range(mask.bit_length()) if mask >> byte & 1]


def mask_of(low: int, high: int) -> int:
    return (1 << high + 1) - (1 << low)


class Terms:
    """All terms of one automaton. `limit`: how many there may be before SchemaTooLarge is raised."""

    def __init__(self, limit: int = MAX_TERMS) -> None:
        self._limit = limit
        self._known: dict[tuple[object, ...], Term] = {}
        # Shortest common match of two terms, None where there is none.
        self._meets: dict[tuple[int, int], int | None] = {}
        self.nothing = self._make((_NOTHING,), False, 0)
        self.empty = self._make((_EMPTY,), True, 0)

    def __len__(self) -> int:
        return len(self._known)

    def _make(self, key: tuple[object, ...], nullable: bool, least: int, *links: Term) -> Term:
        term = Term(key[0], len(self._known), nullable, least)  # type: ignore[arg-type]
        term.parts = key[1:]
        if links:
            term.first, term.second = links[0], links[-1]
        if len(self._known) >= self._limit:
            raise SchemaTooLarge(
                where="",
                what=f"the automaton has more than {self._limit} states",
                remedy="use smaller counts, fewer alternatives or a simpler pattern",
            )
        self._known[key] = term
        return term

    # ---- construction

    def text(self, data: bytes, at: int = 0) -> Term:
        """The bytes of `data` from `at`."""
        if at == len(data):
            return self.empty
        key = (_TEXT, data, at)
        return self._known.get(key) or self._make(key, False, len(data) - at)

    def byte(self, mask: int) -> Term:
        key = (_BYTE, mask)
        return self._known.get(key) or self._make(key, False, 1)

    def then(self, first: Term, second: Term) -> Term:
        if first is self.nothing or second is self.nothing:
            return self.nothing
        if first is self.empty:
            return second
        if second is self.empty:
            return first
        # First things first: only so do equal rests become one object.
        heads = []
        while first.kind == _THEN:
            assert first.first is not None and first.second is not None
            heads.append(first.first)
            first = first.second
        heads.append(first)
        term = second
        for head in reversed(heads):
            key = (_THEN, head.uid, term.uid)
            term = self._known.get(key) or self._make(
                key, head.nullable and term.nullable, head.least + term.least, head, term
            )
        return term

    def either(self, terms: Iterable[Term]) -> Term:
        found: dict[int, Term] = {}
        for term in terms:
            if term.kind == _EITHER:
                found.update((each.uid, each) for each in term.branches)
            elif term is not self.nothing:
                found[term.uid] = term
        if not found:
            return self.nothing
        if len(found) == 1:
            return next(iter(found.values()))
        if len(found) > MAX_BRANCHES:
            raise SchemaTooLarge(
                where="",
                what=f"a place where more than {MAX_BRANCHES} alternatives are open",
                remedy="use smaller counts or a simpler pattern",
            )
        branches = tuple(found[uid] for uid in sorted(found))
        key = (_EITHER, *(each.uid for each in branches))
        known = self._known.get(key)
        if known is None:
            nullable = any(each.nullable for each in branches)
            known = self._make(key, nullable, min(each.least for each in branches))
            known.branches = branches
        return known

    def times(self, body: Term, low: int, high: int | None) -> Term:
        if body is self.nothing:
            return self.empty if low == 0 else self.nothing
        if high == 0 or body is self.empty:
            return self.empty
        if (low, high) == (1, 1):
            return body
        if body.nullable:
            low = 0
        key = (_TIMES, body.uid, low, high)
        return self._known.get(key) or self._make(key, low == 0, low * body.least, body)

    def meet(self, first: Term, second: Term) -> Term:
        if first is second:
            return first
        if first.uid > second.uid:
            first, second = second, first
        least = self._least_common(first, second)
        if least is None:
            return self.nothing
        if least == 0 and self.empty in (first, second):
            return self.empty
        key = (_MEET, first.uid, second.uid)
        return self._known.get(key) or self._make(key, first.nullable and second.nullable, least, first, second)

    def of(self, expression: Expr) -> Term:
        """The term of an expression; characters become their UTF-8 bytes."""
        return fold(expression, self._term)

    def _term(self, node: Expr, inner: tuple[Term, ...]) -> Term:
        match node:
            case Literal():
                return self.text(node.text.encode())
            case Chars():
                return self._characters(node)
            case Seq():
                term = self.empty
                for each in reversed(inner):
                    term = self.then(each, term)
                return term
            case Choice():
                return self.either(inner)
            case Repeat():
                return self.times(inner[0], node.low, node.high)
            case Both():
                term = inner[0]
                for each in inner[1:]:
                    term = self.meet(term, each)
                return term
            case Mark():
                return inner[0]

    def _characters(self, node: Chars) -> Term:
        branches = []
        for sequence in utf8_sequences(node.members):
            term = self.empty
            for low, high in reversed(sequence):
                term = self.then(self.byte(mask_of(low, high)), term)
            branches.append(term)
        single = [each.parts[0] for each in branches if each.kind == _BYTE]
        if len(single) > 1:
            mask = 0
            for each in single:
                mask |= each  # type: ignore[operator]
            branches = [self.byte(mask), *(each for each in branches if each.kind != _BYTE)]
        return self.either(branches)

    # ---- steps

    def moves(self, term: Term) -> Moves:
        """Disjoint sets of bytes, each with what is left after one of them; all other bytes lead nowhere."""
        if term.moves is None:
            term.moves = self._join(self._ways(term))
        return term.moves

    def row(self, term: Term) -> list[Term | None]:
        """What is left after each of the 256 bytes."""
        if term.row is None:
            row: list[Term | None] = [None] * 256
            for mask, left in self.moves(term):
                for byte in members_of(mask):
                    row[byte] = left
            term.row = row
        return term.row

    def _ways(self, term: Term) -> list[tuple[int, Term]]:
        first, second = term.first, term.second
        match term.kind:
            case 2:
                data, at = term.parts
                return [(1 << data[at], self.text(data, at + 1))]  # type: ignore[index,arg-type,operator]
            case 3:
                return [(term.parts[0], self.empty)]  # type: ignore[list-item]
            case 4:
                ways: list[tuple[int, Term]] = []
                rest: Term | None = term
                while rest is not None and rest.kind == _THEN:
                    assert rest.first is not None and rest.second is not None
                    ways += [(mask, self.then(left, rest.second)) for mask, left in self.moves(rest.first)]
                    rest = rest.second if rest.first.nullable else None
                return ways if rest is None else [*ways, *self.moves(rest)]
            case 5:
                return [way for each in term.branches for way in self.moves(each)]
            case 6:
                assert first is not None
                _, low, high = term.parts
                after = self.times(first, max(low - 1, 0), None if high is None else high - 1)  # type: ignore[operator]
                return [(mask, self.then(left, after)) for mask, left in self.moves(first)]
            case 7:
                assert first is not None and second is not None
                return [(mask, self.meet(*pair)) for mask, *pair in self._common_moves(first, second)]
        return []

    def _join(self, ways: list[tuple[int, Term]]) -> Moves:
        by_mask: dict[int, list[Term]] = {}
        for mask, left in ways:
            if left is not self.nothing:
                by_mask.setdefault(mask, []).append(left)
        cells: list[tuple[int, list[Term]]] = []
        covered = 0
        for mask, lefts in by_mask.items():
            if covered & mask:
                cells = _split(cells, mask, lefts)
            else:
                cells.append((mask, lefts))
            covered |= mask
        found: dict[int, tuple[int, Term]] = {}
        for mask, lefts in cells:
            left = self.either(lefts)
            found[left.uid] = (found[left.uid][0] | mask if left.uid in found else mask, left)
        return tuple(found.values())

    def _common_moves(self, first: Term, second: Term) -> list[tuple[int, Term, Term]]:
        return [
            (mask & other, left, right)
            for mask, left in self.moves(first)
            for other, right in self.moves(second)
            if mask & other
        ]

    def _least_common(self, first: Term, second: Term) -> int | None:
        """Length of the shortest text that both match, by breadth-first search."""
        start = (first.uid, second.uid)
        if start in self._meets:
            return self._meets[start]
        came: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
        queue = deque([(first, second, 0)])
        best: tuple[int, tuple[int, int], int] | None = None
        while queue:
            left, right, steps = queue.popleft()
            if best is not None and steps >= best[0]:
                break
            here = (left.uid, right.uid)
            known = 0 if left.nullable and right.nullable else self._meets.get(here, -1)
            if known is None:
                continue
            if known >= 0:
                if best is None or steps + known < best[0]:
                    best = (steps + known, here, known)
                continue
            for _, *pair in self._common_moves(left, right):
                one, two = sorted(pair, key=lambda each: each.uid)
                if (one.uid, two.uid) not in came:
                    came[one.uid, two.uid] = here
                    queue.append((one, two, steps + 1))
            if len(came) > MAX_PAIRS:
                raise SchemaTooLarge(
                    where="",
                    what=f"two patterns that must both match need more than {MAX_PAIRS} states",
                    remedy="use smaller counts or a simpler pattern",
                )
        if best is None:
            self._meets.update(dict.fromkeys(came))
            return None
        at: tuple[int, int] | None = best[1]
        length = best[2]
        while at is not None:
            self._meets[at] = length
            at, length = came[at], length + 1
        return best[0]


def _split(cells: list[tuple[int, list[Term]]], mask: int, lefts: list[Term]) -> list[tuple[int, list[Term]]]:
    """The cells cut along the border of one more set."""
    result = []
    for cell, terms in cells:
        common = cell & mask
        if common:
            result.append((common, terms + lefts))
            mask &= ~common
        if cell & ~common:
            result.append((cell & ~common, terms))
    return [*result, (mask, lefts)] if mask else result
