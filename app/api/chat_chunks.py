"""An answer as it is generated: deltas, then why it ended and what it used; and the chunks or the completion of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokcore.deltas import join_deltas
from tokcore.generation import Delta, Strategy, Stream, StreamSettings, finish_reason, ids_for, parts_of
from tokcore.parsing import Kind, ParseEvent
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span
from tokcore.streaming.detokenizer import IncrementalDetokenizer


@dataclass(frozen=True, slots=True)
class Job:
    """What there is to replay: ids, how they are read, how they are cut. `prompt_tokens` came before them.

    `single_call`: the answer ends where a second call would begin. `call_ids`: the beginning of the calls' ids.
    """

    tokenizer: Tokenizer
    ids: tuple[int, ...]
    settings: StreamSettings
    sizes: tuple[int, ...]
    strategy: Strategy
    prompt_tokens: int
    single_call: bool = False
    call_ids: str = "call_"

    @property
    def cut_off(self) -> bool:
        """Whether max_tokens leaves ids out."""
        limit = self.settings.max_tokens
        return limit is not None and len(self.ids) > limit

    @property
    def generated(self) -> tuple[int, ...]:
        """The ids that max_tokens leaves."""
        return self.ids[: self.settings.max_tokens] if self.cut_off else self.ids


@dataclass
class Answer:
    """One pass over a job: take `deltas()` to its end, then the facts are there.

    `finish_reason` is OpenAI's word, `used` counts ids up to where the answer ends. `reasoning_tokens` counts the ids
    that carry text of the reasoning; None where one of them carries text of the answer too, or the text is not ours
    (a contrast strategy's).
    """

    job: Job
    finish_reason: str = ""
    used: int = 0
    reasoning_tokens: int | None = 0
    call_names: list[str] = field(default_factory=list)
    _reasoning: list[Span] = field(default_factory=list)
    _others: list[Span] = field(default_factory=list)
    _sent_to: int = 0
    _second_call: bool = False

    def deltas(self) -> Iterator[list[Delta]]:
        """What each delta of ids lets out, in order; nothing is kept of it here."""
        job, ids = self.job, self.job.generated
        stream = Stream(job.tokenizer, job.settings, job.strategy, lambda index: f"{job.call_ids}{index}")
        has_content, taken = False, 0
        for start, part in (*parts_of(ids, job.sizes), (len(ids), ())):
            found = self._out(stream, stream.add(part) if part else stream.finish())
            taken = start + len(part)
            over = stream.stopped is not None or self._second_call
            has_content = has_content or any("content" in delta for delta in found)
            if (over or not part) and not has_content and not self.call_names:
                found.append({"content": ""})
            yield found
            if over:
                break
        self._settle(stream, ids[:taken])

    def _out(self, stream: Stream, events: Sequence[ParseEvent]) -> list[Delta]:
        kept = []
        for event in events:
            if self.job.single_call and event.kind is Kind.CALL and self.call_names:
                self._second_call = True
                break
            if event.kind is Kind.CALL:
                self.call_names.append(event.text)
            if event.kind is not Kind.DROPPED:
                self._sent_to = max(self._sent_to, event.span.end)
                _extend(self._reasoning if event.kind is Kind.REASONING else self._others, event.span)
                kept.append(event)
        return stream.parser.deltas_of(kept)

    def _settle(self, stream: Stream, ids: Sequence[int]) -> None:
        job = self.job
        self.used = len(ids)
        if self._second_call:
            # A stop behind it that came in the same delta counts for nothing.
            self.finish_reason = "tool_calls"
            self.used = ids_for(job.tokenizer, ids, self._sent_to, job.settings)
        else:
            self.finish_reason = finish_reason(stream, {"tool_calls": self.call_names}, job.cut_off)
            if stream.stopped is not None:
                self.used = ids_for(job.tokenizer, ids, stream.stop_end, job.settings)
        if self._reasoning:
            exact = job.strategy.detokenizer is IncrementalDetokenizer
            spans = [(span, True) for span in self._reasoning] + [(span, False) for span in self._others]
            self.reasoning_tokens = carriers(job, ids[: self.used], sorted(spans)) if exact else None

    @property
    def usage(self) -> dict[str, Any]:
        """OpenAI's count for one choice."""
        found: dict[str, Any] = {"completion_tokens": self.used, "prompt_tokens": self.job.prompt_tokens}
        found["total_tokens"] = self.used + self.job.prompt_tokens
        if self.reasoning_tokens is not None:
            found["completion_tokens_details"] = {"reasoning_tokens": self.reasoning_tokens}
        return found


def _extend(spans: list[Span], span: Span) -> None:
    if spans and spans[-1].end == span.start:
        spans[-1] = Span(spans[-1].start, span.end)
    elif span.end > span.start:
        spans.append(span)


def carriers(job: Job, ids: Sequence[int], spans: Sequence[tuple[Span, bool]]) -> int | None:
    """How many ids carry characters of the spans marked True; None where one carries characters of both kinds.

    An id carries every character of which it brings at least one byte; `spans` are in order.
    """
    detokenizer = IncrementalDetokenizer(job.tokenizer, job.settings.skip_special_tokens)
    count = complete = first = 0
    for id in ids:
        start, complete = complete, complete + len(detokenizer.add([id]))
        end = complete + 1 if detokenizer.held else complete
        while first < len(spans) and spans[first][0].end <= start:
            first += 1
        kinds, at = set(), first
        while at < len(spans) and spans[at][0].start < end:
            kinds.add(spans[at][1])
            at += 1
        if len(kinds) == 2:
            return None
        count += kinds == {True}
    return count


@dataclass(frozen=True, slots=True)
class Frame:
    """What every chunk of an answer carries."""

    id: str
    created: int
    model: str
    n: int = 1

    def chunks(self, answer: Answer, include_usage: bool = False) -> Iterator[list[dict[str, Any]]]:
        """The chunks, those of one step together: roles first, then a list for each delta of ids, then the end."""
        yield self._of({"role": "assistant"}, include_usage)
        for deltas in answer.deltas():
            yield [chunk for delta in deltas for chunk in self._of(delta, include_usage)]
        end = self._of({}, include_usage, answer.finish_reason)
        if include_usage:
            end.append({**self._frame("chat.completion.chunk"), "choices": [], "usage": self.usage(answer)})
        yield end

    def completion(self, answer: Answer) -> dict[str, Any]:
        """The answer in one piece."""
        joined = join_deltas(delta for deltas in answer.deltas() for delta in deltas)
        message = {"role": "assistant", "content": None, "refusal": None, **joined}
        if "tool_calls" in message:
            message["tool_calls"] = [_without_index(call) for call in message["tool_calls"]]
        choice = {"message": message, "logprobs": None, "finish_reason": answer.finish_reason}
        choices = [{"index": index, **choice} for index in range(self.n)]
        return {**self._frame("chat.completion"), "choices": choices, "usage": self.usage(answer)}

    def usage(self, answer: Answer) -> dict[str, Any]:
        """The usage of all choices: each generates the answer anew, from one prompt."""
        usage = answer.usage
        usage["completion_tokens"] *= self.n
        usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
        for name in usage.get("completion_tokens_details", ()):
            usage["completion_tokens_details"][name] *= self.n
        return usage

    def _of(self, delta: Delta, include_usage: bool, reason: str | None = None) -> list[dict[str, Any]]:
        """One chunk for each choice."""
        frame = self._frame("chat.completion.chunk")
        nothing = {"usage": None} if include_usage else {}
        choice = {"delta": delta, "logprobs": None, "finish_reason": reason}
        return [{**frame, "choices": [{"index": index, **choice}], **nothing} for index in range(self.n)]

    def _frame(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def _without_index(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call as a whole message has it: only deltas number theirs."""
    return {name: value for name, value in call.items() if name != "index"}
