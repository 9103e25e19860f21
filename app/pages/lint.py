"""The stream lint: a log of a streamed answer, checked against what clients expect."""

from __future__ import annotations

from flask import Blueprint, Response, request

from app.board import board
from app.errors import Problem, problem_of
from app.htmx import render_page, wants_fragment
from app.lint_input import LintForm
from app.stream_request import Reader, stop_strings
from app.views.lint import ResultView, page_view, result_view
from tokcore.deltas import lint
from tokcore.errors import TokcoreError

blueprint = Blueprint("lint", __name__)


@blueprint.route("/stream/lint", methods=("GET", "POST"))
def page() -> Response:
    """The page, or for htmx only the result. An address without a log shows the first sample."""
    form = LintForm.from_request(request)
    settings = board().settings
    result: ResultView | None = None
    problem: Problem | None = None
    reader = Reader()
    try:
        stops = stop_strings(form.checked(settings).stops, reader)
        result = result_view(form, lint(form.text, stops), settings, reader.problems)
    except TokcoreError as error:
        if wants_fragment():
            raise
        problem = problem_of(error)
    if wants_fragment():
        return render_page("lint", result)
    view = page_view(form, settings, problems=reader.problems, result=result, problem=problem)
    return render_page("lint", view, status=200 if problem is None else problem.status)
