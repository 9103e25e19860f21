"""Arguments written as JSON: an object by itself, or a call's envelope with name and arguments."""

from __future__ import annotations

import re

from tokcore.parsing.json_text import SPACE, JsonReader, StringReader
from tokcore.parsing.spec import Schema, Sink, Status

Step = tuple[int, Status]
_LONGEST_KEY = 64


class ObjectArguments:
    """A JSON object that is the arguments: `{"city": "Oslo"}`.

    Passed on as written; white space before it is dropped.
    """

    def __init__(self, schema: Schema | None = None) -> None:
        self._reader = JsonReader("{")

    @property
    def reason(self) -> str:
        return "the arguments' object may begin"

    def feed(self, text: str, start: int, final: bool, sink: Sink) -> Step:
        if not self._reader.begun:
            start = _spaces(text, start, sink)
        return _verbatim(self._reader, text, start, sink)


class Envelope:
    """A JSON object that names the tool and holds its arguments: `{"name": "f", "arguments": {"x": 1}}`.

    The arguments may be called `parameters`, may stand before the name (they wait for it), may be null or missing
    (`{}` goes out) or a string that holds the object (its text goes out, white space around the object dropped). The
    first name and the first arguments count; other keys are dropped. `bare`: nothing but this object says that it is
    a call, so it is announced when both its name and its arguments' opening brace have been seen.
    """

    def __init__(self, schema: Schema | None = None, *, bare: bool = False) -> None:
        self._bare = bare
        self._want = "open"
        self._key: list[str] = []
        self._key_length = 0
        self._name: list[str] = []
        self._name_at = 0
        self._named = self._argued = self._whole = False
        self._string, self._json = StringReader(), JsonReader("")

    @property
    def reason(self) -> str:
        return "an escape is not complete" if self._want == "text" else "`null` is not complete"

    def feed(self, text: str, start: int, final: bool, sink: Sink) -> Step:
        at, status = start, Status.MORE
        while at < len(text) and status is Status.MORE:
            before = at, self._want
            at, status = self._step(text, at, sink)
            if (at, self._want) == before:
                break
        return at, status

    def _step(self, text: str, at: int, sink: Sink) -> Step:
        match self._want:
            case "key":
                return self._read_key(text, at, sink)
            case "name":
                return self._read_name(text, at, sink)
            case "object":
                return self._then_next(*_verbatim(self._json, text, at, sink))
            case "text":
                return self._read_text(text, at, sink)
            case "null":
                return self._read_null(text, at, sink)
            case "other":
                end, status = self._json.read(text, at, _nowhere)
                sink.drop(at, end)
                return self._then_next(end, status)
        at = _spaces(text, at, sink)
        return self._structure(text[at], at, sink) if at < len(text) else (at, Status.MORE)

    def _structure(self, character: str, at: int, sink: Sink) -> Step:
        want = self._want
        if want == "value":
            return self._value(character, at, sink)
        if character == "}" and want in ("first key", "next"):
            return self._close(at, sink)
        expected, then = _STRUCTURE[want]
        if character != expected:
            return at, Status.BAD
        if then == "key":
            self._key, self._key_length = [], 0
        return self._go(then, at, sink)

    def _go(self, want: str, at: int, sink: Sink) -> Step:
        sink.drop(at, at + 1)
        self._want = want
        return at + 1, Status.MORE

    def _then_next(self, at: int, status: Status) -> Step:
        if status is not Status.DONE:
            return at, status
        self._want = "next"
        return at, Status.MORE

    def _value(self, character: str, at: int, sink: Sink) -> Step:
        key = "".join(self._key)
        if key == "name" and not self._named:
            self._name_at = sink.place(at + 1)
            return self._go("name", at, sink) if character == '"' else (at, Status.BAD)
        if key not in ("arguments", "parameters") or self._argued:
            self._json, self._want = JsonReader(""), "other"
            return at, Status.MORE
        self._argued = True
        if character == "{":
            self._announce(sink)
        if character == '"':
            self._json = JsonReader("{")
            return self._go("text", at, sink)
        if character not in "{n":
            return at, Status.BAD
        self._json, self._want = JsonReader("{"), "object" if character == "{" else "null"
        return at, Status.MORE

    def _announce(self, sink: Sink) -> None:
        """Announces the call where all that it takes has been seen."""
        if self._named and (self._argued or not self._bare):
            sink.announce()

    def _read_key(self, text: str, at: int, sink: Sink) -> Step:
        def put(piece: str, start: int, end: int) -> None:
            if self._key_length <= _LONGEST_KEY:
                self._key.append(piece)
                self._key_length += len(piece)

        end, status = self._string.read(text, at, put)
        sink.drop(at, end)
        if status is Status.DONE:
            self._want, status = "colon", Status.MORE
        return end, status

    def _read_name(self, text: str, at: int, sink: Sink) -> Step:
        def put(piece: str, start: int, end: int) -> int | None:
            self._name.append(piece)
            fits = sink.fits(self._name)
            if fits is None or fits == sum(map(len, self._name)):
                return None
            return end - (sum(map(len, self._name)) - fits) if end - start == len(piece) else start

        end, status = self._string.read(text, at, put)
        if status is not Status.DONE:
            return end, status
        name = "".join(self._name)
        if not name or LONE.search(name) is not None:
            return end - 1, Status.BAD
        if not sink.name(name, self._name_at - sink.place(0), end - 1):
            return end - 1, Status.BAD
        sink.drop(end - 1, end)
        self._named = True
        self._announce(sink)
        return self._then_next(end, Status.DONE)

    def _read_text(self, text: str, at: int, sink: Sink) -> Step:
        def put(piece: str, start: int, end: int) -> int | None:
            return self._inner(piece, start, end, sink)

        end, status = self._string.read(text, at, put)
        if status is Status.DONE:
            if self._json.begun and not self._whole:
                return end - 1, Status.BAD
            if not self._json.begun:
                self._announce(sink)
                sink.arguments("{}", end - 1, end - 1)
            sink.drop(end - 1, end)
        return self._then_next(end, status)

    def _inner(self, piece: str, start: int, end: int, sink: Sink) -> int | None:
        """Reads one piece of the string's text as JSON; the place where it turns out to be none."""
        plain = len(piece) == end - start
        if LONE.fullmatch(piece) is not None:
            piece = f"\\u{ord(piece):04x}"

        def place(index: int) -> int:
            # An escape is one character or nothing: its text has no places within.
            return start + index if plain else end if index == len(piece) else start

        lead = read = 0
        if not self._json.begun:
            lead = read = end_of_space(piece, 0)
            sink.drop(start, place(lead), "formatting")
            if lead < len(piece):
                if piece[lead] != "{":
                    return place(lead)
                self._announce(sink)
        if lead < len(piece) and not self._whole:
            out: list[str] = []
            read, status = self._json.read(piece, lead, out.append)
            self._whole = status is Status.DONE
            if place(read) > place(lead):
                sink.arguments("".join(out), place(lead), place(read))
            if status is Status.BAD:
                return place(read)
        rest = end_of_space(piece, read) if self._whole else read
        sink.drop(place(read), place(rest), "formatting")
        return None if rest == len(piece) else place(rest)

    def _read_null(self, text: str, at: int, sink: Sink) -> Step:
        same = next((i for i, c in enumerate("null") if text[at + i : at + i + 1] != c), 4)
        if same < 4:
            # What is here of the word waits; the first character that is not the word's ends it.
            return (at, Status.MORE) if at + same == len(text) else (at + same, Status.BAD)
        self._announce(sink)
        sink.arguments("{}", at, at + 4)
        return self._then_next(at + 4, Status.DONE)

    def _close(self, at: int, sink: Sink) -> Step:
        if not self._named or (self._bare and not self._argued):
            return at, Status.BAD
        if not self._argued:
            sink.arguments("{}", at, at)
        sink.drop(at, at + 1)
        return at + 1, Status.DONE


LONE = re.compile("[\ud800-\udfff]")

# By what is wanted: the character, and what is wanted then.
_STRUCTURE = {
    "open": ("{", "first key"),
    "first key": ('"', "key"),
    "more keys": ('"', "key"),
    "colon": (":", "value"),
    "next": (",", "more keys"),
}


def end_of_space(text: str, start: int) -> int:
    return SPACE.match(text, start).end()  # type: ignore[union-attr]


def _spaces(text: str, start: int, sink: Sink) -> int:
    end = end_of_space(text, start)
    sink.drop(start, end)
    return end


def _verbatim(reader: JsonReader, text: str, start: int, sink: Sink) -> Step:
    out: list[str] = []
    end, status = reader.read(text, start, out.append)
    sink.arguments("".join(out), start, end)
    return end, status


def _nowhere(text: str) -> None:
    return None
