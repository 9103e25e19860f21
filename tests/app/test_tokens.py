"""The front page over HTTP: page and fragment, forms without script, downloads, refusals."""

import csv
import io
import json
import re
from dataclasses import asdict
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.catalogue import Catalogue
from app.counts import Counts
from app.encodings import encoding_key
from app.entries import CatalogueEntry
from app.forms import EncodeInput
from tokcore.pipeline import Tokenizer

CHIP = re.compile(r'role="option".*?data-id="(\d+)"')


def ids(html: str) -> list[int]:
    return [int(id) for id in CHIP.findall(html)]


def counts(html: str) -> dict[str, str]:
    pairs = re.findall(r"<dt[^>]*>(.*?)</dt><dd[^>]*>(.*?)(?:<span.*?)?</dd>", html)
    return {re.sub(r'<span class="slash".*?</span>|<.*?>', "", label): value for label, value in pairs}


def test_the_front_page_shows_an_example_with_its_tokens(client: FlaskClient) -> None:
    html = client.get("/").text
    assert "<!doctype html>" in html
    assert "Common words stay whole" in html
    assert len(ids(html)) == 33


def test_htmx_gets_the_fragment_only(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.get("/", query_string={"text": "the"}, headers=hx)
    assert ids(answer.text) == [1782]
    assert "<html" not in answer.text and "<textarea" not in answer.text
    assert "HX-Request" in answer.headers["Vary"]


def test_the_page_includes_the_same_fragment(client: FlaskClient, hx: dict[str, str]) -> None:
    query = {"text": "same <b>\n🚀 here"}
    fragment = client.get("/", query_string=query, headers=hx).text
    assert "".join(fragment.split()) in "".join(client.get("/", query_string=query).text.split())


def test_a_history_restore_gets_the_whole_page(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.get("/?text=a", headers={**hx, "HX-History-Restore-Request": "true"})
    assert "<!doctype html>" in answer.text


def test_the_english_sentence_gives_its_row(client: FlaskClient, hx: dict[str, str]) -> None:
    text = "The quick brown fox jumps over the lazy dog near the river bank."
    html = client.get("/", query_string={"text": text}, headers=hx).text
    assert counts(html) == {
        "tokens": "14",
        "characters": "64",
        "bytes": "64",
        "words": "13",
        "bytes per token": "4.57",
        "tokens per word": "1.08",
    }
    assert "English is cheap here: most words are one token." in html


@pytest.mark.parametrize(("switch", "expected"), [("0", [151644, 872]), ("1", None)])
def test_typed_control_tokens_are_matched_or_plain_text(
    client: FlaskClient, hx: dict[str, str], switch: str, expected: list[int] | None
) -> None:
    form = {"text": "<|im_start|>user", "split_special_tokens": switch}
    found = ids(client.post("/", data=form, headers=hx).text)
    assert found == expected if expected else len(found) == 7


def test_a_form_without_script_gives_the_page_with_text_and_choices_kept(client: FlaskClient) -> None:
    form = {"text": "a\r\nb", "tokenizer": "qwen3", "split_special_tokens": "1", "show_ids": "1"}
    html = client.post("/", data=form).text
    assert ">\na\nb</textarea>" in html
    assert 'name="split_special_tokens" value="1" checked' in html
    assert "data-ids" in html and 'value="1" checked> Ids' in html
    assert len(ids(html)) == 3


def test_a_text_that_begins_with_a_newline_keeps_it_in_the_box(client: FlaskClient) -> None:
    assert ">\n\n\nx</textarea>" in client.get("/", query_string={"text": "\n\nx"}).text


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<b>&amp;\"'", "</textarea><img src=x>", "]]>--><!--"])
def test_text_is_escaped_everywhere(client: FlaskClient, text: str) -> None:
    for path in ("/", "/tokens/pipeline"):
        html = client.get(path, query_string={"text": text}).text
        assert text not in html
        box = re.search(r"<textarea.*?>\n(.*?)</textarea>", html, re.S)
        assert box is not None and unescape(box[1]) == text


def test_no_page_holds_inline_script_or_style(client: FlaskClient) -> None:
    html = client.get("/tokens/pipeline", query_string={"text": "cafe\u0301 🚀 שלום <|im_end|>"}).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", html)


def test_nul_and_invisible_characters_are_named(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post("/", data={"text": "a\x00\u200b\u200f"}, headers=hx).text
    assert all(name in html for name in (">NUL<", ">ZWSP<", ">RLM<"))
    assert "\x00" not in html


def test_right_to_left_text_stands_in_its_own_order_too(client: FlaskClient, hx: dict[str, str]) -> None:
    assert '<p class="own-order" dir="auto">שלום</p>' in client.get("/?text=שלום", headers=hx).text
    assert "own-order" not in client.get("/?text=a", headers=hx).text


def test_an_empty_text_explains_what_would_fill_the_page(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.get("/?text=", headers=hx).text
    assert "No tokens yet" in html and ids(html) == []


def test_an_unknown_tokenizer_is_refused_and_the_text_stays(client: FlaskClient) -> None:
    answer = client.post("/", data={"tokenizer": "gpt-9", "text": "keep me"})
    assert answer.status_code == 404
    assert "keep me</textarea>" in answer.text and "choose one of qwen3" in unescape(answer.text)


def test_a_refusal_for_htmx_is_a_fragment_with_the_remedy(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.post("/", data={"tokenizer": "gpt-9", "text": "x"}, headers=hx)
    assert answer.status_code == 404
    assert "<html" not in answer.text and "What to do" in answer.text


def test_a_text_above_the_limit_is_refused_with_the_text_in_the_box() -> None:
    app = create_app({"TESTING": True, "preload": False, "text_limit_bytes": 10})
    answer = app.test_client().post("/", data={"text": "12345678901"})
    assert answer.status_code == 413
    assert "12345678901</textarea>" in answer.text and "the limit is 10" in answer.text


@pytest.fixture(scope="module")
def stepwise() -> Flask:
    return create_app({"TESTING": True, "preload": False, "first_screen_tokens": 5, "more_tokens": 4})


def more_request(html: str) -> dict[str, Any] | None:
    found = re.search(r"hx-vals='(.*?)'", html)
    return json.loads(unescape(found[1])) if found else None


def test_long_text_comes_in_parts_that_join_to_the_whole(stepwise: Flask, hx: dict[str, str]) -> None:
    client, text = stepwise.test_client(), "one two three 🚀 four 🚀 five six seven eight nine ten"
    whole = [row["id"] for row in client.get("/tokens.json", query_string={"text": text}).get_json()["rows"]]
    html = client.post("/", data={"text": text}, headers=hx).text
    found = ids(html)
    while (request := more_request(html)) is not None:
        html = client.post("/tokens/more", data=request, headers=hx).text
        found += ids(html)
    assert found == whole


def test_a_forgotten_encoding_is_asked_for_with_the_text(stepwise: Flask, hx: dict[str, str]) -> None:
    client, text = stepwise.test_client(), "one two three four five six seven eight"
    form = {"key": encoding_key("qwen3", EncodeInput("qwen3", text)), "start": "5"}
    asked = client.post("/tokens/more", data=form, headers=hx).text
    assert 'hx-trigger="load"' in asked and "hx-params" not in asked and ids(asked) == []
    assert more_request(asked) == form
    assert len(ids(client.post("/tokens/more", data={**form, "text": text}, headers=hx).text)) == 3


def test_more_tokens_never_come_from_another_text(stepwise: Flask, hx: dict[str, str]) -> None:
    form = {"key": "0" * 32, "start": "5", "text": "one two three four five six seven nine"}
    answer = stepwise.test_client().post("/tokens/more", data=form, headers=hx)
    assert answer.status_code == 410 and ids(answer.text) == []
    assert answer.text.startswith('<section class="problem"') and "has changed" in answer.text


def test_more_tokens_are_drawn_by_the_tokenizer_that_made_them(tiny_file: Path, hx: dict[str, str]) -> None:
    other = json.loads(tiny_file.read_text(encoding="utf-8"))
    other["added_tokens"] = [{**token, "special": False} for token in other["added_tokens"]]
    plain = tiny_file.with_name("plain.json")
    plain.write_text(json.dumps(other), encoding="utf-8")
    entries = [CatalogueEntry(path.stem, "", "", path, Tokenizer.from_file) for path in (tiny_file, plain)]
    settings = {"TESTING": True, "preload": False, "first_screen_tokens": 2, "more_tokens": 4}
    client = create_app(settings, catalogue=Catalogue(entries)).test_client()
    request = more_request(client.post("/", data={"tokenizer": "tiny", "text": "xyz<s>"}, headers=hx).text)
    assert request is not None
    html = client.post("/tokens/more", data={**request, "tokenizer": "plain"}, headers=hx).text
    assert 'data-id="259"' in html and 'data-o="special"' in html


def test_without_script_the_next_part_is_a_page(stepwise: Flask) -> None:
    html = stepwise.test_client().post("/tokens/more", data={"text": "a b c d e f g h", "start": "5"}).text
    assert "<!doctype html>" in html and len(ids(html)) == 3


def test_the_beginning_of_a_pasted_text_asks_for_the_whole(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post("/", data={"text": "the beginning", "beginning": "1"}, headers=hx).text
    assert 'class="pending"' in html and len(ids(html)) == 2
    assert "<dl" not in html


def test_the_pipeline_is_a_fragment_for_htmx_and_a_page_without(client: FlaskClient, hx: dict[str, str]) -> None:
    fragment = client.post("/tokens/pipeline", data={"text": "a"}, headers=hx).text
    assert fragment.lstrip().startswith('<ol class="stages"')
    assert (
        '<details class="panel pipeline" id="pipeline" open' in client.post("/tokens/pipeline", data={"text": "a"}).text
    )


def test_a_long_pipeline_says_where_it_was_cut(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post("/tokens/pipeline", data={"text": "word " * 5_000}, headers=hx).text
    assert "its first 20,000 characters" in html


EXACT = '=1+1 "quoted", \n-x cafe\u0301 🚀<|im_end|>'


def test_csv_reads_back_exactly(client: FlaskClient) -> None:
    answer = client.post("/tokens.csv", data={"text": EXACT})
    assert answer.headers["Content-Type"].startswith("text/csv; charset=utf-8")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.text.count("\r\n") == len(list(csv.reader(io.StringIO(answer.text, newline=""))))
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    whole = client.post("/tokens.json", data={"text": EXACT}).get_json()
    assert [int(row["id"]) for row in rows] == whole["ids"]
    assert rows[0]["token"] == "="
    for row, same in zip(rows, whole["rows"], strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in same.items()}


def test_json_holds_every_column_of_the_card(client: FlaskClient) -> None:
    whole = client.get("/tokens.json", query_string={"text": " 🚀"}).get_json()
    assert whole["tokens"] == ["ĠðŁ", "ļ", "Ģ"] and whole["ids"] == [11162, 248, 222]
    assert whole["rows"][1] == {
        "index": 1,
        "id": 248,
        "token": "ļ",
        "text": None,
        "bytes": "9a",
        "char_start": 1,
        "char_end": 2,
        "byte_start": 1,
        "byte_end": 5,
        "utf16_start": 1,
        "utf16_end": 3,
        "piece": 0,
        "origin": "model",
        "special": 0,
    }


def test_the_state_is_in_the_link(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post("/", data={"text": "a b", "show_ids": "1"}, headers=hx).text
    assert 'data-query="text=a+b&amp;show_ids=1"' in html and 'data-long="0"' in html
    html = client.post("/", data={"text": "long " * 1_000, "add_special_tokens": "0"}, headers=hx).text
    assert 'data-query="add_special_tokens=0"' in html and 'data-long="1"' in html


def test_only_pages_that_exist_are_linked(client: FlaskClient) -> None:
    html = client.get("/").text
    for path in re.findall(r'<a [^>]*href="([^"?#]*)', html):
        if path:
            assert client.get(path).status_code == 200


def test_without_script_the_check_comes_with_the_stages(client: FlaskClient) -> None:
    html = client.post("/tokens/check", data={"text": "the quick fox", "tokenizer": "deepseek-v4"}).text
    assert "Equal to tokenizers 0.23.3" in html
    assert 'class="stages"' in html


def test_a_check_of_a_long_text_says_how_much_was_compared(client: FlaskClient, hx: dict[str, str]) -> None:
    html = client.post(
        "/tokens/check", data={"text": "long text " * 2_500, "tokenizer": "deepseek-v4"}, headers=hx
    ).text
    assert "Compared were the first 20,000 characters." in html


def test_a_check_of_a_tokenizer_that_is_not_there_is_refused(client: FlaskClient, hx: dict[str, str]) -> None:
    answer = client.post("/tokens/check", data={"text": "a", "tokenizer": "gpt-9"}, headers=hx)
    assert answer.status_code == 404
    assert "gpt-9" in answer.text


def test_json_comes_in_parts_with_the_bytes_of_the_whole(client: FlaskClient) -> None:
    text = "a b " * 5_000
    answer = client.post("/tokens.json", data={"text": text})
    assert answer.is_streamed
    whole = json.loads(answer.data)
    assert answer.data.decode() == json.dumps(whole, ensure_ascii=False)
    assert len(whole["rows"]) == len(whole["ids"]) > 8_000
    assert whole["counts"] == asdict(Counts.of(text, len(whole["ids"])))


@pytest.mark.parametrize("text", ["", "a 🚀"])
def test_json_can_leave_the_rows_out(client: FlaskClient, text: str) -> None:
    whole = client.post("/tokens.json", data={"text": text}).get_json()
    light = client.post("/tokens.json", data={"text": text, "rows": "0"}).get_json()
    assert light == client.get("/tokens.json", query_string={"text": text, "rows": "0"}).get_json()
    assert "rows" not in light and {**light, "rows": whole["rows"]} == whole


def test_the_pipeline_of_a_link_with_crlf_is_of_the_text_in_the_box(client: FlaskClient) -> None:
    html = client.get("/tokens/pipeline?text=a%0D%0Ab").text
    assert ">\na\nb</textarea>" in html
    assert len(ids(html)) == 3 and "CR" not in re.sub(r"<textarea.*?</textarea>", "", html, flags=re.S)


def test_head_is_get_without_the_body(client: FlaskClient) -> None:
    assert client.head("/").headers["Content-Length"] == client.get("/").headers["Content-Length"]
