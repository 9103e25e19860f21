"""The stream lab over HTTP: page and fragments, windows, refusals beside their fields, downloads."""

import importlib
import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from app.board import board
from app.stream_input import StreamForm
from app.stream_runs import Runs
from app.stream_samples import SAMPLES, Sample
from tokcore.cut_fuzzer import cuts_of
from tokcore.deltas import assemble, join_deltas, read_log
from tokcore.generation import STRATEGIES, StreamSettings, replay
from tokcore.pipeline import Tokenizer


@pytest.fixture(scope="module")
def qwen3(app: Flask) -> Tokenizer:
    return board(app).catalogue.tokenizer("qwen3")


def sentences(html: str) -> list[str]:
    return [unescape(words) for words in re.findall(r'class="step-words">(.*?)</span>', html)]


def deltas(html: str) -> list[dict[str, Any]]:
    """Every delta of the lanes, read as the browser reads it."""
    return [json.loads(unescape(code)) for code in re.findall(r"<code>(.*?)</code>", html)]


def trouble(html: str, field: str) -> str:
    """What stands beside a field, "" where nothing is wrong with it."""
    found = re.search(rf'id="problem-{field}".*?>(.*?)</div>', html, re.S)
    assert found is not None
    return unescape(re.sub(r"<.*?>", "", found[1])).strip()


def data(html: str, name: str) -> str:
    found = re.search(rf'data-{name}="(.*?)"', html)
    assert found is not None
    return unescape(found[1])


def test_the_page_begins_with_a_sample_and_its_last_step(client: FlaskClient) -> None:
    html = client.get("/stream").text
    assert "<!doctype html>" in html
    assert data(html, "at") == data(html, "total") == "51"
    assert sentences(html)[0] == "“<think>” came: nothing goes out; “<think>” is dropped, markup."
    assert "The client gets reasoning, content and one call" in html


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_the_deltas_of_every_sample_join_to_the_message_of_the_engine(
    client: FlaskClient, hx: dict[str, str], qwen3: Tokenizer, sample: Sample
) -> None:
    form = sample.with_tokenizer("qwen3")
    html = client.post("/stream", data=form.state("qwen3"), headers=hx).text
    case = json.loads(client.post("/stream/case.json", data=form.state("qwen3")).text)
    settings = {name: tuple(value) if isinstance(value, list) else value for name, value in case["settings"].items()}
    done = replay(qwen3, case["ids"], StreamSettings(**settings), case["sizes"])
    assert join_deltas(deltas(html)) == done.message == case["expected"]["message"]
    assert done.finish_reason == case["expected"]["finish_reason"]
    assert qwen3.decode(case["ids"], skip_special_tokens=False) == form.text
    assert not any(trouble(html, field) for field in ("text", "stops", "format", "definitions", "n"))


def test_a_sample_is_a_link_that_brings_its_settings(client: FlaskClient) -> None:
    links = [unescape(link) for link in re.findall(r'href="(/stream\?[^"]*)" data-sample', client.get("/stream").text)]
    assert len(links) == len(SAMPLES)
    html = client.get(links[5]).text
    assert "</answer>\n\\n\\nQuestion:</textarea>" in unescape(html)
    assert "the stop “</answer>” is complete" in unescape(html)


def test_htmx_gets_the_fragment_with_a_place_for_every_field(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.post("/stream", data={"text": "a b"}, headers=hx)
    assert "<html" not in answer.text and 'id="state"' in answer.text
    assert answer.text.count('hx-swap-oob="true"') == 8
    assert "HX-Request" in answer.headers["Vary"]


def test_the_page_includes_the_same_fragment(client: FlaskClient, hx: dict[str, str]) -> None:
    query = {"text": "same <b>\n🚀 here", "stops": "zz"}
    fragment = client.get("/stream", query_string=query, headers=hx).text.split('<div class="trouble"')[0]
    assert "".join(fragment.split()) in "".join(client.get("/stream", query_string=query).text.split())


def test_a_history_restore_gets_the_whole_page(client: FlaskClient, hx: dict[str, str]) -> None:
    assert "<!doctype html>" in client.get("/stream?text=a", headers={**hx, "HX-History-Restore-Request": "true"}).text


def test_a_step_of_the_address_shows_its_sentence_and_the_message_so_far(client: FlaskClient) -> None:
    html = client.get("/stream", query_string={"text": "one two three", "format": "none", "step": "2"}).text
    assert data(html, "at") == "2"
    assert "“·two” came: “·two” goes out as content." in unescape(html)
    shown = re.search(r'class="part-text".*?</p>', html, re.S)
    assert shown is not None and re.sub(r"<.*?>", "", shown[0]).endswith("one two")


@pytest.mark.parametrize("step", ["0", "99", "x", "-1", "9" * 30])
def test_a_step_that_is_none_shows_one_that_is(client: FlaskClient, step: str) -> None:
    assert 1 <= int(data(client.get("/stream", query_string={"text": "a b", "step": step}).text, "at")) <= 3


def test_held_text_is_drawn_as_held_with_its_reason_until_it_leaves(client: FlaskClient) -> None:
    html = client.get("/stream", query_string={"text": "Use </ansible>", "stops": "</answer>"}).text
    held = re.search(r'class="stretch held"><bdi>(.*?)</bdi>.*?class="why">(.*?)<', html, re.S)
    assert held is not None and unescape(held[1]) == "</"
    assert "may become" in held[2] and "</answer>" in unescape(held[2])
    assert "</answer>" not in join_deltas(deltas(html))["content"]
    assert join_deltas(deltas(html))["content"] == "Use </ansible>"


def test_bytes_of_an_unfinished_character_are_marked_as_held(client: FlaskClient) -> None:
    html = client.get("/stream", query_string={"text": "a 🧑", "format": "none"}).text
    assert re.findall(r'class="byte held">(..)<', html) == ["F0", "9F", "A7"]
    assert "held: 3 of 4 bytes of a character" in html


def test_ids_are_taken_whatever_stands_between_them(client: FlaskClient) -> None:
    html = client.get("/stream", query_string={"text": "[9707, 11;1879]\n", "given": "ids"}).text
    assert join_deltas(deltas(html)) == {"content": "Hello, world"}
    assert data(html, "carry") == "text=Hello%2C+world"


def test_ids_without_a_token_are_named_and_the_rest_is_shown(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": "9707 151669 -4 99999999999999999999 1879", "given": "ids"}
    html = client.post("/stream", data=form, headers=hx).text
    assert "Id 151669 at place 2 has no token, and 2 more have none" in trouble(html, "text")
    assert join_deltas(deltas(html)) == {"content": "Hello world"}
    assert html.count("t unknown") == 3


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("stops", '""', "empty string stands everywhere"),
        ("stops", "a\\q", "line 1: `a\\q` has an escape"),
        ("stops", "\n".join(map(str, range(1001))), "1,001 stops; the first 1,000 are used"),
        ("stops", '"\\ud800"', "half of a surrogate pair"),
        ("stops", "z" * 100_001, "100,001 characters; the limit is 100,000"),
        ("definitions", '[{"name":', "inside a value; the stream below goes without"),
        ("definitions", "[1]", "tool 1 is no object with a name"),
        ("definitions", "[" * 5000, "more than 100 levels deep"),
        ("min_tokens", "-1", "found '-1'"),
        ("max_tokens", "0", "found '0'"),
        ("max_tokens", "1e3", "found '1e3'"),
        ("format", "wizard", "no 'wizard' here"),
        ("strategy", "magic", "no 'magic' here"),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_field_and_the_stream_is_still_shown(
    client: FlaskClient, hx: dict[str, str], field: str, value: str, said: str
) -> None:
    fragment = client.post("/stream", data={"text": "a b", field: value}, headers=hx)
    assert fragment.status_code == 200
    assert said.lower() in trouble(fragment.text, field).lower()
    assert join_deltas(deltas(fragment.text)) == {"content": "a b"}
    page = client.post("/stream", data={"text": "a b", field: value})
    assert page.status_code == 422 and said.lower() in trouble(page.text, field).lower()


def test_the_number_of_a_cut_is_checked_with_the_cut(client: FlaskClient, hx: dict[str, str]) -> None:
    assert "Found '0'" in trouble(
        client.post("/stream", data={"text": "a", "cut": "even", "n": "0"}, headers=hx).text, "n"
    )
    assert not trouble(client.post("/stream", data={"text": "a", "cut": "random", "n": "0"}, headers=hx).text, "n")
    assert client.post("/stream", data={"text": "a", "cut": "sideways"}, headers=hx).status_code == 422


def test_a_refused_text_stays_in_the_box(tiny: FlaskClient) -> None:
    answer = tiny.post("/stream", data={"text": "x" * 1001})
    assert answer.status_code == 413
    assert "1,001 bytes of UTF-8; the limit is 1,000" in answer.text
    assert "x" * 1001 + "</textarea>" in answer.text


def test_ids_that_stand_for_too_long_a_text_are_refused(tiny: FlaskClient, hx: dict[str, str]) -> None:
    assert tiny.post("/stream", data={"text": "5 " * 101, "given": "ids"}, headers=hx).status_code == 413


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "</textarea><img src=x>", "\"'><b>", "]]>--><!--"])
def test_text_stops_and_definitions_are_escaped_everywhere(client: FlaskClient, text: str) -> None:
    form = {"text": text, "stops": text + "2", "definitions": text, "format": "none"}
    for path in ("/stream", "/stream/compare", "/stream/fuzz"):
        html = client.post(path, data=form).text
        assert text not in html and unescape(html).count(text) > 4
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", html)


def test_invisible_characters_are_named_in_lanes_and_deltas(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post("/stream", data={"text": "a\u200b\u202e\x00b", "format": "none"}, headers=hx).text
    assert all(name in html for name in (">ZWSP<", ">RLO<", ">NUL<"))
    assert not re.search("[\u200b\u202e\x00]", html)
    assert join_deltas(deltas(html)) == {"content": "a\u200b\u202e\x00b"}


def test_a_long_output_shows_its_beginning_first_and_then_all_of_it(
    client: FlaskClient, hx: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("app.pages.stream"), "BEGINNING_IDS", 300)
    form = {"text": "one two three four\n" * 100, "format": "none"}
    first = client.post("/stream", data=form, headers=hx).text
    assert 'class="pending"' in first and "The model has ended" not in first
    assert data(first, "total") == "300"
    whole = client.post("/stream", data={**form, "whole": "1"}, headers=hx).text
    assert 'class="pending"' not in whole
    assert data(whole, "total") == "501"
    # It is at hand now.
    assert data(client.post("/stream", data=form, headers=hx).text, "total") == "501"


def test_a_window_of_a_long_stream_comes_by_its_key_and_joins_on(client: FlaskClient, hx: dict[str, str]) -> None:
    text = "".join(f"line {number} of many\n" for number in range(400))
    whole = client.post("/stream", data={"text": text, "format": "none", "whole": "1"}, headers=hx).text
    key, total = data(whole, "key"), int(data(whole, "total"))
    assert total > 1500
    assert int(data(whole, "stop")) == total and int(data(whole, "start")) == total - 159
    window = client.post("/stream/window", data={"key": key, "step": "700"}, headers=hx).text
    assert (data(window, "at"), data(window, "start"), data(window, "stop")) == ("700", "660", "819")
    base = json.loads(data(window, "base"))
    assert base["omitted"]["content"] + len(base["message"]["content"]) == text.index(
        join_deltas(deltas(window))["content"]
    )
    assert text.startswith(base["message"]["content"], base["omitted"]["content"])


def test_a_window_that_is_gone_asks_for_the_form_and_comes_by_it(
    app: Flask, client: FlaskClient, hx: dict[str, str]
) -> None:
    form = {"text": "gone and back", "format": "none"}
    first = client.post("/stream", data=form, headers=hx).text
    app.extensions["tokboard-stream"] = Runs()
    assert client.post("/stream/window", data={"key": data(first, "key"), "step": "2"}, headers=hx).status_code == 410
    again = client.post("/stream/window", data={**form, "step": "2"}, headers=hx).text
    assert data(again, "at") == "2" and data(again, "key") == data(first, "key")


def test_two_forms_share_a_key_only_where_they_make_the_same_steps(client: FlaskClient, hx: dict[str, str]) -> None:
    forms = [{"text": "a b"}, {"text": "a b", "step": "1"}, {"text": "a b", "cut": "even"}, {"text": "a c"}]
    keys = [data(client.post("/stream", data=form, headers=hx).text, "key") for form in forms]
    assert keys[0] == keys[1] and len(set(keys)) == 3


def test_strategies_side_by_side_ring_what_differs_and_say_how_long_characters_wait(
    client: FlaskClient, hx: dict[str, str]
) -> None:
    html = client.post("/stream/compare", data={"text": "a 🧑 b", "format": "none"}, headers=hx).text
    rows = html.split('<li class="stage">')[1:]
    assert len(rows) == len(STRATEGIES)
    assert "the measure" in rows[0] and "Every character leaves with its token" in rows[0]
    assert "another answer" in rows[1] and re.search(r'<mark class="ring">�+</mark>', rows[1])
    stopped = client.post("/stream/compare", data={"text": "one two three", "stops": "x" * 10}, headers=hx).text
    fixed = stopped.split('<li class="stage">')[4]
    assert "same answer" in fixed and re.search(r"A character waits [1-9]\.\d\d tokens, at most \d", fixed)


def test_the_fuzzer_counts_in_words_and_each_cell_replays_its_cut(
    client: FlaskClient, hx: dict[str, str], qwen3: Tokenizer
) -> None:
    form = {"text": "a 🧑 on 𝔐𝔞𝔯𝔰", "format": "none"}
    ids = qwen3.encode_ids(form["text"])
    total = len(cuts_of(len(ids))[0])
    ours = client.post("/stream/fuzz", data=form, headers=hx).text
    assert f"{total} of {total} cuts equal" in ours and "differs" not in ours
    assert '"fuzzed": "per-delta"' in ours
    theirs = client.post("/stream/fuzz", data={**form, "fuzzed": "per-delta"}, headers=hx).text
    cells = re.findall(r'class="cut( differs)?".*?value="(.*?)"', theirs)
    assert len(cells) == total
    assert f"{sum(bool(differs) for differs, _ in cells)} of {total} cuts differ" in theirs
    expected = replay(qwen3, ids, StreamSettings(tools=None)).message
    for differs, value in cells[:30]:
        page = client.post("/stream", data={**form, "cell": value}).text
        assert (join_deltas(deltas(page)) != expected) is bool(differs)
        assert 'value="per-delta" selected' in page


def test_the_fuzzer_without_script_shows_every_strategy_at_once(client: FlaskClient) -> None:
    html = client.post("/stream/fuzz", data={"text": "a 🧑", "format": "none"}).text
    assert html.count('class="fuzz-row"') == len(STRATEGIES) and "fuzz-next" not in html


def test_a_strategy_that_grows_slow_is_given_the_beginning_and_says_so(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": "one two " * 1500, "strategy": "window", "format": "none", "whole": "1"}
    html = client.post("/stream", data=form, headers=hx).text
    assert "was given the first 1,000 tokens" in html
    assert data(html, "total") == "1001"


def test_the_sse_file_is_read_back_as_the_same_message(client: FlaskClient) -> None:
    sample = SAMPLES[0].form.state("qwen3")
    answer = client.post("/stream/deltas.sse", data=sample)
    assert answer.mimetype == "text/event-stream"
    chunks = [record.value for record in read_log(answer.text).records if isinstance(record.value, dict)]
    whole = assemble(chunks)
    assert answer.text.endswith("data: [DONE]\n\n")
    assert whole["choices"][0]["finish_reason"] == "tool_calls"
    assert whole["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "get_weather"
    assert whole["usage"] == {"prompt_tokens": 0, "completion_tokens": 50, "total_tokens": 50}


def test_the_trace_has_every_step_with_what_is_held(client: FlaskClient, qwen3: Tokenizer) -> None:
    form = {"text": "a 🧑</ans", "stops": "</answer>", "cut": "even", "n": "2", "format": "none"}
    trace = json.loads(client.post("/stream/trace.json", data=form).text)
    done = replay(qwen3, qwen3.encode_ids(form["text"]), StreamSettings(stops=("</answer>",), tools=None), [2] * 9)
    assert [step["ids"] for step in trace["steps"]] == [list(step.ids) for step in done.steps]
    assert [[part["reason"] for part in step["held"]] for step in trace["steps"]] == [
        [part.reason for part in step.held] for step in done.steps
    ]
    assert trace["message"] == done.message and trace["settings"]["stops"] == ["</answer>"]


def test_a_test_case_expects_what_is_right_whatever_strategy_is_shown(client: FlaskClient) -> None:
    form = {"text": "a 🧑", "format": "none"}
    right, wrong = (
        json.loads(client.post("/stream/case.json", data={**form, "strategy": name}).text)
        for name in ("bytes", "per-delta")
    )
    assert right == wrong and right["expected"]["message"] == {"content": "a 🧑"}


def test_min_tokens_holds_off_a_stop_and_max_tokens_cuts_off(client: FlaskClient, hx: dict[str, str]) -> None:
    form = {"text": "one two one two", "stops": "two", "format": "none"}
    assert join_deltas(deltas(client.post("/stream", data=form, headers=hx).text)) == {"content": "one "}
    held_off = client.post("/stream", data={**form, "min_tokens": "3"}, headers=hx).text
    assert join_deltas(deltas(held_off)) == {"content": "one two one "}
    cut = client.post("/stream", data={**form, "stops": "", "max_tokens": "3"}, headers=hx).text
    assert "max_tokens: 1 token behind the first 3 was never made" in cut and ">length</dd>" in cut


def test_a_link_leaves_long_fields_to_the_fragment_part(client: FlaskClient, hx: dict[str, str]) -> None:
    short = client.post("/stream", data={"text": "a", "stops": "b", "reasoning": "0"}, headers=hx).text
    assert (data(short, "query"), data(short, "long")) == ("text=a&stops=b&reasoning=0", "0")
    long = client.post("/stream", data={"text": "a", "stops": "b" * 2000, "cut": "whole"}, headers=hx).text
    assert (data(long, "query"), data(long, "long")) == ("cut=whole", "1")


def test_the_query_of_a_form_gives_the_form_back() -> None:
    for sample in SAMPLES:
        form = sample.with_tokenizer("qwen3")
        pairs = parse_qsl(form.to_query("qwen3"), keep_blank_values=True)
        assert StreamForm.from_args(MultiDict(pairs), "qwen3") == form
