"""JSON as it arrives: one value checked character by character, one string taken out of its escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tokcore.parsing.spec import Status

DEPTH_LIMIT = 200
# Python reads no integer of more digits; a call must not be one that its own reader refuses.
LONGEST_NUMBER = 4300

SPACE = re.compile(r"[ \t\n\r]*")
# Text and whole escapes; what is left is the string's end, a control character, or an escape that is cut or bad.
_PLAIN = re.compile(r'(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+')
_CONTROL = {chr(code): json.dumps(chr(code))[1:-1] for code in range(0x20)}
_DIGITS = re.compile(r"[0-9]*")

_EXPONENT = {"e": "e", "E": "e"}
_WHOLE: dict[str, str] = {"0": "zero", **dict.fromkeys("123456789", "whole")}
# What a number may go on with, by what was read last.
_NUMBER: dict[str, dict[str, str]] = {
    "-": _WHOLE,
    "zero": {".": ".", **_EXPONENT},
    "whole": {**dict.fromkeys("0123456789", "whole"), ".": ".", **_EXPONENT},
    ".": dict.fromkeys("0123456789", "fraction"),
    "fraction": {**dict.fromkeys("0123456789", "fraction"), **_EXPONENT},
    "e": {"+": "sign", "-": "sign", **dict.fromkeys("0123456789", "power")},
    "sign": dict.fromkeys("0123456789", "power"),
    "power": dict.fromkeys("0123456789", "power"),
}
_MAY_END = ("zero", "whole", "fraction", "power")
_LITERALS = {"t": "rue", "f": "alse", "n": "ull"}


def escaped(text: str) -> str:
    r"""Text as it stands inside a JSON string, non-ASCII kept.

    >>> escaped('say "é"\n')
    'say \\"é\\"\\n'
    """
    return json.dumps(text, ensure_ascii=False)[1:-1]


class JsonReader:
    r"""Checks one JSON value as it arrives and passes its text on.

    >>> reader, out = JsonReader(), []
    >>> reader.read('{"a": [1, tr', 0, out.append), reader.read('ue]} and', 0, out.append), "".join(out)
    ((12, <Status.MORE: 'more'>), (4, <Status.DONE: 'done'>), '{"a": [1, true]}')

    `read` returns how far it came; at BAD that is the first character that no JSON goes on with. The text passed on is
    the text read, but for control characters inside strings, which become their escapes. Nothing is held back.
    `opener`: the only character the value may begin with, "" for any value. Values nest 200 deep at most.
    """

    __slots__ = ("_hex", "_number", "_opener", "_rest", "_size", "_stack", "_want")

    def __init__(self, opener: str = "{") -> None:
        self._opener = opener
        self._stack: list[str] = []
        self._want = "value"
        self._hex = self._size = 0
        self._number = self._rest = ""

    @property
    def begun(self) -> bool:
        """Whether the value's first character has been read."""
        return bool(self._stack) or self._want != "value"

    def read(self, text: str, start: int, put: Callable[[str], object]) -> tuple[int, Status]:
        at, kept, status = start, start, Status.MORE
        while at < len(text) and status is Status.MORE:
            want = self._want
            if want in ("string", "key string"):
                at = _PLAIN.match(text, at).end()  # type: ignore[union-attr]
                if at == len(text):
                    break
                character = text[at]
                if character == '"':
                    at += 1
                    status = self._after("colon" if want == "key string" else None)
                elif character == "\\":
                    at += 1
                    self._want = "escape" if want == "string" else "key escape"
                else:
                    put(text[kept:at] + _CONTROL[character])
                    at += 1
                    kept = at
            elif want.endswith("escape"):
                at, status = self._escape(text, at)
            elif want == "number":
                at, status = self._digits(text, at)
            elif want == "literal":
                if text[at] != self._rest[0]:
                    status = Status.BAD
                else:
                    at += 1
                    self._rest = self._rest[1:]
                    status = status if self._rest else self._after(None)
            else:
                at = SPACE.match(text, at).end()  # type: ignore[union-attr]
                if at < len(text):
                    at, status = self._structure(text[at], at)
        if at > kept:
            put(text[kept:at])
        return at, status

    def _after(self, want: str | None) -> Status:
        """What follows a string, a number, a closing bracket: `want`, or the next of the container, or the end."""
        self._want = want or "next"
        return Status.MORE if self._stack else Status.DONE

    def _escape(self, text: str, at: int) -> tuple[int, Status]:
        string = "key string" if self._want.startswith("key") else "string"
        character = text[at]
        if self._hex:
            if character not in "0123456789abcdefABCDEF":
                return at, Status.BAD
            self._hex -= 1
            self._want = self._want if self._hex else string
        elif character == "u":
            self._hex = 4
        elif character in '"\\/bfnrt':
            self._want = string
        else:
            return at, Status.BAD
        return at + 1, Status.MORE

    def _digits(self, text: str, at: int) -> tuple[int, Status]:
        follows = _NUMBER[self._number].get(text[at])
        if follows is None:
            if self._number not in _MAY_END:
                return at, Status.BAD
            # A number ends where it does not go on: the character is the container's.
            return at, self._after(None)
        end = _DIGITS.match(text, at + 1).end() if follows in ("whole", "fraction", "power") else at + 1  # type: ignore[union-attr]
        room = LONGEST_NUMBER - self._size
        if end - at > room:
            return at + room, Status.BAD
        self._number, self._size = follows, self._size + end - at
        return end, Status.MORE

    def _structure(self, character: str, at: int) -> tuple[int, Status]:
        want = self._want
        if want == "value" and self._opener and not self._stack and character != self._opener:
            return at, Status.BAD
        if want in ("value", "first value"):
            if character == "]" and want == "first value":
                return at + 1, self._close()
            return self._value(character, at)
        if want in ("key", "first key"):
            if character == "}" and want == "first key":
                return at + 1, self._close()
            if character != '"':
                return at, Status.BAD
            self._want = "key string"
        elif want == "colon":
            if character != ":":
                return at, Status.BAD
            self._want = "value"
        elif character == ",":
            self._want = "key" if self._stack[-1] == "{" else "value"
        elif character == ("}" if self._stack[-1] == "{" else "]"):
            return at + 1, self._close()
        else:
            return at, Status.BAD
        return at + 1, Status.MORE

    def _value(self, character: str, at: int) -> tuple[int, Status]:
        if character in "{[":
            if len(self._stack) == DEPTH_LIMIT:
                return at, Status.BAD
            self._stack.append(character)
            self._want = "first key" if character == "{" else "first value"
        elif character == '"':
            self._want = "string"
        elif character in _LITERALS:
            self._want, self._rest = "literal", _LITERALS[character]
        elif character == "-" or character in _WHOLE:
            self._want, self._number, self._size = "number", _WHOLE.get(character, "-"), 1
        else:
            return at, Status.BAD
        return at + 1, Status.MORE

    def _close(self) -> Status:
        self._stack.pop()
        return self._after(None)


# A high surrogate waits for the low one that may follow; apart from that an escape is complete when it is.
_ESCAPE = re.compile(r'\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/bfnrt])')
_HEX = "[0-9a-fA-F]"
_BEGUN = re.compile(
    rf"\\(?:u{_HEX}{{0,3}})?|\\u[dD][89abAB]{_HEX}{{2}}(?:\\(?:u(?:[dD](?:[c-fC-F]{_HEX}?)?)?)?)?",
)


class StringReader:
    r"""Takes the text of a JSON string out of its escapes as it arrives.

    >>> reader, out = StringReader(), []
    >>> reader.read('caf\\u00e9 \\ud83d', 0, lambda text, start, end: out.append(text))
    (10, <Status.MORE: 'more'>)
    >>> reader.read('\\ud83d\\ude00" ', 0, lambda text, start, end: out.append(text)), "".join(out)
    ((13, <Status.DONE: 'done'>), 'café 😀')

    It begins behind the opening quote and reads the closing one. An escape that is not complete is not read, nor is a
    high surrogate that a low one may follow; a surrogate that stays alone is passed on as such. Raw control
    characters are taken as they are.
    """

    __slots__ = ()

    def read(self, text: str, start: int, put: Callable[[str, int, int], int | None]) -> tuple[int, Status]:
        """`put(text, start, end)` is told each piece; a number it answers is where the text turns BAD."""
        at = start
        while at < len(text):
            if text[at] == '"':
                return at + 1, Status.DONE
            if text[at] != "\\":
                end = _UNESCAPED.match(text, at).end()  # type: ignore[union-attr]
                piece = text[at:end]
            else:
                if _BEGUN.fullmatch(text, at) is not None:
                    return at, Status.MORE
                match = _ESCAPE.match(text, at)
                if match is None:
                    return at, Status.BAD
                end, piece = match.end(), json.loads(f'"{match[0]}"')
            bad = put(piece, at, end)
            if bad is not None:
                return bad, Status.BAD
            at = end
        return at, Status.MORE


_UNESCAPED = re.compile(r'[^"\\]+')
