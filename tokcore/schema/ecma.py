r"""The regular expressions of JSON Schema (ECMA 262, as with the `u` flag) as expressions over whole values.

>>> spelled(parse_pattern("^cat|dog$", "/pattern"))
'cat[\\x00-\U0010ffff]*|[\\x00-\U0010ffff]*dog'

A `pattern` is searched for, not matched whole: what `^` and `$` do not tie to an end is free on that side.
Everything with a meaning beyond a regular language (references, look-around, word borders) is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from tokcore.schema.charsets import ALL, LAST, Ranges, complement, difference, of, ranges, union
from tokcore.schema.errors import SchemaError, SchemaTooLarge
from tokcore.schema.expr import EMPTY, NOTHING, Expr, chars, choice, lengths, literal, repeat, seq, spelled

__all__ = ["parse_pattern", "spelled"]

MAX_DEPTH = 40
MAX_LENGTH = 20_000

_DIGITS = of("0-9")
_WORD = of("A-Za-z0-9_")
_LINE_ENDS = of("\n\r\u2028\u2029")
_SPACE = union(_LINE_ENDS, of("\t\v\f \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff"))
_CLASSES = {
    **{"d": _DIGITS, "w": _WORD, "s": _SPACE},
    **{"D": complement(_DIGITS), "W": complement(_WORD), "S": complement(_SPACE)},
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f"}
# What may stand behind a backslash as itself; ECMAScript allows no others here, and a hyphen in classes only.
_SYNTAX = "^$\\.*+?()[]{}|/"

# Which ends of the value a match is tied to → what it matches there.
Variants = dict[tuple[bool, bool], Expr]

ANYTHING = repeat(chars(ALL))


def parse_pattern(source: str, pointer: str) -> Expr:
    """The values that a pattern is found in; `pointer` names its place in errors.

    >>> lengths(parse_pattern("^[a-z]{2,5}$", "/pattern"))
    (2, 5)
    >>> parse_pattern("(?=a)", "/properties/x/pattern")
    Traceback (most recent call last):
    tokcore.schema.errors.SchemaError: /properties/x/pattern: look-around at character 0 (write the pattern without it)
    """
    return choice(
        *(
            seq(EMPTY if at_start else ANYTHING, found, EMPTY if at_end else ANYTHING)
            for (at_start, at_end), found in _variants(source, pointer).items()
        )
    )


def parse_whole(source: str, pointer: str) -> Expr:
    """The texts that a pattern matches from their beginning to their end.

    >>> spelled(parse_whole("a|b", "pattern"))
    'a|b'
    """
    return choice(*_variants(source, pointer).values())


def _variants(source: str, pointer: str) -> Variants:
    if len(source) > MAX_LENGTH:
        remedy = f"use at most {MAX_LENGTH} characters"
        raise SchemaTooLarge(where=pointer, what=f"a pattern of {len(source)} characters", remedy=remedy)
    reader = _Reader(source, pointer)
    found = reader.choice(0)
    if reader.at < len(source):
        reader.refuse("a ')' without its '('", reader.at, "write \\) for a parenthesis")
    return found


@dataclass(slots=True)
class _Reader:
    source: str
    pointer: str
    at: int = 0

    def refuse(self, what: str, at: int, remedy: str) -> NoReturn:
        raise SchemaError(where=self.pointer, what=f"{what} at character {at}", remedy=remedy)

    def peek(self, count: int = 1) -> str:
        return self.source[self.at : self.at + count]

    def take(self, text: str) -> bool:
        if self.source.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    # ---- structure

    def choice(self, depth: int) -> Variants:
        if depth > MAX_DEPTH:
            self.refuse(f"more than {MAX_DEPTH} levels of groups", self.at, "nest fewer groups")
        found: dict[tuple[bool, bool], list[Expr]] = {}
        while True:
            for key, each in self.sequence(depth).items():
                found.setdefault(key, []).append(each)
            if not self.take("|"):
                return {key: choice(*branches) for key, branches in found.items()}

    def sequence(self, depth: int) -> Variants:
        # Free parts in a row are joined at once; only those with an anchor inside have variants to multiply.
        run: list[Expr] = []
        result: Variants = {(False, False): EMPTY}
        while self.peek() not in ("", "|", ")"):
            part = self.quantified(depth)
            if part.keys() <= {(False, False)}:
                run.append(part.get((False, False), NOTHING))
            else:
                result = _joined(_joined(result, {(False, False): seq(*run)}), part)
                run = []
        return _joined(result, {(False, False): seq(*run)}) if run else result

    def quantified(self, depth: int) -> Variants:
        start = self.at
        if self.take("^"):
            body: Variants = {(True, False): EMPTY}
        elif self.take("$"):
            body = {(False, True): EMPTY}
        else:
            body = self.atom(depth)
        is_anchor = self.at == start + 1 and self.source[start] in "^$"
        bounds = self.quantifier()
        if bounds is None:
            return body
        if is_anchor:
            self.refuse("a repeated anchor", start, "write it once")
        low, high = bounds
        if self.peek() == "?":
            self.at += 1  # a lazy match chooses another way through the same texts
        if body.keys() <= {(False, False)}:
            return {(False, False): repeat(body.get((False, False), NOTHING), low, high)}
        if (low, high) == (0, 1):
            return {**body, (False, False): choice(EMPTY, body.get((False, False), NOTHING))}
        if (low, high) == (1, 1):
            return body
        self.refuse("an anchor inside a repetition", start, "tie the pattern to the ends of the value outside of it")

    def quantifier(self) -> tuple[int, int | None] | None:
        start = self.at
        short: tuple[tuple[str, tuple[int, int | None]], ...] = (("*", (0, None)), ("+", (1, None)), ("?", (0, 1)))
        for sign, bounds in short:
            if self.take(sign):
                return bounds
        if not self.take("{"):
            return None
        close = self.source.find("}", self.at)
        low, comma, high = self.source[self.at : max(close, self.at)].partition(",")
        if not _is_count(low) or (high and not _is_count(high)):
            self.refuse("a '{' that starts no count", start, "write \\{ for a brace")
        self.at = close + 1
        bounds = int(low), (int(high) if high else None if comma else int(low))
        if bounds[1] is not None and bounds[1] < bounds[0]:
            self.refuse("a count with its ends swapped", start, "put the smaller number first")
        return bounds

    def atom(self, depth: int) -> Variants:
        start = self.at
        character = self.peek()
        self.at += 1
        if character == "(":
            self.group_head(start)
            body = self.choice(depth + 1)
            if not self.take(")"):
                self.refuse("a group without its ')'", start, "close it, or write \\( for a parenthesis")
            return body
        if character == "[":
            return {(False, False): chars(self.bracket(start))}
        if character == ".":
            return {(False, False): chars(complement(_LINE_ENDS))}
        if character == "\\":
            found = self.escape(start, in_class=False)
            return {(False, False): literal(found) if isinstance(found, str) else chars(found)}
        if character in "*+?{":
            self.refuse(f"'{character}' with nothing to repeat", start, f"write \\{character} for the character")
        if character in "]}":
            self.refuse(f"a '{character}' without its opening one", start, f"write \\{character} for the character")
        if "\ud800" <= character <= "\udfff":
            self.refuse("a lone surrogate", start, "write the whole character")
        return {(False, False): literal(character)}

    def group_head(self, start: int) -> None:
        if self.take("?:") or self.peek() != "?":
            return
        if self.peek(2) in ("?=", "?!") or self.peek(3) in ("?<=", "?<!"):
            self.refuse("look-around", start, "write the pattern without it")
        close = self.source.find(">", self.at)
        if self.take("?<") and close > 0 and self.source[self.at : close].isidentifier():
            self.at = close + 1
            return
        self.refuse("a group of an unknown kind", start, "use (…) or (?:…)")

    # ---- characters

    def bracket(self, start: int) -> Ranges:
        negated = self.take("^")
        found: list[Ranges] = []
        while not self.take("]"):
            if self.at >= len(self.source):
                self.refuse("a class without its ']'", start, "close it, or write \\[ for a bracket")
            at = self.at
            low = self.member()
            if self.peek() == "-" and self.peek(2) not in ("-]", "-"):
                self.at += 1
                high = self.member()
                if not isinstance(low, str) or not isinstance(high, str):
                    self.refuse("a range with a set at an end", at, "write \\- for a hyphen")
                if high < low:
                    self.refuse("a range with its ends swapped", at, "put the lower character first")
                found.append(ranges([(ord(low), ord(high))]))
            else:
                found.append(ranges([(ord(low), ord(low))]) if isinstance(low, str) else low)
        members = union(*found)
        return difference(ALL, members) if negated else members

    def member(self) -> str | Ranges:
        start = self.at
        character = self.peek()
        self.at += 1
        if character == "\\":
            return self.escape(start, in_class=True)
        if character == "" or "\ud800" <= character <= "\udfff":
            self.refuse("an unfinished class" if not character else "a lone surrogate", start, "write it out")
        return character

    def escape(self, start: int, *, in_class: bool) -> str | Ranges:
        character = self.peek()
        self.at += 1
        if character in _CLASSES:
            return _CLASSES[character]
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "0" and not _is_count(self.peek()):
            return "\0"
        if character == "c" and self.peek().isascii() and self.peek().isalpha():
            self.at += 1
            return chr(ord(self.source[self.at - 1]) % 32)
        if character == "x":
            return chr(self.hexadecimal(2, start))
        if character == "u":
            return self.code_point(start)
        if character != "" and (character in _SYNTAX or (in_class and character in "-&~")):
            return character
        if in_class and character == "b":
            return "\b"
        if character == "-":
            return "-"  # in wide use outside of classes too, and there is only one thing it can mean
        if character in ("b", "B"):
            self.refuse("a word border", start, "write the pattern without it")
        if character in ("p", "P"):
            self.refuse("a Unicode property", start, "write the ranges of characters, as in [a-zA-Zà-öø-ÿ]")
        if character == "k" or character.isdigit():
            self.refuse("a reference to a group", start, "write the alternatives out")
        shown = f"\\{character}"
        self.refuse(
            f"an unknown escape {shown}", start, f"write {character or 'the character'} alone, or \\\\ for a backslash"
        )

    def code_point(self, start: int) -> str:
        if self.take("{"):
            digits, _, rest = self.source[self.at :].partition("}")
            if not digits or not _is_hexadecimal(digits) or len(digits) > 8 or int(digits, 16) > LAST:
                self.refuse("a malformed \\u{…}", start, "write \\u{1F600}")
            self.at = len(self.source) - len(rest)
            code = int(digits, 16)
        else:
            code = self.hexadecimal(4, start)
            if 0xD800 <= code <= 0xDBFF and self.take("\\u"):
                low = self.hexadecimal(4, start)
                if 0xDC00 <= low <= 0xDFFF:
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        if 0xD800 <= code <= 0xDFFF:
            self.refuse("a lone surrogate", start, "write the whole character")
        return chr(code)

    def hexadecimal(self, count: int, start: int) -> int:
        digits = self.peek(count)
        if len(digits) < count or not _is_hexadecimal(digits):
            self.refuse(f"an escape with fewer than {count} hexadecimal digits", start, "write all digits")
        self.at += count
        return int(digits, 16)


def _joined(first: Variants, second: Variants) -> Variants:
    """One after the other: what is tied to the value's start has nothing before it, and the end likewise."""
    found: dict[tuple[bool, bool], list[Expr]] = {}
    for (start, ends), left in first.items():
        for (starts, end), right in second.items():
            left_here = _only_empty(left) if starts else left
            right_here = _only_empty(right) if ends else right
            key = (start or starts, ends or end)
            found.setdefault(key, []).append(seq(left_here, right_here))
    return {key: choice(*branches) for key, branches in found.items()}


def _only_empty(found: Expr) -> Expr:
    return EMPTY if found is not NOTHING and lengths(found)[0] == 0 else NOTHING


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6


def _is_hexadecimal(text: str) -> bool:
    return all(each in "0123456789abcdefABCDEF" for each in text)
