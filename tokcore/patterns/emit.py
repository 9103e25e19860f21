r"""The tree spelled for the `regex` package (version 1 behaviour), meaning the same."""

from __future__ import annotations

import regex

from tokcore.errors import PatternError
from tokcore.patterns.folding import cased_text, equals, segments, sequence_of
from tokcore.patterns.folds import SEQUENCES
from tokcore.patterns.properties import is_word, spell
from tokcore.patterns.tree import (
    Anchor,
    AnyCharacter,
    Atomic,
    Backreference,
    Capture,
    CharSet,
    Choice,
    Complement,
    Conditional,
    Greed,
    Intersection,
    Literal,
    Look,
    LookAround,
    Node,
    OneOf,
    Property,
    Repeat,
    Scoped,
    Sequence,
    Span,
    Union,
)

_NOTHING = "[^\\x00-\\U0010FFFF]"
_ANCHORS = {
    # No line starts at the very end of a text that ends in a newline.
    Anchor.LINE_START: r"(?:\A|(?<=\n)(?!\Z))",
    Anchor.LINE_END: r"(?m:$)",
    Anchor.TEXT_START: r"\A",
    Anchor.TEXT_END: r"\Z",
    Anchor.TEXT_END_OR_LAST_NEWLINE: r"(?=\n?\Z)",
    Anchor.WORD_EDGE: r"\b",
    Anchor.NO_WORD_EDGE: r"\B",
    Anchor.SEARCH_START: r"\G",
    Anchor.KEEP: r"\K",
}
_SIGNS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def emit(node: Node, strict: bool = False, pointer: str = "") -> str:
    r"""The pattern for `regex`; `strict` spells out what texts with odd characters need.

    >>> from tokcore.patterns.parse import parse
    >>> emit(parse("(?i:'s)|(\\p{L}+)")), emit(parse("a{3,1}"))
    ("'[Ssſ]|\\p{L}+", 'a{1,3}+')

    Groups that nothing refers to are not captured, so that `findall` gives whole matches.
    """
    return _Emitter(strict, pointer, _referred(node)).text(node)


class _Emitter:
    def __init__(self, strict: bool, pointer: str, referred: frozenset[int]) -> None:
        self.strict = strict
        self.pointer = pointer
        self.referred = referred
        self.behind: LookAround | None = None
        # Closing a class under (?i) is slow, and a long pattern may hold the same one a thousand times.
        self.closed: dict[CharSet, tuple[CharSet, frozenset[str]]] = {}

    def text(self, node: Node) -> str:
        """The node where an alternation may stand."""
        match node:
            case Choice(branches):
                return "|".join([self.text(branch) for branch in branches])
            case Sequence(parts):
                return "".join([self.part(part) for part in parts])
            case Scoped(body):
                return self.text(body)
            case Literal(text, fold):
                return self._folded(text) if fold else "".join(map(_escaped, text))
            case OneOf(members, fold):
                return self._one_of(members, fold)
            case AnyCharacter(newline_too):
                return "(?s:.)" if newline_too else "."
            case Anchor():
                return self._anchor(node)
            case Repeat(body, low, high, greed):
                if greed is Greed.POSSESSIVE:
                    self._forbid_behind("a possessive repetition")
                return self.atom(body) + _counts(low, high) + greed.value
            case Atomic(body):
                self._forbid_behind("an atomic group")
                return f"(?>{self.text(body)})"
            case LookAround():
                return self._look(node)
            case Capture(number, body):
                if self.behind is not None and self.behind.kind is Look.NOT_BEHIND:
                    self._forbid_behind("a capturing group")
                if number not in self.referred:
                    return f"(?:{self.text(body)})" if isinstance(body, Choice) else self.text(body)
                self._forbid_behind("a group that is referred to")
                return f"(?P<g{number}>{self.text(body)})"
            case Backreference(number):
                self._forbid_behind("a reference")
                return f"(?P=g{number})"
            case Conditional(number, yes, no):
                self._forbid_behind("a condition")
                return f"(?(g{number}){self.part(yes)}|{self.part(no)})"

    def part(self, node: Node) -> str:
        """The node where it stands beside others."""
        inner = node
        while isinstance(inner, Scoped):
            inner = inner.body
        text = self.text(inner)
        return f"(?:{text})" if isinstance(inner, Choice) else text

    def atom(self, node: Node) -> str:
        """The node where a repetition may follow."""
        text = self.text(node)
        simple = (isinstance(node, Literal) and len(node.text) == 1 and not text.startswith("(?:")) or isinstance(
            node, OneOf | AnyCharacter | Atomic | Backreference
        )
        return text if simple else f"(?:{text})"

    def _anchor(self, anchor: Anchor) -> str:
        if anchor not in (Anchor.LINE_START, Anchor.LINE_END, Anchor.TEXT_START):
            # The reference refuses some of these there, and takes the place looked back from for the end of the text
            # when it judges word edges.
            self._forbid_behind(anchor.value)
        if not self.strict or anchor not in (Anchor.WORD_EDGE, Anchor.NO_WORD_EDGE):
            return _ANCHORS[anchor]
        word = spell("\\w", False, True)
        if anchor is Anchor.WORD_EDGE:
            return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"

    def _look(self, node: LookAround) -> str:
        self._forbid_behind("a look-around")
        outer = self.behind
        if node.kind in (Look.BEHIND, Look.NOT_BEHIND):
            self.behind = node
        text = f"{node.kind.value}{self.text(node.body)})"
        self.behind = outer
        return text

    def _forbid_behind(self, what: str) -> None:
        if self.behind is not None:
            raise PatternError(
                where=self.pointer,
                what=f"pattern: {what} inside the look-behind at character {self.behind.at}",
                remedy="a look-behind may hold characters, classes, alternatives and plain repetitions",
            )

    def _folded(self, text: str) -> str:
        pieces = []
        for singles, columns in segments(text):
            own = _set_of(singles)
            if columns:
                self._forbid_behind("a letter that (?i) makes equal to several")
                own = f"(?:{own}|{''.join(map(_set_of, columns))})"
            pieces.append(own)
        return "".join(pieces)

    def _one_of(self, members: CharSet, fold: bool) -> str:
        if not fold:
            return _bracketed(members, self.strict)
        negated = isinstance(members, Complement)
        base = members.inner if isinstance(members, Complement) else members
        if base not in self.closed:
            self.closed[base] = _close(base)
        closed, sequences = self.closed[base]
        text = _bracketed(Complement(closed) if negated else closed, self.strict)
        if negated or not sequences:
            return text
        self._forbid_behind("a letter that (?i) makes equal to several")
        others = [
            self._folded(sequence) for sequence in sorted(sequences, key=lambda sequence: (len(sequence), sequence))
        ]
        return f"(?:{'|'.join([text, *others])})"


def _close(base: CharSet) -> tuple[CharSet, frozenset[str]]:
    """The set with all that (?i) makes equal to its members, and the sequences that equal one of them."""
    own = frozenset(regex.findall(_bracketed(base, False), cased_text(), regex.V1))
    sequences = frozenset(sequence_of()[single] for single in own if single in sequence_of())
    equal = {other for single in own for other in equals(single)}
    equal |= {other for sequence in sequences for other in SEQUENCES[sequence]}
    more = tuple(Span(ord(single), ord(single)) for single in sorted(equal - own))
    return (Union((base, *more)) if more else base), sequences


def _counts(low: int, high: int | None) -> str:
    if (low, high) in _SIGNS:
        return _SIGNS[low, high]
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def _escaped(character: str) -> str:
    return f"\\{character}" if character in "\\.^$|?*+()[]{}" else character


def _in_class(character: str) -> str:
    return (
        f"\\{character}" if character.isascii() and not character.isalnum() and character.isprintable() else character
    )


def _set_of(characters: str) -> str:
    if len(characters) == 1:
        return _escaped(characters)
    return f"[{''.join(map(_in_class, characters))}]"


def _bracketed(members: CharSet, strict: bool) -> str:
    text = _item(members, strict)
    if text.startswith("[") and not isinstance(members, Union):
        return text
    alone = isinstance(members, Property) or (isinstance(members, Union) and len(members.parts) == 1)
    if (
        alone
        and text[0] == "\\"
        and text[1:2].isalpha()
        and (len(text) == 2 or (text[2] == "{" and text.find("}") == len(text) - 1))
    ):
        return text
    return f"[{text}]"


def _item(members: CharSet, strict: bool) -> str:
    """The set as an item for the inside of a class."""
    match members:
        case Span(low, high):
            if low == high:
                return _in_class(chr(low))
            return f"{_in_class(chr(low))}-{_in_class(chr(high))}"
        case Property(name, negated):
            return spell(name, negated, strict)
        case Union(parts):
            return "".join([_item(part, strict) for part in parts]) or _NOTHING
        case Intersection(parts):
            return "[" + "&&".join([f"[{_item(part, strict)}]" for part in parts]) + "]"
        case Complement(inner):
            return f"[^{_item(inner, strict)}]"


def asks_for_words(node: Node) -> bool:
    r"""Whether the pattern holds \w, \b or another question about word characters."""
    return any(
        item in (Anchor.WORD_EDGE, Anchor.NO_WORD_EDGE) or (isinstance(item, Property) and is_word(item.name))
        for item in _walk(node)
    )


def moves_the_search(node: Node) -> bool:
    r"""Whether the pattern holds \\K or \\G, which only a search from a given place gets right."""
    return any(item in (Anchor.KEEP, Anchor.SEARCH_START) for item in _walk(node))


def _referred(node: Node) -> frozenset[int]:
    return frozenset(item.number for item in _walk(node) if isinstance(item, Backreference | Conditional))


def _walk(node: Node) -> list[Node | CharSet]:
    """The node and everything below it."""
    found: list[Node | CharSet] = [node]
    for item in found:
        match item:
            case Sequence(parts) | Choice(parts) | Union(parts) | Intersection(parts):
                found.extend(parts)
            case OneOf(inner, _) | Complement(inner) | Capture(_, inner) | Atomic(inner) | Scoped(inner):
                found.append(inner)
            case LookAround(_, inner, _) | Repeat(inner, _, _, _):
                found.append(inner)
            case Conditional(_, yes, no):
                found += [yes, no]
            case _:
                pass
    return found
