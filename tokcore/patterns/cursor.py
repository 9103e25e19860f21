"""A place in the pattern text, and the refusals that name it."""

from __future__ import annotations

from typing import NoReturn

from tokcore.errors import PatternError

MAX_LENGTH = 20_000
MAX_DEPTH = 200


class Cursor:
    """Reads a pattern from left to right.

    >>> cursor = Cursor("ab", "/pattern")
    >>> cursor.take("a"), cursor.peek(), cursor.at
    (True, 'b', 1)

    `at` counts code points from 0. Past the end, `peek` gives "".
    """

    def __init__(self, source: str, pointer: str) -> None:
        self.source = source
        self.pointer = pointer
        self.at = 0
        self.depth = 0

    def peek(self, length: int = 1) -> str:
        """The next characters, without moving."""
        return self.source[self.at : self.at + length]

    def next(self) -> str:
        """The next character, moving past it; "" at the end."""
        character = self.source[self.at : self.at + 1]
        self.at += len(character)
        return character

    def take(self, expected: str) -> bool:
        """Move past `expected` if it stands here."""
        if not self.source.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def until(self, end: str, what: str, start: int) -> str:
        """The text up to `end`, moving past both."""
        stop = self.source.find(end, self.at)
        if stop < 0:
            self.refuse(f"{what} without its {end!r}", start, f"close it with {end!r}")
        text = self.source[self.at : stop]
        self.at = stop + len(end)
        return text

    def digits(self, alphabet: str, most: int) -> str:
        """The next characters of `alphabet`, at most `most` of them, moving past them."""
        start = self.at
        while self.at < len(self.source) and self.at - start < most and self.source[self.at] in alphabet:
            self.at += 1
        return self.source[start : self.at]

    def enter(self, at: int) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(f"more than {MAX_DEPTH} levels of nesting", at, "nest fewer groups and classes")

    def leave(self) -> None:
        """Count one level of nesting less."""
        self.depth -= 1

    def refuse(self, what: str, at: int, remedy: str) -> NoReturn:
        """Raise the error for what stands at character `at`."""
        raise PatternError(where=self.pointer, what=f"pattern: {what} at character {at}", remedy=remedy)
