"""What the engine has been told and has said: unread text, white space and calls that are not settled, events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokcore.parsing.events import Kind, ParseEvent, merged
from tokcore.parsing.spec import Schema
from tokcore.spans import Span

FEW_PIECES = 16


@dataclass(slots=True)
class Call:
    """What may be a call, from its marker on: its text, what will be said of it, its name.

    `start`: code point of the whole output. `index` is None until the call is announced.
    """

    start: int
    raw: list[str] = field(default_factory=list)
    pending: list[ParseEvent] = field(default_factory=list)
    name: str | None = None
    index: int | None = None


class Book:
    r"""The account of one output; positions given to its methods are those of `text`, negative ones came before it.

    >>> book = Book({})
    >>> book.receive("Hi\n")
    >>> book.say(Kind.CONTENT, 0, 2), book.wait(Kind.CONTENT, 2, 3)
    (None, None)
    >>> book.at = 3
    >>> book.held, [event.text for event in book.events()]
    ('\n', ['Hi'])

    Law: nothing is forgotten: each character is said in one event, waits as white space, belongs to the open call, or
    is unread.
    """

    def __init__(self, schemas: Mapping[str, Schema], known_only: bool = False) -> None:
        self.schemas, self._known_only = schemas, known_only
        # `text` is unread from `at` on; `text[0]` is character `base` of the output.
        self.text, self.at, self.base = "", 0, 0
        self.call: Call | None = None
        self._calls = 0
        self._out: list[ParseEvent] = []
        self._told = 0
        self._space: list[str] = []
        self._space_kind, self._space_at = Kind.CONTENT, 0

    def receive(self, delta: str) -> None:
        """Adds text behind what is unread."""
        self.text, self.base, self.at = self.text[self.at :] + delta, self.base + self.at, 0

    def events(self) -> list[ParseEvent]:
        """What has been said since the last time."""
        events, self._out = merged(self._out), []
        return events

    @property
    def held(self) -> str:
        """What has arrived and is not in any event: a tail of the output."""
        unread = self.text[self.at :]
        return self._before(self.at, self.base + self.at - self._told) + unread

    @property
    def holds(self) -> bool:
        return self.base + len(self.text) > self._told

    def place(self, at: int) -> int:
        """The code point of the whole output."""
        return self.base + at

    # ---- saying

    def say(self, kind: Kind, start: int, end: int, text: str | None = None, note: str = "") -> None:
        """One event of the stretch, of the open call if there is one; it waits where the call is not announced."""
        call = self.call
        if text is None:
            text = self.text[start:end] if start >= 0 else self._slice(start, end)
        span = Span(self.base + start, self.base + end)
        if call is None:
            self._tell(ParseEvent(kind, text, None, span, note))
        elif call.index is None:
            call.pending.append(ParseEvent(kind, text, None, span, note))
        else:
            self._tell(ParseEvent(kind, text, call.index, span, note))

    def _tell(self, event: ParseEvent) -> None:
        self._out.append(event)
        self._told = max(self._told, event.span.end)

    def _slice(self, start: int, end: int) -> str:
        """A stretch that begins before `text`."""
        return self._before(0, -start)[: end - start] + self.text[: max(end, 0)]

    def _before(self, at: int, size: int) -> str:
        """The `size` characters before position `at` of those that are read and not said."""
        found = ""
        for pieces in (self.call.raw if self.call else [], self._space):
            found = _tail(pieces, size - len(found)) + found
        return found

    # ---- white space that is not settled

    def wait(self, kind: Kind, start: int, end: int) -> None:
        """Keeps white space until it is known what it is."""
        if not self._space:
            self._space_kind, self._space_at = kind, self.place(start)
        self._space.append(self.text[start:end])

    def release_space(self) -> None:
        """It is text."""
        self._settle_space(self._space_kind, "")

    def drop_space(self) -> None:
        """It is formatting."""
        self._settle_space(Kind.DROPPED, "formatting")

    def _settle_space(self, kind: Kind, note: str) -> None:
        if self._space:
            text, self._space = "".join(self._space), []
            self._tell(ParseEvent(kind, text, None, Span(self._space_at, self._space_at + len(text)), note))

    # ---- calls

    def open_call(self, start: int) -> None:
        self.call = Call(self.place(start))

    def read(self, start: int, end: int) -> None:
        """Text of the open call, if there is one."""
        if self.call is not None and end > start:
            self.call.raw.append(self.text[start:end])

    def fits(self, name: Sequence[str]) -> int | None:
        """How much of a name that is still coming (in pieces) begins a tool's; None where any name will do."""
        if not self._known_only or not self.schemas:
            return None
        text = "".join(name)
        return max(_common(text, known) for known in self.schemas)

    def name(self, name: str, start: int, end: int) -> bool:
        """The name of the call, said when the call is announced; False where only tools count and none has it."""
        assert self.call is not None
        if self._known_only and self.schemas and name not in self.schemas:
            return False
        self.call.name = name
        self.say(Kind.CALL, start, end, name)
        return True

    def announce(self) -> None:
        """Says the name and all that waited for it, arguments last."""
        call = self.call
        assert call is not None
        if call.index is not None:
            return
        self.drop_space()
        call.index = self._calls
        self._calls += 1
        for late in (False, True):
            for event in call.pending:
                if (event.kind is Kind.ARGUMENTS) is late:
                    self._tell(event._replace(call=call.index))
        call.pending.clear()

    def arguments(self, text: str, start: int, end: int) -> None:
        """A piece of the arguments' JSON text, and the stretch it comes from."""
        if text:
            self.say(Kind.ARGUMENTS, start, end, text)

    def drop(self, start: int, end: int, note: str = "marker") -> None:
        """A stretch that does not go out."""
        if end > start:
            self.say(Kind.DROPPED, start, end, note=note)

    def close_call(self, at: int) -> None:
        """The call is complete."""
        self.say(Kind.CALL_END, at, at, "")
        self.call = None

    def resolve(self) -> None:
        """What might have been a call is none, and is dropped all the same."""
        call, self.call = self.call, None
        self.drop_space()
        for event in call.pending if call is not None else ():
            self._tell(event)

    def give_back(self, at: int, again: int) -> None:
        """The text of the call up to `at`, less its last `again` characters, is content, as it came."""
        call = self.call
        assert call is not None
        raw = "".join(call.raw)
        raw = raw[: len(raw) - again]
        if call.index is not None:
            self.say(Kind.CALL_END, at, at, "", "broken")
        self.call = None
        self.release_space()
        span = Span(call.start, call.start + len(raw))
        self._tell(ParseEvent(Kind.CONTENT, raw, None, span, "" if call.index is None else "broken call"))
        self._told = span.end

    def tail(self, at: int, size: int) -> str:
        """The last characters before `at` that the open call has read, at most `size`, never its first."""
        assert self.call is not None
        return self._before(at, min(size, sum(map(len, self.call.raw)) - 1))

    def rewind(self, at: int, size: int) -> int:
        """Makes the `size` characters before `at`, which the open call has read, unread; where they now begin."""
        if size > at:
            tail = self._before(at, size)
            self.text, self.base = tail + self.text[at:], self.base + at - size
            return 0
        return at - size

    def cut_off(self) -> None:
        """The output ends within the open call."""
        call, end = self.call, len(self.text)
        assert call is not None
        if call.index is None:
            self.read(self.at, end)
            self.give_back(end, 0)
        else:
            if self.holds:
                start = self._told - self.base
                self.say(Kind.DROPPED, start, end, self.held, "cut off")
            self.say(Kind.CALL_END, end, end, "", "cut off")
        self.call = None


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with together."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _tail(pieces: list[str], size: int) -> str:
    """The last `size` characters of pieces; where these are many they become one, for they are asked for again.

    >>> _tail(["ab", "c", "de"], 4)
    'bcde'
    """
    count = length = 0
    while length < size and count < len(pieces):
        count += 1
        length += len(pieces[-count])
    if not count:
        return ""
    text = "".join(pieces[-count:])
    if count > FEW_PIECES:
        pieces[-count:] = [text]
    return text[max(0, length - size) :]
