"""Broken and hostile files of every format: always one error with place, finding and remedy, soon."""

from __future__ import annotations

import json
import random
import struct
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic

import pytest

from tests.core.formats.materials import byte_level_bpe, rank_file, ranks, sentencepiece_model
from tests.core.formats.test_tekken import tekken
from tokcore.errors import MalformedFile, TokcoreError
from tokcore.formats import load
from tokcore.formats.wire import wire_fields

MUTATIONS = 300
# Generous for a machine that is busy; a mutation takes milliseconds.
LONGEST_SECONDS = 10.0


@cache
def gguf_file() -> bytes:
    gguf = pytest.importorskip("gguf", reason="gguf, whose writer makes the file")
    writer = gguf.GGUFWriter(Path(tempfile.mkdtemp()) / "m.gguf", "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(["a", "b", "ab", "<x>"])
    writer.add_token_types([1, 1, 1, 3])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(3)
    writer.add_add_bos_token(True)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return Path(writer.path).read_bytes() if isinstance(writer.path, str | Path) else b""


def small_tekken() -> bytes:
    file = tekken(count=270, special=4, special_tokens=[{"rank": 0, "token_str": "<s>", "is_control": True}])
    return json.dumps({**file, "vocab": file["vocab"][:280]}).encode()


def folder(changed: bytes) -> dict[str, bytes]:
    """A folder whose configuration is the changed file."""
    return {"tokenizer.json": byte_level_bpe(300).to_str().encode(), "tokenizer_config.json": changed}


CONFIG = json.dumps(
    {
        **{"tokenizer_class": "X", "bos_token": "<s>", "add_bos_token": True, "extra_special_tokens": ["<y>"]},
        **{"added_tokens_decoder": {"300": {"content": "<x>", "lstrip": True}}, "chat_template": "{{ x }}"},
    }
).encode()
FORMATS: dict[str, tuple[str, Callable[[], bytes], Callable[[bytes], object]]] = {
    "ranks": ("cl100k_base.tiktoken", lambda: rank_file(ranks(300)), lambda data: data),
    "bpe": ("x.model", lambda: sentencepiece_model("bpe", normalization_rule_name="identity"), lambda data: data),
    "unigram": (
        "x.model",
        lambda: sentencepiece_model("unigram", normalization_rule_name="identity"),
        lambda data: data,
    ),
    "tekken": ("tekken.json", small_tekken, lambda data: data),
    "gguf": ("x.gguf", gguf_file, lambda data: data),
    "vocab.txt": ("vocab.txt", lambda: b"[UNK]\n[CLS]\n[SEP]\na\n##b\n", lambda data: data),
    "merges": (
        "x",
        lambda: b"#version: 0.2\na b\nab c\n",
        lambda data: {"vocab.json": b'{"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}', "merges.txt": data},
    ),
    "config": ("x", lambda: CONFIG, folder),
}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data cut off, with bytes changed, taken out, repeated, or a number made huge."""
    at = chance.randrange(len(data))
    # Lengths and flags lie at the start of a binary file more often than chance would find them.
    at = min(at, chance.choice((len(data) - 1, 200)))
    match chance.randrange(6):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[at + chance.randrange(1, 9) :]
        case 3:
            return data[:at] + data[max(0, at - 20) : at] * chance.randrange(1, 4) + data[at:]
        case 4:
            return data[:at] + chance.choice((b"\xff" * 8, struct.pack("<Q", 100_000_000), b"99999999999")) + data[at:]
        case _:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


@pytest.mark.parametrize("name", FORMATS)
def test_a_changed_file_loads_or_is_one_error(name: str) -> None:
    file_name, make, wrap = FORMATS[name]
    data, chance, errors = make(), random.Random(name), 0
    for _ in range(MUTATIONS):
        changed = mutated(data, chance)
        started = monotonic()
        try:
            tokenizer = load(file_name, wrap(changed))
            tokenizer.encode("ab <s> c\n")
        except TokcoreError as error:
            errors += 1
            assert error.where and error.what and error.remedy, changed[:200]
        assert monotonic() - started < LONGEST_SECONDS, changed[:200]
    assert errors > MUTATIONS / 30


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("config", "merges")])
def test_every_kind_of_file_cut_off_anywhere_near_its_ends_is_one_error_or_a_smaller_file(name: str) -> None:
    file_name, make, _ = FORMATS[name]
    data = make()
    for length in (*range(0, 60, 3), *range(len(data) - 20, len(data), 3)):
        try:
            load(file_name, data[:length])
        except TokcoreError as error:
            assert error.remedy


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x0a\xff\xff\xff\xff\x7fabc", "a length of 34359738367 where 3 bytes are left"),
        (b"\x0a" + b"\xff" * 12, "a number of more than 10 bytes"),
        (b"\x0a\x80", "a number that does not end"),
        (b"\x0b\x0b\x0b", "field 1 of wire type 3"),
        (b"\x00\x00", "field 0 of wire type 0"),
        (b"\x0a\x02\x0a\x05", "a length of 5 where 0 bytes are left"),
        (b"\x0a\x03\x0a\x01\xff", "a piece's text is not UTF-8 text"),
        (b"\x0a\x02\x08\x01", "a piece's text is a number, not bytes"),
        (b"\x0a\x07\x0a\x01a\x12\x02ab", "a piece's score is bytes, not 32 bits"),
        (b"\x08\x01", "a piece is a number, not bytes"),
        (b"\x12\x00", "found none"),
    ],
)
def test_broken_wire_data_is_named(data: bytes, says: str) -> None:
    with pytest.raises(MalformedFile) as raised:
        load("x.model", data)
    assert says in str(raised.value)


def test_changed_normalization_rules_load_or_are_one_error() -> None:
    data, chance = sentencepiece_model("unigram"), random.Random(3)
    start = data.index(b"nmt_nfkc")
    for _ in range(20):
        changed = data[:start] + mutated(data[start:], chance)
        try:
            load("x.model", changed).encode("ﬁ e\u0301")
        except TokcoreError as error:
            assert error.remedy


def test_a_piece_of_a_megabyte_is_refused_at_once() -> None:
    piece = b"\x0a" + varint_bytes(1_000_000) + b"a" * 1_000_000
    data = b"\x0a" + varint_bytes(len(piece)) + piece + b"\x12\x02\x18\x02"
    with pytest.raises(TokcoreError, match="a piece of 1000000 characters"):
        load("x.model", data)


def varint_bytes(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80, value >> 7 & 0x7F | 0x80, value >> 14])


def test_unknown_fields_of_every_wire_type_are_passed_over() -> None:
    unknown = b"\xf8\x07\x01" + b"\xf9\x07" + b"\0" * 8 + b"\xfa\x07\x02hi" + b"\xfd\x07" + b"\0" * 4
    assert [field.number for field in wire_fields(unknown)] == [127, 127, 127, 127]
    data = unknown + b"\x0a\x08\x0a\x01a\x15\x00\x00\x80\xbf" + unknown
    assert load("x.model", data).model.component.strings == ["a"]


def test_deep_json_and_huge_claims_end_at_once() -> None:
    deep = b'{"config": ' + b"[" * 200_000
    for name in ("tekken.json", "tokenizer.json"):
        with pytest.raises(TokcoreError):
            load(name, deep)
    for pattern in ("(" * 5000, "[", "(?<x"):
        with pytest.raises(TokcoreError):
            load("x.tiktoken", rank_file(ranks(300)), pattern=pattern)
