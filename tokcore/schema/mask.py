r"""Which tokens may come next, and why another may not.

>>> mask = TokenMask("(?:yes|no)!", [b"y", b"ye", b"s!", b"s", b"n", b"", b"!?"], end_ids=[5])
>>> mask.allowed(mask.start).ids
[0, 1, 4]
>>> state = mask.advance(mask.advance(mask.start, 1), 2)
>>> mask.allowed(state).ids, mask.may_end(state)
([5], True)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokcore.errors import UnknownId
from tokcore.schema.automaton import Automaton, State
from tokcore.schema.describe import describe_bytes
from tokcore.schema.ecma import parse_whole
from tokcore.schema.errors import NotAllowed, SchemaError
from tokcore.schema.expr import Expr
from tokcore.schema.pattern import SchemaPattern
from tokcore.schema.terms import members_of
from tokcore.schema.vocabulary import Vocabulary, bits_of, ids_of

MAX_CACHED = 512


@dataclass(frozen=True, slots=True)
class Allowed:
    """A set of token ids.

    >>> allowed = Allowed(0b1010)
    >>> len(allowed), 3 in allowed, allowed.ids
    (2, True, [1, 3])
    """

    bits: int

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, id: object) -> bool:
        return isinstance(id, int) and id >= 0 and bool(self.bits >> id & 1)

    @property
    def ids(self) -> list[int]:
        return ids_of(self.bits)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a token may not come next.

    `at`: how many of its bytes still fit; `expected`: the bytes that would have been allowed then; `text` says it
    in words.
    """

    id: int
    at: int
    expected: bytes
    may_end: bool
    text: str


class TokenMask:
    """A pattern over the tokens of one vocabulary.

    `pattern`: a SchemaPattern, an Expr, an Automaton, or a pattern's text without look-ahead, matched whole.
    `vocabulary`: the bytes of every id in order (`Tokenizer.vocab_bytes()`), b"" where an id stands for no text, or
    the Vocabulary made of them, which several masks may share. `end_ids` end an output.

    Law: a token is allowed if and only if the text so far and its bytes can be completed to a match; an end id if
    and only if the text so far is a match. Ids without bytes are never allowed otherwise.
    """

    def __init__(
        self,
        pattern: SchemaPattern | Automaton | Expr | str,
        vocabulary: Vocabulary | Sequence[bytes],
        end_ids: Iterable[int] = (),
    ) -> None:
        self.automaton = _automaton_of(pattern)
        self.vocabulary = vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary(vocabulary)
        self.end_ids = frozenset(end_ids)
        for id in self.end_ids:
            self._require_known(id)
        self._end_bits = bits_of(self.end_ids)
        self._cache: OrderedDict[int, Allowed] = OrderedDict()

    @property
    def start(self) -> State:
        return self.automaton.start

    def may_end(self, state: State) -> bool:
        """Whether the text so far is a match."""
        return state.nullable

    def allowed(self, state: State) -> Allowed:
        """The ids that may come next. Remembered by state, for the last few hundred states."""
        found = self._cache.get(state.uid)
        if found is None:
            bits = self.vocabulary.allowed(self.automaton, state) & ~self._end_bits
            found = Allowed(bits | self._end_bits if state.nullable else bits)
            self._cache[state.uid] = found
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(state.uid)
        return found

    def advance(self, state: State, id: int) -> State:
        """The state after a token; after an end id it stays where it is. Raises NotAllowed with the reason."""
        refusal = self.why_not(state, id)
        if refusal is not None:
            raise NotAllowed(where=f"token {id}", what=refusal.text, remedy="take one of the allowed tokens")
        return state if id in self.end_ids else self.automaton.walk(state, self.vocabulary.tokens[id])[0]

    def why_not(self, state: State, id: int) -> Refusal | None:
        """Why a token may not come next; None where it may.

        >>> mask = TokenMask("a[0-9]", [b"a1", b"ab"])
        >>> mask.why_not(mask.start, 1).text
        "after 'a' comes 'b', and only 0-9 may"
        """
        self._require_known(id)
        if id in self.end_ids:
            if state.nullable:
                return None
            expected = self._expected(state)
            return Refusal(id, 0, expected, False, f"the output is not complete: {describe_bytes(expected)} must come")
        data = self.vocabulary.tokens[id]
        if not data:
            return Refusal(id, 0, self._expected(state), state.nullable, "it stands for no text")
        last, count = self.automaton.walk(state, data)
        if count == len(data):
            return None
        expected = self._expected(last)
        before = f"after {_shown(data[:count])} comes" if count else "it begins with"
        what = f"only {describe_bytes(expected)} may" if expected else "the output must end there"
        return Refusal(id, count, expected, last.nullable, f"{before} {_shown(data[count : count + 1])}, and {what}")

    def _expected(self, state: State) -> bytes:
        return bytes(sorted(byte for mask, _ in self.automaton.moves(state) for byte in members_of(mask)))

    def _require_known(self, id: int) -> None:
        if not 0 <= id < len(self.vocabulary.tokens):
            remedy = f"use an id from 0 to {len(self.vocabulary.tokens) - 1}"
            raise UnknownId(where="id", what=f"{id} is not in the vocabulary", remedy=remedy)


def _automaton_of(pattern: SchemaPattern | Automaton | Expr | str) -> Automaton:
    if isinstance(pattern, Automaton):
        found = pattern
    elif isinstance(pattern, SchemaPattern):
        found = pattern.automaton()
    else:
        found = Automaton(parse_whole(pattern, "pattern") if isinstance(pattern, str) else pattern)
    if found.matches_nothing:
        raise SchemaError(where="pattern", what="it matches nothing", remedy="mend the pattern")
    return found


def _shown(data: bytes) -> str:
    try:
        return repr(data.decode())
    except UnicodeDecodeError:
        return " ".join(f"0x{byte:02X}" for byte in data)
