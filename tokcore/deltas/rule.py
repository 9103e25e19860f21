"""What a rule of the lint is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """ERROR: OpenAI's client fails or loses text. WARNING: some client goes wrong. NOTE: unusual, harmless to most."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `meaning` of a finding, `hurts` whom and how, `remedy`."""

    id: str
    severity: Severity
    meaning: str
    hurts: str
    remedy: str
