"""Static files: names that follow the content, cached for ever, compressed once."""

from __future__ import annotations

import gzip
from pathlib import Path

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import assets, create_app
from app.assets import Assets

CSS = "body { color: black }\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "js").mkdir()
    (tmp_path / "app.css").write_text(CSS)
    (tmp_path / "js" / "app.js").write_text('import "./other.js";\n')
    (tmp_path / "js" / "other.js").write_text("export {};\n")
    (tmp_path / ".secret.css").write_text("hidden")
    (tmp_path / "notes.bak").write_text("unknown kind")
    return tmp_path


def serving(folder: Path) -> tuple[Flask, FlaskClient]:
    app = Flask("static", static_folder=None)
    assets.register(app, Assets(folder))
    return app, app.test_client()


def url(app: Flask, name: str) -> str:
    with app.test_request_context():
        address: str = app.jinja_env.globals["asset_url"](name)  # type: ignore[operator]
    return address


def test_a_file_is_served_for_ever_under_its_hashed_name(folder: Path) -> None:
    app, client = serving(folder)
    response = client.get(url(app, "app.css"))
    assert response.status_code == 200
    assert response.text == CSS
    assert response.content_type == "text/css; charset=utf-8"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Accept-Encoding" in response.headers["Vary"]


def test_modules_find_one_another_by_relative_path(folder: Path) -> None:
    app, client = serving(folder)
    address = url(app, "js/app.js")
    assert client.get(address.replace("app.js", "other.js")).status_code == 200


def test_any_change_renames_everything(folder: Path) -> None:
    before = url(serving(folder)[0], "app.css")
    (folder / "js" / "other.js").write_text("export const changed = 1;\n")
    assert url(serving(folder)[0], "app.css") != before


def test_an_old_name_gives_todays_file_which_is_not_kept(folder: Path) -> None:
    response = serving(folder)[1].get("/static/00000000/app.css")
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    ("accepted", "coding"), [("br, gzip", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("", None)]
)
def test_a_large_text_is_compressed_as_the_client_accepts(folder: Path, accepted: str, coding: str | None) -> None:
    app, client = serving(folder)
    response = client.get(url(app, "app.css"), headers={"Accept-Encoding": accepted})
    assert response.headers.get("Content-Encoding") == coding
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[coding]
    assert unpack(response.get_data()).decode() == CSS


def test_a_tiny_file_is_not_compressed(folder: Path) -> None:
    app, client = serving(folder)
    response = client.get(url(app, "js/app.js"), headers={"Accept-Encoding": "br"})
    assert "Content-Encoding" not in response.headers


def test_the_same_file_again_is_304_per_coding(folder: Path) -> None:
    app, client = serving(folder)
    accept = {"Accept-Encoding": "br"}
    etag = client.get(url(app, "app.css"), headers=accept).headers["ETag"]
    again = client.get(url(app, "app.css"), headers={**accept, "If-None-Match": etag})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert client.get(url(app, "app.css"), headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize("name", [".secret.css", "notes.bak", "missing.css", "../app/settings.py", "%2e%2e/secret"])
def test_nothing_else_is_served(folder: Path, name: str) -> None:
    app, client = serving(folder)
    tree = url(app, "app.css").split("/")[2]
    assert client.get(f"/static/{tree}/{name}").status_code == 404


def test_a_misspelt_name_in_a_template_is_an_error(folder: Path) -> None:
    with pytest.raises(LookupError, match=r"ap\.css"):
        url(serving(folder)[0], "ap.css")


def test_without_htmx_the_app_starts_and_says_how_to_fetch_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "static").mkdir()
    monkeypatch.setattr("app.ROOT", folder)
    app = create_app({"preload": False})
    assert "python -m app.assets_fetch" in caplog.text
    assert app.jinja_env.globals["has_asset"]("vendor/htmx.min.js") is False  # type: ignore[operator]


def test_the_real_folder_is_served(client: FlaskClient, app: Flask) -> None:
    shared = app.extensions["tokboard"].assets
    assert shared.files
    for name in shared.files:
        assert client.get(f"/static/{shared.tree}/{name}").status_code == 200
