"""The budget: whether a request fits the context, what does not, what the same text takes in another language."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, json, request

from app.board import board
from app.budget_input import BudgetForm
from app.budget_request import BudgetRequest, read
from app.budget_samples import FIRST, MODELS
from app.errors import InvalidField, Problem, problem_of
from app.forms import read_form, read_query, shorten
from app.htmx import render_page, wants_fragment
from app.views.budget import ResultView, page_view, result_view
from app.views.budget_export import as_dict
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer

blueprint = Blueprint("budget", __name__)


@blueprint.route("/budget", methods=("GET", "POST"))
def page() -> Response:
    """The page, or for htmx only the result. An address without any field shows the first example.

    A field that cannot be used is said beside it, and the rest is worked out.
    """
    shared = board()
    form = BudgetForm(shared.catalogue.default, {})
    result: ResultView | None = None
    problem: Problem | None = None
    try:
        form = _read()
        result = result_view(form, _work_out(form), shared.catalogue.default, shared.settings)
    except TokcoreError as error:
        if wants_fragment():
            raise
        problem = problem_of(error)
    if wants_fragment():
        return render_page("budget", result)
    view = page_view(form, shared.catalogue, shared.settings, result, problem)
    first = problem or next(iter(view.problems.values()), None)
    return render_page("budget", view, status=200 if first is None else first.status)


@blueprint.route("/budget.json", methods=("GET", "POST"))
def as_json() -> Response:
    """Everything the page shows, in exact numbers. A field that cannot be used is refused."""
    shared = board()
    form = _read()
    found = read(form.checked(shared.settings), shared.catalogue.tokenizer(form.tokenizer), shared.settings)
    for where, problem in found.problems.items():
        raise InvalidField(where=where, what=problem.what, remedy=problem.remedy)
    name = shared.catalogue.entry(form.tokenizer).name
    answer = Response(json.dumps(as_dict(name, found), ensure_ascii=False, indent=2), mimetype="application/json")
    answer.headers["Content-Disposition"] = "attachment; filename=budget.json"
    return answer


def _read() -> BudgetForm:
    """The form, with the numbers of a model where one was asked for."""
    form, given = BudgetForm.from_request(request, board().catalogue.default)
    args = read_query(request) if request.method in ("GET", "HEAD") else read_form(request)
    if not given and request.method in ("GET", "HEAD"):
        form = replace(form, values=FIRST.values)
    name = args.get("model", "")
    if name:
        if name not in MODELS:
            known = ", ".join(MODELS)
            raise InvalidField(where="model", what=f"found {shorten(name)!r}", remedy=f"choose one of {known}")
        form = form.with_values(MODELS[name].values)
    return form


def _work_out(form: BudgetForm) -> BudgetRequest:
    shared = board()
    tokenizer: Tokenizer | TokcoreError
    try:
        tokenizer = shared.catalogue.tokenizer(form.tokenizer)
    except TokcoreError as error:
        tokenizer = error
    return read(form, tokenizer, shared.settings)
