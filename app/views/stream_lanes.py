"""Steps of a stream as columns: tokens, bytes, text out, held and dropped, events, deltas, on one axis."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.views.stream_words import DROPPED_WORDS, EVENT_WORDS, reason, sentence
from app.views.visible import Kind as RunKind
from app.views.visible import Run, code_point, visible_runs
from tokcore.generation import StreamSettings, StreamStep
from tokcore.parsing import Kind, ParseEvent
from tokcore.pipeline import Tokenizer

COLOURS = 6
# A delta that lets go of a long hold, or a step of thousands of tokens, stays a column.
CELL_CHARACTERS = 600
CELL_TOKENS = 48
CELL_BYTES = 96


@dataclass(frozen=True, slots=True)
class TokenChip:
    """One token of a column: what stands on it, its id, its classes."""

    id: int
    runs: tuple[Run, ...]
    css: str
    name: str


@dataclass(frozen=True, slots=True)
class ByteMark:
    """Two hex digits and whether the byte is still held behind this step."""

    hex: str
    held: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of text in a lane: `css` is its kind, `note` why it is there, `more` counts characters not drawn."""

    runs: tuple[Run, ...]
    css: str
    note: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """One step as drawn; `number` counts from 1, `more_tokens` are tokens of the step that are not drawn."""

    number: int
    tokens: tuple[TokenChip, ...]
    more_tokens: int
    bytes: tuple[ByteMark, ...]
    more_bytes: int
    out: tuple[Stretch, ...]
    held: tuple[Stretch, ...]
    dropped: tuple[Stretch, ...]
    events: tuple[tuple[str, str], ...]
    deltas: tuple[str, ...]
    sentence: str
    is_end: bool
    stopped: bool


def columns(steps: Sequence[StreamStep], tokenizer: Tokenizer, settings: StreamSettings) -> tuple[Column, ...]:
    drawer = Drawer(tokenizer, settings)
    return tuple(drawer.column(step) for step in steps)


class Drawer:
    """Draws steps of one tokenizer; a token's look is made once."""

    def __init__(self, tokenizer: Tokenizer, settings: StreamSettings) -> None:
        self._tokenizer = tokenizer
        self._skip = settings.skip_special_tokens
        self._looks: dict[int, tuple[tuple[Run, ...], str, str, bytes]] = {}

    def column(self, step: StreamStep) -> Column:
        looks = [self._look(id) for id in step.ids]
        tokens = tuple(
            TokenChip(id, runs, css or f"t k{(step.start + place) % COLOURS}", name)
            for place, (id, (runs, css, name, _)) in enumerate(zip(step.ids, looks, strict=True))
        )
        raw = b"".join(data for *_, data in looks)
        waiting = sum(len(part.raw) for part in step.held)
        marks = tuple(ByteMark(f"{byte:02X}", place >= len(raw) - waiting) for place, byte in enumerate(raw))
        out = [event for event in step.events if event.kind is not Kind.DROPPED and event.text]
        dropped = [event for event in step.events if event.kind is Kind.DROPPED and event.text]
        return Column(
            number=step.index + 1,
            tokens=tokens[:CELL_TOKENS],
            more_tokens=max(0, len(tokens) - CELL_TOKENS),
            bytes=marks[-CELL_BYTES:],
            more_bytes=max(0, len(marks) - CELL_BYTES),
            out=tuple(stretch(event.text, f"out-{event.kind.name.lower()}") for event in out),
            held=tuple(
                stretch(part.text, "held", reason(part))
                if part.text
                else Stretch(hex_runs(part.raw[-CELL_BYTES:]), "held", reason(part))
                for part in step.held
            ),
            dropped=tuple(
                stretch(event.text, "dropped", DROPPED_WORDS.get(event.note, event.note)) for event in dropped
            ),
            events=tuple(event_words(event) for event in step.events),
            deltas=tuple(visible_json(delta) for delta in step.deltas),
            sentence=sentence(step, [name for _, _, name, _ in looks]),
            is_end=not step.ids,
            stopped=step.stopped is not None,
        )

    def _look(self, id: int) -> tuple[tuple[Run, ...], str, str, bytes]:
        """What stands on a token, its classes ("" for a colour in turn), its name, its bytes."""
        if id not in self._looks:
            token = self._tokenizer.id_to_token(id) if id >= 0 else None
            if token is None:
                nothing = Run(RunKind.NAMED, "", f"no token {id}", f"id {id} has no token")
                self._looks[id] = ((nothing,), "t unknown", "", b"")
            else:
                raw = self._tokenizer.token_bytes(id)
                added = id in self._tokenizer.added_tokens
                runs = visible_runs(token) if added else byte_runs(raw)
                name = "".join(f"<{run.sign}>" if run.name.startswith("byte ") else run.text for run in runs)
                sent = self._tokenizer.token_bytes(id, skip_special_tokens=self._skip)
                self._looks[id] = (runs, "t add" if added else "", name, sent)
        return self._looks[id]


def byte_runs(raw: bytes) -> tuple[Run, ...]:
    r"""Bytes as text; those that are no character by themselves as two hex digits each.

    >>> [(run.kind.value, run.sign) for run in byte_runs(b"a\xf0\x9f")]
    [('text', 'a'), ('nm', 'F0'), ('nm', '9F')]
    """
    runs: list[Run] = []
    for run in visible_runs(raw.decode("utf-8", "surrogateescape")):
        code = ord(run.text) if len(run.text) == 1 else 0
        runs.append(hex_run(code - 0xDC00) if 0xDC80 <= code <= 0xDCFF else run)
    return tuple(runs)


def hex_run(byte: int) -> Run:
    return Run(RunKind.NAMED, f"{byte:02X}", f"{byte:02X}", f"byte {byte:02X}")


def hex_runs(raw: bytes) -> tuple[Run, ...]:
    return tuple(map(hex_run, raw))


def stretch(text: str, css: str, note: str = "") -> Stretch:
    return Stretch(visible_runs(text[:CELL_CHARACTERS]), css, note, max(0, len(text) - CELL_CHARACTERS))


def event_words(event: ParseEvent) -> tuple[str, str]:
    """The kind of an event as a class name, and the words for it."""
    words = EVENT_WORDS[event.kind]
    if event.kind is Kind.CALL:
        words = f"call {event.call}: {event.text}"
    elif event.call is not None and event.kind in (Kind.ARGUMENTS, Kind.CALL_END):
        words = f"arguments {event.call}" if event.kind is Kind.ARGUMENTS else f"call {event.call} ends"
    elif event.kind is Kind.DROPPED:
        words = f"dropped: {DROPPED_WORDS.get(event.note, event.note)}" if event.note else words
    return event.kind.name.lower().replace("_", "-"), words


def visible_json(value: Mapping[str, Any]) -> str:
    r"""JSON on one line in which nothing is invisible: what a screen would hide is written as an escape.

    >>> visible_json({"content": "a\u200d b"})
    '{"content":"a\\u200d b"}'
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(json_escape(run.text) if run.kind is RunKind.NAMED else run.text for run in visible_runs(written))


def json_escape(text: str) -> str:
    """Text as JSON escapes, a character above U+FFFF as two."""
    raw = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at : at + 2].hex()}" for at in range(0, len(raw), 2))


def names_of(text: str) -> dict[str, tuple[str, str]]:
    r"""The hidden characters of a text: what is drawn for each, and its name; for what the browser puts together.

    >>> names_of("a\u200d")
    {'\u200d': ('ZWJ', 'zero width joiner U+200D')}
    """
    runs = visible_runs(text)
    return {run.text: (run.sign or code_point(run.text), run.name) for run in runs if run.kind is RunKind.NAMED}
