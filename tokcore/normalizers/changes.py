"""How one normalization form rewrites a short text, and which of its characters each result stands for."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


class Change(NamedTuple):
    """One character of the result; it uses up 1 - `added` characters of the old text.

    >>> decomposed("NFKD", "ﬁ")
    [Change(character='f', added=0), Change(character='i', added=1)]

    0 takes the place of one, 1 is inserted, -n takes the place of one and of n more. Never above 1.
    """

    character: str
    added: int


class Rewriting(NamedTuple):
    """The result and, for each of its characters, the index of the old character that it stands for."""

    text: str
    origins: tuple[int, ...]


def rewriting(form: Form, text: str) -> Rewriting:
    r"""One form of a text that holds none of the table's characters.

    >>> rewriting("NFC", "e\N{COMBINING ACUTE ACCENT}!")
    Rewriting(text='é!', origins=(0, 2))
    """
    changes = changed(form, text)
    return Rewriting("".join(change.character for change in changes), tuple(origins(changes)))


def changed(form: Form, text: str) -> list[Change]:
    """The same as changes, one for each character of the result.

    >>> changed("NFKC", "ﬁ")
    [Change(character='f', added=0), Change(character='i', added=1)]
    """
    changes = reordered(decomposed("NFD" if form in ("NFC", "NFD") else "NFKD", text))
    return composed(changes) if form in ("NFC", "NFKC") else changes


def decomposed(form: Literal["NFD", "NFKD"], text: str) -> list[Change]:
    """Every character in full decomposition: its first part takes its place, the others are inserted."""
    return [
        Change(part, min(index, 1))
        for character in text
        for index, part in enumerate(unicodedata.normalize(form, character))
    ]


def reordered(changes: Iterable[Change]) -> list[Change]:
    r"""Each run of marks by combining class; the counts of added characters move along.

    >>> [change.added for change in reordered(decomposed("NFD", "é\N{COMBINING DOT BELOW}"))]
    [0, 0, 1]
    """
    result: list[Change] = []
    marks: list[Change] = []
    for change in changes:
        if unicodedata.combining(change.character):
            marks.append(change)
        else:
            result += sorted(marks, key=_combining_class)
            result.append(change)
            marks.clear()
    return result + sorted(marks, key=_combining_class)


def _combining_class(change: Change) -> int:
    return unicodedata.combining(change.character)


def composed(changes: Iterable[Change]) -> list[Change]:
    r"""Marks joined to their starter where the pair has a composite, which uses up what both used up.

    >>> composed(reordered(decomposed("NFD", "é\N{COMBINING DOT BELOW}")))[0]
    Change(character='ẹ', added=-1)
    """
    result: list[Change] = []
    starter: int | None = None
    between: int | None = None  # the class of what stands between the starter and the next character
    for change in changes:
        combining = unicodedata.combining(change.character)
        if starter is not None and (between is None or between < combining):
            whole = composite(result[starter].character, change.character)
            if whole is not None:
                result[starter] = Change(whole, result[starter].added + change.added - 1)
                continue
        if combining:
            between = combining
        else:
            starter, between = len(result), None
        result.append(change)
    return result


@lru_cache(maxsize=1 << 12)
def composite(first: str, second: str) -> str | None:
    r"""The one character that the standard composes of two.

    >>> composite("e", "\N{COMBINING ACUTE ACCENT}"), composite("e", "e")
    ('é', None)
    """
    whole = unicodedata.normalize("NFC", first + second)
    return whole if len(whole) == 1 else None


def origins(changes: Iterable[Change]) -> Iterator[int]:
    r"""For each character of the result the index of the old character whose span it takes.

    >>> list(origins(composed(reordered(decomposed("NFD", "é\N{COMBINING DOT BELOW}")))))
    [0, 1]

    Law of the reference: a character that takes a place has the span of the first one it uses up, an inserted one that
    of the last one used up before it. Counts that moved with their marks make this odd: above, ẹ uses up both, so that
    the acute stands for the dot below. An inserted character never comes first: the first part of its own
    decomposition, whose class is not higher, stays before it.
    """
    position = 0
    for change in changes:
        yield position - 1 if change.added > 0 else position
        position += 1 - change.added
