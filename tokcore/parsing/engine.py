"""The engine: a format's table run over text that arrives in pieces of any size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tokcore.parsing.book import Book
from tokcore.parsing.events import Kind, ParseEvent
from tokcore.parsing.json_text import SPACE
from tokcore.parsing.lexer import Found, lexer_of
from tokcore.parsing.problems import finished_stream, require_text
from tokcore.parsing.spec import (
    Arguments,
    Between,
    FormatSpec,
    Header,
    Inside,
    Machine,
    Move,
    Schema,
    State,
    Status,
    Text,
    Word,
)

_NEWLINES = re.compile(r"[\r\n]*")
Step = tuple[int, bool]  # how far it came, and whether there is more to do now


class Engine:
    """Runs one format over one output.

    >>> from tokcore.parsing.formats import FORMATS
    >>> engine = Engine(FORMATS["hermes"])
    >>> [event.kind.value for event in engine.feed('<tool_call>{"name": "f", "arg')]
    ['dropped', 'call', 'dropped']
    >>> [event.text for event in engine.feed('uments": {}}</tool_call>', final=True)]
    ['uments": ', '{}', '}', '', '</tool_call>']

    `schemas`: the tools' parameters by their names; `start`: another state to begin in. Laws: whatever the pieces,
    the merged events are the same; what is held back is a tail of the text, and only what may still become two
    different things; the work per character is flat.
    """

    def __init__(self, spec: FormatSpec, schemas: Mapping[str, Schema] | None = None, start: str | None = None) -> None:
        self._spec = spec
        self._state = self._back = spec.start
        self._lexers = {name: lexer_of(frozenset(_markers(state))) for name, state in spec.states.items()}
        self._may_call = _may_call(spec)
        self._book = Book(schemas or {}, spec.known_only)
        self._machine: Machine | None = None
        self._over = False
        # Newlines come after a tag. The stretch of content is white space so far. It began at the end of a call.
        self._trims = self._beside = False
        self._blank = self._state in self._may_call
        if start is not None:
            self._enter(start)

    def feed(self, delta: str, final: bool = False) -> list[ParseEvent]:
        """The events of one more piece; `final` says that it is the last."""
        if self._over:
            raise finished_stream()
        require_text(delta, "delta")
        book = self._book
        book.receive(delta)
        going = True
        while going and (book.at < len(book.text) or final):
            book.at, going = self._step(self._spec.states[self._state], book.at, final)
        if final:
            self._over = True
            if book.call is not None:
                book.cut_off()
            else:
                self._settle_space()
            book.at = len(book.text)
        return book.events()

    @property
    def state(self) -> str:
        """The name of the state."""
        return self._state

    @property
    def held(self) -> str:
        """The text that has arrived and of which nothing has been said: a tail of the output."""
        return self._book.held

    @property
    def reason(self) -> str | None:
        """Why text is held back, None where none is."""
        book = self._book
        if not book.holds:
            return None
        if book.call is not None:
            if book.call.index is None:
                return "it may become a call"
            return self._machine.reason if self._machine is not None else "it may become a marker"
        unread = book.text[book.at :]
        whole = self._lexers[self._state].may_become(unread) if unread else None
        if whole is not None:
            return f"`{unread}` may become `{whole}`"
        reasoning = self._state == self._spec.reasons_in
        return "newlines may stand before the end of reasoning" if reasoning else "white space may stand next to a call"

    # ---- one step of each kind of state

    def _step(self, state: State, at: int, final: bool) -> Step:
        match state:
            case Text():
                return self._text_step(state, at, final)
            case Between():
                return self._between_step(state, at, final)
            case Inside():
                return self._inside_step(state, at, final)
            case Word():
                return self._word_step(state, at, final)
            case Header():
                return self._header_step(state, at, final)
            case Arguments():
                return self._arguments_step(state, at, final)

    def _text_step(self, state: Text, at: int, final: bool) -> Step:
        at = self._after_tag(at)
        found = self._lexers[self._state].find(self._book.text, at, final)
        if found.start > at:
            self._put(state.kind, at, found.start)
        return (found.start, False) if found.marker is None else self._take(state.markers[found.marker], found)

    def _between_step(self, state: Between, at: int, final: bool) -> Step:
        book, at = self._book, self._after_tag(at)
        end = end_of(SPACE, book.text, at)
        if end > at:
            self._put(Kind.CONTENT, at, end)
        if end == len(book.text):
            return end, False
        found = self._lexers[self._state].at(book.text, end, final)
        if found is None:
            if final and (tail := self._half_close(state, end)):
                book.drop_space()
                book.drop(end, tail, "cut off")
                return tail, False
            self._state = state.otherwise
            return end, True
        return (end, False) if found.marker is None else self._take(state.markers[found.marker], found)

    def _half_close(self, state: Between, at: int) -> int:
        """The end of the output where that is the beginning of a closing marker: no client should see half a tag."""
        rest = self._book.text[at:]
        closing = (marker for marker, move in state.markers.items() if self._closes(state, move))
        return at + len(rest) if any(marker.startswith(rest) for marker in closing) else 0

    def _closes(self, state: State, move: Move) -> bool:
        """Whether a marker ends what came before it, with the white space in between."""
        beside = isinstance(state, Between) and not move.opens and move.to != self._spec.reasons_in
        return beside or state is self._spec.states.get(self._spec.reasons_in or "")

    def _inside_step(self, state: Inside, at: int, final: bool) -> Step:
        book = self._book
        end = end_of(SPACE, book.text, at)
        self._pass(at, end)
        if end == len(book.text):
            return end, False
        found = self._lexers[self._state].at(book.text, end, final)
        if found is not None:
            return (end, False) if found.marker is None else self._take(state.markers[found.marker], found)
        if state.otherwise is None:
            return self._fail(end)
        self._state = state.otherwise
        return end, True

    def _word_step(self, state: Word, at: int, final: bool) -> Step:
        book = self._book
        match = re.compile(f"{state.first}{state.rest}{{0,{state.longest - 1}}}").match(book.text, at)
        end = at if match is None else match.end()
        fits = book.fits([book.text[at:end]]) if state.is_name else None
        if fits is not None and at + fits < end:
            self._pass(at, at + fits)
            return self._fail(at + fits)
        if end == len(book.text):
            return at, False
        found = self._lexers[self._state].at(book.text, end, final) if end > at or not state.is_name else None
        if found is not None and found.marker is None:
            return at, False
        if found is None or found.marker is None:
            self._pass(at, end)
            return self._fail(end)
        if not state.is_name:
            self._pass(at, end)
            return self._take(state.markers[found.marker], found)
        named = book.name(book.text[at:end], at, end)
        book.read(at, end)
        if not named:
            return self._fail(end)
        return self._take(state.markers[found.marker], found)

    def _header_step(self, state: Header, at: int, final: bool) -> Step:
        book = self._book
        found = self._lexers[self._state].find(book.text, at, final)
        too_long = found.start - at > state.longest
        if found.marker is None and not too_long:
            return at, False
        header = book.text[at : found.start] if found.marker == state.end and not too_long else ""
        chosen = ((re.fullmatch(pattern, header), to) for pattern, to in state.choices)
        match, to = next(((match, to) for match, to in chosen if match is not None), (None, ""))
        if match is None:
            end = min(found.start, at + state.longest)
            self._pass(at, end)
            return self._fail(end)
        named = "name" in match.re.groupindex
        start, end = (at + place for place in match.span("name" if named else 0))
        self._pass(at, start)
        if named:
            known = book.name(match["name"], start, end)
            book.read(start, end)
            self._pass(end, found.end)
            if not known:
                return self._fail(found.end)
            book.announce()
        else:
            self._pass(start, found.end)
            book.resolve()
        self._enter(to)
        return found.end, True

    def _arguments_step(self, state: Arguments, at: int, final: bool) -> Step:
        book = self._book
        if self._machine is None:
            name = None if book.call is None else book.call.name
            self._machine = state.make(None if name is None else book.schemas.get(name))
        end, status = self._machine.feed(book.text, at, final, book)
        book.read(at, end)
        if status is Status.BAD:
            return self._fail(end)
        if status is Status.MORE:
            return end, False
        book.close_call(end)
        self._machine = None
        self._blank = self._beside = True
        self._state = state.then
        return end, True

    # ---- moving on

    def _take(self, move: Move, found: Found) -> Step:
        """Uses up a marker and goes where it leads."""
        book, start = self._book, found.start
        end = start if move.keeps else found.end
        if book.call is None:
            if move.opens:
                book.open_call(start)
            else:
                self._settle_space(move)
        self._pass(start, end)
        if move.announces:
            book.announce()
        self._enter(move.to)
        return end, True

    def _settle_space(self, move: Move | None = None) -> None:
        """Decides what pending white space is, now that a marker follows it, or the end of the output."""
        closes = move is not None and self._closes(self._spec.states[self._state], move)
        if closes or (self._blank and self._beside):
            self._book.drop_space()
        else:
            self._book.release_space()

    def _enter(self, to: str) -> None:
        reasons_in, before = self._spec.reasons_in, self._state
        if to == reasons_in:
            self._back = before
        self._state = to or self._back
        self._machine = None
        if reasons_in in (before, self._state):
            self._trims = True
        if self._book.call is None and (before == reasons_in or not (self._blank and self._beside)):
            self._blank, self._beside = self._state in self._may_call, False

    def _fail(self, at: int) -> Step:
        """The character at `at` shows that this is no call, or one no more: its text so far is content."""
        book = self._book
        assert book.call is not None
        # Its end may be the beginning of a marker, as `[` is of `[TOOL_CALLS]`: that is read again.
        content = self._lexers["content"]
        again = content.tail(book.tail(at, content.longest - 1))
        at = book.rewind(at, again)
        book.give_back(at + again, again)
        self._machine = None
        self._blank = self._beside = False
        self._state = "content"
        return at, True

    def _pass(self, start: int, end: int) -> None:
        """A stretch that does not go out."""
        self._book.drop(start, end)
        self._book.read(start, end)

    def _after_tag(self, at: int) -> int:
        """Newlines right after reasoning's tags are formatting."""
        if self._trims:
            text, start = self._book.text, at
            at = end_of(_NEWLINES, text, at)
            self._book.drop(start, at, "formatting")
            self._trims = at == len(text)
        return at

    def _put(self, kind: Kind, start: int, end: int) -> None:
        """Text of content or reasoning; what may be formatting at its beginning or end waits."""
        book = self._book
        if kind is Kind.REASONING:
            stop = start + len(book.text[start:end].rstrip("\r\n"))
        elif self._blank and end_of(SPACE, book.text, start) >= end:
            stop = start
        else:
            self._blank, stop = False, end
        if stop > start:
            book.release_space()
            book.say(kind, start, stop)
        if end > stop:
            book.wait(kind, stop, end)


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where a pattern that fits everywhere ends."""
    match = pattern.match(text, start)
    return start if match is None else match.end()


def _markers(state: State) -> Iterable[str]:
    match state:
        case Text() | Between() | Inside() | Word():
            return state.markers
        case Header():
            return (state.end, *state.breaks)
        case Arguments():
            return ()


def _may_call(spec: FormatSpec) -> frozenset[str]:
    """The states in which white space may turn out to stand before a call."""
    opening = set()
    for name, state in spec.states.items():
        ways = [state, spec.states[state.otherwise]] if isinstance(state, Between) else [state]
        moves = (move for way in ways if isinstance(way, Text | Between) for move in way.markers.values())
        if any(move.opens for move in moves):
            opening.add(name)
    return frozenset(opening)
