"""Large sets of characters as patterns that `re` runs fast."""

from __future__ import annotations

import re

ASTRAL = "[\U00010000-\U0010ffff]"


def one_of(characters: str) -> str:
    r"""A pattern for one character of a set, given as the inside of a character class: ranges, no escapes.

    >>> one_of("a-z\U0001f600") == "(?:[a-z]|[\U00010000-\U0010ffff](?<=[\U0001f600]))"
    True

    `re` looks a character of the first plane up in a bitmap and compares all others with one range after the other.
    Here only characters beyond the first plane meet the ranges of their like.
    """
    parts = re.findall("(?s:.)(?:-(?s:.))?", characters)
    near = "".join(part for part in parts if part < "\U00010000")
    far = "".join(part for part in parts if part >= "\U00010000")
    return f"(?:[{near}]|{ASTRAL}(?<=[{far}]))" if far else f"[{near}]"
