"""Ids to an answer, as a server streams it: detokenizer, parser, stops, deltas, and what is held on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from tokcore.deltas.assemble import join_deltas
from tokcore.parsing import FORMATS, Kind, OutputParser, ParseEvent
from tokcore.parsing.contrast import PerDeltaParser
from tokcore.parsing.events import merged
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span
from tokcore.streaming.contrast import FixedHoldStopChecker, PerDeltaDetokenizer, WindowDetokenizer
from tokcore.streaming.detokenizer import IncrementalDetokenizer, checked_ids
from tokcore.streaming.settings import StreamSettings as StreamSettings
from tokcore.streaming.stops import StopChecker

Delta = dict[str, Any]


class Detokenizes(Protocol):
    """What turns ids into text while they come."""

    @property
    def held(self) -> bytes: ...

    @property
    def reason(self) -> str | None: ...

    def add(self, ids: Iterable[int]) -> str: ...

    def flush(self) -> str: ...


class Stops(Protocol):
    """What ends a text at a stop string."""

    @property
    def stopped(self) -> bool: ...

    @property
    def match(self) -> str | None: ...

    @property
    def held(self) -> str: ...

    @property
    def candidate(self) -> str | None: ...

    def add(self, delta: str, armed: bool = True) -> str: ...

    def finish(self) -> str: ...

    def release(self) -> str: ...


class Parses(Protocol):
    """What turns text into reasoning, content and calls."""

    @property
    def held(self) -> str: ...

    @property
    def reason(self) -> str | None: ...

    def events(self, delta: str, final: bool = False) -> list[ParseEvent]: ...

    def deltas_of(self, events: Sequence[ParseEvent]) -> list[Delta]: ...


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way of streaming: ours, or one that is common and wrong."""

    name: str
    detokenizer: Callable[[Tokenizer, bool], Detokenizes] = IncrementalDetokenizer
    stops: Callable[[Sequence[str], bool], Stops] = StopChecker
    parser: Callable[..., Parses] = OutputParser


STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("bytes"),
        Strategy("per-delta", detokenizer=PerDeltaDetokenizer),
        Strategy("window", detokenizer=WindowDetokenizer),
        Strategy("fixed-hold", stops=FixedHoldStopChecker),
        Strategy("per-delta-markers", parser=PerDeltaParser),
    )
}


class Held(NamedTuple):
    """What has come and is not out: `stage` is "bytes", "markup" or "stop"; bytes have no text yet."""

    stage: str
    text: str
    raw: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class StreamStep:
    """One delta: the ids that came, the text that they completed, what went out, what is held behind it.

    `start` counts the ids before it. `text` is the detokenizer's; `events` are what passed parser and stops, dropped
    text among them; `deltas` what the client gets. The last step has no ids: it is the end of the stream.
    """

    index: int
    start: int
    ids: tuple[int, ...]
    text: str
    events: tuple[ParseEvent, ...]
    deltas: tuple[Delta, ...]
    held: tuple[Held, ...]
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole stream; `message` is what a client has assembled in the end, `used` counts the ids up to the stop."""

    steps: tuple[StreamStep, ...]
    message: Mapping[str, Any]
    finish_reason: str
    used: int
    text: str


@dataclass
class Stream:
    """The stages of one stream, joined: ids in, events out.

    >>> from tokcore.pipeline import Tokenizer
    >>> model = {"vocab": {"S": 0, "T": 1, "O": 2, "P": 3, "!": 4}, "merges": []}
    >>> tokenizer = Tokenizer.from_str('{"decoder": {"type": "Fuse"}, "model": %s}' % str(model).replace("'", '"'))
    >>> stream = Stream(tokenizer, StreamSettings(stops=("STOP",)))
    >>> [[event.text for event in stream.add([id])] for id in (4, 0, 1, 4)]
    [['!'], [], [], ['ST!']]

    Law: ids → text → reasoning, content, calls → stops. The parser sees the same text whatever the stops hold; stops
    see content only, or reasoning too where the settings say so. A stop string does not reach across a call. Behind a
    stop everything is dropped, what the parser held included.
    """

    tokenizer: Tokenizer
    settings: StreamSettings = field(default_factory=StreamSettings)
    strategy: Strategy = STRATEGIES["bytes"]
    call_id: Callable[[int], str] | None = None
    stopped: str | None = None
    stop_end: int = 0
    count: int = 0
    _characters: int = 0
    _armed_from: int | None = None
    _queue: deque[ParseEvent] = field(default_factory=deque)
    _last_text: str = ""
    _last_span_end: int = 0

    def __post_init__(self) -> None:
        settings = self.settings
        self.detokenizer = self.strategy.detokenizer(self.tokenizer, settings.skip_special_tokens)
        named = {} if self.call_id is None else {"call_id": self.call_id}
        self.parser = self.strategy.parser(
            reasoning=settings.reasoning,
            tools=settings.tools,
            starts_in_reasoning=settings.starts_in_reasoning,
            definitions=list(settings.definitions) or None,
            **named,
        )
        self.stops = self.strategy.stops(settings.stops, settings.include_stop) if settings.stops else None
        self._watched = {Kind.CONTENT, Kind.REASONING} if settings.stops_in_reasoning else {Kind.CONTENT}
        self._stop_kind: Kind | None = None
        if settings.min_tokens <= 0:
            self._armed_from = 0

    def add(self, ids: Sequence[int]) -> list[ParseEvent]:
        """What these ids let out."""
        ids = checked_ids(ids)
        missing = self.settings.min_tokens - self.count
        self.count += len(ids)
        if self._armed_from is not None or missing > len(ids):
            text = self.detokenizer.add(ids)
        else:
            text = self.detokenizer.add(ids[:missing]) if missing else ""
            self._armed_from = self._characters + len(text)
            if missing < len(ids):
                text += self.detokenizer.add(ids[missing:])
        return self._pass(text, final=False)

    def finish(self) -> list[ParseEvent]:
        """What was held: nothing comes any more."""
        if self._armed_from is None:
            self._armed_from = self._characters
        return self._pass(self.detokenizer.flush(), final=True)

    def deltas_of(self, events: Sequence[ParseEvent]) -> list[Delta]:
        """What the client gets of these events."""
        return self.parser.deltas_of([event for event in events if event.kind is not Kind.DROPPED])

    @property
    def text(self) -> str:
        """What the detokenizer gave out for the last ids."""
        return self._last_text

    def held(self) -> tuple[Held, ...]:
        """What each stage holds, the earliest in the text first."""
        if self.stopped is not None:
            return ()
        parts = []
        if self.stops is not None and self.stops.held:
            text, candidate = self.stops.held, self.stops.candidate
            reason = f"{text!r} may become {candidate!r}" if candidate else f"the last {len(text)} characters wait"
            parts.append(Held("stop", text, b"", reason))
        if self.parser.held:
            parts.append(Held("markup", self.parser.held, b"", self.parser.reason or ""))
        if self.detokenizer.held:
            parts.append(Held("bytes", "", self.detokenizer.held, self.detokenizer.reason or ""))
        return tuple(parts)

    def _pass(self, text: str, final: bool) -> list[ParseEvent]:
        self._last_text = text
        self._characters += len(text)
        if self.stopped is not None:
            return self._behind(text)
        events = self.parser.events(text, final)
        if self.stops is None:
            return events
        passed = list(self._stop(events))
        if self.stops.stopped:
            passed += self._behind(self.parser.held)
        elif final:
            passed += self._taken(self.stops.finish())
        return merged(passed)

    def _behind(self, text: str) -> list[ParseEvent]:
        """The last of the text so far, which came behind a stop."""
        end = self._characters
        return [ParseEvent(Kind.DROPPED, text, None, Span(end - len(text), end), "after the stop")] if text else []

    def _stop(self, events: Iterable[ParseEvent]) -> Iterator[ParseEvent]:
        assert self.stops is not None
        for event in events:
            if self.stopped is not None:
                yield dropped(event)
                continue
            if event.kind not in self._watched or event.kind is not self._stop_kind:
                yield from self._taken(self.stops.release())
                self._stop_kind = event.kind
            if event.kind not in self._watched:
                yield event
                continue
            self._queue.append(event)
            self._last_span_end = event.span.end
            unarmed = max(0, (self._armed_from or 0) - event.span.start) if self._armed_from != 0 else 0
            if self._armed_from is None:
                unarmed = len(event.text)
            for part, armed in ((event.text[:unarmed], False), (event.text[unarmed:], True)):
                if part and not self.stops.stopped:
                    yield from self._taken(self.stops.add(part, armed))
            if self.stops.stopped:
                self.stopped = self.stops.match
                yield from self._cut()

    def _taken(self, text: str) -> Iterator[ParseEvent]:
        """Text that the stops let through, as the events it came by."""
        count = len(text)
        while count:
            event = self._queue.popleft()
            if len(event.text) > count:
                first, rest = split(event, count)
                self._queue.appendleft(rest)
                event = first
            count -= len(event.text)
            yield event

    def _cut(self) -> Iterator[ParseEvent]:
        """What is left behind a stop: the stop itself unless it was included, then what came with it."""
        assert self.stopped is not None
        count = 0 if self.settings.include_stop else len(self.stopped)
        self.stop_end = self._queue[0].span.start if self._queue else self._last_span_end
        while self._queue:
            event = self._queue.popleft()
            first, rest = split(event, min(count, len(event.text)))
            count -= len(first.text)
            if first.text:
                self.stop_end = first.span.end
                yield dropped(first, "stop")
            if rest.text:
                yield dropped(rest)


def split(event: ParseEvent, count: int) -> tuple[ParseEvent, ParseEvent]:
    """An event of verbatim text as two."""
    cut = event.span.start + count
    return (
        event._replace(text=event.text[:count], span=Span(event.span.start, cut)),
        event._replace(text=event.text[count:], span=Span(cut, event.span.end)),
    )


def dropped(event: ParseEvent, note: str = "after the stop") -> ParseEvent:
    return event._replace(kind=Kind.DROPPED, note=note)


def replay(
    tokenizer: Tokenizer,
    ids: Sequence[int],
    settings: StreamSettings,
    sizes: Iterable[int] | None = None,
    strategy: Strategy = STRATEGIES["bytes"],
    call_id: Callable[[int], str] | None = None,
) -> Replay:
    """The stream of these ids, cut into deltas of the given sizes (ids; one by one if not given).

    >>> from tokcore.pipeline import Tokenizer
    >>> model = {"vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}
    >>> tokenizer = Tokenizer.from_str('{"decoder": {"type": "Fuse"}, "model": %s}' % str(model).replace("'", '"'))
    >>> done = replay(tokenizer, [0, 1, 2, 0], StreamSettings(stops=("bc",)), sizes=[2, 2])
    >>> done.message["content"], done.finish_reason, done.used, done.steps[0].held[0].reason
    ('a', 'stop', 3, "'b' may become 'bc'")
    """
    ids = tuple(checked_ids(ids))
    cut_off = settings.max_tokens is not None and len(ids) > settings.max_tokens
    ids = ids[: settings.max_tokens] if cut_off else ids
    stream = Stream(tokenizer, settings, strategy, call_id)
    steps, texts = [], []
    for index, (start, part) in enumerate((*parts_of(ids, sizes), (len(ids), ()))):
        events = stream.add(part) if part else stream.finish()
        texts.append(stream.text)
        deltas = tuple(stream.deltas_of(events))
        steps.append(StreamStep(index, start, part, stream.text, tuple(events), deltas, stream.held(), stream.stopped))
        if stream.stopped is not None and part:
            break
    message = join_deltas(delta for step in steps for delta in step.deltas)
    used = len(ids)
    if stream.stopped is not None:
        used = ids_for(tokenizer, ids[: steps[-1].start + len(steps[-1].ids)], stream.stop_end, settings)
    return Replay(tuple(steps), message, finish_reason(stream, message, cut_off), used, "".join(texts))


def may_skip_special_tokens(tokenizer: Tokenizer, tools: str | None) -> bool:
    """Whether special tokens can be left out of the text: not where the format's markers are such tokens.

    Markers that were left out would be gone before anything reads them.
    """
    special = {token.content for token in tokenizer.added_tokens.values() if token.special}
    return tools is None or special.isdisjoint(FORMATS[tools].markers)


def parts_of(ids: Sequence[int], sizes: Iterable[int] | None) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(start, ids) of each delta; what the sizes leave over is the last one."""
    start = 0
    for size in sizes if sizes is not None else (1 for _ in ids):
        if start < len(ids) and size > 0:
            yield start, tuple(ids[start : start + size])
            start += size
    if start < len(ids):
        yield start, tuple(ids[start:])


def ids_for(tokenizer: Tokenizer, ids: Sequence[int], characters: int, settings: StreamSettings) -> int:
    """How many ids it takes until so many characters are complete."""
    detokenizer = IncrementalDetokenizer(tokenizer, settings.skip_special_tokens)
    complete = 0
    for index, id in enumerate(ids):
        complete += len(detokenizer.add([id]))
        if complete >= characters:
            return index + 1
    return len(ids)


def finish_reason(stream: Stream, message: Mapping[str, Any], cut_off: bool) -> str:
    """OpenAI's word for why it ended."""
    if stream.stopped is not None:
        return "stop"
    if cut_off:
        return "length"
    return "tool_calls" if message.get("tool_calls") else "stop"
