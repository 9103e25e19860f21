"""One answer of a log, checked record by record and put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokcore.deltas.assemble import Assembler, as_index, is_index
from tokcore.deltas.calls import kind_of, shown
from tokcore.deltas.choice import ChoiceCheck
from tokcore.deltas.findings import Finding, Findings
from tokcore.deltas.sse import Record, RecordKind
from tokcore.deltas.strict_json import quoted

CHUNK = "chat.completion.chunk"
_FRAME = (
    *("id", "object", "created", "model", "system_fingerprint", "service_tier", "choices", "usage", "obfuscation"),
    *("provider", "kv_transfer_params", "moderation"),
)
_USAGE = ("prompt_tokens", "completion_tokens", "total_tokens")
# What other streams have in their events, most telling first.
_OTHER_FORMATS = (
    ("candidates", "it is an event of Gemini's own API"),
    ("done", "it is an event of Ollama's own API; /v1/chat/completions has the chunks"),
    ("message", "it is an event of another API"),
    ("tokens_predicted", "it is an event of llama.cpp's /completion; /v1/chat/completions has the chunks"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a log: its lines, how many chunks it has, whether [DONE] followed, and what a client has of it."""

    first: int
    last: int
    chunks: int
    done: bool
    completion: Mapping[str, Any]


class AnswerCheck:
    """Takes the records of one answer, in order."""

    def __init__(self, first: int, stops: Sequence[str]) -> None:
        self._first = self._last = self._last_chunk = first
        self._stops = stops
        self._findings = Findings()
        self._assembler = Assembler()
        self._choices: dict[int, ChoiceCheck] = {}
        self._frame: dict[str, tuple[Any, int]] = {}
        self._chunks = 0
        self._framed = False
        self._done_line = 0
        self._bare_line = 0
        self._usage_line = 0
        self._last_has_usage = False
        self._is_broken = self._is_cut = self._has_error = False

    def is_followed_by(self, record: Record) -> bool:
        """Whether a record begins another answer."""
        if record.kind is not RecordKind.VALUE or not isinstance(record.value, dict):
            return bool(self._done_line) and record.kind is RecordKind.BROKEN
        id, known = record.value.get("id"), self._frame.get("id", ("", 0))[0]
        if self._done_line:
            return self._chunks == 0 or (id != known if id and known else _begins(record.value))
        finished = bool(self._choices) and all(choice.reason is not None for choice in self._choices.values())
        return finished and bool(id and known) and id != known and _begins(record.value)

    def take(self, record: Record, is_last: bool) -> None:
        """Check one record; `is_last`: the log ends with it."""
        self._last = record.last
        if record.kind is RecordKind.DONE:
            if self._done_line:
                self._add(record.first, "after-done", f"a second [DONE]; the first stands in line {self._done_line}")
            self._done_line = self._done_line or record.first
        elif record.kind is RecordKind.BROKEN:
            self._is_broken = True
            self._is_cut = is_last and record.cut
            rule = "cut-off" if self._is_cut else "broken-json"
            self._findings.add(record.first, rule, f"the data of this event: {record.problem}")
        elif record.kind is RecordKind.VALUE:
            self._framed = record.name != ""
            self._take_value(record)

    def end_is_cut(self) -> None:
        """What comes after the last record was to be a part of this answer."""
        self._is_broken = self._is_cut = True

    def finish(self) -> None:
        """Report what only the end shows."""
        for number in sorted(self._choices):
            self._choices[number].finish(whole=not (self._is_broken or self._has_error))
        if self._bare_line:
            self._add(self._bare_line, "usage-missing", "choices is [] in the last chunk, and usage is missing or null")
        elif self._usage_line and not self._last_has_usage:
            self._add(self._usage_line, "usage-early", f"the last chunk, in line {self._last_chunk}, has no usage")
        if self._framed and self._chunks and not (self._done_line or self._is_cut or self._has_error):
            self._add(self._last, "done-missing", "the answer ends here, without [DONE]")

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self._findings.sorted()

    def answer(self) -> Answer | None:
        """The answer, None where there was no chunk."""
        if not self._chunks:
            return None
        return Answer(self._first, self._last, self._chunks, bool(self._done_line), self._assembler.completion())

    def _add(self, line: int, rule: str, what: str) -> None:
        self._findings.add(line, rule, what, key=())

    def _take_value(self, record: Record) -> None:
        value, line = record.value, record.first
        if not isinstance(value, dict):
            self._add(line, "not-a-chunk", f"it is {kind_of(value)}")
            return
        if value.get("error") or "error" in (record.name, record.event, value.get("object")):
            self._has_error = True
            self._findings.add(line, "error-object", _message(value, record.name))
            if "choices" not in value:
                return
        other = _other_format(value)
        if other is not None:
            self._add(line, "not-a-chunk", other)
        elif self._done_line:
            self._add(line, "after-done", f"[DONE] stands in line {self._done_line}; clients do not read this")
        else:
            self._chunks += 1
            self._last_chunk = line
            self._assembler.add(value)
            self._take_chunk(value, line)

    def _take_chunk(self, chunk: dict[str, Any], line: int) -> None:
        if self._bare_line:
            self._add(self._bare_line, "empty-chunk", "choices is [], and there is no usage")
            self._bare_line = 0
        choices = chunk.get("choices")
        extra = any(value for name, value in chunk.items() if name not in _FRAME)
        # Events of Azure's content filter have an empty frame; the client passes them over.
        if not (chunk.get("object") == "" and (extra or _is_filter(choices))):
            self._take_frame(chunk, line)
        usage = self._take_usage(chunk.get("usage"), line)
        if not isinstance(choices, list):
            self._add(line, "choices-missing", f"choices is {kind_of(choices)}")
            return
        brings = [self._take_choice(position, choice, line) for position, choice in enumerate(choices)]
        if not (usage or extra or any(brings)):
            if choices:
                self._add(line, "empty-chunk", "nothing is in its delta")
            else:
                self._bare_line = line

    def _take_choice(self, position: int, choice: object, line: int) -> bool:
        if not isinstance(choice, Mapping):
            self._add(line, "choice-index", f"a choice is {kind_of(choice)}")
            return True
        index = choice.get("index")
        known = as_index(index)
        number = position if known is None else known
        if not is_index(index):
            self._add(line, "choice-index", f"a choice with index {shown(index)}")
        if number not in self._choices:
            self._choices[number] = ChoiceCheck(number, self._findings, self._stops)
        return self._choices[number].take(choice, line)

    def _take_frame(self, chunk: dict[str, Any], line: int) -> None:
        if chunk.get("object") != CHUNK:
            self._add(line, "object-wrong", f"object is {shown(chunk.get('object'))}")
        for name in ("id", "model", "created"):
            value = chunk.get(name)
            if not value:
                continue
            known, known_line = self._frame.setdefault(name, (value, line))
            if value != known:
                what = f"{name} is {shown(value)} here and was {shown(known)} in line {known_line}"
                self._add(line, f"{name}-changes", what)

    def _take_usage(self, usage: object, line: int) -> bool:
        """Check the usage; whether there is one."""
        self._last_has_usage = usage is not None
        if usage is None:
            return False
        self._usage_line = line
        counts = [usage.get(name) for name in _USAGE] if isinstance(usage, Mapping) else [None]
        whole = [count for count in counts if is_index(count)]
        if len(whole) != len(_USAGE):
            wrong = [f"{name} is {shown(count)}" for name, count in zip(_USAGE, counts, strict=False)]
            odd = [text for text, count in zip(wrong, counts, strict=True) if not is_index(count)]
            self._add(line, "usage-shape", odd[0] if isinstance(usage, Mapping) else f"usage is {kind_of(usage)}")
        elif whole[0] + whole[1] != whole[2]:
            self._add(line, "usage-sum", f"{whole[0]} + {whole[1]} is {whole[0] + whole[1]}, not {whole[2]}")
        return True


def _begins(chunk: Mapping[str, Any]) -> bool:
    """Whether a chunk has a role, as the first one of an answer has."""
    choices = chunk.get("choices")
    deltas = (
        [choice.get("delta") for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else ()
    )
    return any(isinstance(delta, dict) and delta.get("role") for delta in deltas)


def _is_filter(choices: object) -> bool:
    choices = choices if isinstance(choices, list) else ()
    return any(isinstance(choice, dict) and "content_filter_results" in choice for choice in choices)


def _message(value: Mapping[str, Any], field: str) -> str:
    error = value.get("error", value)
    message = error.get("message") if isinstance(error, Mapping) else error
    said = quoted(message, 200) if isinstance(message, str) else quoted(str(error), 200)
    return said + (", in a field named error, which clients pass over" if field == "error" else "")


def _other_format(value: Mapping[str, Any]) -> str | None:
    """What an event is that is no chunk; None for a chunk, whole or not."""
    kind, type_ = value.get("object"), value.get("type")
    if kind == "chat.completion":
        return "it is a whole answer, not a stream"
    if kind == "text_completion":
        return "it is a chunk of /v1/completions; this checks those of /v1/chat/completions"
    if kind == CHUNK or "choices" in value:
        return None
    if isinstance(type_, str):
        api = "OpenAI's Responses API" if type_.startswith("response.") else "another API, such as Anthropic's"
        return f"it is an event of {api}, of type {quoted(type_, 60)}"
    return next((what for name, what in _OTHER_FORMATS if name in value), "it has no choices")
