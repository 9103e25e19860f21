"""Normalizers by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

from tokcore.fields import Fields
from tokcore.normalizers.normal_forms import NFC, NFD, NFKC, NFKD
from tokcore.protocols import Normalizer, Step
from tokcore.steps import build_steps

TABLE: dict[str, Callable[[Fields], Normalizer]] = {
    "NFC": lambda fields: NFC(),
    "NFD": lambda fields: NFD(),
    "NFKC": lambda fields: NFKC(),
    "NFKD": lambda fields: NFKD(),
}


def build(value: object, pointer: str = "/normalizer") -> tuple[Step[Normalizer], ...]:
    """The normalizing steps of a file, in order.

    >>> config = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "NFC"}]}
    >>> [(step.name, step.pointer) for step in build(config)]
    [('NFD', '/normalizer/normalizers/0'), ('NFC', '/normalizer/normalizers/1')]
    """
    return build_steps("normalizer", "normalizers", TABLE, value, pointer)
