"""The stream lab: a model's output becomes text, stops, reasoning and tool calls, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flask import Blueprint, Response, current_app, request
from flask.blueprints import BlueprintSetupState

from app.board import board
from app.errors import ExpiredEncoding, InvalidField, Problem, problem_of
from app.forms import read_form, read_query
from app.htmx import render_page, wants_fragment
from app.stream_input import LONG_FIELDS, StreamForm
from app.stream_request import StreamRequest, read
from app.stream_runs import Run, Runs, run, run_key
from app.stream_samples import FIRST
from app.views.stream_compare import CompareView, compare_view
from app.views.stream_export import case_json, sse_text, trace_parts
from app.views.stream_fuzz import FuzzView, fuzz_view
from app.views.stream_page import (
    FragmentView,
    ResultView,
    WindowView,
    page_view,
    result_view,
    step_number,
    window_view,
)
from tokcore.cut_fuzzer import fuzz
from tokcore.errors import TokcoreError
from tokcore.generation import STRATEGIES, replay
from tokcore.pipeline import Tokenizer

blueprint = Blueprint("stream", __name__)

OURS = next(iter(STRATEGIES))
# The contrasts are slow by nature: some of them decode what they hold anew with each delta.
CONTRAST_IDS = 1_000
BEGINNING_IDS = 10_000
FUZZ_IDS = 300
FUZZ_WORK_IDS = 120_000
RANDOM_CUTS = 200
TWO_WAY_CUTS = 200


@dataclass(frozen=True, slots=True)
class Streamed:
    """A form that was worked on: its tokenizer, what it asked for, what came of it."""

    form: StreamForm
    tokenizer: Tokenizer
    request: StreamRequest
    key: str
    run: Run
    cut_ids: int
    pending: bool = False

    def window(self) -> WindowView:
        return _window(self.key, self.run, self.form.step)


@blueprint.record
def _give_the_app_its_runs(state: BlueprintSetupState) -> None:
    state.app.extensions["tokboard-stream"] = Runs()


@blueprint.route("/stream", methods=("GET", "POST"))
def page() -> Response:
    """The page, or for htmx only the result. An address without a text shows the first sample.

    A long output comes twice: its beginning for the first screen at once, then, when the page asks for `whole`, all.
    """
    fields = read_form(request) if request.method == "POST" else read_query(request)
    return _answer(_read(), beginning=wants_fragment() and "whole" not in fields)


@blueprint.post("/stream/window")
def window() -> Response:
    """The steps around `step`. The key is enough while this process has the run; else the whole form must be sent."""
    form = _read()
    if not wants_fragment():
        return _answer(form)
    fields = read_form(request)
    if "text" in fields:
        return render_page("stream", _stream(form).window(), fragment="_window")
    key = fields.get("key", "")
    kept = _runs().get(key)
    if kept is None:
        raise ExpiredEncoding(where="steps", what="this server no longer has them", remedy="send the form again")
    return render_page("stream", _window(key, kept, form.step), fragment="_window")


@blueprint.post("/stream/compare")
def compare() -> Response:
    """The same input under every strategy."""
    form = _read()
    if not wants_fragment():
        return _answer(form, with_compare=True)
    return render_page("stream", _compare(form), fragment="_compare")


@blueprint.post("/stream/fuzz")
def fuzzed() -> Response:
    """One strategy under many cuts; without htmx the page, with all of them."""
    form = _read()
    if not wants_fragment():
        return _answer(form, with_fuzz=True)
    name = read_form(request).get("fuzzed", OURS)
    if name not in STRATEGIES:
        raise InvalidField(where="fuzzed", what="no such strategy", remedy=f"one of {', '.join(STRATEGIES)}")
    return render_page("stream", _fuzz(form, name), fragment="_fuzz")


@blueprint.route("/stream/deltas.sse", methods=("GET", "POST"))
def as_sse() -> Response:
    """The deltas as a server would send them, OpenAI's chunks."""
    found = _stream(_read())
    return _download(
        sse_text(found.run, board().catalogue.entry(found.form.tokenizer).name), "text/event-stream", "deltas.sse"
    )


@blueprint.route("/stream/trace.json", methods=("GET", "POST"))
def as_trace() -> Response:
    """Every step: ids, text, events, deltas, what is held."""
    found = _stream(_read())
    parts = trace_parts(found.form, board().catalogue.entry(found.form.tokenizer).name, found.request, found.run)
    return _download(parts, "application/json", "trace.json")


@blueprint.route("/stream/case.json", methods=("GET", "POST"))
def as_case() -> Response:
    """A test case: ids, settings, sizes, and the message that is right."""
    form = _read()
    found = _stream(form)
    right = found if found.request.strategy.name == OURS else _stream(replace(form, strategy=OURS))
    name = board().catalogue.entry(form.tokenizer).name
    return _download(case_json(name, found.request, right.run), "application/json", "case.json")


def _runs() -> Runs:
    runs = current_app.extensions["tokboard-stream"]
    assert isinstance(runs, Runs)
    return runs


def _read() -> StreamForm:
    form = StreamForm.from_request(request, board().catalogue.default)
    if request.method in ("GET", "HEAD") and not set(LONG_FIELDS) & set(read_query(request)):
        return replace(FIRST.form, tokenizer=form.tokenizer, step=form.step)
    return form


def _window(key: str, run: Run, step: str) -> WindowView:
    at = step_number(step, run.totals.steps)
    return window_view(key, at, run, board().catalogue.tokenizer(run.tokenizer))


def _request(form: StreamForm) -> tuple[Tokenizer, StreamRequest]:
    shared = board()
    tokenizer = shared.catalogue.tokenizer(form.tokenizer)
    return tokenizer, read(form.checked(shared.settings), tokenizer, shared.settings)


def _stream(form: StreamForm, beginning: bool = False) -> Streamed:
    """What came of a form; of a long one that is not at hand yet perhaps the beginning only."""
    tokenizer, asked = _request(form)
    cut_ids = 0
    if asked.strategy.name != OURS and len(asked.ids) > CONTRAST_IDS:
        cut_ids = len(asked.ids) - CONTRAST_IDS
        asked = asked.first(CONTRAST_IDS)
    name = board().catalogue.entry(form.tokenizer).name
    key = run_key(name, form)
    found = _runs().get(key)
    if found is None and beginning and len(asked.ids) > BEGINNING_IDS:
        part = asked.first(BEGINNING_IDS)
        return Streamed(form, tokenizer, part, "", run(tokenizer, name, part, goes_on=True), cut_ids, pending=True)
    if found is None:
        found = run(tokenizer, name, asked)
        _runs().put(key, found)
    return Streamed(form, tokenizer, asked, key, found, cut_ids)


def _answer(
    form: StreamForm, *, beginning: bool = False, with_compare: bool = False, with_fuzz: bool = False
) -> Response:
    """Page or fragment. What cannot be used stays in its field, with what is wrong beside it."""
    shared = board()
    result: ResultView | None = None
    problem: Problem | None = None
    problems: dict[str, Problem] = {}
    compared: CompareView | None = None
    reports: tuple[FuzzView, ...] = ()
    try:
        found = _stream(form, beginning)
        problems = dict(found.request.problems)
        result = _result(found)
        compared = _compare(form) if with_compare else None
        reports = tuple(replace(_fuzz(form, name), next_strategy="") for name in STRATEGIES) if with_fuzz else ()
    except TokcoreError as error:
        if wants_fragment():
            raise
        problem = problem_of(error)
    if wants_fragment():
        assert result is not None
        return render_page("stream", FragmentView(result, problems))
    view = page_view(
        form,
        shared.catalogue,
        shared.settings,
        problems=problems,
        result=result,
        problem=problem,
        compare=compared,
        fuzz=reports,
    )
    first = problem or next(iter(problems.values()), None)
    return render_page("stream", view, status=200 if first is None else first.status)


def _result(found: Streamed) -> ResultView:
    shared = board()
    form, settings = found.form, shared.settings
    decoded = form.text
    if form.given == "ids":
        decoded = found.tokenizer.decode(found.request.ids[: settings.link_limit_bytes], skip_special_tokens=False)
    return result_view(
        form,
        found.request,
        found.run,
        found.window(),
        decoded=decoded,
        cut_ids=found.cut_ids,
        pending=found.pending,
        default_tokenizer=shared.catalogue.default,
        settings=settings,
    )


def _compare(form: StreamForm) -> CompareView:
    tokenizer, asked = _request(form)
    cut_at = CONTRAST_IDS if len(asked.ids) > CONTRAST_IDS else None
    asked = asked.first(CONTRAST_IDS)
    replays = {
        name: replay(tokenizer, asked.ids, asked.settings, asked.sizes, strategy)
        for name, strategy in STRATEGIES.items()
    }
    return compare_view(replays, cut_at)


def _fuzz(form: StreamForm, name: str) -> FuzzView:
    tokenizer, asked = _request(form)
    cut_at = FUZZ_IDS if len(asked.ids) > FUZZ_IDS else None
    ids = asked.ids[:FUZZ_IDS]
    names = list(STRATEGIES)
    after = (*names, "")[names.index(name) + 1]
    # Fewer cuts of more ids: the work stays the same.
    cuts = min(TWO_WAY_CUTS, max(20, FUZZ_WORK_IDS // max(1, 2 * len(ids))))
    report = fuzz(
        tokenizer, ids, asked.settings, STRATEGIES[name], random_cuts=min(RANDOM_CUTS, cuts), two_way_limit=cuts
    )
    return fuzz_view(report, after, cut_at)


def _download(body: str | Iterator[str], kind: str, name: str) -> Response:
    answer = Response(body, mimetype=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
