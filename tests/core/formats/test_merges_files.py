"""vocab.json with merges.txt, beside tokenizers and transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers
from tokenizers.implementations import ByteLevelBPETokenizer

from tests.core.formats.materials import PARAGRAPHS, byte_level_bpe, texts
from tests.reference import assert_same
from tokcore import Tokenizer
from tokcore.errors import MalformedFile
from tokcore.export import to_json
from tokcore.formats import load
from tokcore.formats.merges_files import read_merges_txt

TEXTS = [*texts(40), "Hello <mask> you", "x<|endoftext|>y", "don't STOP  now"]


def files_of(tokenizer: tokenizers.Tokenizer, folder: Path, *special: str) -> dict[str, bytes]:
    """vocab.json and merges.txt as the reference saves them, special tokens behind the others."""
    tokenizer.model.save(str(folder))
    vocab = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    for token in special:
        vocab.setdefault(token, len(vocab))
    (folder / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")
    return {name: (folder / name).read_bytes() for name in ("vocab.json", "merges.txt")}


def clip_model() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.BPE(end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=700, show_progress=False, end_of_word_suffix="</w>")
    tokenizer.train_from_iterator(PARAGRAPHS, trainer)
    return tokenizer


KINDS = {
    "gpt2": (byte_level_bpe, ("<|endoftext|>",), "GPT2Tokenizer"),
    "roberta": (byte_level_bpe, ("<s>", "<pad>", "</s>", "<unk>", "<mask>"), "RobertaTokenizer"),
    "clip": (clip_model, ("<|startoftext|>", "<|endoftext|>"), "CLIPTokenizer"),
    "qwen2": (byte_level_bpe, ("<|endoftext|>", "<|im_end|>"), "Qwen2Tokenizer"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", [{}, {"add_prefix_space": True}, {"add_bos_token": True}], ids=str)
def test_a_folder_encodes_as_in_transformers(kind: str, settings: dict[str, Any], tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    train, special, class_name = KINDS[kind]
    files_of(train(), tmp_path, *special)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": class_name, **settings}))
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    ours = Tokenizer.from_dir(tmp_path)
    for text in TEXTS:
        assert ours.encode(text).ids == theirs(text).input_ids, text
        assert ours.encode(text, "a b").ids == theirs(text, "a b").input_ids
        if kind != "clip":
            ids = theirs(text).input_ids
            assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_shows_in_the_vocabulary_and_the_export_is_the_same_tokenizer(kind: str, tmp_path: Path) -> None:
    train, special, _ = KINDS[kind]
    ours = load("folder", files_of(train(), tmp_path, *special))
    reference = tokenizers.Tokenizer.from_str(json.dumps(to_json(ours)))
    for text in TEXTS:
        assert_same(ours, reference, text)


def test_the_files_alone_encode_as_in_tokenizers(tmp_path: Path) -> None:
    files = files_of(byte_level_bpe(), tmp_path)
    reference = ByteLevelBPETokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    ours = load("folder", files)
    for text in TEXTS:
        theirs = reference.encode(text)
        assert (ours.encode(text).ids, ours.encode(text).offsets) == (theirs.ids, theirs.offsets)
        assert ours.decode(theirs.ids) == reference.decode(theirs.ids)


def test_version_lines_and_line_ends_are_passed_over() -> None:
    assert read_merges_txt(b"#version: 0.2\r\na b\r\n\r\n#version again\nab c") == [["a", "b"], ["ab", "c"]]


@pytest.mark.parametrize(
    ("vocab", "merges", "where"),
    [
        (b'{"a": 0}', b"a\n", "merges.txt: line 1"),
        (b'{"a": 0}', b"#version\na b c\n", "merges.txt: line 2"),
        (b'{"a": 0}', b"a b\n", "/model/merges/0"),
        (b'{"a": 0}', b"\xff\n", "merges.txt: byte 0"),
        (b'{"a": "0"}', b"", "vocab.json/vocab/a"),
        (b"[1]", b"", "vocab.json/vocab"),
        (b'{"a": 0', b"", "line 1 column 8"),
    ],
)
def test_a_broken_file_is_named(vocab: bytes, merges: bytes, where: str) -> None:
    with pytest.raises(MalformedFile) as raised:
        load("folder", {"vocab.json": vocab, "merges.txt": merges})
    assert raised.value.where == where


@pytest.mark.parametrize("name", ["vocab.json", "merges.txt"])
def test_one_half_asks_for_the_other(name: str) -> None:
    with pytest.raises(MalformedFile, match="give both files"):
        load(name, b"{}")
