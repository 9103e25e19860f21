"""Untrusted work: every known attack ends in a clear error within its budget, and the next job runs."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from app import sandbox
from app.sandbox import (
    Budget,
    BudgetExceeded,
    DepthExceeded,
    JobCrashed,
    MemoryExceeded,
    OutputExceeded,
    Sandbox,
    SandboxBusy,
    TimeExceeded,
)
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.errors import ChatError, LimitExceeded, TemplateFailed, TemplateForbidden, TemplateSyntax
from tokcore.chat.provenance import render_with_provenance
from tokcore.errors import TokcoreError

USER = [{"role": "user", "content": "x"}]
SHORT = Budget(seconds=1.0)
LONG_LOOP = "{% for i in range(999) %}{% set x = (range(99999) | list * 10) | sort(reverse=true) %}{% endfor %}"


@pytest.fixture(scope="module")
def pool() -> Iterator[Sandbox]:
    made = Sandbox(workers=2, waiting=2)
    yield made
    made.close()


def render(pool: Sandbox, template: str, budget: Budget = SHORT, **options: Any) -> str:
    return pool.run_within(budget, render_chat, template, USER, limits=budget.limits, **options)


# ---- jobs of this module; workers import it by name


def process_id() -> int:
    return os.getpid()


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def die() -> None:
    os.abort()


def leave() -> None:
    os._exit(7)


def fill_memory() -> int:
    return len(bytearray(2**30))


def answer_at_length(characters: int) -> str:
    return "x" * characters


def parse_json(text: str) -> Any:
    return json.loads(text)


def fail() -> None:
    raise KeyError("a mistake in the job")


class Odd(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")
        self.lock = threading.Lock()  # cannot travel


def fail_oddly() -> None:
    raise Odd(1, 2)


# ---- hostile templates

HOSTILE: dict[str, tuple[str, type[TokcoreError] | tuple[type[TokcoreError], ...]]] = {
    "three nested ranges of 999": (
        "{% for i in range(999) %}{% for j in range(999) %}{% for k in range(999) %}{{ i }}{% endfor %}{% endfor %}"
        "{% endfor %}",
        LimitExceeded,
    ),
    "two nested ranges of 100000": (
        "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
        LimitExceeded,
    ),
    "300 million letters": ("{{ 'a'*300000000 }}", MemoryExceeded),
    "300 million letters, by a variable": ("{% set n = 300000000 %}{{ 'a' * n }}", MemoryExceeded),
    "a range above the sandbox's": ("{{ range(100001) }}", TemplateFailed),
    "the way to all classes": ("{{ ''.__class__.__mro__ }}", TemplateForbidden),
    "writing to the messages": ("{% set _ = messages.append(1) %}", TemplateForbidden),
    "writing to a message": ("{% set _ = messages[0].update({}) %}", TemplateForbidden),
    "a text that doubles": (
        "{% set n = namespace(s='ab') %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}",
        MemoryExceeded,
    ),
    "a number that squares": (
        "{% set n = namespace(d=3) %}{% for i in range(40) %}{% set n.d = n.d * n.d %}{% endfor %}{{ n.d }}",
        (TimeExceeded, TemplateFailed),
    ),
    "a macro that calls itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", TemplateFailed),
    "a macro that calls itself twice": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
        LimitExceeded,
    ),
    "a loop that calls itself": ("{% for m in messages recursive %}{{ loop(messages) }}{% endfor %}", TemplateFailed),
    "joining fifty million numbers": ("{{ (range(99999) | list * 500) | join(',') }}", MemoryExceeded),
    "sorting again and again": (LONG_LOOP, TimeExceeded),
    "sorting inside a condition": (
        "{% for i in range(99999) if i in range(99999) | list | sort %}{% endfor %}",
        TimeExceeded,
    ),
    "a width of 900 million": ("{{ 'x' | center(900000000) }}", MemoryExceeded),
    "a format of 900 million": ("{{ '%900000000d' % 1 }}", MemoryExceeded),
    "replacing by something large": ("{{ ('a' * 99999) | replace('a', 'b' * 99999) }}", MemoryExceeded),
    "a list in a billion batches": ("{{ range(10) | batch(999999999, 'x') | list | length }}", MemoryExceeded),
    "JSON with a deep indent": ("{{ {'a': 1} | tojson(indent=900000000) }}", MemoryExceeded),
    "filler text without end": ("{{ lipsum(n=1000000) }}", (TimeExceeded, MemoryExceeded)),
    "a very long prompt": ("{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}", LimitExceeded),
    "data nested by hand": (
        "{% set n = namespace(d={}) %}{% for i in range(50000) %}{% set n.d = {'a': n.d} %}{% endfor %}"
        "{{ n.d | tojson }}",
        TemplateFailed,
    ),
    "filters upon filters": (
        "{% set n = namespace(d=[[1]]) %}{% for i in range(50000) %}{% set n.d = n.d | select %}{% endfor %}"
        "{{ n.d | list }}",
        (TemplateFailed, JobCrashed),
    ),
    "three thousand brackets": ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", TemplateSyntax),
    "twenty thousand signs": ("{{ " + "-" * 20000 + "1 }}", TemplateSyntax),
    "five hundred nested conditions": ("{% if messages %}" * 500 + "{% endif %}" * 500, TemplateSyntax),
}


@pytest.mark.parametrize(("template", "error"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_template_ends_in_a_clear_error_and_the_next_one_renders(
    pool: Sandbox, template: str, error: Any
) -> None:
    # Time is short where it is to run out, and ample where something else is.
    budget = SHORT if TimeExceeded in (error if isinstance(error, tuple) else (error,)) else Budget(seconds=20)
    begun = time.monotonic()
    with pytest.raises(error) as caught:
        render(pool, template, budget)
    assert time.monotonic() - begun < budget.seconds + 6
    assert caught.value.what and caught.value.remedy
    assert render(pool, "{{ messages[0].role }}") == "user"


@pytest.mark.parametrize("name", ["a text that doubles", "sorting again and again", "300 million letters"])
def test_tracing_the_writers_of_a_hostile_template_ends_as_well(pool: Sandbox, name: str) -> None:
    with pytest.raises(BudgetExceeded):
        pool.run_within(SHORT, render_with_provenance, HOSTILE[name][0], USER, limits=SHORT.limits)


# ---- budgets


def test_a_job_past_its_time_is_killed_soon_after(pool: Sandbox) -> None:
    begun = time.monotonic()
    with pytest.raises(TimeExceeded, match=r"longer than 0\.3 seconds"):
        pool.run_within(Budget(seconds=0.3), sleep, 30)
    assert time.monotonic() - begun < 5


def test_a_job_past_its_memory_is_told_how_much_it_had(pool: Sandbox) -> None:
    with pytest.raises(MemoryExceeded, match="more than 64 MB"):
        pool.run_within(Budget(memory_bytes=64 * 2**20), fill_memory)
    assert pool.run(answer_at_length, 10_000_000 // 8) == "x" * (10_000_000 // 8)


def test_a_result_past_its_size_does_not_come_back(pool: Sandbox) -> None:
    with pytest.raises(OutputExceeded):
        pool.run_within(Budget(output_characters=1000), answer_at_length, 200_000)
    assert len(pool.run_within(Budget(output_characters=1000), answer_at_length, 1000)) == 1000


def test_deep_json_is_too_deep_and_no_crash(pool: Sandbox) -> None:
    with pytest.raises(DepthExceeded):
        pool.run(parse_json, "[" * 500_000)


def test_steps_and_output_of_a_template_are_budgeted_with_their_place(pool: Sandbox) -> None:
    loop = "\n{% for i in range(5000) %}{{ messages[0].role }}{% endfor %}"
    for budget, says in ((Budget(steps=1000), "1,000 steps"), (Budget(output_characters=9000), "9,000 characters")):
        with pytest.raises(LimitExceeded, match=says) as caught:
            render(pool, loop, budget)
        assert caught.value.line == 2


# ---- errors


def test_the_template_s_own_error_comes_back_whole(pool: Sandbox) -> None:
    with pytest.raises(TemplateFailed) as here:
        render_chat("\n{{ a.b }}", USER)
    with pytest.raises(TemplateFailed) as there:
        render(pool, "\n{{ a.b }}")
    assert (str(there.value), vars(there.value)) == (str(here.value), vars(here.value))


@pytest.mark.parametrize("job", [die, leave])
def test_a_crash_is_told_and_a_new_worker_takes_over(pool: Sandbox, job: Any) -> None:
    with pytest.raises(JobCrashed, match="ended with code"):
        pool.run(job)
    assert pool.run(abs, -3) == 3


def test_a_mistake_in_a_job_is_raised_as_it_is(pool: Sandbox) -> None:
    with pytest.raises(KeyError, match="a mistake in the job") as caught:
        pool.run(fail)
    assert "in fail" in caught.value.__notes__[0]


def test_an_error_that_cannot_travel_is_told_by_its_text(pool: Sandbox) -> None:
    with pytest.raises(RuntimeError, match="Odd: 1 and 2"):
        pool.run(fail_oddly)
    assert pool.run(abs, -3) == 3


def test_what_cannot_be_sent_is_refused_at_once(pool: Sandbox) -> None:
    with pytest.raises((AttributeError, TypeError), match=r"pickle|lambda"):
        pool.run(lambda: 1)
    assert pool.run(abs, -3) == 3


# ---- the pool


def test_jobs_run_in_other_processes_that_stay(pool: Sandbox) -> None:
    ids = {pool.run(process_id) for _ in range(20)}
    assert os.getpid() not in ids and len(ids) <= 2


def test_a_slow_job_does_not_hold_up_another() -> None:
    pool = Sandbox(workers=2, waiting=2)
    try:
        pool.warm()
        slow = threading.Thread(target=pool.run_within, args=(Budget(seconds=8), sleep, 3))
        slow.start()
        time.sleep(0.3)
        begun = time.monotonic()
        assert pool.run(abs, -3) == 3
        assert time.monotonic() - begun < 2
        slow.join()
    finally:
        pool.close()


def test_a_flood_is_turned_away_and_the_rest_is_served() -> None:
    pool = Sandbox(workers=1, waiting=2)
    outcomes: list[str] = []

    def one() -> None:
        try:
            outcomes.append(pool.run(sleep, 0.4))
        except SandboxBusy as error:
            outcomes.append(error.remedy)

    try:
        pool.warm()
        threads = [threading.Thread(target=one) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["slept"] * 3 + ["try again in a few seconds"] * 3
        assert pool.run(abs, -3) == 3
    finally:
        pool.close()


def test_many_threads_get_each_their_own_answer(pool: Sandbox) -> None:
    wide = Sandbox(workers=2, waiting=30)
    answers: dict[int, str] = {}

    def one(number: int) -> None:
        template = CHATML_TEMPLATE if number % 2 else "{{ messages[0].content }}"
        answers[number] = wide.run(render_chat, template, [{"role": "user", "content": str(number)}])

    try:
        threads = [threading.Thread(target=one, args=(number,)) for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(str(number) in answers[number] for number in range(24))
    finally:
        wide.close()


def test_nothing_starts_before_the_first_job_and_a_closed_pool_starts_again() -> None:
    pool = Sandbox()
    assert pool._pool is None
    assert pool.run(abs, -3) == 3
    pool.close()
    assert pool._pool is None
    assert pool.run(abs, -4) == 4
    pool.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_starts_a_pool_of_its_own(pool: Sandbox) -> None:
    pool.warm()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            os.write(write, b"fresh" if pool._pool is None else b"inherited")
        finally:
            os._exit(0)
    os.close(write)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(read, 100) == b"fresh"
    os.close(read)
    assert pool.run(abs, -3) == 3


def test_the_server_s_own_pool_renders() -> None:
    now = datetime(2031, 2, 3)
    assert sandbox.render("{{ strftime_now('%d %b %Y') }}", USER, now=now) == "03 Feb 2031"
    assert sandbox.run(abs, -3, budget=SHORT) == 3
    with pytest.raises(ChatError):
        sandbox.render("{% frob %}", USER)


def test_a_worker_is_a_program_of_its_own_without_the_server_s_memory(pool: Sandbox) -> None:
    loaded = "a module that only this process has"
    sys.modules[loaded] = sys
    try:
        assert pool.run(has_module, loaded) is False
    finally:
        del sys.modules[loaded]


def has_module(name: str) -> bool:
    return name in sys.modules
