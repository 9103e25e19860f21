"""tekken.json, beside mistral-common, else tiktoken with the same ranks and pattern."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers

from tests.core.formats.materials import ranks, texts
from tests.reference import assert_same
from tokcore.errors import TokcoreError
from tokcore.export import to_json
from tokcore.formats import load
from tokcore.formats.presets import TEKKEN

TEXTS = texts(150)


def tekken(count: int = 600, special: int = 30, **changes: Any) -> dict[str, Any]:
    """A small tekken.json; more entries are listed than its vocabulary has room for."""
    entries = [
        {"rank": rank, "token_bytes": b64encode(token).decode(), "token_str": token.decode(errors="ignore") or None}
        for token, rank in ranks().items()
    ]
    config = {
        **{"pattern": TEKKEN, "num_vocab_tokens": len(entries), "default_vocab_size": count + special},
        **{"default_num_special_tokens": special, "version": "v3"},
    }
    return {"config": config, "vocab": entries, **changes}


SPECIAL = [
    {"rank": rank, "token_str": token, "is_control": True}
    for rank, token in enumerate(["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "<pad>"])
]


@pytest.mark.parametrize("changes", [{}, {"special_tokens": SPECIAL}], ids=["old", "special tokens listed"])
def test_ids_and_pieces_are_those_of_mistral_common(changes: dict[str, Any], tmp_path: Path) -> None:
    module = pytest.importorskip("mistral_common.tokens.tokenizers.tekken", reason="mistral-common, the format's owner")
    file = tekken(**changes)
    (tmp_path / "tekken.json").write_text(json.dumps(file), encoding="utf-8")
    owner = module.Tekkenizer.from_file(tmp_path / "tekken.json")
    ours = load("tekken.json", json.dumps(file).encode())
    for text in TEXTS:
        ids = owner.encode(text, bos=False, eos=False)
        assert ours.encode_ids(text, split_special_tokens=True) == ids, text
        assert ours.decode(ids) == owner.decode(ids)
    assert ours.vocab_size == owner.n_words
    for id in range(owner.n_words):
        expected = owner.id_to_piece(id) if id < owner.num_special_tokens else owner.id_to_byte_piece(id)
        assert (ours.id_to_token(id) if id < owner.num_special_tokens else ours.token_bytes(id)) == expected
    assert ours.encode("<s>[INST]a").ids[:2] == [owner.bos_id, owner.get_special_token("[INST]")]


def test_ids_are_those_of_tiktoken_behind_the_special_tokens() -> None:
    ours = load("tekken.json", json.dumps(tekken()).encode())
    kept = {token: rank for token, rank in ranks().items() if rank < 600}
    encoding = tiktoken.Encoding("tekken", pat_str=TEKKEN, mergeable_ranks=kept, special_tokens={})
    for text in TEXTS:
        ids = [id + 30 for id in encoding.encode_ordinary(text)]
        assert ours.encode_ids(text, split_special_tokens=True) == ids


def test_the_export_is_the_same_tokenizer_in_the_reference() -> None:
    ours = load("x.json", json.dumps(tekken()).encode())
    reference = tokenizers.Tokenizer.from_str(json.dumps(to_json(ours)))
    for text in TEXTS[:80]:
        assert_same(ours, reference, text)


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    file = json.loads(json.dumps(tekken(special_tokens=SPECIAL)))
    place = file
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return file


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("config", "default_vocab_size"), 10**9, "/config/default_vocab_size"),
        (("config", "default_vocab_size"), 30, "/config/default_vocab_size"),
        (("config", "default_num_special_tokens"), 4_000_000_000, "/config/default_num_special_tokens"),
        (("config", "default_num_special_tokens"), 2, "/config/default_num_special_tokens"),
        (("config", "pattern"), 7, "/config/pattern"),
        (("vocab", 3, "rank"), 4, "/vocab/3/rank"),
        (("vocab", 3, "token_bytes"), "?", "/vocab/3/token_bytes"),
        (("vocab", 3, "token_bytes"), "é", "/vocab/3/token_bytes"),
        (("vocab", 3), 1, "/vocab/3"),
        (("vocab", 300, "token_bytes"), "YQ==", "/vocab"),
        (("special_tokens", 1, "token_str"), "<unk>", "/special_tokens"),
        (("special_tokens", 1, "rank"), 0, "/special_tokens"),
        (("special_tokens", 1, "token_str"), "a", "special tokens"),
        (("config",), [], "/config"),
    ],
    ids=str,
)
def test_a_broken_file_is_named(path: tuple[Any, ...], value: Any, where: str) -> None:
    with pytest.raises(TokcoreError) as raised:
        load("tekken.json", json.dumps(changed(path, value)).encode())
    assert raised.value.where == where
