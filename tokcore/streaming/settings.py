"""What a request asks of a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokcore.errors import TokcoreError


class MalformedSetting(TokcoreError):
    """A setting of a stream that is no number of tokens."""


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """What a request asks of a stream.

    `tools` is a format's name, `definitions` are the tools a call may name. `min_tokens`: the text of the first so many
    ids completes no stop. `max_tokens`: the ids behind the first so many were never generated.

    >>> StreamSettings(max_tokens=-1)
    Traceback (most recent call last):
    tokcore.streaming.settings.MalformedSetting: max_tokens: found -1 (a whole number from 0)
    """

    stops: tuple[str, ...] = ()
    include_stop: bool = False
    stops_in_reasoning: bool = False
    min_tokens: int = 0
    max_tokens: int | None = None
    reasoning: str | None = "think"
    tools: str | None = "hermes"
    starts_in_reasoning: bool = False
    definitions: tuple[Mapping[str, Any], ...] = ()
    skip_special_tokens: bool = True

    def __post_init__(self) -> None:
        for name in ("min_tokens", "max_tokens"):
            value = getattr(self, name)
            if value is None and name == "max_tokens":
                continue
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise MalformedSetting(where=name, what=f"found {value!r:.40}", remedy="a whole number from 0")
