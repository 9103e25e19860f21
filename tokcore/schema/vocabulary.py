r"""A vocabulary as a tree of bytes, so that tokens with the same beginning are walked together.

>>> tree = ByteTree.of([b"a", b"ab", b"", b"b"])
>>> tree.letters, tree.depths, tree.after
(b'abb', [0, 1, 0], [2, 2, 3])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress
from operator import or_

from tokcore.schema.automaton import Automaton, State
from tokcore.schema.terms import mask_of


@dataclass(frozen=True, slots=True)
class ByteTree:
    """Nodes in the order of a walk: `letters[i]` leads to node i from its parent, `depths[i]` bytes above it.

    `after[i]` is the node that follows the subtree of i; `ids[i]` are the tokens that end at i (None: none);
    `depth` is the length of the longest token.
    """

    letters: bytes
    depths: list[int]
    after: list[int]
    ids: list[tuple[int, ...] | None]
    depth: int

    @classmethod
    def of(cls, vocab: Sequence[bytes], ids: Iterable[int] | None = None) -> ByteTree:
        """The tree of the tokens with these ids (None: all) that stand for any bytes."""
        chosen = range(len(vocab)) if ids is None else ids
        entries = sorted((vocab[id], id) for id in chosen if vocab[id])
        letters = bytearray()
        depths: list[int] = []
        after: list[int] = []
        ends: list[tuple[int, ...] | None] = []
        open_nodes: list[int] = []
        previous = b""
        for token, id in entries:
            common, size, count = 0, len(token), len(letters)
            if token.startswith(previous):
                common = len(previous)
            else:
                while token[common] == previous[common]:
                    common += 1
                for node in open_nodes[common:]:
                    after[node] = count
                del open_nodes[common:]
            more = size - common
            open_nodes += range(count, count + more)
            letters += token[common:]
            depths += range(common, size)
            after += [0] * more
            ends += [None] * more
            last = open_nodes[-1]
            ends[last] = (*(ends[last] or ()), id)
            previous = token
        for node in open_nodes:
            after[node] = len(letters)
        return cls(bytes(letters), depths, after, ends, max(depths, default=0) + 1)

    def allowed(self, automaton: Automaton, state: State) -> list[int]:
        """The ids of the tokens whose bytes the automaton takes from a state on.

        >>> from tokcore.schema.expr import literal
        >>> automaton = Automaton(literal("ab"))
        >>> ByteTree.of([b"b", b"ab", b"a"]).allowed(automaton, automaton.start)
        [2, 1]
        """
        letters, depths, after, ends = self.letters, self.depths, self.after, self.ids
        found: list[int] = []
        rows = [automaton.row(state)] * (self.depth + 1)
        row_of = automaton.row
        node, count = 0, len(letters)
        while node < count:
            depth = depths[node]
            following = rows[depth][letters[node]]
            if following is None:
                node = after[node]
                continue
            ids = ends[node]
            if ids is not None:
                found += ids
            rows[depth + 1] = following.row or row_of(following)
            node += 1
        return found


# UTF-8 of the characters that JSON strings hold as they are: all but controls, '"' and '\'.
_PLAIN_ASCII = mask_of(0x20, 0x7F) & ~(1 << ord('"') | 1 << ord("\\"))
_TAIL = mask_of(0x80, 0xBF)
_PLAIN_SEQUENCES: tuple[tuple[int, ...], ...] = (
    (_PLAIN_ASCII,),
    (mask_of(0xC2, 0xDF), _TAIL),
    (mask_of(0xE0, 0xE0), mask_of(0xA0, 0xBF), _TAIL),
    (mask_of(0xE1, 0xEC) | mask_of(0xEE, 0xEF), _TAIL, _TAIL),
    (mask_of(0xED, 0xED), mask_of(0x80, 0x9F), _TAIL),
    (mask_of(0xF0, 0xF0), mask_of(0x90, 0xBF), _TAIL, _TAIL),
    (mask_of(0xF1, 0xF3), _TAIL, _TAIL, _TAIL),
    (mask_of(0xF4, 0xF4), mask_of(0x80, 0x8F), _TAIL, _TAIL),
)


def plain_length(token: bytes) -> int | None:
    r"""How many characters a token has if all may stand in a JSON string as they are, else None.

    >>> plain_length("é!".encode()), plain_length(b'a"'), plain_length(b"\xc3")
    (2, None, None)
    """
    if not token or b'"' in token or b"\\" in token or min(token) < 0x20:
        return None
    try:
        return len(token.decode())
    except UnicodeDecodeError:
        return None


def step_any(automaton: Automaton, state: State, masks: Sequence[int]) -> State | None:
    """Where all byte sequences of the masks lead, if it is one and the same place."""
    here = {state.uid: state}
    for mask in masks:
        following: dict[int, State] = {}
        for each in here.values():
            covered = 0
            for moves, left in automaton.moves(each):
                if moves & mask:
                    covered |= moves
                    following[left.uid] = left
            if covered & mask != mask:
                return None
        here = following
    return next(iter(here.values())) if len(here) == 1 else None


def step_plain(automaton: Automaton, state: State) -> State | None:
    """Where one plain character leads, whichever it is; None where that depends on the character."""
    targets = [step_any(automaton, state, masks) for masks in _PLAIN_SEQUENCES]
    first = targets[0]
    return first if all(target is first for target in targets) else None


def takes_no_plain(automaton: Automaton, state: State) -> bool:
    """Whether no plain character begins here."""
    heads = 0
    for masks in _PLAIN_SEQUENCES:
        heads |= masks[0]
    return not any(mask & heads for mask, _ in automaton.moves(state))


@dataclass(slots=True)
class Vocabulary:
    """The tokens of a model, ready to be masked.

    Inside a JSON string nearly all tokens are allowed. Those that are plain text are not walked one by one: it
    depends only on their number of characters whether they fit, so they are kept as sets by that number.
    """

    tokens: Sequence[bytes]
    plain: ByteTree = field(init=False)
    others: ByteTree = field(init=False)
    # plain_up_to[n]: bits of the plain tokens of at most n characters.
    plain_up_to: list[int] = field(init=False)

    def __post_init__(self) -> None:
        lengths = list(map(plain_length, self.tokens))
        by_length: dict[int, list[int]] = {}
        for id, length in enumerate(lengths):
            if length is not None:
                by_length.setdefault(length, []).append(id)
        longest = max(by_length, default=0)
        self.plain_up_to = list(accumulate((bits_of(by_length.get(n, ())) for n in range(longest + 1)), or_))
        self.plain = ByteTree.of(self.tokens, (id for id, length in enumerate(lengths) if length is not None))
        self.others = ByteTree.of(self.tokens, (id for id, length in enumerate(lengths) if length is None))

    def allowed(self, automaton: Automaton, state: State) -> int:
        """The tokens that the automaton takes from a state on, as the bits of a number.

        Law: the same as walking every token by itself.
        """
        return bits_of(self.others.allowed(automaton, state)) | self._plain_allowed(automaton, state)

    def _plain_allowed(self, automaton: Automaton, state: State) -> int:
        longest = len(self.plain_up_to) - 1
        count, here = 0, state
        while count < longest:
            following = step_plain(automaton, here)
            if following is None:
                break
            if following is here:
                return self.plain_up_to[longest]
            here, count = following, count + 1
        if count == longest or (count and takes_no_plain(automaton, here)):
            return self.plain_up_to[count]
        return bits_of(self.plain.allowed(automaton, state))


def bits_of(ids: Iterable[int]) -> int:
    """A set of ids as a number: bit n is set where n is in it.

    >>> bits_of([0, 3])
    9
    """
    found = bytearray()
    for id in ids:
        place = id >> 3
        if place >= len(found):
            found.extend(bytes(place + 1 - len(found) + len(found) // 2))
        found[place] |= 1 << (id & 7)
    return int.from_bytes(found, "little")


def ids_of(bits: int) -> list[int]:
    """The set of a number's bits.

    >>> ids_of(9)
    [0, 3]
    """
    digits = f"{bits:b}"[::-1]
    return list(compress(range(len(digits)), digits.encode().translate(_DIGIT_VALUES)))


_DIGIT_VALUES = bytes(int(byte == ord("1")) for byte in range(256))
