"""Arguments written as tags: `<parameter=city>`, newline, `Oslo`, newline, `</parameter>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tokcore.parsing.json_text import SPACE, escaped
from tokcore.parsing.lexer import Lexer
from tokcore.parsing.spec import Schema, Sink, Status
from tokcore.parsing.typed_values import typed, types_of

Step = tuple[int, Status]

_OPEN, _CLOSE, _END = "<parameter=", "</parameter>", "</function>"
_IN_VALUE, _TAGS = Lexer([_CLOSE]), Lexer([_OPEN, _END])
# What may stand behind a call's last tag: without one of them that tag was text of a value.
_BEHIND = Lexer(["</tool_call>", "<tool_call>", "<function="])
_LONGEST_KEY = 256
_KEY = re.compile(r"[^<>\n\r]*")
_EDGE = re.compile(r"\r?\n?\Z")


class _Tag(NamedTuple):
    """A tag that stands here; `key` is None for the call's last tag."""

    key: str | None
    end: int


class XmlParameters:
    """The parameters of one call, up to `</function>`.

    `<parameter=n>3</parameter>` goes out as `{"n": 3}` where the tool's schema says integer, as `{"n": "3"}` where it
    says nothing. One newline behind the open tag and one before the close tag are formatting. Text goes out as it
    comes, escaped; other types once the value is complete. A value that does not fit its type stays a string.

    Law: a value ends at `</parameter>` only where another parameter or `</function>` follows, and `</function>` behind
    a value ends the call only where `</tool_call>`, another call or the end of the output follows (where there is no
    outer tag, `wrapped` False, anything may). Tags that do not fit are text of the value.
    """

    def __init__(self, schema: Schema | None = None, *, wrapped: bool = True) -> None:
        self._schema = schema or {}
        properties = self._schema.get("properties")
        self._properties: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
        self._wrapped = wrapped
        self._want = "tag"
        self._count = 0
        self._types: frozenset[str] = frozenset()
        # The value: whether its quote is open, its text that waits for its type, where that begins in the output.
        self._quoted = False
        self._value: list[str] = []
        self._value_at = 0
        # What may be the value's end: from the newline before the close tag on, and where that begins.
        self._edge: list[str] = []
        self._edge_at = 0

    @property
    def reason(self) -> str:
        return "the value may end here" if self._edge or self._want != "value" else "the value may be no text"

    def feed(self, text: str, start: int, final: bool, sink: Sink) -> Step:
        at, status, going = start, Status.MORE, True
        while going and status is Status.MORE and (at < len(text) or final):
            match self._want:
                case "tag":
                    at, status, going = self._between(text, at, sink)
                case "newline":
                    at, status, going = self._newline(text, at, final, sink)
                case "value":
                    at, status, going = self._read_value(text, at, sink)
                case "behind value":
                    at, status, going = self._behind_value(text, at, sink)
                case "behind end":
                    at, status, going = self._behind_end(text, at, final, sink)
        return at, status

    # ---- tags

    def _tag(self, text: str, at: int) -> _Tag | Status:
        """The tag at `at`; MORE where it may be one, BAD where it is none."""
        found = _TAGS.at(text, at)
        if found is None:
            return Status.BAD
        if found.marker == _END:
            return _Tag(None, found.end)
        if found.marker is None:
            return Status.MORE
        match = _KEY.match(text, found.end)
        end = found.end if match is None else match.end()
        if end - found.end > _LONGEST_KEY:
            return Status.BAD
        if end == len(text):
            return Status.MORE
        return _Tag(text[found.end : end], end + 1) if text[end] == ">" and end > found.end else Status.BAD

    def _between(self, text: str, at: int, sink: Sink) -> tuple[int, Status, bool]:
        end = _end(SPACE, text, at)
        sink.drop(at, end)
        if end == len(text):
            return end, Status.MORE, False
        tag = self._tag(text, end)
        if isinstance(tag, Status):
            return end, tag, False
        return self._use(tag, end, sink)

    def _use(self, tag: _Tag, at: int, sink: Sink) -> tuple[int, Status, bool]:
        """Begins the next value, or ends the call."""
        sink.announce()
        if tag.key is None:
            sink.arguments("}" if self._count else "{}", at, at)
            sink.drop(at, tag.end)
            return tag.end, Status.DONE, False
        self._begin(tag, at, sink)
        return tag.end, Status.MORE, True

    def _begin(self, tag: _Tag, at: int, sink: Sink) -> None:
        assert tag.key is not None
        key_at = at + len(_OPEN)
        sink.drop(at, key_at)
        sink.arguments(f'{", " if self._count else "{"}"{escaped(tag.key)}": ', key_at, tag.end - 1)
        sink.drop(tag.end - 1, tag.end)
        self._count += 1
        self._types = types_of(self._properties.get(tag.key), self._schema)
        self._want, self._quoted = "newline", False

    def _newline(self, text: str, at: int, final: bool, sink: Sink) -> tuple[int, Status, bool]:
        if text[at:] == "\r" and not final:
            return at, Status.MORE, False
        end = at + 2 if text.startswith("\r\n", at) else at + 1 if text.startswith("\n", at) else at
        sink.drop(at, end, "formatting")
        self._want, self._value_at = "value", sink.place(end)
        return end, Status.MORE, True

    # ---- the value and what may be its end

    def _read_value(self, text: str, at: int, sink: Sink) -> tuple[int, Status, bool]:
        found = _IN_VALUE.find(text, at)
        if found.start > at:
            self._edge.append(text[at : found.start])
            self._settle(found.start, sink)
        if found.marker is None:
            return found.start, Status.MORE, False
        self._push(text, found.start, found.end, sink)
        self._want = "behind value"
        return found.end, Status.MORE, True

    def _push(self, text: str, start: int, end: int, sink: Sink) -> None:
        if not self._edge:
            self._edge_at = sink.place(start)
        self._edge.append(text[start:end])

    def _settle(self, end: int, sink: Sink) -> None:
        """What seemed the value's end is its text, all up to `end` but a newline right before that."""
        text = "".join(self._edge)
        edge = _EDGE.search(text)
        kept = "" if edge is None else edge[0]
        value = text[: len(text) - len(kept)]
        stop = end - len(kept)
        if value:
            self._text(value, stop - len(value), stop, sink)
        self._edge, self._edge_at = [kept] if kept else [], sink.place(stop)
        self._want = "value"

    def _text(self, text: str, start: int, end: int, sink: Sink) -> None:
        """Text of the value goes out, or waits until the value is whole because its type asks for that."""
        if not self._quoted:
            self._value.append(text)
            if "string" not in self._types:
                return
            text = "".join(self._value)
            if "null" in self._types and "null".startswith(text):
                return
            self._value, self._quoted = [], True
            start = self._value_at - sink.place(0)
            sink.arguments('"' + escaped(text), start, end)
        else:
            sink.arguments(escaped(text), start, end)

    def _behind_value(self, text: str, at: int, sink: Sink) -> tuple[int, Status, bool]:
        end = _end(SPACE, text, at)
        self._push(text, at, end, sink)
        if end == len(text):
            return end, Status.MORE, False
        tag = self._tag(text, end)
        if tag is Status.MORE:
            return end, Status.MORE, False
        if isinstance(tag, Status):
            self._settle(end, sink)
            return end, Status.MORE, True
        if tag.key is None and self._wrapped:
            self._push(text, end, tag.end, sink)
            self._want = "behind end"
            return tag.end, Status.MORE, True
        self._finish_value(end, sink)
        return self._use(tag, end, sink)

    def _behind_end(self, text: str, at: int, final: bool, sink: Sink) -> tuple[int, Status, bool]:
        end = _end(SPACE, text, at)
        self._push(text, at, end, sink)
        if end == len(text):
            if not final:
                return end, Status.MORE, False
        else:
            found = _BEHIND.at(text, end)
            if found is None:
                self._settle(end, sink)
                return end, Status.MORE, True
            if found.marker is None and not final:
                return end, Status.MORE, False
        self._finish_value(end, sink, "}")
        return end, Status.DONE, False

    def _finish_value(self, end: int, sink: Sink, closing: str = "") -> None:
        """The value ended where its edge begins; what stands from there to `end` is dropped."""
        edge = self._edge_at - sink.place(0)
        if self._quoted:
            sink.arguments('"' + closing, edge, edge)
        else:
            sink.arguments(typed("".join(self._value), self._types) + closing, self._value_at - sink.place(0), edge)
        sink.drop(edge, end)
        self._value, self._edge, self._quoted = [], [], False


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return start if match is None else match.end()
