"""Streams of chat completion chunks: read, put together, written, and checked against what clients expect."""

from __future__ import annotations

from tokcore.deltas.assemble import assemble, join_deltas
from tokcore.deltas.lint import Report, lint
from tokcore.deltas.sse import chunks_of, read_log, write_sse

__all__ = ("Report", "assemble", "chunks_of", "join_deltas", "lint", "read_log", "write_sse")
