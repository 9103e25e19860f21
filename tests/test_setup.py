"""Set-up: all that is installed is pinned, one command starts the server everywhere."""

import importlib.metadata
import importlib.util
import logging
import os
import re
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import conftest

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


# ---- requirements


def pins(name: str) -> dict[str, Requirement]:
    """Canonical package name → its line, for one requirements file (not for the files it includes)."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wanted = (line.split(" #")[0].strip() for line in lines if not line.startswith(("#", "-r ")))
    found = [Requirement(line) for line in wanted if line]
    assert len({canonicalize_name(each.name) for each in found}) == len(found), f"{name} names a package twice"
    return {canonicalize_name(each.name): each for each in found}


def closure(named: set[str]) -> set[str]:
    """The named packages and all that they need on this machine, extras they ask for included."""
    complete: set[tuple[str, str]] = set()
    todo = [(canonicalize_name(name), "") for name in named]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in complete:
            continue
        complete.add((name, extra))
        for need in map(Requirement, importlib.metadata.requires(name) or ()):
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                todo += [(canonicalize_name(need.name), wanted) for wanted in ("", *need.extras)]
    return {name for name, _ in complete}


RUN, DEV = pins("requirements.txt"), pins("requirements-dev.txt")
DIRECT = {canonicalize_name(name) for name in PYPROJECT["project"]["dependencies"]}
DIRECT_DEV = {canonicalize_name(name) for name in PYPROJECT["project"]["optional-dependencies"]["dev"]}


@pytest.mark.parametrize("requirement", [*RUN.values(), *DEV.values()], ids=str)
def test_every_requirement_is_one_exact_version_by_name(requirement):
    assert re.fullmatch(r"==[0-9][0-9a-z.]*", str(requirement.specifier))
    assert requirement.url is None


@pytest.mark.parametrize("requirement", [*RUN.values(), *DEV.values()], ids=str)
def test_the_installed_version_is_the_pinned_one(requirement):
    if requirement.marker is None or requirement.marker.evaluate():
        assert importlib.metadata.version(requirement.name) in requirement.specifier


def test_requirements_hold_all_that_is_needed_and_nothing_else():
    here = {name for name, line in RUN.items() if line.marker is None or line.marker.evaluate()}
    assert here == closure(DIRECT)
    assert set(DEV) == closure(DIRECT | DIRECT_DEV) - here


def test_dev_requirements_stand_on_the_run_time_ones():
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    assert "-r requirements.txt" in lines
    assert not set(DEV) & set(RUN)


def test_dependency_files_name_packages_and_no_hosts():
    for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml", "Makefile", ".ci/run"):
        assert "://" not in (ROOT / name).read_text(encoding="utf-8"), name


# ---- one command


def make(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A make of its own: the suite itself may have been started by make, whose flags would be inherited."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def procfile_command() -> str:
    (line,) = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return line.removeprefix("web: ")


def test_procfile_starts_gunicorn_with_the_configuration_of_this_project():
    assert shlex.split(procfile_command()) == ["gunicorn", "--config", "app/gunicorn_conf.py", "app:create_app()"]


def test_make_run_starts_what_the_procfile_says():
    assert make("--dry-run", "run").stdout.rstrip().endswith(f"exec {procfile_command()}")


def test_make_help_names_every_target_for_people():
    said = make("help").stdout
    assert {f"make {name}" for name in TARGETS - {"help", "browser"}} <= set(re.findall(r"^make [a-z]+", said, re.M))


def test_makefile_and_tests_look_for_the_same_browsers():
    assert re.search(r"^BROWSERS := (.*)$", MAKEFILE, re.MULTILINE)[1].split() == list(conftest.BROWSERS)


def test_ci_runs_the_checks_through_make():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    text = script.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert re.search(r"\bmake .*\bcheck$", text, re.MULTILINE)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Python 3.9.2'\nexit 1\n", "is Python 3.9.2"),
        ('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n', "without venv or pip"),
        (None, "There is no"),
    ],
)
def test_a_python_that_will_not_do_is_named_with_the_way_out(tmp_path, script, says):
    python = tmp_path / "python x"
    if script is not None:
        python.write_text(script, encoding="utf-8")
        python.chmod(0o755)
    for name in ("Makefile", "Procfile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    ran = make("run", f"PYTHON={python}", folder=tmp_path)
    assert ran.returncode != 0
    assert says in ran.stderr
    assert not (tmp_path / ".venv").exists()


def test_readme_gives_commands_that_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {"make run", "make test"} <= set(re.findall(r"\bmake [a-z]+", text))
    code = "\n".join(_code(text))
    assert set(re.findall(r"^\s*(?:\$ )?(?:[A-Z]+=\S+ )*make ([a-z]+)", code, re.M)) <= TARGETS
    for module in re.findall(r"python3? -m ([\w.]+)", code):
        assert importlib.util.find_spec(module) is not None, f"README runs python -m {module}"
    # The way without make is the same command, the same packages and the same htmx.
    for needed in (procfile_command(), "requirements.txt", "python -m app.assets_fetch", "HOST", "PORT"):
        assert needed in text, f"README does not say {needed}"


def _code(text: str) -> list[str]:
    """Code blocks and inline code of a Markdown text."""
    return [block or inline for block, inline in re.findall(r"^```[^\n]*\n(.*?)^```|`([^`\n]+)`", text, re.M | re.S)]


# ---- gunicorn's configuration


def configuration(monkeypatch, **environment: str) -> dict[str, object]:
    for name in ("HOST", "PORT", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "app" / "gunicorn_conf.py"))


@pytest.mark.parametrize(
    ("environment", "bind"),
    [
        ({}, "127.0.0.1:8000"),
        ({"HOST": "", "PORT": ""}, "127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": "80"}, "0.0.0.0:80"),
        ({"HOST": "::1"}, "[::1]:8000"),
    ],
)
def test_host_and_port_come_from_the_environment(monkeypatch, environment, bind):
    assert configuration(monkeypatch, **environment)["bind"] == bind


def test_workers_come_from_the_environment(monkeypatch):
    assert configuration(monkeypatch)["workers"] in (1, 2)
    assert configuration(monkeypatch, WEB_CONCURRENCY="5")["workers"] == 5


@pytest.mark.parametrize("name", ["PORT", "WEB_CONCURRENCY"])
@pytest.mark.parametrize("value", ["x", "-1", "65536", "8000.0", "٣"])
def test_a_wrong_number_ends_with_its_name_and_the_range(monkeypatch, name, value):
    with pytest.raises(SystemExit, match=f"{name} is .* whole number from"):
        configuration(monkeypatch, **{name: value})


def fake_server(*addresses: object) -> SimpleNamespace:
    return SimpleNamespace(address=addresses, log=SimpleNamespace(error_log=logging.Logger("gunicorn.error")))


def test_a_taken_port_is_said_at_once_with_the_way_out(monkeypatch):
    on_starting = configuration(monkeypatch)["on_starting"]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Port {port} on 127.0.0.1 is taken.*PORT={port + 1} make run"):
            on_starting(fake_server(("127.0.0.1", port)))
    on_starting(fake_server(("127.0.0.1", port), "unix socket"))


def test_an_address_of_another_machine_is_refused_clearly(monkeypatch):
    with pytest.raises(SystemExit, match=r"Cannot listen on 192\.0\.2\.1:8000: .*HOST and PORT"):
        configuration(monkeypatch)["on_starting"](fake_server(("192.0.2.1", 8000)))


@pytest.mark.parametrize(
    ("message", "arguments", "logged"),
    [
        ("Error handling request %s %s", ("GET", "/?text=secret"), "Error handling request GET /"),
        ("Invalid request from ip=::1: bad line 'secret'", (), "Invalid request"),
        ("Worker (pid:%s) was sent %s", (7, "SIGKILL"), "Worker (pid:7) was sent SIGKILL"),
    ],
)
def test_the_log_keeps_what_happened_and_drops_what_was_typed(monkeypatch, message, arguments, logged):
    record = logging.LogRecord("gunicorn.error", logging.ERROR, "", 0, message, arguments, None)
    assert configuration(monkeypatch)["without_text"](record)
    assert record.getMessage() == logged


@pytest.fixture
def server(tmp_path):
    """The Procfile's command, started as a terminal would: the process, its address, and its log."""
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": "0", "WEB_CONCURRENCY": "2"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    log = tmp_path / "log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            ["sh", "-c", f"exec {procfile_command()}"],
            **{"cwd": ROOT, "env": environment, "start_new_session": True},
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": stderr},
        )
    with process:
        said = process.stdout.readline().decode()
        assert said.startswith("Tokboard: http://127.0.0.1:"), log.read_text(encoding="utf-8")
        yield SimpleNamespace(process=process, address=said.split()[1], log=log)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_server_serves_logs_nothing_typed_and_stops_whole(server, stop):
    with urllib.request.urlopen(f"{server.address}/healthz?text=typed-secret", timeout=30) as answer:
        assert answer.status == 200
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as broken:
        broken.sendall(b"GET /?text=typed-secret typed-secret HTTP/1.1\r\n\r\n")
        assert b" 400 " in broken.recv(100)
    os.killpg(server.process.pid, stop)  # what Ctrl-C does: the signal reaches master and workers
    server.process.wait(timeout=10)
    with pytest.raises(ProcessLookupError):
        os.killpg(server.process.pid, 0)
    log = server.log.read_text(encoding="utf-8")
    assert "Invalid request" in log
    assert "typed-secret" not in log
    assert "SIGKILL" not in log


# ---- the suite itself


def test_no_test_reaches_another_machine():
    with pytest.raises(conftest.OutsideNetworkError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(conftest.OutsideNetworkError):
        socket.getaddrinfo("a.name.invalid", 80)
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_without_chromium_browser_tests_are_one_line_and_an_error_where_ci_is_set(tmp_path, ci, outcome):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    test = "import pytest\n@pytest.mark.browser\n@pytest.mark.parametrize('n', range(1))\ndef test_x(n): pass\n"
    (tmp_path / "test_x.py").write_text(test, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -rs\nmarkers = browser\n", encoding="utf-8")
    environment = {**os.environ, "PATH": "/nowhere", "CI": ci, "CHROMIUM": ""}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert outcome in ran.stdout
    assert conftest.NO_BROWSER in ran.stdout


@pytest.mark.parametrize(
    ("variable", "value"),
    [("TOKBOARD_FOO", "1"), ("TOKBOARD_TEXT_LIMIT_BYTES", "2MB"), ("TOKBOARD_TOKENIZERS", "/there/is/none")],
)
def test_a_bad_setting_ends_the_start_with_one_line(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit, match=f"{variable}: .* What to do: "):
        runpy.run_path(str(ROOT / "app" / "gunicorn_conf.py"))
