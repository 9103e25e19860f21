"""What the stream lab shows: one view for the page, one for the part that changes with the input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.catalogue import Catalogue
from app.errors import Problem
from app.settings import Settings
from app.stream_input import StreamForm
from app.stream_request import StreamRequest
from app.stream_runs import RUN_SECONDS, Run
from app.stream_samples import SAMPLES
from app.views.stream_choices import cut_options, format_options, strategy_options
from app.views.stream_compare import CompareView
from app.views.stream_fuzz import FuzzView
from app.views.stream_lanes import Column, Stretch, columns, names_of, stretch
from app.views.stream_message import MessagePart, clipped, message_parts
from app.views.tokens_page import TokenizerOption, tokenizer_options
from tokcore.deltas import join_deltas
from tokcore.pipeline import Tokenizer

WINDOW_STEPS = 160
STEPS_BEFORE = 40
SHOWN_STOPS = 12
# What names the field to a person where it is said that something in it was not used.
PROBLEM_FIELDS = ("text", "stops", "min_tokens", "max_tokens", "format", "definitions", "n", "strategy")
REASON_WORDS = {
    "stop": "it ended by itself or at a stop",
    "length": "it was cut off by max_tokens",
    "tool_calls": "it ended with calls for the client to make",
}


@dataclass(frozen=True, slots=True)
class WindowView:
    """Some steps as columns; `at` is the step shown and `start` the first of the columns, both counted from 1.

    `base` is the message before the first column as JSON, for the browser to go on from; `names` names what is hidden.
    """

    key: str
    at: int
    start: int
    total: int
    columns: tuple[Column, ...]
    base: str
    names: str
    message: tuple[MessagePart, ...]

    @property
    def stop(self) -> int:
        return self.start + len(self.columns) - 1

    @property
    def is_whole(self) -> bool:
        return len(self.columns) == self.total

    @property
    def current(self) -> Column:
        return self.columns[self.at - self.start]


@dataclass(frozen=True, slots=True)
class ResultView:
    """A stream of one input; `pending`: only its beginning, the whole comes next.

    `carry` is the query that other pages are given, `notes` say what was cut or left out.
    """

    query: str
    link_is_long: bool
    carry: str
    window: WindowView
    figures: tuple[tuple[str, str, str], ...]
    meaning: str
    notes: tuple[str, ...]
    stops: tuple[Stretch, ...]
    more_stops: int
    pending: bool


@dataclass(frozen=True, slots=True)
class SampleLink:
    title: str
    shows: str
    query: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page; `result` is None where nothing of the input could be used: `problem` says why."""

    form: StreamForm
    tokenizers: tuple[TokenizerOption, ...]
    samples: tuple[SampleLink, ...]
    formats: tuple[tuple[str, str, bool], ...]
    cuts: tuple[tuple[str, str, str, bool], ...]
    strategies: tuple[tuple[str, str, str, bool], ...]
    text_limit_bytes: int
    problems: Mapping[str, Problem]
    result: ResultView | None = None
    problem: Problem | None = None
    compare: CompareView | None = None
    fuzz: tuple[FuzzView, ...] = ()

    @property
    def settings_open(self) -> bool:
        """Whether the folded settings hold something that must be seen."""
        form, first = self.form, StreamForm("")
        named = ("stops_in_reasoning", "min_tokens", "max_tokens", "reasoning", "starts_in_reasoning", "keep_special")
        folded = {"min_tokens", "max_tokens"} & self.problems.keys()
        return bool(folded) or any(getattr(form, name) != getattr(first, name) for name in named)

    @property
    def definitions_open(self) -> bool:
        return bool(self.form.definitions) or "definitions" in self.problems


@dataclass(frozen=True, slots=True)
class FragmentView:
    """What htmx is given: the result, and what is wrong with single fields."""

    result: ResultView
    problems: Mapping[str, Problem]


def step_number(typed: str, total: int) -> int:
    """The step asked for, within what there is; the last where none is.

    >>> step_number("", 9), step_number("4", 9), step_number("99", 9), step_number("x", 9)
    (9, 4, 9, 9)
    """
    typed = typed.strip()
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 12):
        return total
    return min(max(int(typed), 1), total)


def window_view(key: str, at: int, run: Run, tokenizer: Tokenizer) -> WindowView:
    """The columns around step `at`."""
    total = run.totals.steps
    start = 0 if total <= WINDOW_STEPS else min(max(0, at - 1 - STEPS_BEFORE), total - WINDOW_STEPS)
    steps = run.steps(start, min(total, start + WINDOW_STEPS))
    before = run.message_before(start)
    so_far = join_deltas([before, *(delta for step in steps[: at - start] for delta in step.deltas)])
    base = clipped(before)
    drawn = json.dumps([base, *(delta for step in steps for delta in step.deltas)], ensure_ascii=False)
    return WindowView(
        key=key,
        at=at,
        start=start + 1,
        total=total,
        columns=columns(steps, tokenizer, run.settings),
        base=json.dumps(base, ensure_ascii=False),
        names=json.dumps(names_of(drawn)),
        message=message_parts(so_far),
    )


def result_view(
    form: StreamForm,
    request: StreamRequest,
    run: Run,
    window: WindowView,
    *,
    decoded: str,
    cut_ids: int,
    pending: bool,
    default_tokenizer: str,
    settings: Settings,
) -> ResultView:
    """`decoded`: the text to take to other pages; `cut_ids`: how many ids were left out because there are too many."""
    query, is_long = form.link_query(default_tokenizer, settings)
    carry = {} if form.tokenizer == default_tokenizer else {"tokenizer": form.tokenizer}
    if len(decoded.encode("utf-8", "replace")) * 2 <= settings.link_limit_bytes:
        carry["text"] = decoded
    stops = request.settings.stops
    return ResultView(
        query=query,
        link_is_long=is_long,
        carry=urlencode(carry),
        window=window,
        figures=figures(run, request),
        meaning=meaning(run, request),
        notes=notes(run, request, cut_ids, form),
        stops=tuple(stretch(stop, "stop") for stop in stops[:SHOWN_STOPS]),
        more_stops=max(0, len(stops) - SHOWN_STOPS),
        pending=pending,
    )


def figures(run: Run, request: StreamRequest) -> tuple[tuple[str, str, str], ...]:
    """(label, value, what it counts)."""
    totals = run.totals
    return (
        ("tokens", f"{totals.ids:,}", "ids that the model made"),
        ("deltas", f"{totals.deltas:,}", "each a step; the end of the stream is one more"),
        ("characters out", f"{totals.out_characters:,}", "of reasoning, content, names and arguments"),
        ("dropped", f"{totals.dropped_characters:,}", "characters: markup, white space around it, what follows a stop"),
        ("longest wait", f"{totals.longest_hold:,}", "tokens that came while something was held without a break"),
        ("finish", run.finish_reason, REASON_WORDS.get(run.finish_reason, "")),
    )


def meaning(run: Run, request: StreamRequest) -> str:
    """One sentence about the whole."""
    message = run.message
    parts = [name for key, name in (("reasoning_content", "reasoning"), ("content", "content")) if message.get(key)]
    calls = len(message.get("tool_calls") or ())
    if calls:
        parts.append("one call" if calls == 1 else f"{calls} calls")
    got = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "nothing"
    words = f"The client gets {got}; the reason is “{run.finish_reason}”"
    if run.used < run.totals.ids:
        words += f", and {run.used:,} of {run.totals.ids:,} tokens were enough"
    return words + "."


def notes(run: Run, request: StreamRequest, cut_ids: int, form: StreamForm) -> tuple[str, ...]:
    """What was cut or left out, in sentences."""
    found = []
    if cut_ids:
        given = f"was given the first {len(request.ids):,} tokens, not the {cut_ids:,} behind them"
        found.append(f"This strategy grows slow with length: it {given}.")
    if run.cut_at is not None:
        found.append(
            f"This output takes too long: the server streamed {run.cut_at:,} of {len(request.ids):,} tokens in "
            f"{RUN_SECONDS:g} seconds and stopped there."
        )
    limit = request.settings.max_tokens
    if limit is not None and len(request.ids) > limit:
        left = len(request.ids) - limit
        tokens, verb = ("token", "was") if left == 1 else ("tokens", "were")
        found.append(f"max_tokens: {left:,} {tokens} behind the first {limit:,} {verb} never made.")
    if form.starts_in_reasoning and not form.reasoning:
        found.append("That the output starts in reasoning counts only where reasoning is told apart.")
    return tuple(found)


def page_view(
    form: StreamForm,
    catalogue: Catalogue,
    settings: Settings,
    *,
    problems: Mapping[str, Problem],
    result: ResultView | None = None,
    problem: Problem | None = None,
    compare: CompareView | None = None,
    fuzz: tuple[FuzzView, ...] = (),
) -> PageView:
    """The page around a result or a refusal."""
    return PageView(
        form=form,
        tokenizers=tokenizer_options(catalogue, form.tokenizer),
        samples=tuple(
            SampleLink(sample.title, sample.shows, sample.with_tokenizer(form.tokenizer).to_query(catalogue.default))
            for sample in SAMPLES
        ),
        formats=format_options(form.format),
        cuts=cut_options(form.cut),
        strategies=strategy_options(form.strategy),
        text_limit_bytes=settings.text_limit_bytes,
        problems=problems,
        result=result,
        problem=problem,
        compare=compare,
        fuzz=fuzz,
    )
