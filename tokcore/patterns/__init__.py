r"""The regular expressions of tokenizer files, run by the `regex` package with the meaning the reference gives them.

The files hold Oniguruma patterns and the reference sees Unicode 16; `regex` has another dialect and follows newer
versions of Unicode. A pattern is parsed, spelled anew and compiled, or refused; nothing is matched approximately.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import regex

from tokcore.errors import PatternError
from tokcore.patterns.cursor import MAX_DEPTH
from tokcore.patterns.emit import asks_for_words, emit, moves_the_search
from tokcore.patterns.newer import MOVED, NEWER
from tokcore.patterns.parse import parse
from tokcore.patterns.properties import JOINERS, NEWER_TEXT, WORD_FRACTIONS, ranges_text
from tokcore.patterns.tree import Literal, Node, can_be_empty

__all__ = ["Pattern", "compile_pattern", "is_word_character", "literal_pattern"]

MAX_SPELLED = 200_000

# Unlike `regex`, `re` keeps a bitmap for the first plane: it scans a text in a thirtieth of the time.
_FIRST_PLANE = tuple(span for span in NEWER if span[1] < 0x10000)
_SUSPECTS = re.compile(f"[{MOVED}{ranges_text(_FIRST_PLANE)}\U00010000-\U0010ffff]")
_ODD = re.compile(f"[{MOVED}{ranges_text(NEWER)}]")
_ODD_WORDS = re.compile(f"[{WORD_FRACTIONS}{JOINERS}]")


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""A compiled pattern.

    >>> compile_pattern("\\p{N}{1,3}").spans("no123456x")
    [(2, 5), (5, 8)]

    `source`: as the file has it. `can_be_empty`: whether a match may be empty; then, or where the pattern refers to
    its groups, `engine_for(text).findall` does not list the reference's matches, and only `spans` does.
    """

    source: str
    can_be_empty: bool
    asks_for_words: bool
    _tree: Node = field(repr=False, compare=False)
    _engines: dict[bool, regex.Pattern[str]] = field(repr=False, compare=False)

    def engine_for(self, text: str) -> regex.Pattern[str]:
        r"""The compiled expression to run on this text.

        >>> compile_pattern("\\w").engine_for("a").pattern
        '\\w'

        Texts that hold a character on which the reference and `regex` differ get a slower spelling of it.
        """
        return self._engine(strict=not text.isascii() and self._is_odd(text))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Code-point spans of the matches that the reference finds, one after another.

        >>> compile_pattern("a*").spans("abaab")
        [(0, 1), (2, 4), (5, 5)]

        Law: an empty match where the last match ended is passed over, and the search goes on one character further;
        nothing is found in an empty text.
        """
        engine = self.engine_for(text)
        if not self.can_be_empty:
            return [match.span() for match in engine.finditer(text)]
        found: list[tuple[int, int]] = []
        at, last_end = 0, -1
        while at <= len(text) and text and (match := engine.search(text, at)) is not None:
            start, end = match.span()
            if start == end == last_end:
                at += 1
                continue
            at = last_end = end
            found.append((start, end))
        return found

    def _is_odd(self, text: str) -> bool:
        if _SUSPECTS.search(text) is not None and _ODD.search("".join(set(_SUSPECTS.findall(text)))) is not None:
            return True
        return self.asks_for_words and _ODD_WORDS.search(text) is not None

    def _engine(self, strict: bool) -> regex.Pattern[str]:
        engine = self._engines.get(strict)
        if engine is None:
            engine = regex.compile(emit(self._tree, strict), regex.V1)
            self._engines[strict] = engine
        return engine


def compile_pattern(source: str, pointer: str = "") -> Pattern:
    r"""The pattern of a file's {"Regex": source}; `pointer` names its place in errors.

    >>> compile_pattern("\\X", "/pattern")
    Traceback (most recent call last):
    tokcore.errors.PatternError: /pattern: pattern: \X (a grapheme cluster) at character 0 (write the characters out)

    Raises PatternError for what does not compile in the reference, and for what has no exact translation.
    """
    try:
        return _pattern(source, parse(source, pointer), pointer)
    except RecursionError:
        remedy = f"nest fewer groups (at most {MAX_DEPTH} levels, fewer where they repeat)"
        raise PatternError(where=pointer, what="pattern: too many levels of nesting", remedy=remedy) from None


def literal_pattern(text: str) -> Pattern:
    """The pattern of a file's {"String": text}: the text itself.

    >>> literal_pattern("a.").spans("a.ab")
    [(0, 2)]
    """
    return _pattern(text, Literal(text, fold=False), "")


def _pattern(source: str, tree: Node, pointer: str) -> Pattern:
    plain = emit(tree, pointer=pointer)
    if max(len(plain), len(emit(tree, strict=True))) > MAX_SPELLED:
        what = f"pattern: its translation has more than {MAX_SPELLED} characters"
        raise PatternError(where=pointer, what=what, remedy="use fewer classes, above all under (?i)")
    try:
        engine = regex.compile(plain, regex.V1)
    except (regex.error, OverflowError, ValueError) as error:
        what = f"pattern: `regex` refuses its translation: {error}"
        raise PatternError(where=pointer, what=what, remedy="write it with simpler constructs") from None
    may_be_empty = can_be_empty(tree) or moves_the_search(tree)
    return Pattern(source, may_be_empty, asks_for_words(tree), tree, {False: engine})


_WORD = regex.compile(rf"[\w--[{NEWER_TEXT}]]", regex.V1)


def is_word_character(character: str) -> bool:
    r"""Whether the reference counts the character in a word when it looks for the borders of added tokens.

    >>> [is_word_character(character) for character in "a_²"]
    [True, True, False]

    Law: that question goes to another engine than patterns do, which counts the joiners and not the six of ² ³ ¹ ¼ ½ ¾.
    """
    return _WORD.match(character) is not None
