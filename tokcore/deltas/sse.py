"""Server-sent events as people have them: a curl log, a copy from a browser, JSON lines; and the writing of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from tokcore.deltas.strict_json import read_json, with_escapes

# Line ends of the event-stream format; U+2028 and its like may stand in a JSON string.
_LINE_END = re.compile(r"\r\n|\r|\n")
_FIELD = re.compile(r"\s*(data|event|id|retry|error):[ ]?")
# Header lines, unknown fields, and what `curl -v` and its progress meter print between the events.
_PASSED_OVER = re.compile(
    r"(?:HTTP/[\d.]+ \d{3}|[<>*] |(?!curl: \()[A-Za-z][\w-]*:|[{}] \[\d+ bytes data\]"
    r"|\s*(?:% Total|Dload|\d+ +[\d.]+[kMG]? +\d)).*"
)
# A row of a browser's event table: kind and perhaps id before the data, the time after it.
_TABLE_ROW = re.compile(r"(?:[^\t{}]*\t){1,2}(?=\{)")
_TABLE_TIME = re.compile(r"[\t ]+\d{1,2}:\d{2}:\d{2}[.\d]*(?: ?[AP]M)?\Z")


class RecordKind(Enum):
    """What a record of a log is; STRAY is a line that no client reads."""

    VALUE = "value"
    DONE = "done"
    BROKEN = "broken"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a log, with the lines it stands on, counted from 1.

    >>> read_log('event: x\\ndata: {"a": 1}\\n\\n').records[0].value
    {'a': 1}

    `text` is the data, `value` its JSON (None unless VALUE), `problem` what is wrong with a BROKEN one, `cut` whether
    its JSON is right as far as it goes. `name` is "data", "error", or "" for JSON without a field name. `run_on`: no
    empty line stands between it and the event before, in a log that has such lines.
    """

    kind: RecordKind
    first: int
    last: int
    text: str
    value: Any = None
    problem: str = ""
    cut: bool = False
    name: str = ""
    event: str = ""
    run_on: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """A log read: its lines and its records in order; `framed`: some line has a `data:` field."""

    lines: tuple[str, ...]
    records: tuple[Record, ...]
    framed: bool


@dataclass(slots=True)
class _Open:
    """Lines that may belong to one event."""

    name: str = ""
    event: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)


def read_log(text: str | bytes) -> Log:
    r"""A log as records; nothing in it is an error.

    >>> log = read_log(': hi\r\ndata: {"id": "a"}\r\n\r\ndata: {"id":\r\n\r\ndata: [DONE]\r\n\r\n')
    >>> [(record.kind.value, record.first) for record in log.records]
    [('value', 2), ('broken', 4), ('done', 6)]

    Lines end in LF, CRLF or CR. Where no empty line stands between events (copies lose them), each line whose data is
    whole is an event. Lines without a field name are read too: one object a line, or an object over several lines.
    Comments, headers, other fields and what curl prints are passed over. Cost is linear.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    separated = _has_separators(lines)
    records: list[Record] = []
    framed = False
    opened = _Open()

    def close() -> None:
        nonlocal opened
        if opened.lines:
            records.extend(_events(opened, separated))
        opened = _Open()

    for number, line in enumerate(lines, start=1):
        if not line or line.isspace():
            close()
            continue
        if line.startswith(":"):
            continue
        named = _FIELD.match(line)
        if named is not None:
            name, value = named[1], line[named.end() :]
            if name == "event":
                if not separated or opened.name == "":
                    close()
                opened.event, opened.name = value, "data"
            elif name in ("data", "error"):
                framed = True
                if opened.lines and opened.name != name:
                    close()
                opened.name = name
                opened.lines.append((number, value))
        elif opened.lines and opened.name == "" and not line.startswith("{"):
            opened.lines.append((number, line))
            if line.rstrip() in ("}", "},"):
                close()
        elif line.lstrip().startswith(("{", "[DONE")) and not _PASSED_OVER.fullmatch(line):
            close()
            records_of_line = _bare(number, line)
            if records_of_line is None:
                opened.lines.append((number, line))
            else:
                records.append(records_of_line)
        elif (row := _TABLE_ROW.match(line)) is not None:
            close()
            records.append(_record(number, number, _TABLE_TIME.sub("", line[row.end() :]), _Open()))
        elif line.strip() not in ("[", "]", ",") and not _PASSED_OVER.fullmatch(line):
            close()
            records.append(Record(RecordKind.STRAY, number, number, line))
    close()
    return Log(tuple(lines), tuple(records), framed)


def _has_separators(lines: list[str]) -> bool:
    """Whether an empty line stands between two lines of data."""
    gap = seen = False
    for line in lines:
        if not line or line.isspace():
            gap = seen
        elif line.lstrip().startswith("data:"):
            if gap:
                return True
            seen = True
    return False


def _bare(number: int, line: str) -> Record | None:
    """A line that is JSON without a field name; None where it may go on in the next line."""
    if line.rstrip()[-1:] in ("{", "[", ",", ":") and not line.rstrip().endswith("},"):
        return None
    record = _record(number, number, _TABLE_TIME.sub("", line.strip()).removesuffix(","), _Open())
    return None if record.kind is RecordKind.BROKEN and record.cut and record.text[-1:] in "{[,:}]" else record


def _events(opened: _Open, separated: bool) -> Iterator[Record]:
    """The records of some lines of data: one for all where together they are JSON, else one for each."""
    lines = opened.lines
    if len(lines) > 1:
        alone = [_record(number, number, text, opened) for number, text in lines]
        whole = [r.kind is RecordKind.DONE or (r.kind is RecordKind.VALUE and isinstance(r.value, dict)) for r in alone]
        if not all(whole):
            together = "\n".join(text for _, text in lines)
            record = _record(lines[0][0], lines[-1][0], together.removesuffix(","), opened)
            if record.kind is not RecordKind.BROKEN or not any(whole):
                yield record
                return
        for index, record in enumerate(alone):
            run_on = separated and opened.name == "data" and index > 0
            yield replace(record, run_on=True) if run_on else record
        return
    number, text = lines[0]
    yield _record(number, number, text, opened)


def _record(first: int, last: int, text: str, opened: _Open) -> Record:
    if text.strip() == "[DONE]":
        return Record(RecordKind.DONE, first, last, text, name=opened.name, event=opened.event)
    value, problem, cut = parse_json(text)
    if "[DONE]".startswith(text.strip()) and text.strip():
        problem, cut = "it ends inside [DONE]", True
    kind = RecordKind.BROKEN if problem else RecordKind.VALUE
    return Record(kind, first, last, text, value, problem, cut, opened.name, opened.event)


def parse_json(text: str) -> tuple[Any, str, bool]:
    """Strict JSON as (value, what is wrong with it or "", whether only its end is missing).

    >>> parse_json('{"a": [1]}'), parse_json('{"a":')
    (({'a': [1]}, '', False), (None, 'it ends at character 5, inside a value', True))
    """
    parsed = read_json(text)
    return parsed.value, parsed.problem, parsed.cut


def write_sse(chunks: Iterable[Mapping[str, Any]], done: bool = True) -> str:
    r"""Chunks as the body of a streamed answer.

    >>> write_sse([{"id": "a"}])
    'data: {"id":"a"}\n\ndata: [DONE]\n\n'

    Law: reading it back gives the chunks (JSON joins the two halves of a surrogate pair). Surrogates are written as
    escapes, all else as it is.
    """
    events = [json.dumps(chunk, ensure_ascii=False, separators=(",", ":")) for chunk in chunks]
    events += ["[DONE]"] if done else []
    text = "".join(f"data: {event}\n\n" for event in events)
    return with_escapes(text)


def chunks_of(
    deltas: Iterable[Mapping[str, Any]],
    *,
    finish_reason: str | None = "stop",
    usage: Mapping[str, Any] | None = None,
    id: str = "chatcmpl-0",
    model: str = "model",
    created: int = 0,
) -> Iterator[dict[str, Any]]:
    """One chunk a delta, the role first, the reason last, then the usage if there is one.

    >>> [chunk["choices"][0]["delta"] for chunk in chunks_of([{"content": "Hi"}])]
    [{'role': 'assistant', 'content': ''}, {'content': 'Hi'}, {}]
    """
    frame = {"id": id, "object": "chat.completion.chunk", "created": created, "model": model}

    def chunk(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {**frame, "choices": [{"index": 0, "delta": dict(delta), "finish_reason": reason}]}

    yield chunk({"role": "assistant", "content": ""})
    yield from map(chunk, deltas)
    if finish_reason is not None:
        yield chunk({}, finish_reason)
    if usage is not None:
        yield {**frame, "choices": [], "usage": dict(usage)}
