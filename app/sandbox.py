"""Untrusted work (templates, patterns, schemas) in processes that can be killed, each job with a budget.

>>> run(sorted, [3, 1, 2])
[1, 2, 3]

A job is a function of an importable module. Whatever it is given and gives back travels by pickle.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import pickle
import resource
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

from tokcore.chat.environment import Limits
from tokcore.chat.template import render_chat
from tokcore.errors import TokcoreError

P = ParamSpec("P")
T = TypeVar("T")
# What a worker answers: "result" or "error", and that, pickled.
Outcome = tuple[str, bytes]

# Imported once by the process that all workers are forked from.
PRELOADED = ["app.sandbox"]
# A worker is replaced after so many jobs, in case one of them leaves something behind.
JOBS_A_WORKER = 500
# Pickled results may be this much larger than their characters: four bytes each, and the objects around them.
BYTES_A_CHARACTER = 8
SMALL_RESULT_BYTES = 100_000


class BudgetExceeded(TokcoreError):
    """A job that took more than its budget; it was stopped, and the server goes on."""


class TimeExceeded(BudgetExceeded):
    """More seconds than the budget has."""


class MemoryExceeded(BudgetExceeded):
    """More memory than the budget has."""


class OutputExceeded(BudgetExceeded):
    """A larger result than the budget allows."""


class DepthExceeded(BudgetExceeded):
    """Data or calls nested more deeply than Python follows."""


class JobCrashed(TokcoreError):
    """The process that ran a job died of it."""


class SandboxBusy(TokcoreError):
    """So many jobs wait already that this one is not taken on."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one job may use.

    `seconds` of wall clock from its start; `memory_bytes` on top of what an idle worker has; `output_characters` of its
    result; `steps` of a template (bodies entered).
    """

    seconds: float = 3.0
    memory_bytes: int = 256 * 2**20
    output_characters: int = 2_000_000
    steps: int = 1_000_000

    @property
    def limits(self) -> Limits:
        """The part of it that a template's environment enforces, with the place in the template."""
        return Limits(self.steps, self.output_characters)


class Sandbox:
    """A pool of worker processes, started at the first job.

    `workers` run at once, `waiting` jobs more may wait for them, so that a flood of slow templates cannot take every
    thread of the server. A worker that is killed is replaced; a pool that breaks is made anew.
    """

    def __init__(self, workers: int = 2, waiting: int = 8) -> None:
        self.workers = workers
        self.waiting = waiting
        self._reset()
        # A forked process (gunicorn's workers) has the parent's memory and none of its threads: it starts its own pool.
        os.register_at_fork(after_in_child=self._reset)

        # What the jobs before one may take together, before the pool counts as stuck.
        self._patience_seconds = 30 + 10 * waiting / workers
        atexit.register(self.close)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(self.workers + self.waiting)
        self._pool: ProcessPool | None = None

    def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The job's result, within the default budget; raises its TokcoreError, or why it was stopped."""
        return self.run_within(Budget(), job, *args, **kwargs)

    def run_within(self, budget: Budget, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The job's result, within a budget."""
        if not self._places.acquire(blocking=False):
            raise SandboxBusy(
                where="sandbox",
                what=f"{self.workers + self.waiting} jobs are running or waiting",
                remedy="try again in a few seconds",
            )
        try:
            # Pickled here: what cannot be pickled is the caller's mistake, and is told to the caller.
            work = pickle.dumps((job, args, kwargs))
            try:
                outcome = self._outcome(work, budget)
            except BrokenProcessPool:
                # Perhaps by another job, whose crash took the channel with it: once more, in a new pool.
                outcome = self._outcome(work, budget)
        except BrokenProcessPool as error:
            raise _crashed(f"its pool of processes broke: {error}") from error
        finally:
            self._places.release()
        result: T = _opened(outcome)
        return result

    def _outcome(self, work: bytes, budget: Budget) -> Outcome:
        pool = self._running()
        try:
            future = pool.schedule(_work, args=(work, budget), timeout=budget.seconds)
        except RuntimeError as error:  # the pool has been stopped, or has found itself broken
            self._discard(pool)
            raise BrokenProcessPool(str(error)) from error
        try:
            outcome: Outcome = future.result(timeout=self._patience_seconds + budget.seconds)
            return outcome
        except BrokenProcessPool:
            self._discard(pool)
            raise
        except ProcessExpired as error:
            raise _crashed(f"its process ended with code {error.exitcode}") from None
        except TimeoutError:
            if not future.done():
                self._discard(pool)
                raise _crashed("its pool of processes no longer answers") from None
            raise TimeExceeded(
                where="sandbox",
                what=f"it takes longer than {budget.seconds:g} seconds",
                remedy="look for loops inside loops, or give it less to do",
            ) from None

    def _running(self) -> ProcessPool:
        with self._lock:
            if self._pool is None:
                # Not fork: this process has threads, and a lock that one of them holds would stay shut in the child.
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(PRELOADED)
                self._pool = ProcessPool(self.workers, max_tasks=JOBS_A_WORKER, initializer=_begin, context=context)
            return self._pool

    def warm(self) -> None:
        """Start the pool now, so that the first request does not wait for it."""
        self.run(_nothing)

    def close(self) -> None:
        """Stop every worker; the next job starts new ones."""
        with self._lock:
            pool = self._pool
        if pool is not None:
            self._discard(pool)
            pool.join(10)

    def _discard(self, pool: ProcessPool) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        pool.stop()  # type: ignore[no-untyped-call]


def _crashed(how: str) -> JobCrashed:
    return JobCrashed(where="sandbox", what=how, remedy="give it something simpler; the server itself is well")


# ---- in the worker


def _begin() -> None:
    """A crash of a worker leaves no core file behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _nothing() -> None:
    return None


def _work(work: bytes, budget: Budget) -> Outcome:
    """What became of the job. Nothing is raised from here: an error that cannot be unpickled would stop the pool."""
    try:
        with _memory_limited(budget.memory_bytes):
            job, args, kwargs = pickle.loads(work)
            result = pickle.dumps(job(*args, **kwargs))
            if len(result) > max(SMALL_RESULT_BYTES, BYTES_A_CHARACTER * budget.output_characters):
                raise OutputExceeded(
                    where="sandbox",
                    what=f"its result has {len(result):,} bytes",
                    remedy=f"at most {budget.output_characters:,} characters; give it less to write",
                )
            return "result", result
    except MemoryError:
        error: Exception = MemoryExceeded(
            where="sandbox",
            what=f"it needs more than {budget.memory_bytes // 2**20} MB of memory",
            remedy="look for texts or lists that grow in a loop, or give it less to do",
        )
    except RecursionError:
        error = DepthExceeded(where="sandbox", what="it is nested too deeply", remedy="take some levels out")
    except Exception as raised:
        error = raised
    return "error", _packed(error)


@contextmanager
def _memory_limited(memory_bytes: int) -> Iterator[None]:
    """Address space up to what the process has now and `memory_bytes` more, where the system keeps count of it."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    if (used := _address_space_bytes()) is not None:
        limit = used + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (_at_most(limit, before[1]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _at_most(limit: int, hard: int) -> int:
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def _address_space_bytes() -> int | None:
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def _packed(error: Exception) -> bytes:
    """An error's class, arguments and fields; of what cannot travel, its text."""
    if not isinstance(error, TokcoreError):
        error.add_note("In the sandbox: " + "".join(traceback.format_exception(error)))
    try:
        # Not pickled whole: a TokcoreError is made with names, which pickle alone does not give.
        packed = pickle.dumps((type(error), error.args, vars(error)))
        _error_of(*pickle.loads(packed))
        return packed
    except Exception:
        return pickle.dumps((RuntimeError, (f"{type(error).__name__}: {error}",), {}))


def _error_of(kind: type[Exception], args: tuple[Any, ...], fields: dict[str, Any]) -> Exception:
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(fields)
    return error


def _opened(outcome: Outcome) -> Any:
    kind, payload = outcome
    content = pickle.loads(payload)
    if kind == "error":
        raise _error_of(*content)
    return content


# ---- the one of this process

_sandbox = Sandbox()
warm, close = _sandbox.warm, _sandbox.close


def run(job: Callable[..., T], *args: Any, budget: Budget | None = None, **kwargs: Any) -> T:
    """A job's result, or the TokcoreError it raised, or why it was stopped.

    >>> run(pow, 10, 400_000, budget=Budget(output_characters=1000))
    Traceback (most recent call last):
    app.sandbox.OutputExceeded: sandbox: its result has 166,... bytes (at most 1,000 characters; give it less to write)
    """
    return _sandbox.run_within(budget or Budget(), job, *args, **kwargs)


def render(*args: Any, budget: Budget | None = None, **kwargs: Any) -> str:
    """`tokcore.chat.render_chat` in the sandbox, with the same arguments, within a budget.

    >>> render("{{ messages[0].content }}", [{"role": "user", "content": "Olá"}])
    'Olá'
    """
    budget = budget or Budget()
    return run(render_chat, *args, budget=budget, limits=budget.limits, **kwargs)
