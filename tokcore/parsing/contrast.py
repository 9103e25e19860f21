"""For contrast: the parser that many servers ship, and why it is wrong."""

from __future__ import annotations

from tokcore.parsing.engine import Engine
from tokcore.parsing.events import Kind, ParseEvent
from tokcore.parsing.output import OutputParser
from tokcore.spans import Span


class PerDeltaParser(OutputParser):
    """Wrong on purpose: looks for markers in each delta alone.

    >>> parser = PerDeltaParser()
    >>> [parser.feed(delta) for delta in ("<thi", "nk>Hm</think>", "Hi")]
    [[{'content': '<thi'}], [{'content': 'nk>Hm</think>'}], [{'content': 'Hi'}]]

    Wrong because: a marker that two deltas share is never seen, so half of it reaches the client and what follows is
    taken for what came before; of a call that goes on in the next delta the rest comes out as content. Fed with whole
    tags it looks right, which is why tests with one tag a delta pass. All it remembers is whether it is in reasoning;
    nothing is ever held.

    Same interface as OutputParser; it runs the same tables, on every delta as if that were the whole output.
    """

    held, reason = "", None
    _place = _calls = 0
    _inside: str | None = None
    _begun = False

    def events(self, delta: str, final: bool = False) -> list[ParseEvent]:
        if not self._begun:
            self._begun, self._inside = True, self._start
        engine = Engine(self._spec, self._schemas, self._inside)
        events = [self._moved(event) for event in engine.feed(delta, final=True)]
        self._place += len(delta)
        self._calls += sum(event.kind is Kind.CALL for event in events)
        self._inside = engine.state if engine.state == self._spec.reasons_in else "content"
        return events

    @property
    def state(self) -> str:
        return self._inside or self._spec.start

    def _moved(self, event: ParseEvent) -> ParseEvent:
        call = None if event.call is None else event.call + self._calls
        return event._replace(call=call, span=Span(event.span.start + self._place, event.span.end + self._place))
