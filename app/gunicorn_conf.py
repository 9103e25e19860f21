"""How gunicorn serves Tokboard; `make run` and Procfile both start it with this file.

The environment says what differs between machines: HOST and PORT (where to listen), WEB_CONCURRENCY (how many workers).
Everything else is fixed here, with the reason beside it.
"""

import errno
import gc
import logging
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

_before_own_handlers: SimpleQueue[int] = SimpleQueue()


def _number(name: str, default: int, lowest: int, highest: int) -> int:
    """The whole number in an environment variable; the process ends with a clear line when it is none."""
    raw = os.environ.get(name, "").strip()
    if not raw:
        return default
    if not (raw.isascii() and raw.isdigit() and lowest <= int(raw) <= highest):
        sys.exit(f"{name} is {raw!r}; it must be a whole number from {lowest} to {highest}. Unset it for {default}.")
    return int(raw)


def _check_settings() -> None:
    """A TOKBOARD_ variable that cannot be used ends the start with one line; gunicorn would print a traceback."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from app.settings import Settings, SettingsError

    try:
        Settings.from_env(os.environ)
    except SettingsError as error:
        sys.exit(f"{error.where}: {error.what}. What to do: {error.remedy}.")


_check_settings()


def _cores() -> int:
    """Cores this process may use: a container is often granted fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _address(host: str, port: int) -> str:
    """host:port as it stands in an address; IPv6 hosts get their brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


# Only this machine by default: whoever wants the room, or a platform, to reach it says HOST=0.0.0.0.
bind = _address(os.environ.get("HOST", "").strip() or "127.0.0.1", _number("PORT", 8000, 0, 65535))

# Encoding is CPU work, so workers count by core; threads keep a slow client or a long text from blocking the others.
workers = _number("WEB_CONCURRENCY", min(2, _cores()), 1, 64)
worker_class = "gthread"
# Most of them wait: for a slow line, or for a connection that a browser opens ahead and does not use yet.
threads = 32

# The master builds the app once and forks it, so that workers share what it has loaded.
preload_app = True

# For gthread this bounds a stuck worker, not a request. A stop waits ten seconds for requests in flight.
timeout = 60
graceful_timeout = 10
# A typist's pauses are longer than the default two seconds; an idle connection holds no thread.
keepalive = 15
# A worker is replaced now and then, never all at once: memory that a C library keeps is given back.
max_requests = 10_000
max_requests_jitter = 2_000

# The state of a page with its short text is in the address; this is the most that gunicorn can be set to.
limit_request_line = 8190

# The heartbeat file belongs in memory: on a slow disk a busy worker looks dead.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

# Privacy: addresses carry what people typed, so no request is logged. Errors go to stderr (without_text below).
accesslog = None
errorlog = "-"
# Nothing listens besides the port: gunicorn's control socket would lie in the home directory.
control_socket_disable = True


def without_text(record: logging.LogRecord) -> bool:
    """A logging filter for gunicorn's own lines: keeps what happened, drops what was typed."""
    if isinstance(record.msg, str) and record.msg.startswith("Invalid request from"):
        record.msg = "Invalid request"
    if isinstance(record.args, tuple):
        record.args = tuple(arg.partition("?")[0] if isinstance(arg, str) else arg for arg in record.args)
    return True


def on_starting(server: Any) -> None:
    """Before anything listens: set the log filter, and say at once that an address cannot be had.

    gunicorn alone tries for five seconds, then names no way out.
    """
    server.log.error_log.addFilter(without_text)
    if "GUNICORN_PID" in os.environ or "LISTEN_FDS" in os.environ:
        return  # the sockets are handed over, already open
    for address in server.address:
        if not isinstance(address, tuple):
            continue  # a Unix socket or a descriptor given on the command line
        host, port = address
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            socket.create_server((host, port), family=family).close()
        except OSError as error:
            sys.exit(_refusal(host, port, error))


def _refusal(host: str, port: int, error: OSError) -> str:
    """Where, what and the way out, for an address that cannot be listened on."""
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return (
            f"Port {port} on {host} is taken: another program (perhaps another Tokboard) listens there. "
            f"Stop it, or choose another port: PORT={other} make run"
        )
    if error.errno == errno.EACCES:
        return (
            f"Port {port} on {host} needs more rights than this user has. Choose one from 1024 up: PORT=8000 make run"
        )
    return f"Cannot listen on {_address(host, port)}: {error.strerror or error}. Check HOST and PORT."


def when_ready(server: Any) -> None:
    """Listening, and not forked yet: freeze what is shared, then say the address."""
    # Garbage collection writes into every object it visits; frozen, the shared pages stay shared.
    gc.collect()
    gc.freeze()
    if os.isatty(0):
        # Started by hand: a closed terminal means stop. (A service manager has no terminal; there HUP stays a reload.)
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    for listener in server.LISTENERS:
        print(f"Tokboard: {listener}  (Ctrl-C stops it)", flush=True)


def post_fork(server: Any, worker: Any) -> None:
    """In the new worker: until its own handlers stand, signals still land in its copy of the master's queue."""
    global _before_own_handlers
    _before_own_handlers = server.SIG_QUEUE


def post_worker_init(worker: Any) -> None:
    """In the new worker, ready: obey a stop that came while it started, and leave Ctrl-C to the master from now on.

    Without the first, the master waits ten seconds for a worker that never heard it. A terminal sends Ctrl-C to every
    process at once, and the master then tells its workers to quit: once is enough.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while not _before_own_handlers.empty():
        if _before_own_handlers.get() in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            sys.exit(0)


def worker_int(worker: Any) -> None:
    """In a worker told to quit (Ctrl-C): two seconds for its threads, then out, whatever a request is still doing."""
    last_call = threading.Timer(2, os._exit, (0,))
    last_call.daemon = True
    last_call.start()
