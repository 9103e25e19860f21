"""One output under many cuts: what a parser says, what a client has at the end, and what must hold on the way."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tokcore.parsing import Kind, OutputParser, ParseEvent, merged
from tokcore.spans import Span

SETTINGS: dict[str, dict[str, Any]] = {
    name: {"tools": name, "reasoning": True}
    for name in (
        "hermes",
        "llama3_json",
        "mistral",
        "deepseek_v3",
        "deepseek_v31",
        "qwen3_coder",
        "gpt_oss",
        "pythonic",
    )
}

# For formats with types, and for those whose calls have no marker of their own.
DEFINITIONS = [
    {
        "type": "function",
        "function": {
            "name": "f",
            "parameters": {
                "type": "object",
                "properties": {
                    "s": {"type": "string"},
                    "n": {"type": "integer"},
                    "x": {"type": "number"},
                    "b": {"type": ["boolean", "null"]},
                    "o": {"type": "object"},
                    "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
            },
        },
    },
    {"type": "function", "function": {"name": "g"}},
]


class Told(NamedTuple):
    """All that a parser said of one output."""

    events: list[ParseEvent]
    deltas: list[dict[str, Any]]

    @property
    def message(self) -> dict[str, Any]:
        return joined(self.deltas)

    def text(self, kind: Kind, call: int | None = None) -> str:
        return "".join(event.text for event in self.events if event.kind is kind and event.call == call)


def joined(deltas: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What a client has put together."""
    message: dict[str, Any] = {"reasoning_content": "", "content": "", "tool_calls": []}
    for delta in deltas:
        (key, value), *more = delta.items()
        assert not more, f"one kind a delta: {delta}"
        if key != "tool_calls":
            message[key] += value
            continue
        (call,) = value
        if "id" in call:
            assert call["index"] == len(message["tool_calls"])
            message["tool_calls"].append({**call, "function": dict(call["function"])})
        else:
            assert call.keys() == {"index", "function"} and call["function"].keys() == {"arguments"}
            message["tool_calls"][call["index"]]["function"]["arguments"] += call["function"]["arguments"]
    return message


def stream(pieces: Sequence[str], finish: bool = True, **settings: Any) -> Told:
    """Feeds the pieces, and checks at each step that what is held is a tail and explained."""
    parser = OutputParser(**settings)
    events: list[ParseEvent] = []
    deltas: list[dict[str, Any]] = []
    fed = ""
    for number, piece in enumerate(pieces):
        fed += piece
        step = parser.events(piece, final=finish and number == len(pieces) - 1)
        events += step
        deltas += parser.deltas_of(step)
        assert fed.endswith(parser.held)
        assert (parser.reason is None) == (parser.held == "")
    if finish and not pieces:
        events += parser.events("", final=True)
    return Told(merged(events), deltas)


def said_alike(told: Told) -> tuple[list[ParseEvent], dict[str, Any]]:
    """What must not depend on the cuts."""
    return told.events, told.message


def two_way(text: str) -> Iterator[list[str]]:
    return ([text[:cut], text[cut:]] for cut in range(len(text) + 1))


def at_random(text: str, seed: int) -> list[str]:
    cuts = random.Random(seed)
    edges = sorted(cuts.randrange(len(text) + 1) for _ in range(cuts.randrange(1, 12)))
    return [text[start:end] for start, end in zip([0, *edges], [*edges, len(text)], strict=True)]


def cuttings(text: str, seeds: int = 200) -> Iterator[list[str]]:
    """Character by character, with a final empty piece, at every two-way cut, and at random."""
    yield list(text)
    yield [*text, ""]
    yield from two_way(text)
    for seed in range(seeds):
        yield at_random(text, seed)


def assert_same_at_every_cut(text: str, seeds: int = 200, **settings: Any) -> Told:
    whole = stream([text], **settings)
    for pieces in cuttings(text, seeds):
        assert said_alike(stream(pieces, **settings)) == said_alike(whole), pieces
    return whole


def broken_calls(events: Iterable[ParseEvent]) -> set[int | None]:
    return {event.call for event in events if event.kind is Kind.CALL_END and event.note == "broken"}


def assert_all_accounted_for(text: str, events: list[ParseEvent]) -> None:
    """Each character stands in the span of exactly one event, but for the events of broken calls."""
    broken = broken_calls(events)
    spans = sorted(event.span for event in events if event.call is None or event.call not in broken)
    place = 0
    for span in spans:
        assert span.start == place, f"{Span(place, span.start).cut(text)!r} is missing or told twice"
        place = span.end
    assert place == len(text)
    for event in events:
        if event.kind in (Kind.CONTENT, Kind.REASONING, Kind.DROPPED):
            assert event.span.cut(text) == event.text


def assert_calls_well_formed(told: Told) -> None:
    """A call's name, then its arguments, then its end; complete ones hold a JSON object."""
    ends = {event.call: event.note for event in told.events if event.kind is Kind.CALL_END}
    for index in range(len(told.message["tool_calls"])):
        kinds = [event.kind for event in told.events if event.call == index and event.kind is not Kind.DROPPED]
        assert kinds[0] is Kind.CALL and kinds[-1] is Kind.CALL_END
        assert set(kinds[1:-1]) <= {Kind.ARGUMENTS}
        arguments = told.text(Kind.ARGUMENTS, index)
        assert arguments == told.message["tool_calls"][index]["function"]["arguments"]
        if ends[index] == "":
            assert isinstance(json.loads(arguments), dict)
    assert told.message["content"] == told.text(Kind.CONTENT)
    assert told.message["reasoning_content"] == told.text(Kind.REASONING)
