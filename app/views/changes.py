"""What a normalizer changed: old and new text side by side, stretch by stretch of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import normalize

from app.views.visible import code_point
from tokcore.added_tokens import AddedMatch, Segment
from tokcore.spans import AlignedText

CHANGES_SHOWN = 6
UNCHANGED = "Nothing changed."


def old_characters(before: Sequence[Segment]) -> dict[int, str]:
    """Where in the source each character of the stage before begins → that character (several: joined)."""
    found: dict[int, str] = {}
    for segment in before:
        if not isinstance(segment, AddedMatch):
            for start, character in zip(segment.starts, segment.text, strict=True):
                found[start] = found.get(start, "") + character
    return found


def compared(after: AlignedText, old: Mapping[int, str]) -> list[tuple[str, str]]:
    """(old, new) text for each stretch of the source that the new characters stand for, in order.

    What the new text leaves out stands with "" as new, unless it was composed into the character before it.
    """
    pairs: list[tuple[str, str]] = []
    index = 0
    while index < len(after.text):
        start, end, stop = after.starts[index], after.ends[index], index + 1
        while stop < len(after.text) and after.starts[stop] < end:
            end = max(end, after.ends[stop])
            stop += 1
        was = "".join(old.get(place, "") for place in range(start, end))
        pairs.append((was, after.text[index:stop]))
        following = after.starts[stop] if stop < len(after.text) else _end_of_stretch(end, old)
        gone = "".join(old.get(place, "") for place in range(end, following))
        if gone and normalize("NFC", was + gone) == normalize("NFC", after.text[index:stop]):
            pairs[-1] = (was + gone, after.text[index:stop])
        elif gone:
            pairs.append((gone, ""))
        index = stop
    return pairs


def _end_of_stretch(place: int, old: Mapping[int, str]) -> int:
    """Where the old characters that follow `place` without a gap end."""
    while place in old:
        place += 1
    return place


def changes_in_words(after: Sequence[Segment], before: Sequence[Segment]) -> str:
    """How many places a normalizer changed, and the first few as code points.

    >>> before = AlignedText.whole("A")
    >>> changes_in_words([AlignedText("A", "a", (0,), (1,))], [before])
    'Changed in 1 place: U+0041 → U+0061.'
    """
    if [text_of(segment) for segment in after] == [text_of(segment) for segment in before]:
        return UNCHANGED
    old = old_characters(before)
    pairs = [
        (was, new)
        for segment in after
        if not isinstance(segment, AddedMatch)
        for was, new in compared(segment, old)
        if was != new
    ]
    if not pairs:
        return "Removed text at an end."
    shown = ", ".join(f"{_codes(was)} → {_codes(new)}" for was, new in pairs[:CHANGES_SHOWN])
    places = f"Changed in {len(pairs):,} {'place' if len(pairs) == 1 else 'places'}"
    return f"{places}: {shown}{', …' if len(pairs) > CHANGES_SHOWN else '.'}"


def _codes(text: str) -> str:
    return " ".join(map(code_point, text)) or "nothing"


def text_of(segment: Segment) -> str:
    """The text of a segment as it stands."""
    return segment.text
