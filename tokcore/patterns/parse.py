r"""Oniguruma's default syntax (Ruby's, with a few additions) read into a tree."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokcore.patterns.charclass import read_class
from tokcore.patterns.cursor import MAX_LENGTH, Cursor
from tokcore.patterns.escapes import read_escape
from tokcore.patterns.quantifiers import read_quantifiers
from tokcore.patterns.tree import (
    Anchor,
    AnyCharacter,
    Atomic,
    Backreference,
    Capture,
    Choice,
    Conditional,
    Literal,
    Look,
    LookAround,
    Node,
    OneOf,
    Scoped,
    Sequence,
    Span,
    Union,
)

_ANCHORS = {"A": Anchor.TEXT_START, "z": Anchor.TEXT_END, "Z": Anchor.TEXT_END_OR_LAST_NEWLINE, "b": Anchor.WORD_EDGE}
_ANCHORS |= {"B": Anchor.NO_WORD_EDGE, "G": Anchor.SEARCH_START, "K": Anchor.KEEP}
_LOOKS = {"=": Look.AHEAD, "!": Look.NOT_AHEAD, "<=": Look.BEHIND, "<!": Look.NOT_BEHIND}
_UNTRANSLATED = {
    "X": ("\\X (a grapheme cluster)", "write the characters out"),
    "y": ("\\y (a text segment boundary)", "use \\b or a look-around"),
    "Y": ("\\Y (no text segment boundary)", "use \\B or a look-around"),
    "g": ("\\g (a call of a group)", "repeat the group's text"),
}
_LINE_BREAKS = Union((Span(0x0A, 0x0D), Span(0x85, 0x85), Span(0x2028, 0x2029)))
_ANY_LINE_BREAK = Atomic(Choice((Literal("\r\n", False), OneOf(_LINE_BREAKS, False))))


@dataclass(frozen=True, slots=True)
class _Options:
    fold: bool = False
    dot_all: bool = False
    extended: bool = False


def parse(source: str, pointer: str = "") -> Node:
    r"""The tree of a pattern.

    >>> parse("a+")
    Repeat(body=Literal(text='a', fold=False), low=1, high=None, greed=<Greed.GREEDY: ''>)
    """
    cursor = Cursor(source, pointer)
    if len(source) > MAX_LENGTH:
        cursor.refuse(f"more than {MAX_LENGTH} characters", MAX_LENGTH, "split it into several patterns")
    parser = _Parser(cursor)
    tree = parser.choice(_Options())
    if cursor.peek() == ")":
        cursor.refuse("a ) that closes nothing", cursor.at, "write \\) for a parenthesis")
    return tree


class _Parser:
    """Recursive descent; three frames a level of nesting."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.groups = 0
        self.names: dict[str, int] = {}
        # With a named group anywhere, plain parentheses do not capture.
        self.only_named = _has_named_group(cursor.source)

    def choice(self, options: _Options) -> Node:
        """Everything up to the end of the group, or of the pattern."""
        cursor = self.cursor
        branches: list[Node] = []
        parts: list[Node] = []
        while True:
            self._skip_ignored(options)
            character = cursor.peek()
            if character in ("", ")"):
                branches.append(_sequence(parts))
                return branches[0] if len(branches) == 1 else Choice(tuple(branches))
            if cursor.take("|"):
                branches.append(_sequence(parts))
                parts = []
                continue
            at = cursor.at
            atom = self._atom(options)
            self._skip_ignored(options)
            parts.append(read_quantifiers(cursor, atom, at, lambda: self._skip_ignored(options)))

    def _skip_ignored(self, options: _Options) -> None:
        cursor = self.cursor
        while True:
            if cursor.peek(3) == "(?#":
                self._skip_comment()
            elif options.extended and cursor.peek() in tuple(" \t\n\r\f"):
                cursor.next()
            elif options.extended and cursor.peek() == "#":
                end = cursor.source.find("\n", cursor.at)
                cursor.at = len(cursor.source) if end < 0 else end + 1
            else:
                return

    def _skip_comment(self) -> None:
        cursor, start = self.cursor, self.cursor.at
        while not cursor.take(")"):
            if cursor.next() == "\\":
                cursor.next()
            if cursor.peek() == "":
                cursor.refuse("a comment without its ')'", start, "close it")

    def _atom(self, options: _Options) -> Node:
        cursor, at = self.cursor, self.cursor.at
        character = cursor.next()
        match character:
            case "(":
                cursor.enter(at)
                node = self._group(options, at)
                cursor.leave()
                return node
            case "[":
                return OneOf(read_class(cursor, at), options.fold)
            case ".":
                return AnyCharacter(options.dot_all)
            case "^":
                return Anchor.LINE_START
            case "$":
                return Anchor.LINE_END
            case "\\":
                return self._escape(options, at)
            case "*" | "+" | "?":
                cursor.refuse(f"{character} with nothing before it to repeat", at, f"write \\{character} for the sign")
            case "{":
                cursor.at = at
                if read_quantifiers(cursor, Sequence(()), at, lambda: None) != Sequence(()):
                    cursor.refuse("a repetition with nothing before it", at, "write \\{ for a brace")
                cursor.at = at + 1
                return Literal("{", options.fold)
            case _:
                return Literal(character, options.fold)

    def _escape(self, options: _Options, at: int) -> Node:
        cursor = self.cursor
        letter = cursor.peek()
        if letter in _ANCHORS:
            cursor.next()
            return _ANCHORS[letter]
        if letter in ("N", "O"):
            cursor.next()
            return AnyCharacter(newline_too=letter == "O")
        if letter == "R":
            cursor.next()
            return _ANY_LINE_BREAK
        if letter in _UNTRANSLATED and (letter != "g" or cursor.peek(2) in ("g<", "g'")):
            what, remedy = _UNTRANSLATED[letter]
            cursor.refuse(what, at, remedy)
        if cursor.peek(2) in ("k<", "k'"):
            cursor.next()
            close = {"<": ">", "'": "'"}[cursor.next()]
            return self._reference(cursor.until(close, "a reference", at), options, at)
        if letter and letter in "123456789":
            number = cursor.digits("0123456789", 6)
            if int(number) <= max(9, self.groups):
                if self.only_named:
                    cursor.refuse(f"\\{number} beside named groups", at, "refer to a group by its name: \\k<name>")
                return self._reference(number, options, at)
            cursor.at = at + 1
        found = read_escape(cursor)
        return Literal(chr(found), options.fold) if isinstance(found, int) else OneOf(found, False)

    def _reference(self, name: str, options: _Options, at: int) -> Node:
        number = self._number_of(name, at)
        if options.fold:
            self.cursor.refuse("a reference under (?i)", at, "write the group's text again")
        return Backreference(number)

    def _number_of(self, name: str, at: int) -> int:
        remedy = "refer to a group further left by number, or by a name that one group has"
        if name in self.names:
            return self.names[name]
        digits = name.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()):
            self.cursor.refuse(f"a reference to {name!r}, which no group further left is called,", at, remedy)
        number = self.groups + 1 - int(digits) if name.startswith("-") else int(digits)
        if not 1 <= number <= self.groups or self.only_named:
            self.cursor.refuse(f"a reference to group {name}, which does not stand further left,", at, remedy)
        return number

    def _group(self, options: _Options, at: int) -> Node:
        cursor = self.cursor
        if cursor.peek() == "*" and cursor.peek(2) != "*)":
            cursor.refuse("(* (a callout)", at, "leave it out")
        if not cursor.take("?"):
            if self.only_named:
                return self._body(options, at)
            return self._capture(options, at)
        for mark, look in _LOOKS.items():
            if cursor.take(mark):
                return LookAround(look, self._body(options, at), at)
        if cursor.take(":"):
            return self._body(options, at)
        if cursor.take(">"):
            return Atomic(self._body(options, at))
        if cursor.peek() in ("<", "'"):
            close = {"<": ">", "'": "'"}[cursor.next()]
            name = cursor.until(close, "a group name", at)
            if not name.isidentifier() or name in self.names:
                self.cursor.refuse(f"the group name {name!r}", at, "use a word that no other group has")
            self.names[name] = self.groups + 1
            return self._capture(options, at)
        if cursor.take("("):
            return self._conditional(options, at)
        return self._options(options, at)

    def _capture(self, options: _Options, at: int) -> Node:
        self.groups += 1
        number = self.groups
        return Capture(number, self._body(options, at))

    def _body(self, options: _Options, at: int) -> Node:
        body = self.choice(options)
        if not self.cursor.take(")"):
            self.cursor.refuse("a group without its ')'", at, "close it, or write \\( for a parenthesis")
        return body

    def _conditional(self, options: _Options, at: int) -> Node:
        name = self.cursor.until(")", "a condition", at)
        if name[:1] + name[-1:] in ("<>", "''"):
            name = name[1:-1]
        number = self._number_of(name, at)
        body = self._body(options, at)
        branches = body.branches if isinstance(body, Choice) else (body, Sequence(()))
        if len(branches) != 2:
            self.cursor.refuse("a condition with more than two branches", at, "group the branches: (?(1)a|(?:b|c))")
        return Conditional(number, *branches)

    def _options(self, options: _Options, at: int) -> Node:
        cursor = self.cursor
        on, letters = True, 0
        while (letter := cursor.next()) not in (":", ")"):
            letters += 1
            match letter:
                case "-":
                    on = False
                case "i":
                    options = replace(options, fold=on)
                case "m":
                    options = replace(options, dot_all=on)
                case "x":
                    options = replace(options, extended=on)
                case _:
                    shown = cursor.source[at : cursor.at]
                    cursor.refuse(
                        f"{shown!r}", at, "use (?i), (?m), (?x), (?:), (?=), (?!), (?<=), (?<!), (?>) or (?<name>)"
                    )
        if letters == 0:
            cursor.refuse("(?) without an option", at, "leave it out")
        if letter == ":":
            return Scoped(self._body(options, at))
        # An option alone reaches to the end of the group it stands in, over the bars too.
        return Scoped(self.choice(options))


def _sequence(parts: list[Node]) -> Node:
    joined: list[Node] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, Literal) and isinstance(last, Literal) and part.fold == last.fold:
            joined[-1] = Literal(last.text + part.text, part.fold)
        elif part != Sequence(()):
            joined.append(part)
    return joined[0] if len(joined) == 1 else Sequence(tuple(joined))


def _has_named_group(source: str) -> bool:
    at = 0
    while (at := source.find("(?", at)) >= 0:
        if source[at + 2 : at + 3] == "'" or (source[at + 2 : at + 3] == "<" and source[at + 3 : at + 4] not in "=!"):
            return True
        at += 2
    return False
