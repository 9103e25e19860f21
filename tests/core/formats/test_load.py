"""Telling formats apart by name and content."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.formats.materials import byte_level_bpe, rank_file, ranks, sentencepiece_model
from tests.core.formats.test_tekken import tekken
from tokcore import Tokenizer
from tokcore.errors import MalformedFile
from tokcore.formats import load

# Name → how a file of this format is made, and the model it becomes.
SAMPLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "tokenizer.json": (lambda: byte_level_bpe().to_str().encode(), "BPE"),
    "tekken.json": (lambda: json.dumps(tekken()).encode(), "BPE"),
    "vocab.txt": (lambda: b"[UNK]\na\n##b", "WordPiece"),
    "tokenizer.model": (lambda: sentencepiece_model("unigram"), "Unigram"),
    "spiece.model": (lambda: sentencepiece_model("bpe"), "BPE"),
    "cl100k_base.tiktoken": (lambda: rank_file(ranks()), "BPE"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_known_by_its_name_in_memory_and_on_disk(name: str, tmp_path: Path) -> None:
    make, model = SAMPLES[name]
    data = make()
    assert load(name, data).model.name == model
    assert load(f"folder/of/{name}", data).model.name == model
    (tmp_path / name).write_bytes(data)
    assert Tokenizer.from_file(tmp_path / name).model.name == model
    assert Tokenizer.from_dir(tmp_path).model.name == model


@pytest.mark.parametrize("name", ["tokenizer.json", "tekken.json", "tokenizer.model"])
def test_a_file_without_a_telling_name_is_known_by_its_content(name: str) -> None:
    make, model = SAMPLES[name]
    data = make()
    assert load("upload", data).model.name == model


def test_a_rank_file_may_be_called_tokenizer_model() -> None:
    assert load("tokenizer.model", rank_file(ranks())).encode("abc").ids


@pytest.mark.parametrize("data", [b"", b"hello world", b"\x00\x01\x02", b"PK\x03\x04"])
def test_an_unknown_file_says_what_was_looked_for(data: bytes) -> None:
    with pytest.raises(MalformedFile) as raised:
        load("notes.bin", data)
    assert raised.value.where == "notes.bin"
    assert all(name in raised.value.remedy for name in ("tokenizer.json", ".model", ".gguf", "merges.txt"))


def test_a_folder_without_a_tokenizer_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x")
    with pytest.raises(MalformedFile, match=r"README\.md .*in this order: tokenizer\.json, tekken\.json, tokenizer"):
        Tokenizer.from_dir(tmp_path)
    with pytest.raises(MalformedFile, match="cannot be read: No such file"):
        Tokenizer.from_dir(tmp_path / "nowhere")


def test_several_files_of_one_ending_are_not_guessed_between() -> None:
    data = rank_file(ranks())
    with pytest.raises(MalformedFile, match=r"several: a\.tiktoken, b\.tiktoken \(leave one\)"):
        load("folder", {"a.tiktoken": data, "b.tiktoken": data})


def test_tokenizer_json_comes_first_and_tekken_second() -> None:
    files = {name: make() for name, (make, _) in SAMPLES.items() if not name.endswith(".model")}
    assert load("folder", files).model.component.vocab == load("x.json", files["tokenizer.json"]).model.component.vocab
    del files["tokenizer.json"]
    assert load("folder", files).token_to_id("[TOOL_CALLS]") == 9


def test_a_files_own_special_tokens_are_there_for_a_chat_template() -> None:
    assert load("tekken.json", SAMPLES["tekken.json"][0]()).config["bos_token"] == "<s>"
