"""The JSON API on good input: whole answers, and the figures that are known."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.counts import Counts, has_word_spaces
from app.settings import Settings

ENGLISH = "The quick brown fox jumps over the lazy dog near the river bank."
RAPOSA = "A raposa preguiçosa: 1969 🚀"


def tokenize(client: FlaskClient, text: str, **options: Any) -> Any:
    response = client.post("/api/v1/tokenize", json={"text": text, **options})
    assert response.status_code == 200, response.get_data(as_text=True)
    return response.get_json()


def test_tokenize_answers_with_lists_of_equal_length_and_counts(tiny: FlaskClient) -> None:
    assert tokenize(tiny, "abc <think>é<s>") == {
        "tokenizer": "tiny",
        "ids": [257, 32, 260, 0xC3, 0xA9, 259],
        "tokens": ["abc", "Ġ", "<think>", "Ã", "©", "<s>"],
        "offsets": [[0, 3], [3, 4], [4, 11], [11, 12], [11, 12], [12, 15]],
        "byte_offsets": [[0, 3], [3, 4], [4, 11], [11, 13], [11, 13], [13, 16]],
        "bytes": ["616263", "20", "3c7468696e6b3e", "c3", "a9", "3c733e"],
        "special": [0, 0, 0, 0, 0, 1],
        "counts": {
            "tokens": 6,
            "characters": 15,
            "bytes": 16,
            "words": 2,
            "bytes_per_token": 16 / 6,
            "tokens_per_word": 3.0,
        },
    }


def test_control_tokens_are_plain_text_where_asked(tiny: FlaskClient) -> None:
    assert tokenize(tiny, "<s>", split_special_tokens=True)["tokens"] == ["<", "s", ">"]


def test_an_empty_text_has_empty_lists_and_no_ratios(tiny: FlaskClient) -> None:
    answer = tokenize(tiny, "")
    assert [answer[name] for name in ("ids", "tokens", "offsets", "byte_offsets", "bytes", "special")] == [[]] * 6
    assert answer["counts"] == {
        "tokens": 0,
        "characters": 0,
        "bytes": 0,
        "words": 0,
        "bytes_per_token": None,
        "tokens_per_word": None,
    }


def test_nul_is_a_character_like_any_other(tiny: FlaskClient) -> None:
    answer = tokenize(tiny, "a\x00b")
    assert (answer["ids"], answer["bytes"]) == ([97, 0, 98], ["61", "00", "62"])


def test_the_lesson_sentence_in_qwen3(client: FlaskClient) -> None:
    answer = tokenize(client, ENGLISH)
    assert answer["tokenizer"] == "qwen3"
    assert answer["counts"] | {"bytes_per_token": None, "tokens_per_word": None} == {
        "tokens": 14,
        "characters": 64,
        "bytes": 64,
        "words": 13,
        "bytes_per_token": None,
        "tokens_per_word": None,
    }
    assert (round(answer["counts"]["bytes_per_token"], 2), round(answer["counts"]["tokens_per_word"], 2)) == (
        4.57,
        1.08,
    )


def test_three_tokens_share_the_rocket_in_every_unit(client: FlaskClient) -> None:
    answer = tokenize(client, RAPOSA, tokenizer="qwen3")
    assert answer["ids"][-3:] == [11162, 248, 222]
    assert answer["offsets"][-3:] == [[25, 27], [26, 27], [26, 27]]
    assert answer["byte_offsets"][-3:] == [[26, 31], [27, 31], [27, 31]]
    assert answer["bytes"][-3:] == ["20f09f", "9a", "80"]


def test_byte_offsets_cut_the_same_text_as_offsets(client: FlaskClient) -> None:
    answer = tokenize(client, RAPOSA + " तेज़ 🇧🇷 e\u0301")
    text, raw = RAPOSA + " तेज़ 🇧🇷 e\u0301", (RAPOSA + " तेज़ 🇧🇷 e\u0301").encode()
    cut = [text[start:end] for start, end in answer["offsets"]]
    assert [raw[start:end].decode() for start, end in answer["byte_offsets"]] == cut


def test_typed_control_tokens_in_qwen3(client: FlaskClient) -> None:
    text = "<|im_start|>user"
    matched, plain = tokenize(client, text), tokenize(client, text, split_special_tokens=True)
    assert (matched["ids"], matched["special"]) == ([151644, 872], [1, 0])
    assert (len(plain["ids"]), sum(plain["special"])) == (7, 0)
    assert tokenize(client, "<think>")["special"] == [0]


@pytest.mark.parametrize(
    ("tokenizer", "ids"),
    [
        pytest.param("qwen3", [16, 24, 21, 24], id="qwen3-digits-alone"),
        pytest.param("qwen3.6", [16, 24, 21, 24], id="qwen3.6-digits-alone"),
    ],
)
def test_digits_stand_alone_in_qwen(client: FlaskClient, tokenizer: str, ids: list[int]) -> None:
    assert tokenize(client, "1969", tokenizer=tokenizer)["ids"] == ids


def test_deepseek_groups_digits_by_three(client: FlaskClient) -> None:
    assert tokenize(client, "1969", tokenizer="deepseek-v4")["tokens"] == ["196", "9"]


@pytest.mark.parametrize("tokenizer", ["qwen3", "qwen3.6", "deepseek-v4"])
def test_decode_gives_back_the_text_its_tokens_and_bytes(client: FlaskClient, tokenizer: str) -> None:
    encoded = tokenize(client, RAPOSA, tokenizer=tokenizer)
    answer = client.post("/api/v1/decode", json={"tokenizer": tokenizer, "ids": encoded["ids"]}).get_json()
    assert answer == {
        "tokenizer": tokenizer,
        "text": RAPOSA,
        "tokens": encoded["tokens"],
        "bytes": encoded["bytes"],
    }


def test_decode_leaves_special_tokens_out_unless_told(tiny: FlaskClient) -> None:
    def text(**options: bool) -> str:
        answer = tiny.post("/api/v1/decode", json={"ids": [259, 257, 260], **options}).get_json()
        return str(answer["text"])

    assert (text(), text(skip_special_tokens=False)) == ("abc<think>", "<s>abc<think>")


def test_ids_that_stand_for_too_long_a_text_are_refused(client: FlaskClient, assert_problem: Any) -> None:
    response = client.post("/api/v1/decode", json={"ids": [56940] * 20_000})
    assert_problem(response, 413, where="/ids", what="these ids stand for 2,560,000 bytes; the limit is 2,000,000")


def test_a_repeated_key_is_found_at_once_among_very_many(client: FlaskClient, assert_problem: Any) -> None:
    keys = ",".join(f'"k{number}":0' for number in range(200_000))
    body = "{" + keys + ',"k199999":1}'
    response = client.post("/api/v1/tokenize", data=body, content_type="application/json")
    assert_problem(response, 400, what="key 'k199999' stands twice")


def test_decode_of_nothing_is_nothing(tiny: FlaskClient) -> None:
    answer = tiny.post("/api/v1/decode", json={"ids": []}).get_json()
    assert answer == {"tokenizer": "tiny", "text": "", "tokens": [], "bytes": []}


def test_a_tokenizer_can_be_named_by_the_sha256_of_its_file(tiny: FlaskClient) -> None:
    listed = tiny.get("/api/v1/tokenizers").get_json()["tokenizers"][0]
    assert tokenize(tiny, "abc", tokenizer=listed["sha256"])["tokenizer"] == "tiny"


def test_the_list_of_tokenizers_loads_none(tiny: FlaskClient) -> None:
    (listed,) = tiny.get("/api/v1/tokenizers").get_json()["tokenizers"]
    assert (listed["loaded"], listed["vocab_size"]) == (False, None)
    tokenize(tiny, "abc")
    answer = tiny.get("/api/v1/tokenizers").get_json()
    assert answer["default"] == "tiny"
    assert {name: value for name, value in answer["tokenizers"][0].items() if name != "sha256"} == {
        "name": "tiny",
        "title": "Tiny",
        "family": "for tests",
        "available": True,
        "loaded": True,
        "default": True,
        "vocab_size": 261,
        "remedy": None,
    }


def test_health(tiny: FlaskClient) -> None:
    assert tiny.get("/healthz").get_json() == {"status": "ok"}


# Spec figures that do not depend on a tokenizer: characters, bytes, words, whether tokens per word is shown.
@pytest.mark.parametrize(
    ("text", "counts"),
    [
        pytest.param(ENGLISH, (64, 64, 13, True), id="english"),
        pytest.param(
            "El rápido zorro marrón salta sobre el perro perezoso cerca de la orilla del río.",
            (80, 83, 15, True),
            id="spanish",
        ),
        pytest.param(
            "Быстрая коричневая лиса прыгает через ленивую собаку у берега реки.", (67, 124, 10, True), id="russian"
        ),
        pytest.param("तेज़ भूरी लोमड़ी नदी के किनारे आलसी कुत्ते के ऊपर कूदती है।", (59, 155, 12, True), id="hindi"),
        pytest.param("素早い茶色の狐が川岸の近くで怠け者の犬を飛び越える。", (26, 78, 1, False), id="japanese"),
        pytest.param("敏捷的棕色狐狸跳过了懒狗。", (13, 39, 1, False), id="chinese"),
        pytest.param("สุนัขจิ้งจอก", (12, 36, 1, False), id="thai"),
        pytest.param("빠른 갈색 여우", (8, 20, 3, True), id="korean-writes-spaces"),
        pytest.param("1969 2026-09-12 3.14159 1,000,000", (33, 33, 4, True), id="numbers"),
        pytest.param("🚀 🎉 🔥 💡", (7, 19, 4, True), id="emoji"),
        pytest.param("Tokyo is written 東京 in Japanese", (31, 35, 6, True), id="mostly-latin"),
    ],
)
def test_counts(text: str, counts: tuple[int, int, int, bool]) -> None:
    measured = Counts.of(text, tokens=7)
    assert (measured.characters, measured.bytes, measured.words, measured.tokens_per_word is not None) == counts
    assert has_word_spaces(text) is counts[3]


# --- the documentation is part of the contract --------------------------------------------------------------------


def documentation() -> str:
    return (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_examples_of_the_documentation_are_what_is_answered(client: FlaskClient) -> None:
    requests = re.findall(r"localhost:8000(/api/v1/\w+) -H '[^']+' -d '([^']+)'", documentation())
    answers = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", documentation(), re.DOTALL)]
    assert len(requests) == 2
    for (address, body), answer in zip(requests, answers, strict=False):
        assert client.post(address, data=body, content_type="application/json").get_json() == answer
    refused = client.post("/api/v1/tokenize", data='{"text": "a\\ud83d"}', content_type="application/json")
    assert refused.get_json() == answers[2]


def test_every_address_and_setting_is_documented(app: Flask) -> None:
    text = documentation()
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(("/api/", "/healthz")):
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            assert f"## {method} {rule.rule}\n" in text
    for field in fields(Settings):
        default = "" if field.default is None else f"{int(field.default):,}"  # type: ignore[call-overload]
        assert re.search(rf"\| `TOKBOARD_{field.name.upper()}` \| {default}\s*\|", text), field.name
