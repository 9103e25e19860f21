"""The cache of encodings: bounds by tokens and age, one key per text and options; and the forms that feed it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from app.catalogue import Catalogue
from app.encodings import Encodings, encoding_key
from app.entries import CatalogueEntry
from app.errors import InvalidField
from app.forms import EncodeInput, count
from app.offsets import utf8_spans, utf16_spans
from app.settings import Settings
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def catalogue(tiny_file: Path) -> Catalogue:
    return Catalogue([CatalogueEntry("tiny", "", "", tiny_file, Tokenizer.from_file)])


def test_the_same_input_is_encoded_once(catalogue: Catalogue) -> None:
    encodings = Encodings(100, 60)
    key, first = encodings.encode(catalogue, EncodeInput("tiny", "abc"))
    again, second = encodings.encode(catalogue, EncodeInput("tiny", "abc", show_ids=True))
    assert (key, first) == (again, second)
    assert first is second is encodings.get(key)


def test_name_and_sha256_of_a_tokenizer_share_a_key(catalogue: Catalogue) -> None:
    encodings = Encodings(100, 60)
    sha = catalogue.info("tiny").sha256
    assert sha is not None
    by_name, by_sha = (encodings.encode(catalogue, EncodeInput(name, "abc"))[0] for name in ("tiny", sha))
    assert by_name == by_sha


def test_every_option_has_its_own_key() -> None:
    base = EncodeInput("tiny", "abc")
    forms = [base, replace(base, text="abd"), replace(base, add_special_tokens=False)]
    forms.append(replace(base, split_special_tokens=True))
    keys = {encoding_key("tiny", form) for form in forms} | {encoding_key("other", base)}
    assert len(keys) == 5


def test_what_was_used_longest_ago_makes_room(catalogue: Catalogue) -> None:
    encodings = Encodings(limit_tokens=10, age_seconds=60)
    keys = [encodings.encode(catalogue, EncodeInput("tiny", letter * 4))[0] for letter in "xy"]
    assert encodings.get(keys[0]) is not None
    keys.append(encodings.encode(catalogue, EncodeInput("tiny", "zzzz"))[0])
    assert [encodings.get(key) is not None for key in keys] == [True, False, True]
    assert encodings.weight_tokens == 8


def test_the_newest_stays_even_above_the_limit(catalogue: Catalogue) -> None:
    encodings = Encodings(limit_tokens=10, age_seconds=60)
    encodings.encode(catalogue, EncodeInput("tiny", "x"))
    key, _ = encodings.encode(catalogue, EncodeInput("tiny", "x" * 50))
    assert encodings.get(key) is not None
    assert encodings.weight_tokens == 50


def test_age_ends_an_encoding_however_often_it_is_used(catalogue: Catalogue) -> None:
    clock = Clock()
    encodings = Encodings(100, age_seconds=60, clock=clock)
    key, _ = encodings.encode(catalogue, EncodeInput("tiny", "abc"))
    clock.seconds = 59
    assert encodings.get(key) is not None
    clock.seconds = 61
    assert encodings.get(key) is None
    assert encodings.weight_tokens == 0


def test_threads_leave_the_weight_right(catalogue: Catalogue) -> None:
    encodings = Encodings(limit_tokens=50, age_seconds=60)

    def work(letter: str) -> None:
        for size in range(1, 30):
            encodings.encode(catalogue, EncodeInput("tiny", letter * size))

    threads = [Thread(target=work, args=(letter,)) for letter in "qrst"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < encodings.weight_tokens <= 50
    assert encodings.weight_tokens == sum(len(kept.encoding) for kept in encodings._kept.values())


@given(st.text(max_size=30), st.data())
def test_spans_in_every_unit_cut_the_same_text(text: str, data: st.DataObject) -> None:
    edges = st.integers(0, len(text))
    spans = [Span(*sorted(pair)) for pair in data.draw(st.lists(st.tuples(edges, edges), max_size=6))]
    raw8, raw16 = text.encode(), text.encode("utf-16-le")
    cut = [span.cut(text) for span in spans]
    assert [raw8[span.start : span.end].decode() for span in utf8_spans(text, spans) if span] == cut
    units = [span for span in utf16_spans(text, spans) if span]
    assert [raw16[2 * span.start : 2 * span.end].decode("utf-16-le") for span in units] == cut


def test_a_token_without_text_has_no_span_in_any_unit() -> None:
    assert utf8_spans("é", [None, Span(0, 1)]) == [None, (0, 2)]
    assert utf16_spans("e", [None]) == [None]


# --- forms -----------------------------------------------------------------------------------------------------------


def read(app: Flask, **how: Any) -> EncodeInput:
    with app.test_request_context("/", **how):
        return EncodeInput.from_request(request, "tiny")


def test_a_query_without_anything_is_the_default(tiny_app: Flask) -> None:
    assert read(tiny_app) == EncodeInput("tiny", "", add_special_tokens=True, split_special_tokens=False)


@pytest.mark.parametrize(
    ("values", "expected"), [([], True), (["0"], False), (["0", "1"], True), (["0", "on"], True), (["1", "0"], False)]
)
def test_the_last_of_hidden_and_checkbox_counts(tiny_app: Flask, values: list[str], expected: bool) -> None:
    form = MultiDict([("text", "a"), *(("add_special_tokens", value) for value in values)])
    assert read(tiny_app, method="POST", data=form).add_special_tokens is expected


def test_posted_newlines_are_those_of_the_textarea(tiny_app: Flask) -> None:
    assert read(tiny_app, method="POST", data={"text": "a\r\nb\rc\n"}).text == "a\nb\nc\n"


def test_a_link_keeps_a_carriage_return(tiny_app: Flask) -> None:
    assert read(tiny_app, query_string={"text": "a\r\nb"}).text == "a\r\nb"


def test_multipart_is_read_too(tiny_app: Flask) -> None:
    how: dict[str, Any] = {"method": "POST", "content_type": "multipart/form-data"}
    assert read(tiny_app, data={"text": "é🚀\x00"}, **how).text == "é🚀\x00"


@given(
    st.builds(
        EncodeInput,
        tokenizer=st.sampled_from(["tiny", "qwen3"]),
        text=st.text(),
        add_special_tokens=st.booleans(),
        split_special_tokens=st.booleans(),
        show_ids=st.booleans(),
    )
)
def test_a_link_gives_back_the_state(form: EncodeInput) -> None:
    pairs = parse_qsl(form.to_query("tiny"), keep_blank_values=True, strict_parsing=bool(form.to_query("tiny")))
    assert EncodeInput.from_args(MultiDict(pairs), "tiny") == form


def test_a_long_text_does_not_go_into_a_link() -> None:
    settings = Settings(link_limit_bytes=30)
    assert EncodeInput("tiny", "a" * 25).link_query("tiny", settings) == "text=" + "a" * 25
    assert EncodeInput("tiny", "a" * 26).link_query("tiny", settings) is None
    assert EncodeInput("tiny", "é" * 5).link_query("tiny", settings) is None


@pytest.fixture
def echo(tiny_app: Flask) -> FlaskClient:
    """A route that reads a form, answering problems as JSON."""

    @tiny_app.route("/api/echo", methods=["GET", "POST"])
    def echo() -> str:
        form = EncodeInput.from_request(request, "tiny").checked(tiny_app.extensions["tokboard"].settings)
        return form.text

    return tiny_app.test_client()


URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=b"
PART = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n%s\r\n--b--\r\n'
FILE = b'--b\r\nContent-Disposition: form-data; name="text"; filename="a"\r\n\r\na\r\n--b--\r\n'


@pytest.mark.parametrize(
    ("body", "content_type", "status", "where"),
    [
        pytest.param(b"text=a%FF", URLENCODED, 400, "body", id="broken-utf8-percent"),
        pytest.param(b"text=a\xff", URLENCODED, 400, "body", id="broken-utf8-raw"),
        pytest.param(b"text=%ED%A0%BD", URLENCODED, 400, "body", id="surrogate-in-utf8"),
        pytest.param(b"a=1&" * 101, URLENCODED, 400, "body", id="too-many-fields"),
        pytest.param(b"text=a&add_special_tokens=2", URLENCODED, 422, "add_special_tokens", id="switch"),
        pytest.param(b"text=" + b"a" * 1001, URLENCODED, 413, "text", id="text-too-long"),
        pytest.param(b"text=" + b"a" * 9000, URLENCODED, 413, "body", id="body-too-long"),
        pytest.param(PART % b"a\xff", MULTIPART, 400, "body", id="broken-utf8-multipart"),
        pytest.param(FILE, MULTIPART, 422, "text", id="file"),
        pytest.param(PART % (b"a" * 1001), MULTIPART, 413, "text", id="multipart-too-long"),
        pytest.param(PART % b"a", "multipart/form-data", 400, "body", id="multipart-without-boundary"),
        pytest.param(b"text=a", MULTIPART, 400, "body", id="multipart-without-parts"),
        pytest.param(b"<a/>", "text/xml", 415, "Content-Type", id="xml"),
        pytest.param(b'{"text": "a"}', "application/json", 415, "Content-Type", id="json"),
    ],
)
def test_a_form_that_cannot_be_used_is_a_problem(
    echo: FlaskClient,
    assert_problem: Any,
    caplog: pytest.LogCaptureFixture,
    body: bytes,
    content_type: str,
    status: int,
    where: str,
) -> None:
    assert_problem(echo.post("/api/echo", data=body, content_type=content_type), status, where=where)
    assert caplog.records == []


def test_a_query_of_broken_utf8_is_a_problem(echo: FlaskClient, assert_problem: Any) -> None:
    assert_problem(echo.get("/api/echo?text=%FF"), 400, where="query")


def test_nul_in_a_form_is_a_character(echo: FlaskClient) -> None:
    assert echo.post("/api/echo", data={"text": "a\x00b"}).text == "a\x00b"


def test_an_empty_post_is_an_empty_text(echo: FlaskClient) -> None:
    assert (echo.post("/api/echo").status_code, echo.post("/api/echo").text) == (200, "")


def test_a_start_is_a_whole_number_in_range() -> None:
    assert count(MultiDict({"start": "7"}), "start", default=0, limit=9) == 7
    assert count(MultiDict(), "start", default=3, limit=9) == 3
    for bad in ("-1", "1.5", "ten", "10", "9" * 5000, "٣"):
        with pytest.raises(InvalidField):
            count(MultiDict({"start": bad}), "start", default=0, limit=9)
