"""A stream checked against what clients expect of it: findings with lines, and the answers put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokcore.deltas.answer import Answer, AnswerCheck
from tokcore.deltas.findings import Finding, Findings
from tokcore.deltas.sse import Record, RecordKind, read_log
from tokcore.deltas.strict_json import quoted


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be said of a log; `lines` are the log's own, without their ends."""

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]
    answers: tuple[Answer, ...]


def lint(log: str | bytes, stops: Sequence[str] = ()) -> Report:
    r"""Check the log of one or several streamed answers.

    >>> report = lint('data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}')
    >>> [(finding.line, finding.rule) for finding in report.findings]
    [(1, 'role-missing'), (1, 'finish-missing'), (1, 'done-missing')]
    >>> report.answers[0].completion["choices"][0]["message"]
    {'content': 'Hi'}

    `stops`: stop strings the request had. Nothing in a log is an error: what cannot be read is a finding, and the rest
    goes on. A new answer begins after [DONE], or with a role and a new id once all choices have finished. Cost is
    linear in the log, for each stop string.
    """
    read = read_log(log)
    findings = Findings()
    answers: list[AnswerCheck] = []
    for number, record in enumerate(read.records):
        is_last = number == len(read.records) - 1
        if record.run_on:
            findings.add(record.first, "joined-events", "no empty line stands before this event", key=())
        if record.kind is RecordKind.STRAY:
            _take_stray(record, findings, answers, is_last)
            continue
        if not answers or answers[-1].is_followed_by(record):
            answers.append(AnswerCheck(record.first, stops))
        answers[-1].take(record, is_last)
    for check in answers:
        check.finish()
    found = [*findings.sorted(), *(finding for check in answers for finding in check.findings)]
    whole = [answer for check in answers if (answer := check.answer()) is not None]
    return Report(read.lines, tuple(sorted(found, key=lambda finding: finding.line)), tuple(whole))


def _take_stray(record: Record, findings: Findings, answers: list[AnswerCheck], is_last: bool) -> None:
    text = record.text.strip()
    if is_last and "data:".startswith(text):
        findings.add(record.first, "cut-off", f"the log ends with {quoted(text)}")
        if answers:
            answers[-1].end_is_cut()
    else:
        findings.add(record.first, "stray-line", quoted(text, 60), key=())
