"""The chat lab: messages become a prompt; who wrote each token, and what it costs."""

from __future__ import annotations

from dataclasses import asdict, replace

from flask import Blueprint, Response, request

from app.board import board
from app.chat_actions import acted
from app.chat_answer import Chat, choices_view, result_of, template_text, title_of, tokenizer_of, worked
from app.chat_input import LONG_FIELDS, ChatForm
from app.chat_jobs import Rendered
from app.chat_request import ChatRequest, read
from app.chat_samples import BY_NAME, FIRST, Sample
from app.errors import InvalidField, Problem, problem_of
from app.forms import read_query
from app.htmx import render_page, wants_fragment
from app.sandbox import SandboxBusy
from app.views.chat_page import (
    FragmentView,
    ResultView,
    carried,
    editor_view,
    export_json,
    packed,
    page_view,
    result_query,
)
from app.views.chat_template import NO_MESSAGES, failure_view, template_view
from tokcore.errors import TokcoreError

blueprint = Blueprint("chat", __name__)


@blueprint.route("/chat", methods=("GET", "POST"))
def page() -> Response:
    """The page, or for htmx only the result. An address without messages shows the first sample."""
    return _answer(_read())


@blueprint.route("/chat.json", methods=("GET", "POST"))
def as_json() -> Response:
    """The prompt, its ids and offsets, and who wrote what."""
    chat = worked(_read().settled())
    if chat.rendered.prompt is None or chat.encoding is None:
        assert chat.rendered.failure is not None
        raise chat.rendered.failure
    prompt, encoding = chat.rendered.prompt, chat.encoding
    spans: list[object] = [
        {"start": span.span.start, "end": span.span.end, **asdict(span.origin)} for span in prompt.spans
    ]
    name = board().catalogue.entry(chat.form.tokenizer).name
    body = export_json(name, prompt.text, encoding.ids, encoding.tokens, encoding.offsets, spans)
    answer = Response(body, mimetype="application/json")
    answer.headers["Content-Disposition"] = "attachment; filename=chat.json"
    return answer


def _read() -> ChatForm:
    default = board().catalogue.default
    form = ChatForm.from_request(request, default)
    if request.method in ("GET", "HEAD"):
        query = read_query(request)
        if (name := query.get("sample")) is not None:
            if name not in BY_NAME:
                raise InvalidField(where="sample", what="no such sample", remedy=f"one of {', '.join(BY_NAME)}")
            return _sampled(BY_NAME[name], form)
        if not {"text", *LONG_FIELDS} & set(query):
            return _sampled(FIRST, form)
    return form


def _sampled(sample: Sample, form: ChatForm) -> ChatForm:
    """A sample with the tokenizer of a form, and with the variables that its template names."""
    chosen = replace(sample.with_tokenizer(form.tokenizer), view=form.view)
    try:
        source = template_text(chosen)
    except TokcoreError:
        # The page says what is wrong with the tokenizer.
        return chosen
    return replace(chosen, variables=tuple(pair for pair in chosen.variables if pair[0] in source))


def _answer(sent: ChatForm) -> Response:
    """Page or fragment. What cannot be used stays in its field, with what is wrong beside it."""
    shared = board()
    form, focus = sent, ""
    chat: Chat | None = None
    result: ResultView | None = None
    problem: Problem | None = None
    try:
        if sent.do:
            done = acted(sent.checked(shared.settings), template_text)
            form, focus = done.form, done.focus
        chat = worked(form)
        result = result_of(chat, focus)
    except TokcoreError as error:
        if wants_fragment() and (form is sent or isinstance(error, SandboxBusy)):
            raise
        problem = problem_of(error)
    problems = {} if chat is None else dict(chat.request.problems)
    if wants_fragment():
        if result is None or chat is None:
            assert problem is not None
            return _fragment_without_result(sent, form, focus, problem)
        return render_page("chat", _fragment(sent, chat, result))
    view = page_view(
        form,
        shared.catalogue,
        shared.settings,
        choices=None if chat is None else choices_view(chat),
        problems=problems,
        result=result,
        problem=problem,
    )
    first = problem or next(iter(problems.values()), None)
    status = 200 if first is None else first.status
    if result is not None and result.failure not in (None, NO_MESSAGES):
        status = 422
    return render_page("chat", view, status=status)


def _fragment(sent: ChatForm, chat: Chat, result: ResultView) -> FragmentView:
    """The result, and of the input what is no longer as the browser has it."""
    form = chat.form
    offered = choices_view(chat)
    redrawn = sent.do != "" or (sent.turns is None) == (form.view == "form")
    return FragmentView(
        result=result,
        problems=chat.request.problems,
        form=form,
        editor=editor_view(form) if redrawn else None,
        messages=None if redrawn or form.turns is None else packed(form),
        choices=None if offered.key == sent.choices_key else offered,
        boxes=tuple(name for name in ("tools", "template") if getattr(form, name) != getattr(sent, name)),
        text_limit_bytes=board().settings.text_limit_bytes,
    )


def _fragment_without_result(sent: ChatForm, form: ChatForm, focus: str, problem: Problem) -> Response:
    """After a button whose input cannot be rendered (no message is left): the input changes all the same."""
    failed = failure_view(InvalidField(where=problem.where, what=problem.what, remedy=problem.remedy), "")
    query, is_long = result_query(form, board().catalogue.default, board().settings)
    chat = Chat(form, tokenizer_of(form), _nothing(form), Rendered(None, None, None), None)
    template = template_view(chat.request, None, None, (), chat.count_ids)
    carry, _ = carried(form, "", board().catalogue.default, board().settings)
    result = ResultView(query, is_long, carry, focus, template, (), failure=replace(failed, title=problem.title))
    return render_page("chat", replace(_fragment(sent, chat, result), choices=None))


def _nothing(form: ChatForm) -> ChatRequest:
    """A request of a form whose messages cannot be read."""
    return read(replace(form, messages="", turns=None), tokenizer_of(form), title_of(form), board().settings)
