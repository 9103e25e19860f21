"""Decoders by their name in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokcore.decoders.bpe import build_bpe_decoder
from tokcore.decoders.byte_fallback import build_byte_fallback
from tokcore.decoders.byte_level import build_byte_level
from tokcore.decoders.ctc import build_ctc
from tokcore.decoders.fuse import build_fuse
from tokcore.decoders.metaspace import build_metaspace
from tokcore.decoders.replace import build_replace
from tokcore.decoders.strip import build_strip
from tokcore.decoders.wordpiece import build_wordpiece
from tokcore.fields import Fields
from tokcore.protocols import Decoder, Step
from tokcore.steps import DEPTH_LIMIT, build_steps

TABLE: dict[str, Callable[[Fields], Decoder]] = {
    "BPEDecoder": build_bpe_decoder,
    "ByteFallback": build_byte_fallback,
    "ByteLevel": build_byte_level,
    "CTC": build_ctc,
    "Fuse": build_fuse,
    "Metaspace": build_metaspace,
    "Replace": build_replace,
    "Strip": build_strip,
    "WordPiece": build_wordpiece,
}

# What the reference takes a decoder without a "type" for, by its keys, in this order.
SHAPES = {
    "BPEDecoder": {"suffix"},
    "WordPiece": {"prefix", "cleanup"},
    "CTC": {"pad_token", "word_delimiter_token", "cleanup"},
    "Replace": {"pattern", "content"},
    "Strip": {"content", "start", "stop"},
}


def build(value: object, pointer: str = "/decoder") -> tuple[Step[Decoder], ...]:
    """The decoding steps of a file, in order.

    >>> config = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    >>> [step.name for step in build(config)]
    ['ByteLevel']
    """
    return build_steps("decoder", "decoders", TABLE, named(value), pointer)


def named(value: Any, depth: int = 0) -> Any:
    """The decoder with a missing "type" filled in.

    >>> named({"suffix": "</w>"})["type"]
    'BPEDecoder'
    """
    if not isinstance(value, Mapping) or depth > DEPTH_LIMIT:
        return value
    if value.get("type") == "Sequence" and isinstance(value.get("decoders"), list):
        return {**value, "decoders": [named(child, depth + 1) for child in value["decoders"]]}
    name = next((name for name, keys in SHAPES.items() if keys <= value.keys()), None)
    return value if "type" in value or name is None else {**value, "type": name}
