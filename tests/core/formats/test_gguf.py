"""The tokenizer in a GGUF file; the files are written by the gguf package's writer."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers.implementations import BertWordPieceTokenizer

from tests.core.formats.materials import PARAGRAPHS, byte_level_bpe, sentencepiece_model, texts
from tests.reference import assert_same
from tokcore import Tokenizer
from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.export import to_json
from tokcore.formats import load
from tokcore.formats.gguf_header import read_gguf_header
from tokcore.formats.gguf_patterns import PRE_TOKENIZATIONS

gguf = pytest.importorskip("gguf", reason="gguf, whose writer makes the files")

TEXTS = texts(80)
CONTROL, USER_DEFINED, UNUSED = 3, 4, 5


def write(path: Path, model: str, **values: Any) -> bytes:
    """A GGUF file with a tokenizer, some other keys, and a tensor."""
    import numpy

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model(model)
    writer.add_uint32("llama.block_count", 2)
    writer.add_array("general.tags", ["a", "b"])
    for name, value in values.items():
        getattr(writer, f"add_{name}")(value)
    writer.add_tensor("x", numpy.zeros((4, 4), dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.read_bytes()


def gpt2_values(pre: str = "qwen2", **more: Any) -> dict[str, Any]:
    model = json.loads(byte_level_bpe().to_str())["model"]
    tokens = [*sorted(model["vocab"], key=model["vocab"].__getitem__), "<|end|>", "<think>", "[PAD0]"]
    types = [1] * (len(tokens) - 3) + [CONTROL, USER_DEFINED, UNUSED]
    merges = [" ".join(merge) for merge in model["merges"]]
    return {"tokenizer_pre": pre, "token_list": tokens, "token_types": types, "token_merges": merges, **more}


@pytest.mark.parametrize("pre", sorted(PRE_TOKENIZATIONS))
def test_a_byte_level_model_is_the_same_tokenizer_in_the_reference(pre: str, tmp_path: Path) -> None:
    ours = load("m.gguf", write(tmp_path / "m.gguf", "gpt2", **gpt2_values(pre)))
    reference = tokenizers.Tokenizer.from_str(json.dumps(to_json(ours)))
    for text in [*TEXTS[::4], "a<|end|>b<think>1234567"]:
        assert_same(ours, reference, text)


def test_qwen2_is_the_tokenizer_json_of_qwen_without_its_normalizer(tmp_path: Path) -> None:
    values = gpt2_values(add_bos_token=False, chat_template="{{ messages }}", eos_token_id=700)
    ours = load("m.gguf", write(tmp_path / "m.gguf", "gpt2", **values))
    pattern = PRE_TOKENIZATIONS["qwen2"].patterns[0]
    file = json.loads(byte_level_bpe().to_str())
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    file["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [split, {**file["pre_tokenizer"], "use_regex": False}],
    }
    reference = tokenizers.Tokenizer.from_str(json.dumps(file))
    for text in TEXTS:
        assert ours.encode_ids(text) == reference.encode(text).ids
    assert ours.encode("<|end|><think>").ids == [700, 701]
    assert ours.decode([700, 701]) == "<think>"
    assert ours.chat_template == "{{ messages }}"


def test_what_llama_cpp_takes_for_granted_with_a_name_is_there(tmp_path: Path) -> None:
    values = gpt2_values("llama-bpe", bos_token_id=700)
    ours = load("m.gguf", write(tmp_path / "a.gguf", "gpt2", **values))
    assert ours.encode("a").ids[0] == 700 and ours.model.component.ignore_merges
    without = load("m.gguf", write(tmp_path / "b.gguf", "gpt2", **values, add_bos_token=False))
    assert without.encode("a").ids[0] != 700


@pytest.mark.parametrize("prefix", [True, False])
def test_llama_is_the_sentencepiece_model_it_was_made_of(prefix: bool, tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    data = sentencepiece_model(
        "bpe",
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        add_dummy_prefix=prefix,
    )
    owner = sentencepiece.SentencePieceProcessor(model_proto=data)
    ours = load("m.gguf", write(tmp_path / "m.gguf", "llama", add_space_prefix=prefix, **spm_values(owner)))
    for text in TEXTS:
        assert ours.encode_ids(text, split_special_tokens=True) == [1, *owner.encode(text)], text
    # llama.cpp puts the space before the text behind an added token too.
    start = ["▁a"] if prefix else ["a"]
    assert ours.encode("a<think>a").tokens == ["<s>", *start, "<think>", *start]


def spm_values(owner: Any) -> dict[str, Any]:
    """What a converter writes for a SentencePiece model, with an added token and a filled-up vocabulary."""
    ids = range(owner.get_piece_size())
    kinds = [2 if owner.is_unknown(id) else 3 if owner.is_control(id) else 6 if owner.is_byte(id) else 1 for id in ids]
    return {
        "token_list": [*map(owner.id_to_piece, ids), "<think>", "[PAD1]"],
        "token_scores": [*map(owner.get_score, ids), -1000.0, -10000.0],
        "token_types": [*kinds, USER_DEFINED, UNUSED],
    }


def test_t5_is_the_unigram_model_it_was_made_of(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    data = sentencepiece_model("unigram")
    owner = sentencepiece.SentencePieceProcessor(model_proto=data)
    from tokcore.formats.sentencepiece_file import read_sentencepiece

    values = {**spm_values(owner), "eos_token_id": 2, "unk_token_id": 0, "remove_extra_whitespaces": True}
    values["precompiled_charsmap"] = read_sentencepiece(data).charsmap
    ours = load("m.gguf", write(tmp_path / "m.gguf", "t5", add_space_prefix=True, **values))
    plain = load("spiece.model", data)
    for text in TEXTS:
        assert ours.encode_ids(text, split_special_tokens=True) == [
            *plain.encode_ids(text, split_special_tokens=True),
            2,
        ], text


@pytest.mark.parametrize("lowercase", [True, False])
def test_bert_is_the_vocab_txt_it_was_made_of(lowercase: bool, tmp_path: Path) -> None:
    trained = BertWordPieceTokenizer(lowercase=lowercase)
    trained.train_from_iterator(PARAGRAPHS, vocab_size=400, show_progress=False)
    trained.save_model(str(tmp_path))
    lines = (tmp_path / "vocab.txt").read_text(encoding="utf-8").splitlines()
    tokens = [
        token if token.startswith("[") and token.endswith("]") else token[2:] if token.startswith("##") else "▁" + token
        for token in lines
    ]
    roles = {"unk_token_id": 1, "sep_token_id": 3, "pad_token_id": 0, "mask_token_id": 4, "bos_token_id": 2}
    ours = load("m.gguf", write(tmp_path / "m.gguf", "bert", token_list=tokens, **roles))
    reference = BertWordPieceTokenizer(str(tmp_path / "vocab.txt"), lowercase=lowercase)
    for text in TEXTS:
        assert_same(ours, reference._tokenizer, text)


def test_only_the_head_of_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "m.gguf", "gpt2", **gpt2_values())
    (tmp_path / "m.gguf").write_bytes(data + b"\0" * 1_000_000)
    monkeypatch.setattr("tokcore.loader.HEAD_SIZES", (1000, 4000, len(data) + 10))
    for ours in (Tokenizer.from_dir(tmp_path), Tokenizer.from_file(tmp_path / "m.gguf")):
        assert ours.encode_ids("a") == load("m.gguf", data).encode_ids("a")
    monkeypatch.setattr("tokcore.loader.HEAD_SIZES", (1000,))
    with pytest.raises(MalformedFile, match="bytes where"):
        Tokenizer.from_dir(tmp_path)


def test_every_kind_of_value_is_read(tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "v.gguf", "x")
    values = {"uint8": 200, "int8": -3, "uint16": 60000, "int16": -300, "uint32": 2**31, "int32": -(2**30)}
    values |= {"uint64": 2**40, "int64": -(2**40), "float32": 0.5, "float64": 0.1, "bool": True, "string": "é"}
    for name, value in values.items():
        getattr(writer, f"add_{name}")(f"k.{name}", value)
    writer.add_array("k.nested", [[1, 2], [3]])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    found = read_gguf_header((tmp_path / "v.gguf").read_bytes())
    assert {key.removeprefix("k."): value for key, value in found.items() if key.startswith("k.")} == {
        **values,
        "nested": [[1, 2], [3]],
    }


@pytest.mark.parametrize(
    ("model", "changes", "error", "says"),
    [
        ("rwkv", {}, UnsupportedComponent, "model: found 'rwkv' (supported: bert, gpt2, llama, t5)"),
        ("gpt2", {"tokenizer_pre": "nobody"}, UnsupportedComponent, "pre: no pattern is known for 'nobody'"),
        ("gpt2", {"tokenizer_pre": None}, MalformedFile, "pre: the key is missing"),
        ("gpt2", {"token_list": None}, MalformedFile, "tokens: the key is missing"),
        ("gpt2", {"token_merges": None}, MalformedFile, "merges: the key is missing"),
        ("gpt2", {"token_merges": ["a"]}, MalformedFile, "/model/merges/0"),
        ("gpt2", {"token_types": [1]}, MalformedFile, "token_type: 1 values for"),
        ("gpt2", {"token_list": ["a", "a"], "token_types": [1, 1]}, MalformedFile, "tokens/1: 'a' stood before"),
        ("llama", {"token_scores": ["a"]}, MalformedFile, "scores: an array of others"),
    ],
)
def test_what_is_missing_or_unknown_is_named(
    model: str, changes: dict[str, Any], error: type[TokcoreError], says: str, tmp_path: Path
) -> None:
    values = {name: value for name, value in {**gpt2_values(), **changes}.items() if value is not None}
    with pytest.raises(error) as raised:
        load("m.gguf", write(tmp_path / "m.gguf", model, **values))
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"GGUF", "byte 4"),
        (b"GGUF\0\0\0\x03" + b"\0" * 16, "version 3, big-endian"),
        (b"GGUF\x01\0\0\0" + b"\0" * 16, "version 1"),
        (b"GGUF\x03\0\0\0" + b"\0" * 8 + b"\xff" * 8, "18446744073709551615 keys"),
        (
            b"GGUF\x03\0\0\0" + b"\0" * 8 + struct.pack("<QQ", 1, 2**60) + b"x" * 20,
            "a key of 1152921504606846976 bytes",
        ),
        (
            b"GGUF\x03\0\0\0" + b"\0" * 8 + struct.pack("<QQ1sIIQ", 1, 1, b"a", 9, 0, 100_000_000) + b"\0" * 9,
            "an array of 100000000",
        ),
        (
            b"GGUF\x03\0\0\0" + b"\0" * 8 + struct.pack("<QQ1sI", 1, 1, b"a", 9) + struct.pack("<IQ", 9, 1) * 50,
            "nested too deep",
        ),
        (b"GGUF\x03\0\0\0" + b"\0" * 8 + struct.pack("<QQ1sI", 1, 1, b"a", 77), "a value of type 77"),
    ],
)
def test_a_broken_head_is_one_error(data: bytes, says: str) -> None:
    with pytest.raises(TokcoreError) as raised:
        load("m.gguf", data)
    assert says in str(raised.value)
