"""The reference library beside tokcore: the same file in both, and the tokenizers at hand."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import tokenizers

from app.vocabularies import TABLE
from tokcore import Tokenizer
from tokcore.export import to_json

SHARED = Path(__file__).resolve().parents[2] / "shared"
BUNDLED = tuple(entry.name for entry in TABLE)
SHARED_FILES = ("qwen3", "llama3", "deepseek_v3")


@cache
def bundled(name: str) -> Tokenizer:
    """A tokenizer of the catalogue, once per test run."""
    entry = next(entry for entry in TABLE if entry.name == name)
    source = entry.source()
    assert source is not None, entry.remedy
    return entry.load(source)


@cache
def bundled_reference(name: str) -> tokenizers.Tokenizer:
    """The same tokenizer in the reference library, by way of its tokenizer.json."""
    return tokenizers.Tokenizer.from_str(json.dumps(to_json(bundled(name))))


def shared_tokenizer_json(name: str) -> bytes | None:
    """A published tokenizer.json from the folder beside the checkout, None where it is not there."""
    path = SHARED / "tokenizers" / name / "tokenizer.json.xz"
    return lzma.decompress(path.read_bytes()) if path.is_file() else None


def both(file: dict[str, Any]) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """One tokenizer.json in tokcore and in the reference library."""
    text = json.dumps(file)
    return Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text)


def byte_level_file(
    merges: Iterable[str] = (),
    *,
    added_tokens: Iterable[dict[str, Any]] = (),
    normalizer: Any = None,
    pre_tokenizer: Any = None,
    post_processor: Any = None,
    **model: Any,
) -> dict[str, Any]:
    """A small byte-level BPE file: the 256 byte characters, the given merges."""
    from tokcore.bytemap import bytes_to_unicode

    vocab = {character: id for id, character in enumerate(bytes_to_unicode().values())}
    for merge in merges:
        vocab.setdefault(merge.replace(" ", ""), len(vocab))
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    return {
        "version": "1.0",
        "added_tokens": list(added_tokens),
        "normalizer": normalizer,
        "pre_tokenizer": byte_level if pre_tokenizer is None else pre_tokenizer,
        "post_processor": post_processor,
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": vocab, "merges": list(merges), **model},
    }


def added(content: str, id: int = 256, **flags: bool) -> dict[str, Any]:
    """One entry of /added_tokens, every flag false unless given."""
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": id, "content": content, **dict.fromkeys(names, False), **flags}


def assert_same(tokenizer: Tokenizer, reference: tokenizers.Tokenizer, text: str, pair: str | None = None) -> None:
    """Everything the two say about a text is equal, on the traced and on the fast path."""
    theirs = reference.encode(text, pair)
    traced = tokenizer.trace(text, pair).encoding
    ours = tokenizer.encode(text, pair)
    assert tuple(ours.entries) == tuple(traced.entries)
    assert ours.ids == theirs.ids
    assert ours.tokens == theirs.tokens
    assert ours.offsets == theirs.offsets
    assert ours.type_ids == theirs.type_ids
    assert ours.word_ids == theirs.word_ids
    assert ours.special_tokens_mask == theirs.special_tokens_mask
    if pair is None:
        assert tokenizer.encode_ids(text) == theirs.ids
    for skip in (True, False):
        assert tokenizer.decode(theirs.ids, skip) == reference.decode(theirs.ids, skip)
    if [step.name for step in tokenizer.decoders] == ["ByteLevel"]:
        joined = b"".join(map(tokenizer.token_bytes, theirs.ids))
        assert joined.decode("utf-8", "replace") == tokenizer.decode(theirs.ids, skip_special_tokens=False)
