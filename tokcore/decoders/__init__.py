"""Decoders by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

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
from tokcore.steps import Guesses, build_steps

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

GUESSES = Guesses(("BPEDecoder", "WordPiece", "CTC", "Replace", "Strip"))


def build(value: object, pointer: str = "/decoder") -> tuple[Step[Decoder], ...]:
    """The decoding steps of a file, in order.

    >>> config = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    >>> [step.name for step in build(config)]
    ['ByteLevel']
    >>> build({"suffix": "</w>"})[0].name
    'BPEDecoder'
    """
    return build_steps("decoder", "decoders", TABLE, value, pointer, GUESSES)
