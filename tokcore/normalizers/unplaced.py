"""Characters put in at the very start that stand for nothing, and what a later step makes of a text that has them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from tokcore.normalizers.changes import Change
from tokcore.normalizers.edits import rebuilt
from tokcore.normalizers.normal_forms import NFC, NFKC
from tokcore.normalizers.precompiled import Precompiled
from tokcore.normalizers.prepend import Prepend
from tokcore.normalizers.replace import Replace
from tokcore.normalizers.strip import Strip
from tokcore.normalizers.strip_accents import StripAccents
from tokcore.protocols import Normalizer, Step
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class Unplacing:
    """A step that may put in what stands for nothing; no text is rewritten behind it without its alignment."""

    component: Prepend | Replace

    def normalize(self, text: AlignedText) -> AlignedText:
        return self.component.normalize(text)


@dataclass(frozen=True, slots=True)
class BehindUnplaced:
    """A step that may meet unplaced characters, and may make fewer characters of a text.

    >>> step = BehindUnplaced(StripAccents())
    >>> step.normalize(AlignedText("ab", "_ab\u0301\u0301", (0, 0, 1, 1, 1), (0, 1, 2, 2, 2))).text
    '__ab'

    Law of the reference: it takes the text from the first placed character on for the whole. So the unplaced ones stay,
    and what becomes of all, theirs included, is aligned from the first placed one on. Where the places run out the
    reference crashes, as it does behind an unplaced character in all steps that never make fewer of a text; here such a
    text is rewritten as any other.
    """

    component: NFC | NFKC | Precompiled | Strip | StripAccents

    def normalize(self, text: AlignedText) -> AlignedText:
        result = self.component.normalize(text)
        count = unplaced_count(text)
        if not count or result is text:
            return result
        aligned = shifted(text, count, *changes(self.component, text.text))
        return result if aligned is None else aligned


def with_care(steps: Iterable[Step[Normalizer]]) -> tuple[Step[Normalizer], ...]:
    """The same steps, those changed that may put in what stands for nothing or may meet it.

    >>> steps = with_care([Step("Prepend", "/normalizers/0", Prepend("")), Step("NFC", "/normalizers/1", NFC())])
    >>> [type(step.component).__name__ for step in steps]
    ['Unplacing', 'BehindUnplaced']
    """
    changed: list[Step[Normalizer]] = []
    unplacing = False
    for step in steps:
        component = step.component
        if isinstance(component, Prepend | Replace) and component.may_unplace:
            unplacing = True
            changed.append(Step(step.name, step.pointer, Unplacing(component)))
        elif unplacing and isinstance(component, NFC | NFKC | Precompiled | Strip | StripAccents):
            changed.append(Step(step.name, step.pointer, BehindUnplaced(component)))
        else:
            changed.append(step)
    return tuple(changed)


def unplaced_count(text: AlignedText) -> int:
    """How many characters at the start stand for nothing.

    >>> unplaced_count(AlignedText("ab", "-ab", (0, 0, 1), (0, 1, 2)))
    1
    """
    return next(
        (at for at, (start, end) in enumerate(zip(text.starts, text.ends, strict=True)) if start < end), len(text.text)
    )


def changes(component: Normalizer, text: str) -> tuple[int, list[Change]]:
    """How many characters a step takes off at the start of a text, and what it makes of the others.

    >>> changes(Strip(True, True), " a ")
    (1, [Change(character='a', added=-1)])
    """
    if isinstance(component, NFC | NFKC):
        return 0, list(component.changes(text))
    result = component.normalize(AlignedText.whole(text))
    origins = result.starts
    # What has the place of the one before it was inserted; only what took a place can use up more.
    added = [
        1 if before == origin else min(0, origin + 1 - after)
        for before, origin, after in zip((None, *origins), origins, (*origins[1:], len(text)), strict=False)
    ]
    return (origins[0] if origins else len(text)), list(map(Change, result.text, added))


def shifted(text: AlignedText, count: int, removed: int, changes: Iterable[Change]) -> AlignedText | None:
    """The first `count` characters, and behind them the changes, aligned from there on; None where places run out."""
    size = len(text.text)
    origins = list(range(count))
    parts = [text.text[:count]]
    at = min(count + removed, size)
    for character, added in changes:
        if added <= 0 and at == size:
            return None
        origins.append(at - 1 if added > 0 else at)
        parts.append(character)
        at = min(at + 1 - added, size)
    starts = array("i", [text.starts[origin] for origin in origins])
    ends = array("i", [text.ends[origin] for origin in origins])
    return rebuilt(text, "".join(parts), starts, ends)
