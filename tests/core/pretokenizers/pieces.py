"""A pre-tokenizer by itself, in tokcore and in the reference: its pieces and their spans."""

from __future__ import annotations

import json
from typing import Any

import tokenizers

from tokcore.pretokenizers import build
from tokcore.spans import AlignedText

Config = dict[str, Any]
Pieces = list[tuple[str, tuple[int, int]]]

EVERY = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
EMPTY_MODEL = {"type": "BPE", "vocab": {}, "merges": []}


def sequence(*configs: Config) -> Config:
    return {"type": "Sequence", "pretokenizers": list(configs)}


def byte_level(use_regex: bool = False, add_prefix_space: bool = False) -> Config:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": False,
        "use_regex": use_regex,
    }


def metaspace(**options: object) -> Config:
    return {"type": "Metaspace", "replacement": "▁", **options}


def split_pieces(config: Config, text: str) -> list[AlignedText]:
    """What the steps of a file make of a text."""
    pieces = [AlignedText.whole(text)]
    for step in build(config):
        pieces = [piece for whole in pieces for piece in step.component.split(whole)]
    return pieces


def our_pieces(config: Config, text: str) -> Pieces:
    spans = ((piece.text, piece.span(0, len(piece.text))) for piece in split_pieces(config, text))
    return [(piece, (span.start, span.end)) for piece, span in spans]


def reference_file(config: object) -> tokenizers.Tokenizer:
    """The reference with this pre-tokenizer; it raises what it thinks of a bad one."""
    file = {"version": "1.0", "added_tokens": [], "pre_tokenizer": config, "model": EMPTY_MODEL}
    return tokenizers.Tokenizer.from_str(json.dumps(file))


def reference_pieces(config: Config, text: str) -> Pieces:
    pre_tokenizer = reference_file(config).pre_tokenizer
    assert pre_tokenizer is not None
    return list(pre_tokenizer.pre_tokenize_str(text))


def first_difference(ours: Pieces, theirs: Pieces) -> tuple[object, object] | None:
    """Two long lists are not for reading: only where they begin to differ."""
    if ours == theirs:
        return None
    pairs = zip([*ours, None], [*theirs, None], strict=False)
    return next(((ascii(one), ascii(other)) for one, other in pairs if one != other), ("", "more"))
