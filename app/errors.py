"""One error shape: a problem with where, what and remedy, as JSON, as a fragment or as a page; under /v1/ as OpenAI's.

Routes raise (a TokcoreError, one of the classes below, or Flask's abort); nothing else turns errors into answers.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from dataclasses import asdict, dataclass, replace
from types import TracebackType

from flask import Flask, Request, Response, current_app, g, has_request_context, json, make_response, render_template
from flask import request as current_request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.http import HTTP_STATUS_CODES

from app.htmx import wants_fragment
from app.sandbox import SandboxBusy
from tokcore.errors import InvalidText, MalformedFile, TokcoreError, UnknownId

log = logging.getLogger("tokboard")

OPENAI_PREFIX = "/v1/"
JSON_PREFIXES = ("/api/", OPENAI_PREFIX, "/healthz")


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


class InvalidParameter(InvalidField):
    """A parameter of the OpenAI-compatible addresses; `code` is OpenAI's word for what is wrong with it."""

    def __init__(self, *, where: str, what: str, remedy: str, code: str = "invalid_value") -> None:
        super().__init__(where=where, what=what, remedy=remedy)
        self.code = code


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
    (SandboxBusy, 503, "Too busy"),
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

# OpenAI's word for each of them; of the first class again.
OPENAI_CODES: tuple[tuple[type[TokcoreError], str], ...] = (
    (UnknownTokenizer, "model_not_found"),
    (TokenizerUnavailable, "model_not_available"),
    (MalformedBody, "invalid_json"),
    (TextTooLong, "too_long"),
    (MalformedFile, "invalid_type"),
    (TokcoreError, "invalid_value"),
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


def openai_code(error: TokcoreError) -> str:
    """The `code` of an error under /v1/.

    >>> openai_code(InvalidParameter(where="/n", what="9", remedy="at most 8"))
    'invalid_value'
    """
    if isinstance(error, InvalidParameter):
        return error.code
    return next(code for kind, code in OPENAI_CODES if isinstance(error, kind))


def openai_members(problem: Problem, code: str | None) -> dict[str, str | None]:
    """A problem as OpenAI's clients read it; a JSON pointer becomes the parameter's path.

    >>> problem = Problem(422, "Unusable value", "/messages/2/content", "found a number", "must be a string")
    >>> members = openai_members(problem, "invalid_type")
    >>> members["param"], members["message"]
    ('messages[2].content', 'messages[2].content: found a number (must be a string)')
    """
    where, param = problem.where, None
    if where == "tokenizer":
        param = where = "model"
    elif where.startswith("/") and where != "/":
        keys = (key.replace("~1", "/").replace("~0", "~") for key in where.split("/")[1:])
        param = where = "".join(f"[{key}]" if key.isdecimal() else f".{key}" for key in keys).removeprefix(".")
    kind = "server_error" if problem.status >= 500 else "invalid_request_error"
    return {"message": replace(problem, where=where).detail, "type": kind, "param": param, "code": code}


def problem_response(problem: Problem, code: str | None = None) -> Response:
    """The problem in the form the client asked for: OpenAI's or RFC 9457 JSON, an htmx fragment, or a page."""
    problem = _printable(problem)
    if current_request.path.startswith(OPENAI_PREFIX):
        # Where other addresses answer 422, OpenAI's answer 400.
        status = 400 if problem.status == 422 else problem.status
        response = make_response(json.dumps({"error": openai_members(problem, code)}), status)
        response.mimetype = "application/json"
        return response
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
        where = f"{current_request.method} {current_request.endpoint}" if has_request_context() else "-"
        g.reference = log_unexpected(kind, trace, where)


def log_unexpected(kind: type[BaseException] | None, trace: TracebackType | None, where: str) -> str:
    """Log an unexpected error without its message or values; the reference number that the log has it under."""
    reference = secrets.token_hex(4)
    places = " < ".join(f"{f.filename}:{f.lineno} {f.name}" for f in reversed(traceback.extract_tb(trace)))
    name = kind.__name__ if kind is not None else "error"
    log.error("unexpected %s, reference %s, in %s: %s", name, reference, where, places)
    return reference


def unexpected(reference: str) -> Problem:
    """What a client is told about an error that was logged under a reference number."""
    return Problem(
        500,
        "Unexpected error",
        "server",
        f"something failed here; it was logged under reference {reference}",
        f"try again; if it stays, report reference {reference}",
    )


def _on_tokcore_error(error: TokcoreError) -> Response:
    return problem_response(problem_of(error), openai_code(error))


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
        return unexpected(g.get("reference", "none"))
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
