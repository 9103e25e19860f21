"""A checked log as drawn: the verdict, the findings, the lines they stand on, the answers put together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import Problem
from app.lint_input import LintForm
from app.lint_samples import SAMPLES, Sample
from app.settings import Settings
from app.views.visible import Kind, Run, visible_runs
from tokcore.deltas import Report
from tokcore.deltas.answer import Answer
from tokcore.deltas.findings import RULES, Finding
from tokcore.deltas.rule import Severity
from tokcore.deltas.strict_json import with_escapes

FINDINGS_LIMIT = 200
ANSWERS_LIMIT = 20
CALLS_LIMIT = 50
WHOLE_LISTING_LINES = 60
LISTED_LIMIT = 400
NEIGHBOURS = 2
LINE_CHARACTERS = 600
TEXT_CHARACTERS = 4_000
JSON_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class FindingView:
    """One finding; `line` links to its row, where that is listed."""

    line: int
    listed: bool
    rule: str
    severity: str
    meaning: str
    what: tuple[Run, ...]
    hurts: str
    remedy: str
    again: int


@dataclass(frozen=True, slots=True)
class LineView:
    """One row of the listing; `gap` counts the lines left out before it. `severity` "" is a line without findings."""

    number: int
    runs: tuple[Run, ...]
    more: int
    severity: str
    rules: tuple[str, ...]
    gap: int


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a message: what it is, what is said of it, its beginning, and how much is left out."""

    title: str
    note: str
    runs: tuple[Run, ...]
    more: int


@dataclass(frozen=True, slots=True)
class ChoiceView:
    title: str
    facts: tuple[tuple[str, tuple[Run, ...]], ...]
    parts: tuple[Part, ...]
    calls_left_out: int


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer as a client has it; `usage` as (name, value), `as_json` None where it is too long to show."""

    title: str
    where: str
    choices: tuple[ChoiceView, ...]
    usage: tuple[tuple[str, str], ...]
    as_json: str | None


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of a log. `query` is that of a link to it, without the boxes where they are too long for one."""

    verdict: str
    worst: str
    meaning: str
    findings: tuple[FindingView, ...]
    findings_left_out: int
    lines: tuple[LineView, ...]
    lines_left_out: int
    answers: tuple[AnswerView, ...]
    answers_left_out: int
    query: str
    link_is_long: bool
    problems: Mapping[str, Problem]


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page; `result` is None where the log was refused: `problem` says why."""

    form: LintForm
    samples: tuple[Sample, ...]
    text_limit_bytes: int
    problems: Mapping[str, Problem]
    result: ResultView | None = None
    problem: Problem | None = None


_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_MEANINGS = {
    Severity.ERROR: "OpenAI's Python client fails on an error, or loses something by it.",
    Severity.WARNING: "The official client takes this stream; other clients, or a reader, will stumble.",
    Severity.NOTE: "Clients take this stream; a note says what is unusual.",
}


def page_view(
    form: LintForm,
    settings: Settings,
    *,
    problems: Mapping[str, Problem],
    result: ResultView | None = None,
    problem: Problem | None = None,
) -> PageView:
    return PageView(form, tuple(SAMPLES.values()), settings.text_limit_bytes, problems, result, problem)


def result_view(form: LintForm, report: Report, settings: Settings, problems: Mapping[str, Problem]) -> ResultView:
    """A report as drawn, within limits that each say what they left out."""
    shown = report.findings[:FINDINGS_LIMIT]
    numbers = listed_lines(written_lines(report), [finding.line for finding in shown])
    listed = set(numbers)
    query, is_long = form.link_query(settings)
    worst = min((_ORDER.index(finding.severity) for finding in report.findings), default=None)
    return ResultView(
        verdict=verdict(report),
        worst=_ORDER[worst].value if worst is not None else "clean" if report.answers else "",
        meaning=_meaning(report, worst),
        findings=tuple(_finding(finding, finding.line in listed) for finding in shown),
        findings_left_out=len(report.findings) - len(shown),
        lines=tuple(_lines(report, numbers)),
        lines_left_out=written_lines(report) - (numbers[-1] if numbers else 0),
        answers=tuple(
            _answer(number, answer, len(report.answers))
            for number, answer in enumerate(report.answers[:ANSWERS_LIMIT], start=1)
        ),
        answers_left_out=max(0, len(report.answers) - ANSWERS_LIMIT),
        query=query,
        link_is_long=is_long,
        problems=problems,
    )


def verdict(report: Report) -> str:
    """One line about the whole.

    >>> verdict(Report(("a",), (Finding(1, "broken-json", ""), Finding(1, "empty-chunk", "")), ()))
    '1 error and 1 note in 1 line, 0 answers'
    """
    counts = [sum(finding.severity is severity for finding in report.findings) for severity in _ORDER]
    found = [_count(count, severity.value) for count, severity in zip(counts, _ORDER, strict=True) if count]
    chunks = sum(answer.chunks for answer in report.answers)
    if not found and not report.answers:
        return "Nothing to check yet"
    if not found:
        return f"No faults in {_count(chunks, 'chunk')}, {_count(len(report.answers), 'answer')}"
    words = " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
    return f"{words} in {_count(written_lines(report), 'line')}, {_count(len(report.answers), 'answer')}"


def written_lines(report: Report) -> int:
    """How many lines there are up to the last one that is not empty."""
    count = len(report.lines)
    while count and not report.lines[count - 1]:
        count -= 1
    return count


def listed_lines(count: int, found: list[int]) -> list[int]:
    """Which lines are listed: all of a short log, else those with findings and their neighbours.

    >>> listed_lines(3, [2]), listed_lines(100, [10, 12, 90])
    ([1, 2, 3], [8, 9, 10, 11, 12, 13, 14, 88, 89, 90, 91, 92])
    """
    if count <= WHOLE_LISTING_LINES:
        return list(range(1, count + 1))
    near = {line for at in found for line in range(max(1, at - NEIGHBOURS), min(count, at + NEIGHBOURS) + 1)} or set(
        range(1, 2 * NEIGHBOURS + 1)
    )
    return sorted(near)[:LISTED_LIMIT]


def _count(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def _meaning(report: Report, worst: int | None) -> str:
    if worst is not None:
        return _MEANINGS[_ORDER[worst]]
    if not report.answers:
        return "There is no chunk. Paste the log of a streamed answer, or choose a sample."
    return "Every client that follows OpenAI's format takes this stream."


def _finding(finding: Finding, listed: bool) -> FindingView:
    rule = RULES[finding.rule]
    return FindingView(
        line=finding.line,
        listed=listed,
        rule=rule.id,
        severity=rule.severity.value,
        meaning=rule.meaning,
        what=text_runs(finding.what),
        hurts=rule.hurts,
        remedy=rule.remedy,
        again=finding.again,
    )


def _lines(report: Report, numbers: list[int]) -> Iterator[LineView]:
    found: dict[int, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.line, []).append(finding)
    before = 0
    for number in numbers:
        line, here = report.lines[number - 1], found.get(number, [])
        worst = min((_ORDER.index(finding.severity) for finding in here), default=None)
        yield LineView(
            number=number,
            runs=text_runs(line[:LINE_CHARACTERS]),
            more=max(0, len(line) - LINE_CHARACTERS),
            severity="" if worst is None else _ORDER[worst].value,
            rules=tuple(dict.fromkeys(finding.rule for finding in here)),
            gap=number - before - 1,
        )
        before = number


def _answer(number: int, answer: Answer, count: int) -> AnswerView:
    completion = answer.completion
    lines = f"line {answer.first}" if answer.first == answer.last else f"lines {answer.first:,} to {answer.last:,}"
    return AnswerView(
        title="The answer, as a client has it" if count == 1 else f"Answer {number}, as a client has it",
        where=f"{_count(answer.chunks, 'chunk')}, {lines}{'' if answer.done else ', without [DONE]'}",
        choices=tuple(_choice(choice, len(completion["choices"])) for choice in completion["choices"][:ANSWERS_LIMIT]),
        usage=tuple(_numbers(completion.get("usage"))),
        as_json=_as_json(completion),
    )


def _as_json(completion: Mapping[str, Any]) -> str | None:
    if len(json.dumps(completion, ensure_ascii=False)) > JSON_CHARACTERS:
        return None
    return with_escapes(json.dumps(completion, ensure_ascii=False, indent=2))


def _choice(choice: Mapping[str, Any], count: int) -> ChoiceView:
    message = choice["message"]
    facts = (("role", _value(message.get("role"))), ("finish_reason", _value(choice.get("finish_reason"))))
    calls = message.get("tool_calls")
    calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    parts = [*_texts(message), *map(_call, calls[:CALLS_LIMIT])]
    title = "" if count == 1 else f"Choice {choice['index']}"
    return ChoiceView(title, facts, tuple(parts), max(0, len(calls) - CALLS_LIMIT))


def _texts(message: Mapping[str, Any]) -> Iterator[Part]:
    reasoning, other = message.get("reasoning_content"), message.get("reasoning")
    if reasoning:
        yield _part("reasoning", "", reasoning)
    if other and other != reasoning:
        yield _part("reasoning", "under the name reasoning", other)
    for name in ("content", "refusal"):
        if message.get(name):
            yield _part(name, "", message[name])


def _call(call: Mapping[str, Any]) -> Part:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    title = f"call {call.get('index', 'without index')}: {function.get('name') or 'no name'}"
    return _part(title, f"id {call.get('id') or 'missing'}", function.get("arguments") or "")


def _part(title: str, note: str, value: object) -> Part:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    title, note = ("".join(run.sign for run in visible_runs(words[:200])).replace("·", " ") for words in (title, note))
    return Part(title, note, visible_runs(text[:TEXT_CHARACTERS]), max(0, len(text) - TEXT_CHARACTERS))


def _value(value: object) -> tuple[Run, ...]:
    if value is None:
        return (Run(Kind.TEXT, "none", "none"),)
    return text_runs((value if isinstance(value, str) else json.dumps(value))[:200])


def _numbers(usage: object, before: str = "") -> Iterator[tuple[str, str]]:
    """The counts of a usage, those of its details under the detail's name."""
    for name, value in usage.items() if isinstance(usage, dict) else ():
        if isinstance(value, dict) and not before:
            yield from _numbers(value, f"{name.removesuffix('_details')}: ")
        elif isinstance(value, int) and not isinstance(value, bool):
            said = "".join(run.sign for run in text_runs(name[:60]))
            yield f"{before}{said}".replace("_", " "), f"{value:,}"


def text_runs(text: str) -> tuple[Run, ...]:
    """Text as runs in which spaces stay spaces and all else that a screen would hide has a sign.

    >>> "".join(run.sign for run in text_runs("a b\\u200d"))
    'a bZWJ'
    """
    runs = visible_runs(text)
    return tuple(Run(Kind.TEXT, " ", " ") if run.kind is Kind.SPACE else run for run in runs)
