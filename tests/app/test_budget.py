"""The budget page over HTTP: published figures, examples, texts that are counted, refusals, links, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from app.budget_input import NUMBERS, BudgetForm
from app.budget_request import measured
from app.budget_samples import FIRST, MODELS, SAMPLES
from tests.reference import bundled

EMPTY = {"context": "100"}
DOCUMENT = {**MODELS["qwen3-8b"].values, "docs": "1", "doc_size": "20000"}


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def result_of(html: str) -> str:
    return text_of(html.partition('id="result" aria-labelledby="result-title">')[2].partition("</main>")[0])


def rows_of(html: str) -> dict[str, str]:
    """Words of each row of the picture's table, by its first word."""
    table = html.partition('<table class="budget-table"')[2].partition("</table>")[0]
    rows = [text_of("<tr " + row) for row in table.split("<tr ")[2:]]
    return {row.partition(" ")[0]: row.partition(" ")[2] for row in rows}


def show(client: FlaskClient, values: Mapping[str, str]) -> str:
    return client.get("/budget", query_string=dict(values)).text


def test_the_page_begins_with_the_first_exercise(client: FlaskClient) -> None:
    html = client.get("/budget").text
    assert "<!doctype html>" in html
    said = result_of(html)
    assert said.startswith("The budget It fits: 22,646 of 32,768 tokens are left")
    assert "32,768 less 2,048 for the answer: 30,720 tokens for the whole input, template included." in said
    assert "Context and cache as in Qwen3-8B." in said
    assert rows_of(html) == {
        "Together": "Left 22,646 10,122 30.9 %",
        "System": "300 0.9 %",
        "Tools": "147 + 7 × 65 602 1.8 %",
        "Documents": "6 × 512 3,072 9.4 %",
        "History": "20 × (200 + 5) 4,100 12.5 %",
        "Template": "0 0 %",
        "Answer": "2,048 6.2 %",
        "Margin": "0 0 %",
        "Left": "22,646 69.1 %",
    }
    assert "44 more documents 110 more turns 348 more tools" in said


def test_the_second_exercise_gives_the_whole_input_3072(client: FlaskClient) -> None:
    said = result_of(show(client, {"context": "4096", "answer": "768", "margin": "256"}))
    assert "It fits: 3,072 of 4,096 tokens are left" in said
    assert "4,096 less 768 for the answer and 256 for the margin: 3,072 tokens for the whole input" in said


def test_a_document_in_other_languages_is_as_published(client: FlaskClient) -> None:
    said = result_of(show(client, DOCUMENT))
    assert "It fits: 12,768 of 32,768 tokens are left" in said
    assert "English , chosen 4.57 20,000 fits, 12,768 left ≈ 2.95 GB" in said
    assert "Portuguese 3.20 20,000 × 25 ÷ 14 ≈ 35,700 does not fit: ≈ 2,950 over ≈ 5.3 GB" in said
    assert "Hindi 2.67 20,000 × 58 ÷ 14 ≈ 82,900 does not fit: ≈ 50,100 over ≈ 12 GB" in said
    assert "2 × 36 layers × 8 KV heads × 128 × 2 bytes = 147,456 bytes per token" in said
    assert "One sentence is not a language" in said


def test_the_sentences_measure_what_is_published() -> None:
    found = measured(bundled("qwen3"))
    assert {name: (sentence.bytes, sentence.tokens) for name, sentence in found.items()} == {
        "english": (64, 14),
        "portuguese": (80, 25),
        "spanish": (83, 25),
        "russian": (124, 29),
        "japanese": (78, 21),
        "hindi": (155, 58),
    }
    per_token = {name: round(float(sentence.bytes_per_token), 2) for name, sentence in found.items()}
    assert list(per_token.values()) == [4.57, 3.2, 3.32, 4.28, 3.71, 2.67]


def test_factors_are_measured_with_the_tokenizer_that_is_chosen(client: FlaskClient) -> None:
    others = {}
    for name in ("qwen3", "deepseek-v4"):
        body = client.get("/budget.json", query_string={**DOCUMENT, "tokenizer": name}).get_json()
        others[name] = {language["name"]: language["tokens"] for language in body["languages"]}
    assert others["qwen3"]["portuguese"] == 25
    assert others["deepseek-v4"] != others["qwen3"]


def test_the_chosen_language_scales_documents_and_history_but_not_framing(client: FlaskClient) -> None:
    languages = {"docs_language": "portuguese", "history_language": "hindi"}
    rows = rows_of(show(client, {**FIRST.values, **languages}))
    assert rows["Documents"] == "6 × 915 (512 × 25 ÷ 14, rounded up) 5,490 16.8 %"
    assert rows["History"] == "20 × (829 (200 × 58 ÷ 14, rounded up) + 5) 16,680 50.9 %"
    rows = rows_of(show(client, {**DOCUMENT, "docs_language": "portuguese"}))
    assert rows["Too"] == "many 2,947 9.0 %"


def test_every_example_is_a_link_and_opens_without_a_complaint(client: FlaskClient) -> None:
    page = client.get("/budget").text
    for sample in SAMPLES:
        query = BudgetForm("qwen3", sample.values).to_query("qwen3")
        assert f'href="/budget?{query.replace("&", "&amp;")}"' in page
        answer = client.get("/budget?" + query)
        assert answer.status_code == 200 and "notice error" not in answer.text, sample.title


def test_what_does_not_fit_says_by_how_much_and_what_to_cut(client: FlaskClient) -> None:
    html = show(client, {**FIRST.values, "context": "8192"})
    said = result_of(html)
    assert "It does not fit: 1,930 of 10,122 tokens are too many" in said
    cuts = re.findall("<li>(.*?)</li>", html.partition('class="panel budget-cuts"')[2].partition("</section>")[0])
    assert cuts == [
        "4 documents fewer: 2 of 6 stay, 118 tokens left",
        "all 6 documents shortened to 190 tokens each",
        "10 turns fewer: 10 of 20 stay, 120 tokens left",
        "1,930 tokens off the answer: 118 stay, nothing left",
    ]
    assert rows_of(html)["Too"] == "many 1,930 23.6 %"


def test_where_no_part_alone_is_enough_they_are_cut_one_after_another(client: FlaskClient) -> None:
    said = result_of(show(client, {**FIRST.values, "context": "2500"}))
    assert (
        "No single part is enough. Together these make it fit all 6 documents: 4,550 tokens still too many "
        "all 20 turns: 450 tokens still too many 450 tokens off the answer: 1,598 stay, nothing left"
    ) in said


def test_nothing_left_is_a_fit(client: FlaskClient) -> None:
    said = result_of(show(client, {"context": "100", "system": "60", "answer": "40"}))
    assert "It fits exactly: all 100 tokens are used" in said


def test_htmx_gets_the_fragment_and_the_page_includes_the_same(client: FlaskClient, hx: dict[str, str]) -> None:
    form = dict(FIRST.values)
    answer = client.post("/budget", data=form, headers=hx)
    assert "<html" not in answer.text and '<input class="number"' not in answer.text
    assert "HX-Request" in answer.headers["Vary"]
    fragment = answer.text.partition('<div class="trouble"')[0]
    assert "".join(fragment.split()) in "".join(client.post("/budget", data=form).text.split())


# ---- texts in place of numbers


def test_a_text_is_counted_in_place_of_its_number(client: FlaskClient) -> None:
    html = show(client, {**EMPTY, "system": "77", "system_text": "You are a terse assistant."})
    assert rows_of(html)["System"].startswith("the text, counted 6 ")
    assert "Counted: 6 tokens." in text_of(html)
    english = "The quick brown fox jumps over the lazy dog near the river bank."
    rows = rows_of(show(client, {"context": "1000", "docs": "3", "text": english}))
    assert rows["Documents"].startswith("3 × 14 42 ")


def test_a_tool_definition_is_counted_as_a_prompt_has_it(client: FlaskClient) -> None:
    tool = {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Get the current weather for a city.",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string", "description": "City name"}},
                "required": ["city"],
            },
        },
    }
    for given in (tool, [tool]):
        html = show(client, {"context": "1000", "tools": "8", "tool_text": json.dumps(given)})
        assert "Counted: 124 tokens for the first, 65 for each further one." in text_of(html)
        assert rows_of(html)["Tools"].startswith("124 + 7 × 65 579 ")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "This is not JSON"),
        ("5", "This is not one JSON object"),
        ("[{}, {}]", "This is a list of 2"),
        ("[" * 50_000, "This is not JSON"),
        ('{"a":' * 9_000 + "1" + "}" * 9_000, "What to do"),
        ("x" * 100_001, "100,001 bytes; the limit is 100,000"),
    ],
)
def test_a_definition_that_cannot_be_used_is_said_beside_its_box(client: FlaskClient, text: str, what: str) -> None:
    answer = client.post("/budget", data={"context": "1000", "tools": "1", "system": "7", "tool_text": text})
    assert what in text_of(answer.text.partition('id="problem-tool_text"')[2].partition("</div>")[0])
    assert rows_of(answer.text)["System"] == "7 0.7 %"
    assert rows_of(answer.text)["Tools"] == "a field of it cannot be read ?"


# ---- what cannot be used


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("-5", "-5 is below zero"),
        ("\u22125", "\u22125 is below zero"),
        ("many", "is not a whole number"),
        ("1.5", "is not a whole number"),
        ("1e3", "is not a whole number"),
        ("\u0665", "is not a whole number"),
        ("12,34", "is not a whole number"),
        ("9" * 5_000, "is above the limit"),
        ("1000000001", "is above the limit"),
        ("<script>alert(1)</script>", "is not a whole number"),
    ],
)
def test_a_bad_number_is_said_at_its_field_and_the_rest_is_shown(
    client: FlaskClient, hx: dict[str, str], typed: str, what: str
) -> None:
    form = {**FIRST.values, "system": typed}
    page = client.post("/budget", data=form)
    assert page.status_code == 422
    fragment = client.post("/budget", data=form, headers=hx)
    assert fragment.status_code == 200
    for html in (page.text, fragment.text):
        assert what in unescape(html.partition('id="problem-system"')[2].partition("</div>")[0])
        assert "give a whole number from 0 to 1,000,000,000, or nothing" in html
        assert "Not all is counted: so far 22,946 of 32,768 tokens are left" in html
        assert rows_of(html)["System"] == "a field of it cannot be read ?"
        assert rows_of(html)["Documents"] == "6 × 512 3,072 9.4 %"
        assert "<script>alert" not in html
    assert len(re.findall("notice error", fragment.text)) == 1


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_complains_at_its_own_field(client: FlaskClient, name: str) -> None:
    html = client.post("/budget", data={**FIRST.values, name: "x"}).text
    assert "is not a whole number" in html.partition(f'id="problem-{name}"')[2].partition("</div>")[0]
    assert html.count("notice error") == 1


@pytest.mark.parametrize("typed", ["32,768", "32 768", "32_768", "32\u202f768", " 32768 ", "0032768"])
def test_thousands_may_stand_apart(client: FlaskClient, typed: str) -> None:
    assert "It fits: 32,768 of 32,768" in show(client, {"context": typed})


def test_without_a_context_the_parts_are_added_up(client: FlaskClient) -> None:
    said = result_of(show(client, {**FIRST.values, "context": ""}))
    assert "10,122 tokens; the context length decides whether that fits" in said
    assert "cannot be read" not in said
    assert "0 is too small" in text_of(show(client, {"context": "0"}))


def test_the_largest_numbers_are_worked_out_exactly(client: FlaskClient) -> None:
    form = {"context": "1000000000", "docs": "1000000", "doc_size": "1000000000", "docs_language": "hindi"}
    body = client.get("/budget.json", query_string=form).get_json()
    each = -(-1_000_000_000 * 58 // 14)
    assert body["left_tokens"] == 10**9 - 10**6 * each


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"docs_language": "klingon"}, "docs_language"),
        ({"history_language": "klingon"}, "history_language"),
        ({"kv_width": "3"}, "kv_width"),
        ({"kv_layers": "36", "kv_heads": "8"}, "kv_dim"),
        ({"tokenizer": "gpt-9"}, "tokenizer"),
        ({"system_text": "x" * 2_000_001}, "system_text"),
    ],
)
def test_other_fields_complain_beside_themselves(client: FlaskClient, values: dict[str, str], field: str) -> None:
    answer = client.post("/budget", data={**EMPTY, "answer": "40", **values})
    assert answer.status_code in (404, 413, 422)
    assert "notice error" in answer.text.partition(f'id="problem-{field}"')[2].partition("</div>")[0]
    assert rows_of(answer.text)["Answer"] == "40 40.0 %"


def test_without_its_tokenizer_only_languages_and_texts_are_missing(client: FlaskClient) -> None:
    html = show(client, {**FIRST.values, "tokenizer": "gpt-9", "system_text": "a"})
    assert rows_of(html)["Documents"] == "6 × 512 3,072 9.4 %"
    assert rows_of(html)["System"] == "a field of it cannot be read ?"
    assert "languages-title" not in html


def test_a_text_that_has_no_utf8_form_is_said_beside_its_box(client: FlaskClient) -> None:
    answer = client.get("/budget?context=100&text=%ED%A0%80")
    assert answer.status_code == 400 and "is not UTF-8" in text_of(answer.text)


def test_hostile_texts_are_escaped(client: FlaskClient) -> None:
    evil = "</textarea><script>alert(1)</script>"
    html = client.post("/budget", data={"context": evil, "text": evil, "system_text": evil, "tool_text": evil}).text
    assert "<script>alert" not in html and "</textarea><script" not in html


# ---- models, links, JSON


def test_a_models_numbers_replace_context_and_cache_only(client: FlaskClient) -> None:
    answer = client.post("/budget", data={**FIRST.values, "kv_token": "5", "model": "llama-3-8b"})
    said = result_of(answer.text)
    assert "1,930 of 10,122 tokens are too many" in said and "Context and cache as in Llama 3 8B." in said
    assert "2 × 32 layers × 8 KV heads × 128 × 2 bytes = 131,072 bytes per token" in said
    unknown = client.post("/budget", data={"model": "gpt-9"})
    assert unknown.status_code == 422 and "choose one of qwen3-8b" in unknown.text


def test_given_bytes_per_token_win_over_the_shape(client: FlaskClient) -> None:
    said = result_of(show(client, {**FIRST.values, "kv_token": "1,000"}))
    assert "10,122 tokens × 1,000 bytes" in said and "≈ 10.1 MB" in said and "layers ×" not in said


def test_a_link_brings_the_same_state_back(client: FlaskClient) -> None:
    for values in (FIRST.values, {"docs": "-1", "context": "a b"}, {"system_text": "x&y=z\n1"}, {}):
        html = client.post("/budget", data=dict(values)).text
        query = unescape(re.search(r'data-query="(.*?)" data-long="0"', html)[1])  # type: ignore[index]
        again = client.get("/budget?" + query).text
        assert result_of(again) == result_of(html)
        assert "It fits: 22,646" not in again or values == FIRST.values
    html = client.post("/budget", data={"context": "5000", "text": "a b " * 1_000}).text
    assert 'data-query="context=5000" data-long="1"' in html


def test_json_has_every_number_exactly(client: FlaskClient) -> None:
    answer = client.post("/budget.json", data={**FIRST.values, "context": "8192"})
    assert "attachment; filename=budget.json" in answer.headers["Content-Disposition"]
    body: dict[str, Any] = answer.get_json()
    assert (body["tokenizer"], body["context_tokens"], body["left_tokens"]) == ("qwen3", 8_192, -1_930)
    assert {part["name"]: part["tokens"] for part in body["parts"]} == {
        **{"system": 300, "tools": 602, "documents": 3_072, "history": 4_100, "template": 0},
        **{"answer": 2_048, "margin": 0},
    }
    assert body["cuts"][2] == {"part": "documents", "units": 4, "left_tokens": 118, "enough": True}
    portuguese = body["languages"][1]
    assert (portuguese["factor"], portuguese["documents_tokens"]) == ([25, 14], 5_490)
    assert body["kv_cache"] == {
        **{"bytes_per_token": 147_456, "request_tokens": 10_122, "request_bytes": 10_122 * 147_456}
    }
    assert client.get("/budget.json").get_json()["left_tokens"] == 22_646


def test_json_refuses_what_the_page_only_complains_about(client: FlaskClient, assert_problem: Any) -> None:
    refused = {"Accept": "application/json"}
    assert_problem(client.get("/budget.json?context=100&docs=-1", headers=refused), 422, where="docs")
    assert_problem(client.get("/budget.json?tokenizer=gpt-9", headers=refused), 404, where="tokenizer")


def test_the_way_leads_to_the_page(client: FlaskClient) -> None:
    assert re.search(r'<a href="/budget"\s*aria-current="page">Budget</a>', client.get("/budget").text)
