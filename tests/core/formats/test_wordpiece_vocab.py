"""vocab.txt, beside tokenizers' BertWordPieceTokenizer and transformers' BertTokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers.implementations import BertWordPieceTokenizer

from tests.core.formats.materials import PARAGRAPHS, texts
from tests.reference import assert_same
from tokcore import Tokenizer
from tokcore.errors import MalformedFile
from tokcore.export import to_json
from tokcore.formats import load

OPTIONS = (
    {},
    {"do_lower_case": False},
    {"do_lower_case": False, "strip_accents": True},
    {"strip_accents": False},
    {"tokenize_chinese_chars": False},
)
TEXTS = [*texts(40), "Naïve CAFÉ [MASK] don't [SEP]", "x" * 101, "中文abc"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bert")
    trained = BertWordPieceTokenizer(lowercase=False, strip_accents=False)
    trained.train_from_iterator(PARAGRAPHS, vocab_size=500, show_progress=False, limit_alphabet=200)
    trained.save_model(str(place))
    return place


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_everything_is_as_in_tokenizers(folder: Path, options: dict[str, Any]) -> None:
    vocab = folder / "vocab.txt"
    reference = BertWordPieceTokenizer(
        str(vocab),
        lowercase=options.get("do_lower_case", True),
        strip_accents=options.get("strip_accents"),
        handle_chinese_chars=options.get("tokenize_chinese_chars", True),
    )
    ours = load("x", {"vocab.txt": vocab.read_bytes(), "tokenizer_config.json": json.dumps(options).encode()})
    for text in TEXTS:
        assert_same(ours, reference._tokenizer, text)
        assert_same(ours, reference._tokenizer, text, "and a pair")
    assert_same(ours, tokenizers.Tokenizer.from_str(json.dumps(to_json(ours))), TEXTS[-2])


@pytest.mark.parametrize("options", [*OPTIONS, {"mask_token": "hello", "add_bos_token": True}], ids=str)
def test_a_folder_encodes_as_in_transformers(folder: Path, options: dict[str, Any], tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    (tmp_path / "vocab.txt").write_bytes((folder / "vocab.txt").read_bytes())
    config = {"tokenizer_class": "BertTokenizer", **options}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    ours = Tokenizer.from_dir(tmp_path)
    for text in TEXTS:
        assert ours.encode(text).ids == theirs(text).input_ids, text
        assert ours.encode(text, "b c").type_ids == theirs(text, "b c").token_type_ids


def test_white_space_at_a_lines_end_and_equal_lines_are_read_as_the_reference_reads_them(tmp_path: Path) -> None:
    data = "[UNK]\na \nb\r\n\na\u3000\nc".encode()
    (tmp_path / "vocab.txt").write_bytes(data)
    theirs = tokenizers.models.WordPiece.read_file(str(tmp_path / "vocab.txt"))
    assert load("vocab.txt", data).get_vocab(with_added_tokens=False) == theirs


@pytest.mark.parametrize(("data", "says"), [(b"", "found no token"), (b"[UNK]\n\xff", "byte 6: not UTF-8")])
def test_a_broken_file_is_named(data: bytes, says: str) -> None:
    with pytest.raises(MalformedFile, match=says):
        load("vocab.txt", data)
