"""The front page: a text and its tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from flask import Blueprint, Response, render_template, request
from flask.blueprints import BlueprintSetupState

from app.board import board
from app.counts import Counts
from app.encodings import encoding_key
from app.errors import ExpiredEncoding, Problem, problem_of
from app.examples import FIRST_LOOK
from app.forms import EncodeInput, count, read_form, read_query, switch
from app.htmx import render_page, wants_fragment
from app.pages.way import shown_endpoints, shown_groups
from app.views.check import CheckView, check_view, unloadable
from app.views.chips import TokenFacts, chunk, cluster_ends, token_facts
from app.views.export import csv_parts, json_parts
from app.views.pipeline import REFERENCE_VERSION, PipelineView, pipeline_view
from app.views.tokens_page import ResultView, page_view, result_view
from tokcore.errors import TokcoreError
from tokcore.export import to_json
from tokcore.parity import compare
from tokcore.pipeline import Tokenizer
from tokcore.tokens import Encoding

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Reference

blueprint = Blueprint("tokens", __name__)

PIPELINE_CHARACTERS = 20_000
CHECK_CHARACTERS = 20_000
_REFERENCE_LOCK = Lock()
EXPORT_STEP_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Encoded:
    """An input that was accepted, with its tokenizer, its encoding and the encoding's key."""

    form: EncodeInput
    tokenizer: Tokenizer
    key: str
    encoding: Encoding

    @property
    def special_ids(self) -> frozenset[int]:
        return special_ids_of(self.tokenizer)

    def facts(self) -> Iterator[TokenFacts]:
        """Every token's facts, a few thousand at a time."""
        special_ids, start = self.special_ids, 0
        for end in cluster_ends(self.encoding.entries, 0):
            if end - start >= EXPORT_STEP_TOKENS or end == len(self.encoding):
                yield from token_facts(self.encoding, start, end, special_ids)
                start = end


@blueprint.record
def _give_templates_the_way(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals.update(way=shown_groups, way_endpoints=shown_endpoints)


@blueprint.route("/", methods=("GET", "POST"))
def page() -> Response:
    """The page, or for htmx only the result. An address without a text shows the first example.

    A long text that was just pasted comes twice: its `beginning` for the first screen at once, then all of it.
    """
    form = _read().with_newlines()
    if request.method in ("GET", "HEAD") and "text" not in read_query(request):
        form = replace(form, text=FIRST_LOOK.text)
    return _answer(form, pending=wants_fragment() and request.method == "POST" and "beginning" in read_form(request))


@blueprint.route("/tokens/pipeline", methods=("GET", "POST"))
def pipeline() -> Response:
    """Every stage of the same input; a long text is cut for this view, which says so."""
    return _answer(_read().with_newlines(), with_pipeline=True)


@blueprint.post("/tokens/check")
def check() -> Response:
    """The same input through the reference library, compared; without htmx the page, with the stages."""
    if not wants_fragment():
        return _answer(_read(), with_pipeline=True, with_check=True)
    return render_page("tokens", _check(_read()), fragment="_check")


@blueprint.post("/tokens/more")
def more() -> Response:
    """The next chips. htmx sends the key without the text; where the key is gone, the answer asks for the text.

    What a key names never changes: chips of another text, or drawn by another tokenizer, are refused.
    """
    shared = board()
    fields = read_form(request)
    start = count(fields, "start", default=0, limit=shared.settings.ids_limit)
    form = _read()
    if not wants_fragment():
        return _answer(form, start=start)
    key = fields.get("key", "")
    kept = shared.encodings.find(key)
    if kept is None and "text" not in fields:
        return Response(render_template("tokens/_resend.html", key=key, start=start))
    if kept is not None:
        encoding, special_ids = kept.encoding, special_ids_of(shared.catalogue.tokenizer(kept.tokenizer))
    else:
        name = shared.catalogue.entry(form.tokenizer).name
        if key and key != encoding_key(name, form.checked(shared.settings)):
            raise ExpiredEncoding(
                where="more tokens",
                what="the text or a choice beside it has changed since the tokens above were made",
                remedy="wait for the new tokens, or change the text once more to have them made again",
            )
        encoded = _encode(form)
        key, encoding, special_ids = encoded.key, encoded.encoding, encoded.special_ids
    if start > len(encoding):
        raise ExpiredEncoding(where="start", what=f"there are {len(encoding):,} tokens", remedy="reload the page")
    part = chunk(encoding, start, shared.settings.more_tokens, special_ids)
    return Response(render_template("tokens/_chips.html", chunk=part, key=key))


@blueprint.route("/tokens.json", methods=("GET", "POST"))
def as_json() -> Response:
    """The plain lists, and every column of the card for every token; `rows=0` leaves the latter out."""
    encoded = _encode(_read())
    encoding = encoded.encoding
    fields = read_form(request) if request.method == "POST" else read_query(request)
    body = {
        "tokenizer": board().catalogue.entry(encoded.form.tokenizer).name,
        "text": encoding.source,
        **encoded.form.options,
        "counts": asdict(Counts.of(encoding.source, len(encoding))),
        "ids": encoding.ids,
        "tokens": encoding.tokens,
    }
    facts = encoded.facts() if switch(fields, "rows", default=True) else None
    answer = Response(json_parts(body, facts), mimetype="application/json")
    answer.headers["Content-Disposition"] = "attachment; filename=tokens.json"
    return answer


@blueprint.route("/tokens.csv", methods=("GET", "POST"))
def as_csv() -> Response:
    """RFC 4180, UTF-8, one row a token. Values are exact: nothing is put before a leading = + - @.

    A spreadsheet that would run such a cell as a formula must import the columns `token` and `text` as text; a program
    reads back precisely what the tokenizer gave.
    """
    answer = Response(csv_parts(_encode(_read()).facts()), content_type="text/csv; charset=utf-8; header=present")
    answer.headers["Content-Disposition"] = "attachment; filename=tokens.csv"
    return answer


def special_ids_of(tokenizer: Tokenizer) -> frozenset[int]:
    return frozenset(id for id, token in tokenizer.added_tokens.items() if token.special)


def _read() -> EncodeInput:
    return EncodeInput.from_request(request, board().catalogue.default)


def _encode(form: EncodeInput) -> Encoded:
    shared = board()
    form = form.checked(shared.settings)
    key, encoding = shared.encodings.encode(shared.catalogue, form)
    return Encoded(form, shared.catalogue.tokenizer(form.tokenizer), key, encoding)


def _answer(
    form: EncodeInput,
    *,
    start: int = 0,
    with_pipeline: bool = False,
    with_check: bool = False,
    pending: bool = False,
) -> Response:
    """Page or fragment. A refused text stays in the box, with what is wrong beside it."""
    shared = board()
    result: ResultView | None = None
    stages: PipelineView | None = None
    problem: Problem | None = None
    try:
        if with_pipeline and wants_fragment():
            return render_page("tokens", _pipeline(form), fragment="_pipeline")
        result = _result(form, start, pending)
        stages = _pipeline(form) if with_pipeline else None
        if stages is not None and with_check:
            stages = replace(stages, check=_check(form))
    except TokcoreError as error:
        if wants_fragment():
            raise
        problem = problem_of(error)
    if wants_fragment():
        return render_page("tokens", result)
    view = page_view(form, shared.catalogue, shared.settings, result=result, problem=problem, pipeline=stages)
    return render_page("tokens", view, status=200 if problem is None else problem.status)


def _result(form: EncodeInput, start: int, pending: bool) -> ResultView:
    shared = board()
    encoded = _encode(form)
    return result_view(
        form,
        encoded.key,
        encoded.encoding,
        special_ids=encoded.special_ids,
        adds_tokens=_adds_tokens(encoded.tokenizer),
        default_tokenizer=shared.catalogue.default,
        settings=shared.settings,
        start=min(start, len(encoded.encoding)),
        pending=pending,
    )


def _adds_tokens(tokenizer: Tokenizer) -> bool:
    """Whether the post-processor places any token; padding, which may be there too, is none of its."""
    return tokenizer.encode("").ids != tokenizer.encode("", add_special_tokens=False).ids


def _pipeline(form: EncodeInput) -> PipelineView:
    encoded = _encode(form)
    text = form.text[:PIPELINE_CHARACTERS]
    trace = encoded.tokenizer.trace(text, **form.options)
    components = encoded.tokenizer.components
    if len(text) < len(form.text):
        return pipeline_view(trace, components, cut_at=PIPELINE_CHARACTERS)
    return pipeline_view(trace, components, expected=encoded.encoding)


def _check(form: EncodeInput) -> CheckView:
    """What the reference makes of the text's beginning; it is asked by one at a time, as its settings are changed."""
    encoded = _encode(form)
    with _REFERENCE_LOCK:
        try:
            reference = _reference(board().catalogue.entry(form.tokenizer).name, encoded.tokenizer)
        except Exception:
            # The library raises plain exceptions.
            return unloadable(REFERENCE_VERSION)
        report = compare(encoded.tokenizer, reference, [form.text[:CHECK_CHARACTERS]])
    return check_view(report, REFERENCE_VERSION, CHECK_CHARACTERS if len(form.text) > CHECK_CHARACTERS else None)


@lru_cache(maxsize=1)
def _reference(name: str, tokenizer: Tokenizer) -> Reference:
    """The reference's own tokenizer of the same file; one is kept, for it is large."""
    from tokenizers import Tokenizer as Reference

    return Reference.from_str(json.dumps(to_json(tokenizer)))
