"""POST /v1/chat/completions: an OpenAI-compatible answer that the request itself brings along."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from flask import Blueprint, Response, request

from app.api.body import json_response
from app.api.chat_chunks import Answer, Frame
from app.api.chat_fields import read_body_members
from app.api.chat_job import job_of
from app.api.chat_line import Line
from app.api.chat_nasty import Chunk, event_text, nasty_chunks, writes
from app.api.chat_replay import cut_words
from app.api.chat_request import read_request
from app.board import board
from app.errors import log_unexpected, openai_members, unexpected

blueprint = Blueprint("api_chat_completions", __name__)


@blueprint.post("/v1/chat/completions")
def chat_completions() -> Response:
    """{model, messages, replay?, …} → a completion, or its chunks as server-sent events."""
    shared = board()
    chat = read_request(read_body_members(), shared.settings)
    name = shared.catalogue.entry(chat.model).name
    job = job_of(chat, shared.catalogue.tokenizer(chat.model), shared.settings)
    frame = Frame(f"chatcmpl-{secrets.token_hex(12)}", int(time.time()), name, chat.n)
    if chat.stream:
        line = Line(request.environ.get("gunicorn.socket"), shared.settings.stall_seconds)
        steps = frame.chunks(Answer(job), chat.include_usage)
        body = sent(steps, line, chat.replay.nasty, len(job.sizes), chat.replay.delay_ms)
        response = Response(body, content_type="text/event-stream; charset=utf-8")
        # For proxies that would collect an answer before they pass it on.
        response.headers["X-Accel-Buffering"] = "no"
    else:
        response = json_response(frame.completion(Answer(job)))
    response.headers["X-Replay-Cut"] = cut_words(job.sizes)
    return response


def sent(
    steps: Iterable[Sequence[Chunk | None]], line: Line, nasty: frozenset[str], deltas: int, delay_ms: int
) -> Iterator[bytes]:
    """The body of a streamed answer, part by part as it is to be written; ends where the client leaves or stalls.

    `steps`: the chunks of the role, of each of `deltas` deltas, of the end. Pauses stand between deltas.
    """
    kept: list[bytes] = []
    with_end: Iterable[Sequence[Chunk | None]] = chain(steps, [[None]])
    try:
        for number, chunks in enumerate(with_end):
            if delay_ms and 1 < number <= deltas and not line.pause(delay_ms / 1000):
                return
            for raw in encoded(chunks, nasty):
                if "one_write" in nasty:
                    kept.append(raw)
                else:
                    yield from line.parts(raw)
                if line.is_closed:
                    return
        yield from line.parts(b"".join(kept))
    except Exception as error:
        # The status has gone out: what is left is to say it in the stream, as OpenAI does.
        reference = log_unexpected(type(error), error.__traceback__, "POST stream")
        yield event_text({"error": openai_members(unexpected(reference), None)}, frozenset()).encode()


def encoded(chunks: Iterable[Chunk | None], nasty: frozenset[str]) -> Iterator[bytes]:
    """The writes that carry some chunks; None is the end."""
    for chunk in chunks:
        for sent_chunk in (None,) if chunk is None else nasty_chunks(chunk, nasty):
            yield from writes(event_text(sent_chunk, nasty).encode(), nasty)
