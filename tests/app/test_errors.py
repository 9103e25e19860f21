"""Every refusal: a clear 4xx in one shape, nothing logged, nothing quoted unescaped."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

JSON = "application/json"
SURROGATE = '{"text": "a\\ud83d"}'

BAD_JSON = [
    pytest.param("tokenize", b"", 400, {"where": "line 1, column 1"}, id="empty-body"),
    pytest.param("tokenize", b'{"text": ', 400, {"where": "line 1, column 10"}, id="cut-off"),
    pytest.param("tokenize", b'{\n"text": "a",\n}', 400, {"where": "line 3, column 1"}, id="trailing-comma"),
    pytest.param("tokenize", b'{"text": "a\xff"}', 400, {"where": "byte 11"}, id="broken-utf8"),
    pytest.param("tokenize", b'{"text": "a\x00"}', 400, {}, id="raw-nul"),
    pytest.param("tokenize", b"\xef\xbb\xbf{}", 400, {}, id="byte-order-mark"),
    pytest.param("tokenize", b"[" * 100_000, 413, {}, id="deep-and-above-the-body-limit"),
    pytest.param("tokenize", b"[" * 7_000, 400, {"what": "nested too deep"}, id="deep"),
    pytest.param("tokenize", b'{"a":' * 1_500, 400, {"what": "nested too deep"}, id="deep-objects"),
    pytest.param("tokenize", b'{"text": NaN}', 400, {"what": "NaN is not JSON"}, id="nan"),
    pytest.param("tokenize", b'{"text": -Infinity}', 400, {"what": "-Infinity is not JSON"}, id="infinity"),
    pytest.param("tokenize", b'{"text": "a", "text": "b"}', 400, {"what": "key 'text' stands twice"}, id="twice"),
    pytest.param("tokenize", b'"text"', 422, {"where": "/", "what": "found a string"}, id="not-an-object"),
    pytest.param("tokenize", b"null", 422, {"where": "/", "what": "found null"}, id="null"),
    pytest.param("tokenize", b"{}", 422, {"what": "key 'text' is missing"}, id="no-text"),
    pytest.param("tokenize", b'{"text": 5}', 422, {"where": "/text", "what": "found a number"}, id="text-number"),
    pytest.param("tokenize", b'{"text": null}', 422, {"where": "/text", "what": "found null"}, id="text-null"),
    pytest.param("tokenize", b'{"text": ["a"]}', 422, {"where": "/text", "what": "found a list"}, id="text-list"),
    pytest.param("tokenize", SURROGATE.encode(), 422, {"type": "urn:tokboard:unusable-text"}, id="surrogate"),
    pytest.param("tokenize", b'{"text": "\\ude00\\ud83d"}', 422, {"where": "/text"}, id="surrogates-swapped"),
    pytest.param("tokenize", b'{"text": "a", "colour": 1}', 422, {"where": "/colour"}, id="unknown-key"),
    pytest.param("tokenize", b'{"text": "a", "a/b\\ud83d": 1}', 422, {"where": "/a~1b\\ud83d"}, id="odd-key"),
    pytest.param("tokenize", b'{"text": "a", "tokenizer": 3}', 422, {"where": "/tokenizer"}, id="tokenizer-number"),
    pytest.param(
        "tokenize",
        b'{"text": "a", "tokenizer": "x"}',
        404,
        {"remedy": "choose one of tiny"},
        id="unknown-tokenizer",
    ),
    pytest.param("tokenize", b'{"text": "a", "tokenizer": "x\\u0000"}', 404, {}, id="nul-in-name"),
    pytest.param("tokenize", b'{"text": "a", "tokenizer": "\\ud83d"}', 404, {}, id="surrogate-in-name"),
    pytest.param("tokenize", b'{"text": "a", "tokenizer": ""}', 404, {}, id="empty-name"),
    pytest.param(
        "tokenize", b'{"text": "a", "add_special_tokens": 1}', 422, {"where": "/add_special_tokens"}, id="flag-number"
    ),
    pytest.param(
        "tokenize",
        b'{"text": "a", "split_special_tokens": null}',
        422,
        {"where": "/split_special_tokens"},
        id="flag-null",
    ),
    pytest.param("tokenize", b'{"text": "%s"}' % (b"a" * 1001), 413, {"where": "/text"}, id="text-too-long"),
    pytest.param("tokenize", b'{"text": "%s"}' % ("é" * 501).encode(), 413, {"where": "/text"}, id="counted-in-bytes"),
    pytest.param("tokenize", b'{"text": "%s"}' % (b"a" * 9000), 413, {"where": "body"}, id="body-too-long"),
    pytest.param("decode", b"{}", 422, {"what": "key 'ids' is missing"}, id="no-ids"),
    pytest.param("decode", b'{"ids": 5}', 422, {"where": "/ids", "what": "found a number"}, id="ids-number"),
    pytest.param(
        "decode", b'{"ids": [1, 2, 3, "4"]}', 422, {"where": "/ids/3", "what": "found a string"}, id="id-string"
    ),
    pytest.param("decode", b'{"ids": [1, true]}', 422, {"where": "/ids/1", "what": "found a boolean"}, id="id-boolean"),
    pytest.param("decode", b'{"ids": [1.0]}', 422, {"where": "/ids/0"}, id="id-float"),
    pytest.param("decode", b'{"ids": [0, null]}', 422, {"where": "/ids/1"}, id="id-null"),
    pytest.param("decode", b'{"ids": [-1]}', 422, {"where": "/ids/0", "what": "id -1 is below 0"}, id="id-negative"),
    pytest.param(
        "decode", b'{"ids": [1, 261]}', 422, {"where": "/ids/1", "remedy": "use ids below 261"}, id="id-out-of-range"
    ),
    pytest.param("decode", b'{"ids": [18446744073709551616]}', 422, {"where": "/ids/0"}, id="id-above-64-bits"),
    pytest.param(
        "decode", b'{"ids": [%s]}' % (b"9" * 5000), 400, {"what": "a number of 5,000 digits"}, id="huge-number"
    ),
    pytest.param("decode", b'{"ids": [1e999]}', 422, {"where": "/ids/0"}, id="float-overflow"),
    pytest.param("decode", b'{"ids": [%s0]}' % (b"0," * 100), 413, {"where": "/ids"}, id="too-many-ids"),
]


@pytest.mark.parametrize(("address", "body", "status", "members"), BAD_JSON)
def test_bad_json_is_a_problem_and_nothing_is_logged(
    tiny: FlaskClient,
    assert_problem: Any,
    caplog: pytest.LogCaptureFixture,
    address: str,
    body: bytes,
    status: int,
    members: dict[str, str],
) -> None:
    response = tiny.post(f"/api/v1/{address}", data=body, content_type=JSON)
    assert_problem(response, status, **members)
    assert caplog.records == []


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/xml"])
def test_a_body_that_is_not_json_is_415(tiny: FlaskClient, assert_problem: Any, content_type: str) -> None:
    response = tiny.post("/api/v1/tokenize", data=b'{"text": "a"}', content_type=content_type)
    assert_problem(response, 415, where="Content-Type")


def test_a_charset_beside_the_media_type_is_fine(tiny: FlaskClient) -> None:
    response = tiny.post("/api/v1/tokenize", data=b'{"text": "a"}', content_type="application/json; charset=utf-8")
    assert response.status_code == 200


def test_a_wrong_method_names_the_right_ones(tiny: FlaskClient, assert_problem: Any) -> None:
    response = tiny.get("/api/v1/tokenize")
    problem = assert_problem(response, 405, where="method", what="this address does not take GET")
    assert "POST" in problem["remedy"]
    assert "POST" in response.headers["Allow"]


def test_an_unknown_address_of_the_api_is_a_json_problem(tiny: FlaskClient, assert_problem: Any) -> None:
    assert_problem(
        tiny.get("/api/v1/nothing", headers={"Accept": "text/html"}), 404, where="address", type="about:blank"
    )


def test_an_unknown_page_is_a_page_a_fragment_or_json(
    tiny: FlaskClient, hx: dict[str, str], assert_problem: Any
) -> None:
    page, fragment = tiny.get("/nothing"), tiny.get("/nothing", headers=hx)
    assert (page.status_code, fragment.status_code) == (404, 404)
    assert "<html" in page.text and "What to do" in page.text
    assert "<html" not in fragment.text
    assert fragment.text.strip() in page.text
    assert_problem(tiny.get("/nothing", headers={"Accept": JSON}), 404)


@pytest.mark.parametrize("header", ["HX-History-Restore-Request", "HX-Boosted"])
def test_a_restored_or_boosted_page_is_a_whole_page(tiny: FlaskClient, hx: dict[str, str], header: str) -> None:
    assert "<html" in tiny.get("/nothing", headers={**hx, header: "true"}).text


def test_user_text_in_a_problem_is_escaped(tiny_app: Flask, hx: dict[str, str]) -> None:
    @tiny_app.get("/refuse/<name>")
    def refuse(name: str) -> str:
        tiny_app.extensions["tokboard"].catalogue.entry(name)
        return "known"

    client = tiny_app.test_client()
    for headers in ({}, hx):
        response = client.get("/refuse/<script>alert(1)", headers=headers)
        assert response.status_code == 404
        assert "<script>alert" not in response.text
        assert "&lt;script&gt;alert" in response.text


def test_an_unexpected_error_is_logged_once_by_reference_without_the_text(
    tiny_app: Flask, assert_problem: Any, caplog: pytest.LogCaptureFixture
) -> None:
    @tiny_app.post("/api/v1/broken")
    def broken() -> str:
        raise KeyError("what the user typed")

    response = tiny_app.test_client().post("/api/v1/broken?text=typed", data=b"typed")
    problem = assert_problem(response, 500, where="server")
    (record,) = caplog.records
    message = record.getMessage()
    assert record.levelno == logging.ERROR
    assert record.exc_info is None
    assert "KeyError" in message and "broken" in message and "typed" not in message
    reference = message.split("reference ")[1].split(",")[0]
    assert reference in problem["remedy"]


def test_an_unexpected_error_on_a_page_gives_a_page_that_needs_nothing(tiny_app: Flask, hx: dict[str, str]) -> None:
    """The frame of all pages may be what failed."""

    @tiny_app.get("/broken")
    def broken() -> str:
        tiny_app.jinja_env.globals["asset_url"] = None
        raise LookupError("no such file")

    client = tiny_app.test_client()
    page, fragment = client.get("/broken"), client.get("/broken", headers=hx)
    assert (page.status_code, fragment.status_code) == (500, 500)
    assert "<html" in page.text and "<html" not in fragment.text
    assert "report reference" in page.text and "report reference" in fragment.text


def test_other_http_errors_keep_the_shape(tiny_app: Flask, assert_problem: Any) -> None:
    @tiny_app.get("/api/v1/teapot")
    def teapot() -> str:
        abort(418)

    assert_problem(tiny_app.test_client().get("/api/v1/teapot"), 418)


def test_problem_json_is_readable_by_anyone(tiny: FlaskClient) -> None:
    raw = tiny.post("/api/v1/tokenize", data=SURROGATE, content_type=JSON).get_data()
    assert json.loads(raw.decode())["what"] == "lone surrogate U+D83D at character 1"
