"""Arguments written in Python: `f(city="Oslo", n=1, exact=True)`, taken over into JSON as they arrive."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tokcore.parsing.json_text import DEPTH_LIMIT, LONGEST_NUMBER, SPACE, escaped
from tokcore.parsing.spec import Schema, Sink, Status

Step = tuple[int, Status]

_NAME = re.compile(r"([^\W\d]\w{0,255})([ \t\n\r]{0,8})")
_WORD = re.compile(r"[-+.\w]+")
_PLAIN = re.compile(r"""[^\\'"\x00-\x1f]+""")
_NUMBER = re.compile(
    r"([+-]?)((?:[0-9](?:_?[0-9])*)?)(?:(\.)((?:[0-9](?:_?[0-9])*)?))?(?:[eE]([+-]?[0-9](?:_?[0-9])*))?"
)
_NUMBER_SO_FAR = re.compile(r"[+-]?[0-9_]*(?:\.[0-9_]*)?(?:[eE](?:[+-]?[0-9_]*)?)?")
_WORDS = {"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPE_SO_FAR = re.compile(r"\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-7]{1,2}|\r)?")
_CLOSES = {"[": "]", "{": "}", "(": ")"}


class PythonArguments:
    r"""The keyword arguments of one call, from behind its bracket to the closing one.

    `x=1, s='a', ok=True, d={'k': None})` goes out as `{"x": 1, "s": "a", "ok": true, "d": {"k": null}}`. Literals only:
    numbers in decimal, strings (also with three quotes), True, False, None (or their JSON spelling), lists, and
    dictionaries whose keys are strings, numbers or these words. Text of strings goes out as it comes. Positional
    arguments, tuples, expressions and prefixed strings are not read. The call is announced at its first `=`, or at the
    bracket where it has no arguments.
    """

    def __init__(self, schema: Schema | None = None) -> None:
        self._reader = PythonReader("(")

    @property
    def reason(self) -> str:
        return "a value is not complete"

    def feed(self, text: str, start: int, final: bool, sink: Sink) -> Step:
        return self._reader.read(text, start, final, sink)


class PythonReader:
    """Reads a value, or keyword arguments where `opened` is a bracket that was read before.

    At BAD it stands at the beginning of the word or escape that does not fit. Values nest 200 deep at most.
    """

    def __init__(self, opened: str = "") -> None:
        self._stack = [opened] if opened else []
        # A comma goes out with what follows it: behind the last one there may be nothing.
        self._filled = [False] if opened else []
        self._want = "argument" if opened else "value"
        self._quote = ""
        self._is_key = False

    def read(self, text: str, start: int, final: bool, sink: Sink) -> Step:
        at, status = start, Status.MORE
        while at < len(text) and status is Status.MORE:
            before = at, self._want
            if self._want in ("string", "long string"):
                at, status = self._string(text, at, sink)
            elif self._want in ("quote", "two quotes"):
                at, status = self._quotes(text, at, sink)
            else:
                match = SPACE.match(text, at)
                end = at if match is None else match.end()
                sink.drop(at, end)
                at = end
                if at < len(text):
                    at, status = self._structure(text, at, sink)
            if (at, self._want) == before:
                break
        return at, status

    def _structure(self, text: str, at: int, sink: Sink) -> Step:
        character, want = text[at], self._want
        if want == "argument" and character != ")":
            return self._argument(text, at, sink)
        if want == "colon":
            if character != ":":
                return at, Status.BAD
            sink.arguments(": ", at, at + 1)
            self._want = "value"
            return at + 1, Status.MORE
        if want != "value" and self._stack and character == _CLOSES[self._stack[-1]]:
            return self._close(character, at, sink)
        if want == "next":
            if character != ",":
                return at, Status.BAD
            sink.drop(at, at + 1)
            self._want = {"(": "argument", "[": "item", "{": "key"}[self._stack[-1]]
            return at + 1, Status.MORE
        return self._value(text, at, sink)

    def _close(self, character: str, at: int, sink: Sink) -> Step:
        self._stack.pop()
        filled = self._filled.pop()
        if character != ")":
            sink.arguments(character, at, at + 1)
            return at + 1, self._after()
        sink.announce()
        sink.arguments("}" if filled else "{}", at, at + 1)
        return at + 1, Status.DONE

    def _after(self) -> Status:
        """What follows a value, or a key."""
        self._want, self._is_key = "colon" if self._is_key else "next", False
        return Status.MORE if self._stack else Status.DONE

    def _comma(self) -> str:
        """The comma before an item or a key; a value behind `=` or `:` has none."""
        if self._want not in ("item", "key"):
            return ""
        filled, self._filled[-1] = self._filled[-1], True
        return ", " if filled else ""

    def _argument(self, text: str, at: int, sink: Sink) -> Step:
        match = _NAME.match(text, at)
        if match is None:
            return at, Status.BAD
        if match.end() == len(text):
            return at, Status.MORE
        if text[match.end()] != "=":
            return at, Status.BAD
        sink.announce()
        opening = ", " if self._filled[-1] else "{"
        sink.arguments(f'{opening}"{match[1]}": ', at, match.end(1))
        sink.drop(match.end(1), match.end() + 1)
        self._filled[-1], self._want = True, "value"
        return match.end() + 1, Status.MORE

    def _value(self, text: str, at: int, sink: Sink) -> Step:
        character = text[at]
        if character in "\"'":
            self._is_key = self._want == "key"
            sink.arguments(self._comma() + '"', at, at + 1)
            self._want, self._quote = "quote", character
            return at + 1, Status.MORE
        if character in "[{" and self._want != "key":
            if len(self._stack) == DEPTH_LIMIT:
                return at, Status.BAD
            sink.arguments(self._comma() + character, at, at + 1)
            self._stack.append(character)
            self._filled.append(False)
            self._want = "item" if character == "[" else "key"
            return at + 1, Status.MORE
        match = _WORD.match(text, at)
        if match is None:
            return at, Status.BAD
        if match.end() == len(text):
            return at, Status.MORE if _may_be_word(match[0]) else Status.BAD
        written = _WORDS.get(match[0]) or _number(match[0])
        if written is None:
            return at, Status.BAD
        if self._want == "key":
            self._is_key, written = True, f'"{written}"'
        sink.arguments(self._comma() + written, at, match.end())
        return match.end(), self._after()

    # ---- strings

    def _quotes(self, text: str, at: int, sink: Sink) -> Step:
        """Behind an opening quote: one more may end an empty string, two more open a long one."""
        if text[at] == self._quote:
            sink.drop(at, at + 1)
            self._want = "two quotes" if self._want == "quote" else "long string"
            return at + 1, Status.MORE
        if self._want == "quote":
            self._want = "string"
            return at, Status.MORE
        sink.arguments('"', at, at)
        return at, self._after()

    def _string(self, text: str, at: int, sink: Sink) -> Step:
        match = _PLAIN.match(text, at)
        if match is not None:
            sink.arguments(escaped(match[0]), at, match.end())
            return match.end(), Status.MORE
        if text[at] == "\\":
            return self._escape(text, at, sink)
        if text[at] == self._quote:
            closing = self._quote * (3 if self._want == "long string" else 1)
            if text.startswith(closing, at):
                sink.arguments('"', at, at + len(closing))
                return at + len(closing), self._after()
            if closing.startswith(text[at:]):
                return at, Status.MORE
        sink.arguments(escaped(text[at]), at, at + 1)
        return at + 1, Status.MORE

    def _escape(self, text: str, at: int, sink: Sink) -> Step:
        match = _ESCAPE.match(text, at)
        if match is None or _ESCAPE_SO_FAR.fullmatch(text, at) is not None:
            return at, Status.MORE
        written = _unescaped(match[0][1:])
        if written is None:
            return at, Status.BAD
        if written:
            sink.arguments(written, at, match.end())
        else:
            sink.drop(at, match.end())
        return match.end(), Status.MORE


def _unescaped(escape: str) -> str | None:
    r"""What an escape (without its backslash) is in a JSON string; None for one that Python refuses.

    >>> _unescaped("n"), _unescaped("xe9"), _unescaped("ud83d"), _unescaped("q"), _unescaped("x")
    ('\\n', 'é', '\\ud83d', '\\\\q', None)
    """
    kind = escape[0]
    if kind in _SIMPLE:
        return escaped(_SIMPLE[kind])
    if kind in "\r\n":
        return ""
    if kind in "01234567":
        return escaped(chr(int(escape, 8)))
    if kind in "xuU":
        code = int(escape[1:], 16) if len(escape) > 1 else None
        if code is None or code > 0x10FFFF:
            return None
        return f"\\u{code:04x}" if 0xD800 <= code < 0xE000 else escaped(chr(code))
    # Python keeps a backslash before anything else; a character by its name is not looked up.
    return None if kind == "N" else escaped("\\" + escape)


def _may_be_word(text: str) -> bool:
    fits = _NUMBER_SO_FAR.fullmatch(text) is not None or any(word.startswith(text) for word in _WORDS)
    return fits and len(text) <= LONGEST_NUMBER


def _number(text: str) -> str | None:
    """A Python number in JSON; None for what is none.

    >>> [_number(text) for text in ("1_000", "-.5", "5.", "1e3", "007", "0x1F")]
    ['1000', '-0.5', '5.0', '1e3', None, None]
    """
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if match is None:
        return None
    sign, whole, point, fraction, power = (part.replace("_", "") for part in match.groups(default=""))
    digits = whole.lstrip("0") or "0"
    if not (whole or fraction) or (whole != digits and digits != "0" and not point and not power):
        return None
    return (
        ("-" if sign == "-" else "") + digits + (f".{fraction or 0}" if point else "") + (f"e{power}" if power else "")
    )


class _Written:
    """Collects what a reader writes."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def place(self, at: int) -> int:
        return at

    def drop(self, start: int, end: int, note: str = "marker") -> None:
        return None

    def fits(self, name: Sequence[str]) -> int | None:
        return None

    def name(self, name: str, start: int, end: int) -> bool:
        return True

    def announce(self) -> None:
        return None

    def arguments(self, text: str, start: int, end: int) -> None:
        self.pieces.append(text)


def python_to_json(text: str) -> str | None:
    """A Python literal in JSON, None where it is none.

    >>> python_to_json("{'a': [1, True, None,]}"), python_to_json("{1}")
    ('{"a": [1, true, null]}', None)
    """
    written = _Written()
    # The line's end shows that a word is complete.
    end, status = PythonReader().read(text + "\n", 0, True, written)
    return "".join(written.pieces) if status is Status.DONE and end == len(text) else None
