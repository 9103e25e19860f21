"""Normalizers by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

from tokcore.fields import Fields
from tokcore.normalizers.bert import build_bert
from tokcore.normalizers.byte_level import ByteLevel
from tokcore.normalizers.lowercase import Lowercase
from tokcore.normalizers.nmt import Nmt
from tokcore.normalizers.normal_forms import NFC, NFD, NFKC, NFKD
from tokcore.normalizers.precompiled import build_precompiled
from tokcore.normalizers.prepend import build_prepend
from tokcore.normalizers.replace import build_replace
from tokcore.normalizers.strip import build_strip
from tokcore.normalizers.strip_accents import StripAccents
from tokcore.normalizers.unplaced import with_care
from tokcore.protocols import Normalizer, Step
from tokcore.steps import Guesses, build_steps

TABLE: dict[str, Callable[[Fields], Normalizer]] = {
    "BertNormalizer": build_bert,
    "ByteLevel": lambda fields: ByteLevel(),
    "Lowercase": lambda fields: Lowercase(),
    "NFC": lambda fields: NFC(),
    "NFD": lambda fields: NFD(),
    "NFKC": lambda fields: NFKC(),
    "NFKD": lambda fields: NFKD(),
    "Nmt": lambda fields: Nmt(),
    "Precompiled": build_precompiled,
    "Prepend": build_prepend,
    "Replace": build_replace,
    "Strip": build_strip,
    "StripAccents": lambda fields: StripAccents(),
}

# "BertNormalizer" is not the name under which the reference looks for its type, which is "Bert".
GUESSES = Guesses(("BertNormalizer", "Strip", "Sequence", "Replace", "Prepend"), undecided={"BertNormalizer"})


def build(value: object, pointer: str = "/normalizer") -> tuple[Step[Normalizer], ...]:
    """The normalizing steps of a file, in order.

    >>> config = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "NFC"}]}
    >>> [(step.name, step.pointer) for step in build(config)]
    [('NFD', '/normalizer/normalizers/0'), ('NFC', '/normalizer/normalizers/1')]
    >>> build({"prepend": "▁"})[0].name
    'Prepend'
    """
    return with_care(build_steps("normalizer", "normalizers", TABLE, value, pointer, GUESSES))
