"""An app with the real table of tokenizers, and one with a tiny tokenizer that is built here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from app.catalogue import Catalogue
from app.entries import CatalogueEntry
from tokcore.bytemap import bytes_to_unicode
from tokcore.pipeline import Tokenizer


@pytest.fixture(scope="session", autouse=True)
def no_settings_of_this_machine() -> Iterator[None]:
    """TOKBOARD_ variables of whoever runs the tests do not count."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("TOKBOARD_"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def app() -> Flask:
    """The app as it is served, real tokenizers included; each loads when a test first needs it."""
    return create_app({"TESTING": True, "preload": False})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def hx() -> dict[str, str]:
    """The header by which htmx asks for a fragment."""
    return {"HX-Request": "true"}


@pytest.fixture(scope="session")
def tiny_json() -> str:
    """A tokenizer.json: 256 bytes, three merges (ab, abc, Ġa), a special and a plain added token."""
    vocab = {character: value for value, character in bytes_to_unicode().items()} | {"ab": 256, "abc": 257, "Ġa": 258}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [
                {"id": 259, "content": "<s>", "special": True, **flags},
                {"id": 260, "content": "<think>", "special": False, **flags},
            ],
            "normalizer": None,
            "pre_tokenizer": byte_level,
            "post_processor": None,
            "decoder": byte_level,
            "model": {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], ["ab", "c"], ["Ġ", "a"]]},
        }
    )


@pytest.fixture(scope="session")
def tiny_file(tiny_json: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tokenizers") / "tiny.json"
    path.write_text(tiny_json, encoding="utf-8")
    return path


@pytest.fixture
def tiny_app(tiny_file: Path) -> Flask:
    """An app of its own for each test, with one tokenizer, low limits, and errors handled as in service."""
    catalogue = Catalogue([CatalogueEntry("tiny", "Tiny", "for tests", tiny_file, Tokenizer.from_file)])
    return create_app(
        {"preload": False, "text_limit_bytes": 1000, "body_limit_bytes": 8000, "ids_limit": 100}, catalogue=catalogue
    )


@pytest.fixture
def tiny(tiny_app: Flask) -> FlaskClient:
    return tiny_app.test_client()


ProblemCheck = Callable[..., dict[str, Any]]


@pytest.fixture
def assert_problem() -> ProblemCheck:
    """The one JSON shape of errors: asserts status, shape and (where given) members; returns the problem."""

    def check(response: TestResponse, status: int, **members: str) -> dict[str, Any]:
        assert response.status_code == status, response.get_data(as_text=True)[:500]
        assert response.mimetype == "application/problem+json"
        problem: dict[str, Any] = json.loads(response.get_data())
        assert set(problem) == {"type", "title", "status", "detail", "where", "what", "remedy"}
        assert problem["status"] == status
        assert all(problem[name].strip() for name in ("title", "detail", "where", "what", "remedy"))
        assert "Traceback" not in problem["detail"]
        assert {name: problem[name] for name in members} == members
        return problem

    return check
