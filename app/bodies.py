"""Request bodies: read whole and within the limit, or, where they are refused, read away within bounds."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.wsgi import ClosingIterator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

try:
    from gunicorn.http.errors import ParseException
except ImportError:  # another server: its complaints about a body are OSErrors, like those of a socket

    class ParseException(Exception):  # type: ignore[no-redef]
        """Never raised."""


_STEP_BYTES = 65_536


def read_body(request: Request) -> bytes:
    """The whole body; raises RequestEntityTooLarge (413) above MAX_CONTENT_LENGTH.

    A body without a Content-Length is cut at the limit by the framework, without a word: reaching it counts as above.
    """
    body = request.get_data()
    limit = request.max_content_length
    if request.content_length is None and limit is not None and len(body) >= limit:
        raise RequestEntityTooLarge()
    return body


class GuardedBody:
    """The server's body stream; a connection that breaks, or a malformed chunk, is the client's mistake (400)."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        return self._guarded(self._stream.read, size)

    def readline(self, size: int = -1) -> bytes:
        return self._guarded(self._stream.readline, size)

    def _guarded(self, read: Any, size: int) -> bytes:
        try:
            data: bytes = read(size)
        except (OSError, ParseException) as error:
            raise ClientDisconnected() from error
        return data


class DrainBodies:
    """WSGI middleware: after the answer, read what the client still sends.

    A server that closes a connection with unread data resets it, and a client that sends first and listens later then
    sees "connection reset" in place of the 413 that it was sent. Above either bound the reset is accepted.
    """

    def __init__(self, app: WSGIApplication, limit_bytes: int, limit_seconds: float) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._limit_seconds = limit_seconds

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Only a server that says so ends the stream where the body ends; reading on anywhere else could hang.
        if not environ.get("wsgi.input_terminated"):
            return self._app(environ, start_response)
        body = GuardedBody(environ["wsgi.input"])
        environ["wsgi.input"] = body
        return ClosingIterator(self._app(environ, start_response), partial(self._drain, body))

    def _drain(self, body: GuardedBody) -> None:
        deadline = time.monotonic() + self._limit_seconds
        left = self._limit_bytes
        try:
            while left > 0 and time.monotonic() < deadline:
                data = body.read(_STEP_BYTES)
                if not data:
                    return
                left -= len(data)
        except ClientDisconnected:
            return
