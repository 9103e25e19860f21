"""How the tests of the replay endpoint ask, and what they look at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from app.catalogue import Catalogue
from app.entries import CatalogueEntry
from tokcore.deltas import read_log
from tokcore.pipeline import Tokenizer

ADDRESS = "/v1/chat/completions"
CALL = '<tool_call>\n{"name": "weather", "arguments": {"city": "Évora"}}\n</tool_call>'
OTHER_CALL = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
TOOLS = [
    {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}},
    {"type": "function", "function": {"name": "now"}},
]
HELLO = [{"role": "user", "content": "Olá 🚀"}]
CUTS: list[dict[str, Any]] = [{"tokens_per_delta": 1}, {"tokens_per_delta": 1000}, {"tokens_per_delta": [2, 5]}]
CUTS += [{"cut_seed": seed} for seed in range(5)] + [{"bursts": 3}]


def small_app(tokenizer_file: Path, load: Callable[[Path], Tokenizer] = Tokenizer.from_file) -> Flask:
    """One tokenizer, low limits."""
    catalogue = Catalogue([CatalogueEntry("tiny", "Tiny", "for tests", tokenizer_file, load)])
    limits = {"text_limit_bytes": 1000, "body_limit_bytes": 8000, "ids_limit": 100}
    return create_app({"preload": False, **limits}, catalogue=catalogue)


def body(output: str | None = None, **members: Any) -> dict[str, Any]:
    replay = {} if output is None else {"replay": {"output": output, **members.pop("replay", {})}}
    return {"model": "tiny", "messages": HELLO, **replay, **members}


def post(client: FlaskClient, sent: dict[str, Any], **headers: str) -> TestResponse:
    """A request with its keys in the order given (the test client's own `json` would sort them)."""
    return client.post(ADDRESS, data=json.dumps(sent), content_type="application/json", headers=headers)


def ask(client: FlaskClient, output: str | None = None, **members: Any) -> dict[str, Any]:
    response = post(client, body(output, **members))
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    return answer


def streamed(client: FlaskClient, output: str | None = None, **members: Any) -> list[dict[str, Any]]:
    """The chunks of a streamed answer; its log ends in [DONE]."""
    response = post(client, body(output, **members, stream=True))
    assert response.status_code == 200, response.text
    assert response.mimetype == "text/event-stream"
    *records, last = read_log(response.text).records
    assert last.text == "[DONE]"
    return [record.value for record in records]


def message(answer: dict[str, Any]) -> dict[str, Any]:
    """The first choice's message without what says nothing."""
    found: dict[str, Any] = answer["choices"][0]["message"]
    return {name: value for name, value in found.items() if value is not None and name != "role"}


def refused(client: FlaskClient, sent: Any, status: int = 400) -> dict[str, Any]:
    """The error of a refusal, in OpenAI's shape."""
    raw = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    response = client.post(ADDRESS, data=raw, content_type="application/json")
    assert response.status_code == status, response.text
    assert response.mimetype == "application/json"
    assert set(response.get_json()) == {"error"}
    error: dict[str, Any] = response.get_json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert "Traceback" not in error["message"]
    return error
