"""Replays, kept for a while in small blocks, so that a page can show any part of a long stream."""

from __future__ import annotations

import hashlib
import pickle
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import Any

from app.stream_input import StreamForm
from app.stream_request import StreamRequest
from tokcore.deltas import join_deltas
from tokcore.generation import Held, Stream, StreamSettings, StreamStep, finish_reason, ids_for, parts_of
from tokcore.parsing import Kind
from tokcore.pipeline import Tokenizer

BLOCK_STEPS = 128
HELD_LIMIT = 240
RUN_SECONDS = 100.0
RUNS_LIMIT = 100
WEIGHT_LIMIT_BYTES = 96_000_000
AGE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Totals:
    """What a whole stream comes to. `steps` are the deltas, and the end of the stream where no stop ended it before.

    `longest_hold` counts the tokens that came while something was held without a break.
    """

    ids: int
    deltas: int
    steps: int
    out_characters: int
    dropped_characters: int
    holding_steps: int
    longest_hold: int


@dataclass(frozen=True, slots=True)
class Run:
    """A finished replay: its steps in packed blocks, each with the message that its own deltas make.

    `tokenizer` is a catalogue name; with it and the settings a window can be drawn without the form. `cut_at`: how many
    ids were streamed when the time for it was over, None where it was enough.
    """

    tokenizer: str
    settings: StreamSettings
    blocks: tuple[bytes, ...]
    joined: tuple[Mapping[str, Any], ...]
    totals: Totals
    message: Mapping[str, Any]
    finish_reason: str
    used: int
    cut_at: int | None = None

    def steps(self, start: int, stop: int) -> list[StreamStep]:
        """The steps from `start` to before `stop`."""
        first, found = start // BLOCK_STEPS, []
        for block in self.blocks[first : -(-stop // BLOCK_STEPS)]:
            found += unpacked(block)
        return found[start - first * BLOCK_STEPS : stop - first * BLOCK_STEPS]

    def message_before(self, step: int) -> Mapping[str, Any]:
        """What a client has assembled when step `step` is still to come."""
        whole, rest = divmod(step, BLOCK_STEPS)
        part = [delta for taken in self.steps(whole * BLOCK_STEPS, step) for delta in taken.deltas] if rest else []
        return join_deltas([*self.joined[:whole], *part])

    @property
    def weight_bytes(self) -> int:
        return sum(map(len, self.blocks))


def run(
    tokenizer: Tokenizer,
    name: str,
    request: StreamRequest,
    *,
    goes_on: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Run:
    """The whole stream of a request, or what RUN_SECONDS allow; of the steps only the packed form is kept in memory.

    `goes_on`: these ids are only the beginning, so there is no step for the end.
    """
    deadline = clock() + RUN_SECONDS
    cut_at = None
    cut_off, ids = request.generated
    stream = Stream(tokenizer, request.settings, request.strategy)
    blocks: list[bytes] = []
    joined: list[Mapping[str, Any]] = []
    block: list[StreamStep] = []
    counter = Counter()

    def close() -> None:
        blocks.append(packed(block))
        joined.append(join_deltas(delta for step in block for delta in step.deltas))
        block.clear()

    last = None
    for last in steps_of(stream, ids, request.sizes):
        if goes_on and not last.ids:
            break
        counter.add(last)
        block.append(last)
        if len(block) == BLOCK_STEPS:
            close()
            if clock() > deadline:
                cut_at = last.start + len(last.ids)
                break
    if block:
        close()
    assert last is not None
    message = join_deltas(joined)
    used = len(ids) if cut_at is None else cut_at
    if stream.stopped is not None:
        used = ids_for(tokenizer, ids[: last.start + len(last.ids)], stream.stop_end, request.settings)
    reason = finish_reason(stream, message, cut_off or cut_at is not None)
    totals = counter.totals(len(ids) if cut_at is None else cut_at)
    return Run(name, request.settings, tuple(blocks), tuple(joined), totals, message, reason, used, cut_at)


def steps_of(stream: Stream, ids: Sequence[int], sizes: Iterable[int]) -> Iterator[StreamStep]:
    """The steps of `tokcore.generation.replay`, one at a time; of what is held long only the beginning is kept."""
    for index, (start, part) in enumerate(chain(parts_of(ids, sizes), [(len(ids), ())])):
        events = stream.add(part) if part else stream.finish()
        deltas = stream.parser.deltas_of([event for event in events if event.kind is not Kind.DROPPED])
        yield StreamStep(
            index,
            start,
            part,
            stream.text,
            tuple(events),
            tuple(deltas),
            tuple(map(clipped, stream.held())),
            stream.stopped,
        )
        if stream.stopped is not None and part:
            return


def clipped(held: Held) -> Held:
    """What is held, its beginning where it is long: a call that does not end would be kept anew with each step.

    >>> clipped(Held("markup", "x" * 900, b"", "it may become a call")).reason
    'it may become a call; the first 240 of 900 characters'
    """
    characters, count = len(held.text), len(held.raw)
    if characters <= HELD_LIMIT and count <= HELD_LIMIT:
        return held
    longer = f"{characters:,} characters" if held.text else f"{count:,} bytes"
    reason = f"{held.reason}; the first {HELD_LIMIT} of {longer}"
    return Held(held.stage, held.text[:HELD_LIMIT], held.raw[:HELD_LIMIT], reason)


class Counter:
    """Adds up what passes by."""

    def __init__(self) -> None:
        self.deltas = self.steps = self.out = self.dropped = self.holding = self.longest = self._since = 0

    def add(self, step: StreamStep) -> None:
        self.steps += 1
        self.deltas += bool(step.ids)
        for event in step.events:
            if event.kind is Kind.DROPPED:
                self.dropped += len(event.text)
            else:
                self.out += len(event.text)
        if step.held:
            self.holding += 1
            self._since += len(step.ids)
            self.longest = max(self.longest, self._since)
        else:
            self._since = 0

    def totals(self, ids: int) -> Totals:
        return Totals(ids, self.deltas, self.steps, self.out, self.dropped, self.holding, self.longest)


def packed(steps: list[StreamStep]) -> bytes:
    return zlib.compress(pickle.dumps(steps, protocol=5), 1)


def unpacked(block: bytes) -> list[StreamStep]:
    """Steps that this process packed itself; nothing from outside is ever read this way."""
    steps: list[StreamStep] = pickle.loads(zlib.decompress(block))
    return steps


class Runs:
    """A bounded cache, safe between threads: key → Run; what was used longest ago goes first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[Run, float]] = OrderedDict()

    def get(self, key: str) -> Run | None:
        """The run of a key, None where this process has none (any more)."""
        with self._lock:
            found = self._kept.get(key)
            if found is None or self._clock() - found[1] > AGE_SECONDS:
                self._kept.pop(key, None)
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: str, run: Run) -> None:
        with self._lock:
            self._kept[key] = (run, self._clock())
            self._kept.move_to_end(key)
            for old in list(self._too_many()):
                del self._kept[old]

    def _too_many(self) -> Iterator[str]:
        """The oldest keys above the bounds; the newest always stays."""
        count, weight = len(self._kept), sum(run.weight_bytes for run, _ in self._kept.values())
        for key, (run, _) in list(self._kept.items())[:-1]:
            if count <= RUNS_LIMIT and weight <= WEIGHT_LIMIT_BYTES:
                return
            count, weight = count - 1, weight - run.weight_bytes
            yield key


def run_key(tokenizer: str, form: StreamForm) -> str:
    """32 hex digits that name a tokenizer and all of a form but the step shown; they tell nothing about the text."""
    state = sorted((name, value) for name, value in form.state("").items() if name not in ("step", "tokenizer"))
    return hashlib.sha256(repr((tokenizer, state)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
