"""A decoder whose "type" does not say what it is goes by its keys, as in the reference."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers

from tokcore import TokcoreError, Tokenizer

KEYS: dict[str, dict[str, Any]] = {
    "BPEDecoder": {"suffix": "</w>"},
    "WordPiece": {"prefix": "##", "cleanup": True},
    "CTC": {"pad_token": "<p>", "word_delimiter_token": "|", "cleanup": True},
    "Replace": {"pattern": {"String": "a"}, "content": "b"},
    "Strip": {"content": "a", "start": 1, "stop": 0},
    "Metaspace": {"replacement": "▁", "prepend_scheme": "always", "split": True},
    "ByteLevel": {"add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "Sequence": {"decoders": [{"type": "Fuse"}]},
    "Fuse": {},
}
ABSENT = object()
TYPES: list[Any] = [ABSENT, None, 1, "", "Unknown", [], {"BPEDecoder": None}, *KEYS]
VOCAB = {"a": 0, "##b": 1, "c</w>": 2, "▁d": 3, "Ġe": 4, "<0x41>": 5, "|": 6, "a▁": 7}


def decoded(tokenizer: Any, file: str, refusal: type[BaseException]) -> list[str] | None:
    """What the file's tokenizer decodes, None where the file is refused."""
    try:
        loaded = tokenizer.from_str(file)
    except refusal:
        return None
    return [loaded.decode(ids) for ids in (list(range(8)), [7, 7, 5, 0])]


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("extra", [{}, {"suffix": "q"}, {"suffix": 1}], ids=repr)
def test_any_type_beside_any_keys_is_taken_or_refused_as_by_the_reference(keys: str, extra: dict[str, Any]) -> None:
    for type_ in TYPES:
        one = {**({} if type_ is ABSENT else {"type": type_}), **KEYS[keys], **extra}
        for decoder in (one, {"type": "Sequence", "decoders": [one]}):
            file = json.dumps({"model": {"type": "BPE", "vocab": VOCAB, "merges": []}, "decoder": decoder})
            assert decoded(Tokenizer, file, TokcoreError) == decoded(tokenizers.Tokenizer, file, Exception), decoder
