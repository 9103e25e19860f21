"""One choice of an answer, checked while its deltas come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokcore.deltas.calls import CallsCheck, kind_of
from tokcore.deltas.findings import Findings
from tokcore.deltas.strict_json import quoted
from tokcore.deltas.texts import StreamText

# What ends an answer wherever it stands.
_CUTTING = ("length", "content_filter")
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")
_KNOWN = ("index", "delta", "finish_reason", "logprobs", "stop_reason", "matched_stop", "token_ids")


class ChoiceCheck:
    """What is known of one choice so far."""

    def __init__(self, index: int, findings: Findings, stops: Sequence[str]) -> None:
        self._index = index
        self._findings = findings
        self._stops = stops
        self.calls = CallsCheck(index, findings)
        self._content = StreamText()
        self._reasoning = StreamText()
        self._refusal = StreamText()
        self._visible = False
        self._first_line = 0
        self._last_line = 0
        self._role_line = 0
        self._role_on_first = False
        self._legacy_call = False
        self.reason: str | None = None
        self._reason_line = 0

    def take(self, choice: Mapping[str, Any], line: int) -> bool:
        """Check one choice of one chunk; whether it brings anything."""
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            self._add(line, "delta-missing", f"delta is {kind_of(delta)}" + _instead(choice))
            delta = {}
        finished_before = self.reason
        self._take_role(delta, line)
        self._first_line = self._first_line or line
        self._last_line = line
        texts = self._take_texts(delta, line)
        calls = self.calls.take(delta.get("tool_calls"), line)
        if calls:
            self._interrupt()
        self._legacy_call = self._legacy_call or bool(delta.get("function_call"))
        if finished_before is not None and (texts or calls):
            what = f"finish_reason {quoted(finished_before)} stands in line {self._reason_line}"
            self._add(line, "after-finish", what)
        finishes = self._take_reason(choice.get("finish_reason"), line)
        own = any(value for name, value in delta.items() if name not in (*_TEXTS, "role", "tool_calls"))
        other = any(value for name, value in choice.items() if name not in _KNOWN)
        brings = bool(texts or calls or finishes or own or other or delta.get("role") or choice.get("logprobs"))
        if not brings and "content" in delta and delta["content"] is None and self._content.length:
            self._add(line, "content-null", "content is null here and brings nothing")
            return True
        return brings

    def finish(self, whole: bool) -> None:
        """Report what only the end shows; `whole`: the log lost nothing of the answer."""
        if not self._role_on_first and (whole or self._role_line):
            late = f"; it comes in line {self._role_line}" if self._role_line else ", nor has a later one"
            self._add(self._first_line, "role-missing", f"the first delta of {self._name} has no role{late}")
        if self.reason is None and whole:
            self._add(
                self._last_line, "finish-missing", f"the deltas of {self._name} end here, without a finish_reason"
            )
        truncated = self.reason is None or self.reason in _CUTTING
        for name, text in (("content", self._content), ("reasoning", self._reasoning), ("refusal", self._refusal)):
            for line, rule, what in text.findings(name, truncated):
                self._findings.add(line, rule, what)
        for line, rule, what in self._content.stop_finding(self._stops):
            self._findings.add(line, rule, what)
        self.calls.finish(truncated)
        if self.reason == "tool_calls" and not len(self.calls) and not self._legacy_call:
            self._add(self._reason_line, "finish-without-calls", f"{self._name} finishes with tool_calls and has none")
        if self.reason == "stop" and len(self.calls):
            count = "1 call" if len(self.calls) == 1 else f"{len(self.calls)} calls"
            self._add(self._reason_line, "calls-without-finish", f"{self._name} has {count} and finishes with stop")

    @property
    def _name(self) -> str:
        return f"choice {self._index}"

    def _add(self, line: int, rule: str, what: str) -> None:
        self._findings.add(line, rule, what, key=self._index)

    def _interrupt(self) -> None:
        for text in (self._content, self._reasoning):
            text.interrupt()

    def _take_role(self, delta: Mapping[str, Any], line: int) -> None:
        if not delta.get("role"):
            return
        if self._role_line:
            self._add(line, "role-repeated", f"the role of {self._name} stands in line {self._role_line} already")
            return
        self._role_line = line
        self._role_on_first = not self._first_line

    def _take_texts(self, delta: Mapping[str, Any], line: int) -> bool:
        texts: dict[str, str] = {}
        odd = False
        for name in _TEXTS:
            value = delta.get(name)
            if isinstance(value, str):
                texts[name] = value
            elif value is not None:
                self._add(line, "text-type", f"{name} is {kind_of(value)}")
                odd = True
        content = texts.get("content", "")
        # Some servers send the reasoning under both names.
        reasoning = texts.get("reasoning_content") or texts.get("reasoning", "")
        if content and reasoning:
            self._add(line, "reasoning-with-content", "the delta has both")
        if reasoning:
            if self._visible:
                self._add(line, "reasoning-after-content", f"{quoted(reasoning, 40)}, and content stands before it")
            self._content.interrupt()
            self._reasoning.add(reasoning, line)
        if content:
            self._reasoning.interrupt()
            self._content.add(content, line)
            self._visible = self._visible or not content.isspace()
        if refusal := texts.get("refusal"):
            self._refusal.add(refusal, line)
        return odd or bool(content or reasoning or refusal)

    def _take_reason(self, reason: object, line: int) -> bool:
        if not reason:
            return False
        if self.reason is None:
            self.reason, self._reason_line = str(reason), line
        else:
            what = f"{quoted(str(reason))}, after {quoted(self.reason)} in line {self._reason_line}"
            self._add(line, "finish-twice", what)
        return True


def _instead(choice: Mapping[str, Any]) -> str:
    name = next((name for name in ("message", "text") if name in choice), None)
    return "" if name is None else f"; the choice has {name} in its place"
