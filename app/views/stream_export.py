"""The stream lab's downloads: an SSE file, a trace, a test case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from app.stream_input import StreamForm
from app.stream_request import StreamRequest
from app.stream_runs import BLOCK_STEPS, Run
from tokcore.deltas import chunks_of, write_sse
from tokcore.generation import StreamSettings, StreamStep

CHUNKS_A_PART = 500


def sse_text(run: Run, model: str) -> Iterator[str]:
    """The deltas as OpenAI's chunks, a block of them at a time, with usage at the end."""
    deltas = (delta for steps in blocks(run) for step in steps for delta in step.deltas)
    usage = {"prompt_tokens": 0, "completion_tokens": run.used, "total_tokens": run.used}
    chunks = chunks_of(deltas, finish_reason=run.finish_reason, usage=usage, model=model)
    while some := list(islice(chunks, CHUNKS_A_PART)):
        yield write_sse(some, done=False)
    yield write_sse([])


def trace_parts(form: StreamForm, tokenizer: str, request: StreamRequest, run: Run) -> Iterator[str]:
    """One object; its `steps` come a block at a time."""
    head = {
        "tokenizer": tokenizer,
        "strategy": request.strategy.name,
        "settings": settings_of(request.settings),
        "finish_reason": run.finish_reason,
        "used": run.used,
        "message": run.message,
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "steps": ['
    between = "\n"
    for steps in blocks(run):
        yield between + ",\n".join(json.dumps(step_object(step), ensure_ascii=False) for step in steps)
        between = ",\n"
    yield "\n]}\n"


def case_json(tokenizer: str, request: StreamRequest, right: Run) -> str:
    """What a test needs: docs/stream-lab.md says how to use it. `expected` is the exact strategy's answer."""
    case = {
        "tokenizer": tokenizer,
        "ids": list(request.ids),
        "sizes": list(request.sizes),
        "settings": settings_of(request.settings),
        "expected": {"message": right.message, "finish_reason": right.finish_reason, "used": right.used},
    }
    return json.dumps(case, ensure_ascii=False, indent=1) + "\n"


def settings_of(settings: StreamSettings) -> dict[str, Any]:
    """The settings as JSON, by the names of StreamSettings; lists stand for its tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}


def step_object(step: StreamStep) -> dict[str, Any]:
    """A step as JSON: spans in code points of the whole output, held bytes in hex."""
    events = [
        {
            "kind": event.kind.name.lower(),
            "text": event.text,
            "call": event.call,
            "span": [event.span.start, event.span.end],
            "note": event.note,
        }
        for event in step.events
    ]
    held = [
        {"stage": part.stage, "text": part.text, "bytes": part.raw.hex(), "reason": part.reason} for part in step.held
    ]
    return {
        "step": step.index + 1,
        "start": step.start,
        "ids": list(step.ids),
        "text": step.text,
        "events": events,
        "deltas": list(step.deltas),
        "held": held,
        "stopped": step.stopped,
    }


def blocks(run: Run) -> Iterator[list[StreamStep]]:
    for start in range(0, run.totals.steps, BLOCK_STEPS):
        yield run.steps(start, start + BLOCK_STEPS)
