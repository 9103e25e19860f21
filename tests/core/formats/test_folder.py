"""A model's folder, beside transformers' AutoTokenizer on the same folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.formats.materials import byte_level_bpe, rank_file, ranks, sentencepiece_model, texts
from tests.core.formats.test_tekken import SPECIAL, tekken
from tokcore import Tokenizer
from tokcore.errors import TokcoreError
from tokcore.formats import load
from tokcore.formats.settings import read_settings

TEXTS = [*texts(15), "<s>a</s> <think> b <mask>c", "x<|end|>  y<extra>z", " <think>  <mask> "]
GENERIC = "PreTrainedTokenizerFast"


def token(content: str, **flags: bool) -> dict[str, Any]:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"content": content, **dict.fromkeys(names, False), **flags}


def typed(content: str, **flags: bool) -> dict[str, Any]:
    return {"__type": "AddedToken", **token(content, **flags)}


DECODER = {
    "700": token("<think>"),
    "701": token("<mask>", lstrip=True, special=True),
    "702": token("<s>", special=True),
}
# Settings that a folder with a tokenizer.json may have, each beside the file of the first column.
SETTINGS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "named tokens as strings": {"tokenizer_config.json": {"bos_token": "<s>", "eos_token": "</s>"}},
    "first and last token asked for": {
        "tokenizer_config.json": {"bos_token": "<s>", "add_bos_token": True, "eos_token": "</s>", "add_eos_token": True}
    },
    "added_tokens_decoder": {"tokenizer_config.json": {"added_tokens_decoder": DECODER, "mask_token": "<mask>"}},
    "decoder not in order": {
        "tokenizer_config.json": {"added_tokens_decoder": {"701": DECODER["701"], "700": DECODER["700"]}}
    },
    "named tokens as objects": {
        "tokenizer_config.json": {"mask_token": typed("<mask>", lstrip=True, normalized=True), "unk_token": None}
    },
    "additional tokens": {"tokenizer_config.json": {"additional_special_tokens": ["<extra>", "<think>"]}},
    "extra tokens with names": {"tokenizer_config.json": {"extra_special_tokens": {"image_token": "<extra>"}}},
    "a role of the model's own": {"tokenizer_config.json": {"image_token": "<extra>"}},
    "special_tokens_map": {"special_tokens_map.json": {"bos_token": "<s>", "mask_token": token("<mask>", lstrip=True)}},
    "special_tokens_map beside a decoder": {
        "tokenizer_config.json": {"added_tokens_decoder": {"700": DECODER["700"]}},
        "special_tokens_map.json": {"bos_token": "<s>"},
    },
    "added_tokens.json beside an empty decoder": {
        "tokenizer_config.json": {"added_tokens_decoder": {}},
        "added_tokens.json": {"<think>": 700},
    },
    "added_tokens.json": {
        "added_tokens.json": {"<think>": 700, "<s>": 701},
        "special_tokens_map.json": {"bos_token": "<s>"},
    },
}
FILE_TOKENS: dict[str, list[dict[str, Any]]] = {
    "no added tokens": [],
    "added tokens": [
        {"id": 700, **token("<mask>", rstrip=True, normalized=True)},
        {"id": 701, **token("<s>", special=True)},
        {"id": 702, **token("<|end|>")},
    ],
}


def fill(folder: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name).write_bytes(text)


def assert_as_in_transformers(folder: Path, decode: bool = True, sample: list[str] = TEXTS) -> None:
    transformers = pytest.importorskip("transformers")
    theirs = transformers.AutoTokenizer.from_pretrained(folder)
    ours = Tokenizer.from_dir(folder)
    listed = ours.added_tokens
    assert {id: str(token) for id, token in theirs.added_tokens_decoder.items()} == {
        id: token.content for id, token in listed.items()
    }
    for id, theirs_token in theirs.added_tokens_decoder.items():
        flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
        assert [getattr(listed[id], flag) for flag in flags] == [getattr(theirs_token, flag) for flag in flags], (
            theirs_token
        )
    for text in sample:
        assert ours.encode(text).ids == theirs(text).input_ids, text
        assert ours.encode(text, "b a").ids == theirs(text, "b a").input_ids, text
        if decode:
            ids = theirs(text).input_ids
            for skip in (True, False):
                assert ours.decode(ids, skip) == theirs.decode(ids, skip_special_tokens=skip)


@pytest.mark.parametrize("added", FILE_TOKENS)
@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_beside_a_tokenizer_json_count_as_in_transformers(settings: str, added: str, tmp_path: Path) -> None:
    file = {**json.loads(byte_level_bpe().to_str()), "added_tokens": FILE_TOKENS[added]}
    files = {"tokenizer_config.json": {}, **SETTINGS[settings]}
    config = {"tokenizer_class": GENERIC, **files["tokenizer_config.json"]}
    fill(tmp_path, {"tokenizer.json": file, **files, "tokenizer_config.json": config})
    assert_as_in_transformers(tmp_path)


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@pytest.mark.parametrize(
    "config",
    [
        {},
        {"add_bos_token": True, "bos_token": "<s>"},
        {"add_bos_token": True, "add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>", "legacy": False},
        {"added_tokens_decoder": {"1": token("<s>", special=True), "5": token("<think>", special=True)}},
    ],
    ids=str,
)
def test_a_sentencepiece_folder_is_as_in_transformers(model_type: str, config: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("google.protobuf", reason="protobuf, for transformers' conversion")
    data = sentencepiece_model(model_type, byte_fallback=True, control_symbols=("<a>", "<b>", "<c>"))
    fill(tmp_path, {"tokenizer.model": data, "tokenizer_config.json": {"tokenizer_class": GENERIC, **config}})
    transformers = pytest.importorskip("transformers")
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    ours = Tokenizer.from_dir(tmp_path)
    for text in [
        "hello harbour",
        "  two  words ",
        "naïve 日本",
        "a <think> b" if "added_tokens_decoder" in config else "a",
    ]:
        assert ours.encode(text).ids == theirs(text).input_ids, text


def test_llama_without_legacy_is_as_in_transformers(tmp_path: Path) -> None:
    pytest.importorskip("google.protobuf", reason="protobuf, for transformers' conversion")
    data = sentencepiece_model(
        "bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False
    )
    config = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "bos_token": "<s>"}
    fill(tmp_path, {"tokenizer.model": data, "tokenizer_config.json": config})
    assert_as_in_transformers(tmp_path, sample=["hello harbour", "a<s>b </s> c", " two  words ", "naïve 日本"])


def test_a_rank_file_called_tokenizer_model_is_as_in_transformers(tmp_path: Path) -> None:
    pytest.importorskip("transformers.convert_slow_tokenizer")
    added = {str(id): token(f"<|{id}|>", special=True) for id in range(len(ranks()), len(ranks()) + 4)}
    config = {"tokenizer_class": GENERIC, "added_tokens_decoder": added, "bos_token": f"<|{len(ranks())}|>"}
    fill(tmp_path, {"tokenizer.model": rank_file(ranks()), "tokenizer_config.json": {**config, "add_bos_token": True}})
    assert_as_in_transformers(tmp_path)


def test_a_tekken_folder_gives_the_chat_template_and_first_token(tmp_path: Path) -> None:
    config = {"add_bos_token": True, "bos_token": "<s>"}
    files = {"tekken.json": tekken(special_tokens=SPECIAL), "tokenizer_config.json": config}
    fill(tmp_path, {**files, "chat_template.jinja": b"{{ bos_token }}"})
    ours = Tokenizer.from_dir(tmp_path)
    assert (ours.encode("a").ids[0], ours.chat_template) == (1, "{{ bos_token }}")
    assert ours.config == {**config, "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [("a", "a"), ([{"name": "default", "template": "b"}, {"name": "tools", "template": "c"}], "b"), (None, None)],
)
def test_of_several_templates_the_default_counts(template: Any, expected: str | None) -> None:
    files = {"tokenizer_config.json": json.dumps({"chat_template": template}).encode()}
    assert read_settings(files).chat_template == expected


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("tokenizer_config.json", [], "tokenizer_config.json"),
        ("tokenizer_config.json", {"bos_token": 7}, "tokenizer_config.json/bos_token"),
        ("tokenizer_config.json", {"bos_token": {}}, "tokenizer_config.json/bos_token"),
        ("tokenizer_config.json", {"added_tokens_decoder": []}, "tokenizer_config.json/added_tokens_decoder"),
        ("tokenizer_config.json", {"added_tokens_decoder": {"x": {}}}, "tokenizer_config.json/added_tokens_decoder/x"),
        ("tokenizer_config.json", {"added_tokens_decoder": {"9" * 30: {}}}, None),
        ("tokenizer_config.json", {"added_tokens_decoder": {"1": "a"}}, "tokenizer_config.json/added_tokens_decoder/1"),
        ("tokenizer_config.json", {"extra_special_tokens": 5}, "tokenizer_config.json/extra_special_tokens"),
        ("tokenizer_config.json", {"chat_template": [1]}, "tokenizer_config.json/chat_template"),
        ("added_tokens.json", {"a": -1}, "added_tokens.json/a"),
        ("special_tokens_map.json", "x", "special_tokens_map.json"),
    ],
)
def test_broken_settings_are_named(name: str, content: Any, where: str | None) -> None:
    files = {"tokenizer.json": byte_level_bpe().to_str().encode(), name: json.dumps(content).encode()}
    with pytest.raises(TokcoreError) as raised:
        load("folder", files)
    assert where is None or raised.value.where == where
