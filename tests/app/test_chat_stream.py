"""The replay endpoint's streams: what is written, when, and to whom no longer."""

from __future__ import annotations

import logging
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api import chat_chunks, chat_completions
from app.api.chat_line import Line
from app.api.chat_nasty import NASTY
from app.api.chat_replay import cut_words
from app.security import HEADERS
from tests.app.replay_requests import ADDRESS, CALL, TOOLS, ask, body, message, post, small_app, streamed
from tokcore.deltas import assemble, read_log


@pytest.fixture(scope="module")
def tiny_app(tiny_file: Path) -> Flask:
    """One for all tests here: none of them changes it."""
    return small_app(tiny_file)


# ---- what is sent

PIECES = [
    "<think>",
    "</think>",
    "</thi",
    "<tool_call>",
    "</tool_call>",
    "STOP",
    "ST",
    "\n",
    " ",
    "é",
    "🚀",
    "a",
    "{",
    '"}',
]
PIECES += [CALL, '{"name": "now", "arguments": {"a": "', '<tool_call>\n{"name": "now", "arguments": {"x": 1']


def test_any_output_is_the_same_answer_with_the_same_usage_at_any_cut(tiny: FlaskClient) -> None:
    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(
        st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=7).map("".join),
        st.sampled_from([{"tokens_per_delta": 1}, {"tokens_per_delta": 2}, {"cut_seed": 1}, {"bursts": 2}]),
        st.sampled_from([{}, {"stop": ["STOP", "a\n"]}, {"stop": ["</tool"], "min_tokens": 9}, {"max_tokens": 20}]),
        st.booleans(),
    )
    def check(output: str, cut: dict[str, Any], limits: dict[str, Any], parallel: bool) -> None:
        options: dict[str, Any] = {"tools": TOOLS, "parallel_tool_calls": parallel, **limits}
        whole = ask(tiny, output, **options)
        joined = assemble(streamed(tiny, output, replay=cut, stream_options={"include_usage": True}, **options))
        for call in message(joined).get("tool_calls", ()):
            call.pop("index")
        assert message(joined) == message(whole)
        assert joined["usage"] == whole["usage"]
        assert joined["choices"][0]["finish_reason"] == whole["choices"][0]["finish_reason"]

    check()


# ---- how it is sent


def test_the_header_tells_the_cut(tiny: FlaskClient) -> None:
    def cut(**replay: Any) -> str:
        sent = body("x" * 9, stream=True, replay=replay)
        return post(tiny, sent).headers["X-Replay-Cut"]

    assert (cut(), cut(tokens_per_delta=4), cut(tokens_per_delta=[3, 3, 1])) == ("1x9", "4x2,1", "3x2,1,2")
    random = cut(cut_seed=1)
    assert sum(int(size) * int(count or 1) for size, _, count in (run.partition("x") for run in random.split(","))) == 9
    assert len(cut_words(tuple(range(1, 1000)))) <= 510


@pytest.mark.parametrize("nasty", [[name] for name in NASTY] + [list(NASTY)], ids="-".join)
def test_a_nasty_stream_assembles_to_the_same_message(tiny: FlaskClient, nasty: list[str]) -> None:
    output = f"<think>Hm é</think>Olá 🚀\n{CALL}"
    options: dict[str, Any] = {"tools": TOOLS, "stream_options": {"include_usage": True}}
    plain, strange = streamed(tiny, output, **options), streamed(tiny, output, replay={"nasty": nasty}, **options)
    found = message(assemble(strange))
    found.pop("x_provider", None)
    assert found == message(assemble(plain))
    assert assemble(strange)["usage"] == assemble(plain)["usage"]
    if nasty not in (["one_write"], ["split_utf8_writes"]):
        sizes = [len(post(tiny, body(output, stream=True, replay={"nasty": given})).data) for given in (nasty, [])]
        assert sizes[0] != sizes[1]


def written(client: FlaskClient, output: str, **replay: Any) -> list[bytes]:
    """What is written at once, as the server gets it."""
    return list(post(client, body(output, stream=True, replay=replay)).iter_encoded())


def test_each_delta_is_written_on_its_own(tiny: FlaskClient) -> None:
    parts = written(tiny, "xyz")
    assert len(parts) == 1 + 3 + 1 + 1
    assert all(part.startswith(b"data: ") and part.endswith(b"\n\n") for part in parts)
    assert len(written(tiny, "xyz", nasty=["one_write"])) == 1


def test_writes_can_be_cut_inside_a_character_and_a_line(tiny: FlaskClient) -> None:
    parts = written(tiny, "é🚀", nasty=["split_utf8_writes"])
    ends = {part[-1:] for part in parts}
    assert {b"\xc3", b"\xf0", b"t", b"\n"} <= ends
    assert b"".join(parts).decode().count("data: ") == 1 + 2 + 1 + 1


def test_a_stream_is_neither_compressed_nor_kept_and_has_every_header(tiny: FlaskClient) -> None:
    response = post(tiny, body("abc " * 200, stream=True), **{"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in response.headers
    assert "Content-Length" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


def test_no_other_site_may_read_or_ask(tiny: FlaskClient) -> None:
    origin = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    for response in (tiny.options(ADDRESS, headers=origin), tiny.get("/v1/models", headers=origin)):
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]


def test_an_error_in_mid_stream_is_said_in_the_stream(
    tiny: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("what the user typed")

    monkeypatch.setattr(chat_chunks, "finish_reason", broken)
    response = post(tiny, body("ab", stream=True))
    records = read_log(response.text).records
    error = records[-1].value["error"]
    assert (response.status_code, error["type"], error["param"]) == (200, "server_error", None)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR and "KeyError" in record.getMessage()
    assert "typed" not in record.getMessage() and record.exc_info is None


def test_pauses_stand_between_deltas(tiny: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(chat_completions.Line, "pause", lambda self, seconds: pauses.append(seconds) or True)
    streamed(tiny, "abcabc", replay={"delay_ms": 40, "tokens_per_delta": 1})
    streamed(tiny, "abcabc", replay={"delay_ms": 40, "tokens_per_delta": 9})
    assert pauses == [0.04]


# ---- the line to the client


@pytest.fixture
def pair() -> Any:
    here, there = socket.socketpair()
    yield here, there
    here.close()
    there.close()


def test_a_pause_ends_when_the_client_leaves(pair: Any) -> None:
    here, there = pair
    line, begun = Line(here, 10), time.monotonic()
    threading.Timer(0.05, there.close).start()
    assert not line.pause(20)
    assert line.is_closed and time.monotonic() - begun < 5


def test_a_client_that_sends_on_is_still_there(pair: Any) -> None:
    here, there = pair
    there.sendall(b"GET / HTTP/1.1")
    begun = time.monotonic()
    assert Line(here, 10).pause(0.05)
    assert time.monotonic() - begun >= 0.05


def test_a_client_that_takes_nothing_is_left(pair: Any) -> None:
    here, _ = pair
    line = Line(here, 0.05)
    sent = 0
    for part in line.parts(b"x" * 10_000_000):
        here.sendall(part)
        sent += len(part)
    assert line.is_closed and sent < 10_000_000
