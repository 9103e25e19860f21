"""UnicodeScripts: cut where the writing system changes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tokcore.fields import Fields
from tokcore.pretokenizers.cutting import pieces
from tokcore.spans import AlignedText
from tokcore.unicode_data.scripts import SCRIPTS


@dataclass(frozen=True, slots=True)
class UnicodeScripts:
    """Runs of one script; Hiragana, Katakana and Han are one.

    >>> [piece.text for piece in UnicodeScripts().split(AlignedText.whole(" Apples are りんご 林檎!"))]
    ['Apples are ', 'りんご 林檎', '!']

    Law: the space and what the reference's table does not know belong to the run before them; before the first run
    they are lost. Digits, punctuation and other white space are a script (Common), combining marks another (Inherited).
    """

    def split(self, text: AlignedText) -> list[AlignedText]:
        scripts = {character: script_of(character) for character in set(text.text)}
        starts: list[int] = []
        current = None
        for index, character in enumerate(text.text):
            script = scripts[character]
            if script is not None and script != current:
                starts.append(index)
                current = script
        return pieces(text, pairwise([*starts, len(text.text)]))


def script_of(character: str) -> str | None:
    """The script that a character counts for; None: any.

    >>> [script_of(character) for character in "aカ1 "]
    ['Latin', 'Han', 'Common', None]
    """
    firsts, names = _table()
    return names[bisect_right(firsts, ord(character)) - 1]


@cache
def _table() -> tuple[list[int], list[str | None]]:
    """Where a run of one script begins, and its name; parallel, in order."""
    changes: dict[int, str | None] = {0: None}
    for name, ranges in SCRIPTS.items():
        for part in ranges.split():
            first, _, last = part.partition("-")
            changes[int(first, 16)] = name
            changes.setdefault(int(last or first, 16) + 1, None)
    firsts = sorted(changes)
    return firsts, [changes[first] for first in firsts]


def build_unicode_scripts(fields: Fields) -> UnicodeScripts:
    """{"type": "UnicodeScripts"}."""
    return UnicodeScripts()
