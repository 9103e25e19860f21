"""What a stop checker has to do, the slow way: over the whole text, character by character."""

from __future__ import annotations

from collections.abc import Sequence


def stopped_text(
    text: str, stops: Sequence[str], include_stop: bool = False, armed: Sequence[bool] | None = None
) -> tuple[str, str | None]:
    """What leaves of a text, and the stop that ended it. `armed`: for each character whether it may complete one."""
    for end in range(1, len(text) + 1):
        if armed is not None and not armed[end - 1]:
            continue
        complete = [stop for stop in stops if text[:end].endswith(stop)]
        if complete:
            first = max(complete, key=len)
            return text[: end if include_stop else end - len(first)], first
    return text, None


def begun(text: str, stops: Sequence[str]) -> str:
    """The longest tail of a text that begins a stop and is not all of it."""
    tails = [text[len(text) - length :] for length in range(1, len(text) + 1)]
    begin = [tail for tail in tails if any(stop != tail and stop.startswith(tail) for stop in stops)]
    return max(begin, key=len, default="")
