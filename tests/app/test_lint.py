"""The lint page over HTTP: page and fragment, samples, refusals, and limits that say what they leave out."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.lint_input import LINES_LIMIT, LintForm
from app.lint_samples import SAMPLES
from app.pages.lint import blueprint
from app.views.lint import FINDINGS_LIMIT, TEXT_CHARACTERS
from tests.core.deltas.logs import CLEAN, ROLE, STOP, chunk, text_stream
from tokcore.deltas import lint, write_sse


@pytest.fixture(scope="module")
def app() -> Flask:
    made = create_app({"TESTING": True, "preload": False})
    if blueprint.name not in made.blueprints:
        made.register_blueprint(blueprint)
    return made


def found(html: str) -> list[tuple[str, int]]:
    pairs = re.findall(r'<p class="lint-head">.*?line (\d+)<.*?<code>([a-z-]+)</code>', html, re.S)
    return [(rule, int(line)) for line, rule in pairs]


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_the_page_begins_with_a_sample_and_its_findings(client: FlaskClient) -> None:
    html = client.get("/stream/lint").text
    assert "<!doctype html>" in html
    assert found(html) == [
        ("markup-half", 5),
        ("call-index-missing", 7),
        ("arguments-not-json", 11),
        ("usage-sum", 15),
        ("done-missing", 15),
    ]
    assert "2 errors and 3 warnings in 15 lines, 1 answer" in text_of(html)


SAMPLE_FINDINGS = {
    "faults": {"markup-half", "call-index-missing", "arguments-not-json", "usage-sum", "done-missing"},
    "clean": set(),
    "repeated": {"role-repeated", "call-id-repeated", "call-name-repeated"},
    "stops": {"text-after-stop"},
    "pieces": {"replacement-character", "lone-surrogate"},
    "broken": {"error-object", "cut-off"},
}


def test_every_sample_shows_what_it_is_for(client: FlaskClient) -> None:
    assert set(SAMPLE_FINDINGS) == set(SAMPLES)
    page = client.get("/stream/lint").text
    for name, rules in SAMPLE_FINDINGS.items():
        assert f'href="/stream/lint?sample={name}"' in page
        html = client.get("/stream/lint", query_string={"sample": name}).text
        assert {rule for rule, _ in found(html)} == rules, name


def test_htmx_gets_the_fragment_only(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.post("/stream/lint", data={"text": CLEAN["openai"]()}, headers=hx)
    assert "<html" not in answer.text and "<textarea" not in answer.text
    assert "No faults in 7 chunks, 1 answer" in text_of(answer.text)
    assert "HX-Request" in answer.headers["Vary"]


def test_the_page_includes_the_same_fragment(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": write_sse(text_stream("a <b>", "</think>")), "stops": "b"}
    fragment = client.post("/stream/lint", data=form, headers=hx).text.partition('<div class="trouble"')[0]
    assert "".join(fragment.split()) in "".join(client.post("/stream/lint", data=form).text.split())


def test_each_finding_links_to_its_line(client: FlaskClient) -> None:
    html = client.get("/stream/lint").text
    for line in re.findall(r'href="#L(\d+)"', html):
        assert f'id="L{line}" tabindex="-1"' in html


def test_the_answer_is_shown_as_a_client_has_it(client: FlaskClient) -> None:
    html = client.get("/stream/lint?sample=repeated").text
    said = text_of(html)
    assert "role assistantassistantassistant" in said
    assert "call 0: get_weatherget_weather id call_0call_0" in said
    shown = json.loads(unescape(re.search(r"<pre [^>]*>(.*?)</pre>", html, re.S)[1]))  # type: ignore[index]
    assert shown == lint(SAMPLES["repeated"].text).answers[0].completion


def test_stops_are_read_with_their_escapes(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": write_sse(text_stream("One", "\n\nUser: two")), "stops": "\\n\\nUser:\r\nnever"}
    assert found(client.post("/stream/lint", data=form, headers=hx).text) == [("text-after-stop", 5)]


def test_a_stop_that_cannot_be_used_is_said_beside_its_box(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": write_sse(text_stream("One")), "stops": "\\x41"}
    for headers in ({}, hx):
        answer = client.post("/stream/lint", data=form, headers=headers)
        assert answer.status_code == 200
        assert "has an escape that JSON does not know" in answer.text.partition('id="problem-stops"')[2]


def test_everything_of_a_log_is_escaped(client: FlaskClient) -> None:
    evil = "<script>alert(1)</script>\"'&<img src=x onerror=y>"
    entry = {"index": 0, "id": evil, "type": "function", "function": {"name": evil, "arguments": evil}}
    chunks = [
        chunk({"role": evil, "content": evil, "reasoning": evil, "refusal": evil, "tool_calls": [entry]}),
        {**chunk({}, evil), "id": evil, "model": evil, "object": evil, "usage": {evil: {evil: 1}}},
        {"error": {"message": evil}},
    ]
    html = client.post("/stream/lint", data={"text": write_sse(chunks) + evil, "stops": evil}).text
    assert "<script>" not in html and "<img" not in html
    assert html.count("&lt;script&gt;") > 10


@pytest.mark.parametrize("value", ["\ud800", "a\0b", "\u202e\u2066", "\u2028", "x" * 5_000, 5, [1], {"a": {}}, True])
def test_odd_values_anywhere_are_shown(client: FlaskClient, value: object) -> None:
    entry = {"index": 0, "id": value, "type": value, "function": {"name": value, "arguments": value}}
    delta = {"role": value, "content": value, "reasoning": value, "refusal": value, "tool_calls": [entry, value]}
    chunks = [
        {**chunk({}), "choices": [{"index": 0, "delta": delta, "finish_reason": value, "logprobs": value}]},
        {"id": value, "object": value, "model": value, "created": value, "choices": value, "usage": {"a": value}},
        {"error": value},
    ]
    answer = client.post("/stream/lint", data={"text": "\n\n".join("data: " + json.dumps(made) for made in chunks)})
    assert answer.status_code == 200
    assert found(answer.text)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "data:", "hello", "{", "[]"])
def test_a_log_without_chunks_says_what_would_fill_it(client: FlaskClient, text: str) -> None:
    answer = client.post("/stream/lint", data={"text": text})
    assert answer.status_code == 200
    assert "lint-answer" not in answer.text
    if not found(answer.text):
        assert "Nothing to check yet There is no chunk. Paste the log" in text_of(answer.text)


def test_a_log_posted_with_crlf_is_the_same_log(client: FlaskClient, hx: dict[str, str]) -> None:
    log = CLEAN["sglang"]()
    answers = [
        client.post("/stream/lint", data={"text": text}, headers=hx).text for text in (log, log.replace("\n", "\r\n"))
    ]
    assert answers[0] == answers[1]


def test_a_long_log_lists_the_lines_around_its_findings(client: FlaskClient) -> None:
    chunks = [ROLE, *(chunk({"content": f"{number} "}) for number in range(300)), chunk({"content": "</think>"}), STOP]
    html = client.post("/stream/lint", data={"text": write_sse(chunks)}).text
    assert found(html) == [("markup-whole", 603)]
    assert re.findall(r'<li class="lint-row[^>]*id="L(\d+)"', html) == ["601", "602", "603", "604", "605"]
    assert "600 lines without findings" in text_of(html) and "2 more lines" in text_of(html)


def test_many_findings_are_cut_and_counted(client: FlaskClient) -> None:
    html = client.post("/stream/lint", data={"text": "data: {]\n\n" * 1_000}).text
    assert len(found(html)) == FINDINGS_LIMIT
    assert "800 more findings are not shown" in text_of(html)


def test_a_long_line_is_cut_and_counted(client: FlaskClient) -> None:
    html = client.post("/stream/lint", data={"text": write_sse(text_stream("x" * 50_000))}).text
    result = html.partition('id="result"')[2]
    assert max(map(len, re.findall("x+", result))) == TEXT_CHARACTERS
    assert "46,000 more characters" in text_of(result)
    assert len(re.findall("more characters", result)) == 2


@pytest.mark.parametrize(
    ("form", "status", "what"),
    [
        ({"text": "x" * 2_000_001}, 413, "2,000,001 bytes"),
        ({"text": "\n" * LINES_LIMIT}, 413, "100,001 lines"),
        ({"sample": "nothing"}, 422, "one of faults"),
    ],
)
def test_what_is_refused_says_why_and_keeps_the_input(
    client: FlaskClient, hx: dict[str, str], form: dict[str, str], status: int, what: str
) -> None:
    for headers in ({}, hx):
        answer = client.post("/stream/lint", data=form, headers=headers)
        assert answer.status_code == status
        assert what in text_of(answer.text)
    if "text" in form:
        assert form["text"][:100] in client.post("/stream/lint", data=form).text


def test_a_link_holds_a_short_log_and_the_name_of_a_sample(client: FlaskClient) -> None:
    form = LintForm("data: [DONE]\n", stops="END")
    html = client.get("/stream/lint?" + form.to_query()).text
    query = unescape(re.search(r'data-query="(.*?)" data-long="0"', html)[1])  # type: ignore[index]
    assert query == form.to_query()
    assert 'data-query="sample=stops" data-long="0"' in client.get("/stream/lint?sample=stops").text
    assert 'data-query="" data-long="0"' in client.get("/stream/lint").text
    long = client.post("/stream/lint", data={"text": CLEAN["openai"]()}).text
    assert 'data-query="" data-long="1"' in long
    with_stops = client.post("/stream/lint", data={"text": CLEAN["openai"](), "stops": "END"}).text
    assert 'data-query="stops=END" data-long="1"' in with_stops
