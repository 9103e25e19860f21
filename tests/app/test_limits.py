"""A real gunicorn: 100 MB sent by clients that listen late, broken bodies, and a worker that lives on."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HUNDRED_MB = 100_000_000
CHUNK = b"a" * 1_000_000
TOKENIZE = "/api/v1/tokenize"
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Server:
    port: int
    log: Path

    def connect(self) -> closing[http.client.HTTPConnection]:
        return closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30))

    def socket(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def is_healthy(self) -> bool:
        try:
            return self.request("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def request(self, method: str, address: str, body: Any = None, headers: dict[str, str] = JSON) -> tuple[int, Any]:
        """Status and JSON of the answer, which is looked at only when everything has been sent."""
        with self.connect() as connection:
            connection.request(method, address, body, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())


@pytest.fixture(scope="module", params=["gthread", "sync"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One worker, so that a dead one would be noticed."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("gunicorn") / "log"
    command = [sys.executable, "-m", "gunicorn", "--worker-class", request.param, "--workers", "1", "--threads", "2"]
    command += ["--bind", f"127.0.0.1:{port}", "--no-control-socket", "app:create_app()"]
    environment = {**os.environ, "TOKBOARD_PRELOAD": "0", "TOKBOARD_STALL_SECONDS": "2", "PYTHONPATH": str(ROOT)}
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    running = Server(port, log)
    deadline = time.monotonic() + 20
    while not running.is_healthy():
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    yield running
    process.terminate()
    process.wait(timeout=20)
    text = log.read_text()
    assert "Traceback" not in text, text
    assert text.count("Booting worker") == 1, text


def test_100_mb_with_a_length_is_refused_in_words(server: Server) -> None:
    headers = {**JSON, "Content-Length": str(HUNDRED_MB)}
    status, problem = server.request("POST", TOKENIZE, iter([CHUNK] * 100), headers)
    assert (status, problem["where"]) == (413, "body")
    assert problem["what"] == "the request body is larger than 16,000,000 bytes"
    assert server.is_healthy()


def test_100_mb_in_chunks_is_refused_in_words(server: Server) -> None:
    status, problem = server.request("POST", TOKENIZE, iter([CHUNK] * 100))
    assert (status, problem["where"]) == (413, "body")
    assert server.is_healthy()


def test_a_body_in_chunks_is_read(server: Server) -> None:
    status, problem = server.request("POST", TOKENIZE, iter([b'{"text"', b': "a", "tokenizer": "x"}']))
    assert (status, problem["where"]) == (404, "tokenizer")


@pytest.mark.parametrize("address", [TOKENIZE, "/nothing", "/healthz"])
def test_a_client_that_listens_last_still_hears_the_answer(server: Server, address: str) -> None:
    """Also where the body is never looked at (no such page, no such method)."""
    head = f"POST {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {HUNDRED_MB}\r\n"
    with server.socket() as raw:
        raw.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n")
        for _ in range(100):
            raw.sendall(CHUNK)
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    status = {TOKENIZE: b"413", "/nothing": b"404", "/healthz": b"405"}[address]
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"remedy" in answer
    assert server.is_healthy()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"zz\r\nabc\r\n0\r\n\r\n", id="size-not-hex"),
        pytest.param(b"3\r\nabcd\r\n0\r\n\r\n", id="size-too-small"),
        pytest.param(b"5\r\nab", id="cut-off"),
    ],
)
def test_a_broken_chunk_is_the_clients_mistake(server: Server, body: bytes) -> None:
    head = f"POST {TOKENIZE} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
    with server.socket() as raw:
        raw.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        raw.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400") and b"remedy" in answer
    assert server.is_healthy()


def test_a_client_that_goes_away_in_the_middle_hurts_nobody(server: Server) -> None:
    head = f"POST {TOKENIZE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
    for part in (b"", b"a" * 1000):
        with server.socket() as raw:
            raw.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + part)
    time.sleep(0.1)
    assert server.is_healthy()


def test_a_connection_goes_on_after_a_refusal(server: Server) -> None:
    """What was refused has been read to its end: the next request on the connection is understood."""
    with server.connect() as connection:
        for expected in (413, 422, 413):
            body = b"a" * 20_000_000 if expected == 413 else b"{}"
            connection.request("POST", TOKENIZE, body, JSON)
            response = connection.getresponse()
            response.read()
            assert response.status == expected


def test_stalled_bodies_do_not_keep_their_threads(server: Server) -> None:
    stalled = [server.socket() for _ in range(4)]
    head = f"POST {TOKENIZE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    for client in stalled:
        client.sendall(head.encode() + b'{"text":')
    assert server.is_healthy()
    for client in stalled:
        assert client.recv(100).startswith(b"HTTP/1.1 400")
        client.close()
