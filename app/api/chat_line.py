"""The way to a client while an answer streams: pauses that end when it leaves, and no waiting for one that stalls."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

# So much fits whenever the system says that a connection takes more: a write then never waits.
WRITE_BYTES = 8192


class Line:
    """The connection of the current request; without one (another server, a test) it is always there.

    >>> here, there = socket.socketpair()
    >>> line = Line(here, stall_seconds=1)
    >>> line.pause(0), there.close(), line.pause(10)
    (True, None, False)
    >>> here.close()
    """

    def __init__(self, connection: object, stall_seconds: float) -> None:
        # A subclass (TLS) cannot be looked at without taking from it.
        self._socket = connection if type(connection) is socket.socket else None
        self._stall_seconds = stall_seconds
        self.is_closed = False

    def pause(self, seconds: float) -> bool:
        """Wait; False as soon as the client has gone."""
        if self._socket is None:
            time.sleep(seconds)
            return True
        deadline = time.monotonic() + seconds
        if self._ready(select.POLLIN, seconds) and self._has_left():
            self.is_closed = True
            return False
        # A client that sends its next request already is still there, and would end every look at once.
        time.sleep(max(0.0, deadline - time.monotonic()))
        return True

    def parts(self, raw: bytes) -> Iterator[bytes]:
        """The bytes in parts, each when the client takes it; ends early where it has left or stalls."""
        for start in range(0, len(raw), WRITE_BYTES):
            if self._socket is not None and not self._ready(select.POLLOUT, self._stall_seconds):
                self.is_closed = True
                # The server, which ends its answer, is told so and does not wait either.
                with suppress(OSError):  # it may have been reset meanwhile
                    self._socket.shutdown(socket.SHUT_RDWR)
                return
            yield raw[start : start + WRITE_BYTES]

    def _ready(self, event: int, seconds: float) -> bool:
        assert self._socket is not None
        poll = select.poll()
        poll.register(self._socket, event)
        return bool(poll.poll(seconds * 1000))

    def _has_left(self) -> bool:
        assert self._socket is not None
        try:
            return self._socket.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True
