"""A format is data: its states, the markers of each, and where they lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Protocol

from tokcore.parsing.events import Kind
from tokcore.parsing.problems import MalformedFormat

Schema = Mapping[str, Any]
LONGEST_MARKER = 200


class Status(Enum):
    """Where a machine stands: it wants more text, its value is complete, or the text is not of its language."""

    MORE = "more"
    DONE = "done"
    BAD = "bad"


class Sink(Protocol):
    """What a machine tells the engine; positions are those of the text it is fed, earlier ones are negative.

    `place` gives a position's code point of the whole output. `fits` says how much of a name that is still coming may
    be a tool's (None: any), `name` whether it is one; `announce` lets the call out.
    Nothing is told of empty stretches but arguments that stand for no text.
    """

    def place(self, at: int) -> int: ...
    def drop(self, start: int, end: int, note: str = "marker") -> None: ...
    def fits(self, name: Sequence[str]) -> int | None: ...
    def name(self, name: str, start: int, end: int) -> bool: ...
    def announce(self) -> None: ...
    def arguments(self, text: str, start: int, end: int) -> None: ...


class Machine(Protocol):
    """Reads one call's arguments as they arrive.

    `feed` reads `text` from `start` and returns how far it came: at MORE what lies beyond is to be fed again with what
    follows, at BAD it is the character that does not fit. `reason` says in words what the machine waits for.
    """

    def feed(self, text: str, start: int, final: bool, sink: Sink) -> tuple[int, Status]: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Move:
    """What a marker does.

    `to`: the next state, "" for the one that reasoning was opened from. `opens`: a call may begin here. `announces`:
    the call's name is complete. `keeps`: the marker belongs to what follows and is not used up.
    """

    to: str
    opens: bool = False
    announces: bool = False
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A state whose text goes out as it is: content or reasoning, until a marker."""

    kind: Kind
    markers: Mapping[str, Move] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Between:
    """A state beside calls: white space that may be formatting, then a marker; anything else is content."""

    markers: Mapping[str, Move]
    otherwise: str = "content"


@dataclass(frozen=True, slots=True)
class Inside:
    """A state within a call: white space, then a marker; anything else goes to `otherwise`, or is no call."""

    markers: Mapping[str, Move]
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A state within a call that reads one word up to a marker: the tool's name, or something that is passed over.

    `first`, `rest`: character classes of a regular expression. At most `longest` characters.
    """

    first: str
    rest: str
    markers: Mapping[str, Move]
    is_name: bool = True
    longest: int = 256


@dataclass(frozen=True, slots=True)
class Header:
    """A state that reads a message's header up to `end` and picks the next state by the first pattern that fits.

    A pattern with a group `name` announces a call. `breaks`: markers that no header holds.
    """

    end: str
    choices: tuple[tuple[str, str], ...]
    breaks: tuple[str, ...] = ()
    longest: int = 256


@dataclass(frozen=True, slots=True)
class Arguments:
    """A state that a machine reads: `make(schema of the tool)`, then the state `then`."""

    make: Callable[[Schema | None], Machine]
    then: str


State = Text | Between | Inside | Word | Header | Arguments


@dataclass(frozen=True, slots=True)
class ReasoningSpec:
    """The tags around reasoning.

    >>> ReasoningSpec("<think>", "</think>").open
    '<think>'
    """

    open: str
    close: str


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """A tool-call format.

    `states`: by name; "content" is where text goes that is no call. `start`: where an output begins. `reasoning`: the
    name of the model's own tags. `reasons_in`: the state that carries reasoning where the format brings its own way
    of marking it (then no tags are added). `known_only`: calls have no marker of their own, so where the tools are
    known only their names make a call.
    """

    name: str
    states: Mapping[str, State]
    start: str = "content"
    reasoning: str = "think"
    reasons_in: str | None = None
    known_only: bool = False

    def __post_init__(self) -> None:
        for name, state in self.states.items():
            markers: Mapping[str, Move] = getattr(state, "markers", {})
            for marker, move in markers.items():
                if not 0 < len(marker) <= LONGEST_MARKER:
                    raise self._error(name, f"a marker of {len(marker)} characters", f"use 1 to {LONGEST_MARKER}")
                self._check_way(name, move.to)
            chosen = [to for _, to in state.choices] if isinstance(state, Header) else []
            for target in (getattr(state, "otherwise", None), getattr(state, "then", None), *chosen):
                if target is not None:
                    self._check_way(name, target)
        for target in (self.start, "content"):
            self._check_way("start", target)

    @property
    def markers(self) -> frozenset[str]:
        """Every marker of every state.

        >>> sorted(NO_TOOLS.markers)
        []
        """
        found: set[str] = set()
        for state in self.states.values():
            found.update((state.end, *state.breaks) if isinstance(state, Header) else getattr(state, "markers", ()))
        return frozenset(found)

    def _check_way(self, state: str, target: str) -> None:
        if target and target not in self.states:
            raise self._error(state, f"a way to {target!r}", f"use one of {', '.join(self.states)}")

    def _error(self, state: str, what: str, remedy: str) -> MalformedFormat:
        return MalformedFormat(where=f"format {self.name}, state {state}", what=what, remedy=remedy)


NO_TOOLS = FormatSpec("none", {"content": Text(Kind.CONTENT)})


def with_reasoning(spec: FormatSpec, tags: ReasoningSpec | None) -> FormatSpec:
    """The format with a reasoning state that the open tag leads to from wherever content may stand.

    >>> both = with_reasoning(NO_TOOLS, ReasoningSpec("<think>", "</think>"))
    >>> both.states["content"].markers["<think>"].to, both.states["reasoning"].kind
    ('reasoning', <Kind.REASONING: 'reasoning'>)

    A format that marks reasoning in its own way keeps it; with tags None its reasoning is content.
    """
    states = dict(spec.states)
    if spec.reasons_in is not None:
        own = states[spec.reasons_in]
        if tags is None and isinstance(own, Text):
            states[spec.reasons_in] = replace(own, kind=Kind.CONTENT)
            return replace(spec, states=states, reasons_in=None)
        return spec
    if tags is None:
        return spec
    opening = {tags.open: Move("reasoning")}
    for name, state in spec.states.items():
        if isinstance(state, Between) or (isinstance(state, Text) and state.kind is Kind.CONTENT):
            states[name] = replace(state, markers={**state.markers, **opening})
    states["reasoning"] = Text(Kind.REASONING, {tags.close: Move("")})
    return replace(spec, states=states, reasons_in="reasoning")
