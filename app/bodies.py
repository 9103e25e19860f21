"""Request bodies: read whole and within the limit, or, where they are refused, read away within bounds."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.wsgi import ClosingIterator

from app.settings import Settings

if TYPE_CHECKING:
    from socket import socket

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
    """The server's body stream; a connection that breaks or stalls, a malformed chunk: the client's mistake (400).

    `connection`: the socket, where the server gives it. A client that stops sending then holds its thread for
    `stall_seconds`, one that trickles for `body_seconds`.
    """

    def __init__(self, stream: Any, connection: socket | None, stall_seconds: float, body_seconds: float) -> None:
        self._stream = stream
        self._connection = connection
        self._stall_seconds = stall_seconds
        self._deadline = time.monotonic() + body_seconds

    def read(self, size: int = -1) -> bytes:
        return self._guarded(self._stream.read, size)

    def readline(self, size: int = -1) -> bytes:
        return self._guarded(self._stream.readline, size)

    def _guarded(self, read: Any, size: int) -> bytes:
        try:
            if self._connection is not None:
                left = self._deadline - time.monotonic()
                self._connection.settimeout(max(0.01, min(self._stall_seconds, left)))
            data: bytes = read(size)
            if self._connection is not None:
                # Not in a finally: after a stall every later read of this connection is to end soon as well.
                self._connection.settimeout(None)
        except (OSError, ParseException) as error:
            raise ClientDisconnected() from error
        return data


class DrainBodies:
    """WSGI middleware: after the answer, read what the client still sends.

    A server that closes a connection with unread data resets it, and a client that sends first and listens later then
    sees "connection reset" in place of the 413 that it was sent. Above either bound the reset is accepted.
    """

    def __init__(self, app: WSGIApplication, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # Only a server that says so ends the stream where the body ends; reading on anywhere else could hang.
        if not environ.get("wsgi.input_terminated"):
            return self._app(environ, start_response)
        connection = environ.get("gunicorn.socket")
        settings = self._settings
        body = GuardedBody(environ["wsgi.input"], connection, settings.stall_seconds, settings.body_seconds)
        environ["wsgi.input"] = body
        return ClosingIterator(self._app(environ, start_response), partial(self._drain, body))

    def _drain(self, body: GuardedBody) -> None:
        deadline = time.monotonic() + self._settings.drain_limit_seconds
        left = self._settings.drain_limit_bytes
        try:
            while left > 0 and time.monotonic() < deadline:
                data = body.read(_STEP_BYTES)
                if not data:
                    return
                left -= len(data)
        except ClientDisconnected:
            return
