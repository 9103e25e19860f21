"""Headers on every answer, whatever the route."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.security import HEADERS


def addresses(app: Flask) -> list[str]:
    """Every route that takes GET and needs no arguments, and one of each other kind."""
    plain = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments]
    shared = app.extensions["tokboard"].assets
    return [
        *plain,
        f"/static/{shared.tree}/{next(iter(shared.files))}",
        "/nothing",
        "/api/v1/nothing",
        "/api/v1/decode",
    ]


def check(response: TestResponse) -> None:
    for name, value in HEADERS.items():
        assert response.headers.get_all(name) == [value], (response.request.path, name)
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in response.headers
    assert "Server" not in response.headers
    assert "Set-Cookie" not in response.headers
    immutable = response.request.path.startswith("/static/") and response.request.method == "GET"
    assert ("immutable" if immutable else "no-store") in response.headers["Cache-Control"]


def test_every_route_carries_the_headers(app: Flask, client: FlaskClient, hx: dict[str, str]) -> None:
    for address in addresses(app):
        for headers in ({}, hx, {"Accept": "application/json"}):
            check(client.get(address, headers=headers))
        check(client.options(address))


def test_what_htmx_gets_otherwise_varies_by_its_headers(app: Flask, client: FlaskClient, hx: dict[str, str]) -> None:
    for address in addresses(app):
        for headers in ({}, hx):
            response = client.get(address, headers=headers)
            if response.mimetype == "text/html":
                assert {"HX-Request", "HX-History-Restore-Request"} <= set(response.vary), address


def test_https_is_asked_for_again_only_over_https(tiny: FlaskClient) -> None:
    assert tiny.get("/healthz", base_url="https://localhost").headers["Strict-Transport-Security"]


@pytest.mark.parametrize(
    "directive",
    ["default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'"],
)
def test_the_policy_names_what_it_allows(directive: str) -> None:
    assert directive in HEADERS["Content-Security-Policy"].split("; ")


@pytest.mark.parametrize(("accepted", "coding"), [("br, gzip", "br"), ("gzip", "gzip"), ("", None)])
def test_large_answers_are_compressed(tiny: FlaskClient, accepted: str, coding: str | None) -> None:
    response = tiny.post("/api/v1/tokenize", json={"text": "abc " * 200}, headers={"Accept-Encoding": accepted})
    assert response.headers.get("Content-Encoding") == coding
    assert "Accept-Encoding" in response.vary


def test_tiny_answers_are_not_compressed(tiny: FlaskClient) -> None:
    assert "Content-Encoding" not in tiny.get("/healthz", headers={"Accept-Encoding": "br"}).headers
