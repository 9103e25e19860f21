"""One error shape: a problem with where, what and remedy, as JSON, as a fragment or as a page.

Routes raise (a TokcoreError, one of the classes below, or Flask's abort); nothing else turns errors into answers.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from dataclasses import asdict, dataclass
from types import TracebackType

from flask import Flask, Request, Response, current_app, g, has_request_context, json, make_response, render_template
from flask import request as current_request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.http import HTTP_STATUS_CODES

from app.htmx import wants_fragment
from tokcore.errors import InvalidText, MalformedFile, TokcoreError, UnknownId

log = logging.getLogger("tokboard")

JSON_PREFIXES = ("/api/", "/v1/", "/healthz")


@dataclass(frozen=True, slots=True)
class Problem:
    """What a person (or a program) is told when a request cannot be served.

    >>> Problem(422, "Unusable text", "text", "lone surrogate U+D83D at character 1", "replace it").detail
    'text: lone surrogate U+D83D at character 1 (replace it)'

    `where` names the field, header or JSON pointer, `what` says what was found, `remedy` how to go on.
    """

    status: int
    title: str
    where: str
    what: str
    remedy: str

    @property
    def detail(self) -> str:
        return f"{self.where}: {self.what} ({self.remedy})"

    @property
    def type(self) -> str:
        """What kind it is, for programs: about:blank where the status says all, as RFC 9457 has it.

        >>> Problem(404, "Unknown tokenizer", "tokenizer", "no 'gpt-9'", "choose one of qwen3").type
        'urn:tokboard:unknown-tokenizer'
        """
        if self.title == HTTP_STATUS_CODES.get(self.status):
            return "about:blank"
        return "urn:tokboard:" + self.title.lower().replace(" ", "-")


class UnknownTokenizer(TokcoreError):
    """A tokenizer name that the catalogue does not have."""


class TokenizerUnavailable(TokcoreError):
    """A tokenizer that the catalogue names, but whose package is missing or whose file cannot be loaded."""


class MalformedBody(TokcoreError):
    """A body or query that cannot be read at all: not UTF-8, not JSON, too deep."""


class InvalidField(TokcoreError):
    """A field of the request with a value it cannot have."""


class TextTooLong(TokcoreError):
    """A text above the limit."""


class UnsupportedBody(TokcoreError):
    """A body of a media type that this address does not read."""


class ExpiredEncoding(TokcoreError):
    """A page asks for more tokens of an encoding that this process no longer keeps."""


# The first class an error is an instance of decides.
STATUSES: tuple[tuple[type[TokcoreError], int, str], ...] = (
    (UnknownTokenizer, 404, "Unknown tokenizer"),
    (TokenizerUnavailable, 503, "Tokenizer not available"),
    (MalformedBody, 400, "Unreadable request"),
    (InvalidField, 422, "Unusable value"),
    (TextTooLong, 413, "Text too long"),
    (UnsupportedBody, 415, "Unsupported media type"),
    (ExpiredEncoding, 410, "Tokens no longer at hand"),
    (InvalidText, 422, "Unusable text"),
    (UnknownId, 422, "Unknown token id"),
    (MalformedFile, 422, "Unusable value"),
    (TokcoreError, 422, "Unusable input"),
)

# What werkzeug's own refusals say: status → (where, what, remedy).
_HTTP: dict[int, tuple[str, str, str]] = {
    400: ("request", "the request cannot be read", "check how it was built"),
    404: ("address", "there is nothing at this address", "start from the front page, /"),
    405: ("method", "this address does not take {method}", "use one of: {allowed}"),
    413: ("body", "the request body is larger than {limit:,} bytes", "send a shorter text, or send it in parts"),
    415: ("Content-Type", "this media type is not read here", "send application/json"),
}


def problem_of(error: TokcoreError) -> Problem:
    """The problem that an error amounts to; a page can show it beside the input (errors/_problem.html).

    >>> problem_of(UnknownTokenizer(where="tokenizer", what="no 'gpt-9'", remedy="choose one of qwen3")).status
    404
    """
    status, title = next((status, title) for kind, status, title in STATUSES if isinstance(error, kind))
    return Problem(status, title, error.where or "request", error.what, error.remedy)


def problem_response(problem: Problem) -> Response:
    """The problem in the form the client asked for: RFC 9457 JSON, an htmx fragment, or a page."""
    problem = _printable(problem)
    if wants_json(current_request):
        members = {"type": problem.type, **asdict(problem), "detail": problem.detail}
        response = make_response(json.dumps(members), problem.status)
        response.mimetype = "application/problem+json"
    else:
        # Where something unexpected failed, the frame of the pages may be what failed: the page stands alone.
        whole = "errors/unexpected.html" if problem.status == 500 else "errors/problem.html"
        template = "errors/_problem.html" if wants_fragment() else whole
        response = make_response(render_template(template, problem=problem), problem.status)
    response.vary.add("Accept")
    return response


def wants_json(request: Request) -> bool:
    """Whether an error is answered as JSON: under the API, or where the client prefers JSON to HTML."""
    if request.path.startswith(JSON_PREFIXES):
        return True
    kinds = ("text/html", "application/json", "application/problem+json")
    return (request.accept_mimetypes.best_match(kinds) or kinds[0]) != kinds[0]


def register(app: Flask) -> None:
    """Let this module answer every error of an app."""
    app.register_error_handler(TokcoreError, _on_tokcore_error)
    app.register_error_handler(HTTPException, _on_http_error)


class ReportingFlask(Flask):
    """Flask, except that an unexpected error is logged without any text of the user."""

    def log_exception(
        self,
        exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None],
        *_: object,
    ) -> None:
        """One record: a reference number, the kind of error and the places it passed. No message, no values."""
        kind, _error, trace = exc_info
        g.reference = secrets.token_hex(4)
        places = " < ".join(f"{f.filename}:{f.lineno} {f.name}" for f in reversed(traceback.extract_tb(trace)))
        name = kind.__name__ if kind is not None else "error"
        where = f"{current_request.method} {current_request.endpoint}" if has_request_context() else "-"
        log.error("unexpected %s, reference %s, in %s: %s", name, g.reference, where, places)


def _on_tokcore_error(error: TokcoreError) -> Response:
    return problem_response(problem_of(error))


def _on_http_error(error: HTTPException) -> Response:
    original = error.get_response(current_request.environ)
    if error.code is None or error.code < 400:
        assert isinstance(original, Response)
        return original
    response = problem_response(_http_problem(error))
    for name in ("Allow", "Retry-After"):
        if name in original.headers:
            response.headers[name] = original.headers[name]
    return response


def _http_problem(error: HTTPException) -> Problem:
    code = error.code or 500
    if isinstance(error, InternalServerError):
        reference = g.get("reference", "none")
        return Problem(
            500,
            "Unexpected error",
            "server",
            f"something failed here; it was logged under reference {reference}",
            f"try again; if it stays, report reference {reference}",
        )
    allowed = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    where, what, remedy = _HTTP.get(code, ("request", error.description or error.name, "check the request"))
    facts = {
        "method": current_request.method,
        "allowed": allowed,
        "limit": current_app.config["MAX_CONTENT_LENGTH"],
    }
    return Problem(code, error.name, where, what.format(**facts), remedy.format(**facts))


def _printable(problem: Problem) -> Problem:
    """Lone surrogates of a quoted input have no UTF-8 form: they are written as escapes."""
    texts = (problem.where, problem.what, problem.remedy)
    where, what, remedy = (text.encode("utf-8", "backslashreplace").decode() for text in texts)
    return Problem(problem.status, problem.title, where, what, remedy)
