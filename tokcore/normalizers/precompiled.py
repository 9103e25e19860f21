"""Precompiled: SentencePiece's replacements, applied the reference's way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tokcore.fields import Fields
from tokcore.normalizers.charsmap import Charsmap, decode_charsmap
from tokcore.normalizers.clusters import cluster_pattern, short_clusters
from tokcore.normalizers.edits import Edit, edited, respelled
from tokcore.spans import AlignedText


class Singles(dict[int, int | str]):
    """What each character becomes, as `str.translate` asks for it; a number stands for no replacement."""

    def __init__(self, charsmap: Charsmap) -> None:
        super().__init__()
        self.charsmap = charsmap

    def __missing__(self, code: int) -> int | str:
        new = self.charsmap.replacement(chr(code))
        result = self[code] = code if new is None else new
        return result

    def uneven(self, characters: Iterable[str]) -> dict[str, str]:
        """Those of the characters that do not become one character, and what they become."""
        pairs = ((character, self[ord(character)]) for character in characters)
        return {old: new for old, new in pairs if isinstance(new, str) and len(new) != 1}


@dataclass(frozen=True, slots=True)
class Precompiled:
    """Replaces grapheme clusters below six bytes where the charsmap knows them, other characters one by one.

    Law of the reference: a cluster is replaced whole where the charsmap knows any beginning of it; no cluster is looked
    for that is longer. What is removed at the very beginning shifts the spans of all that follows.
    """

    charsmap: Charsmap
    _singles: Singles = field(repr=False, compare=False)

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return self._rewritten(text, self._known_clusters(text))

    def normalize(self, text: AlignedText) -> AlignedText:
        clusters = self._known_clusters(text.text)
        new = self._rewritten(text.text, clusters)
        uneven = self._singles.uneven(set(text.text))
        if not clusters and not uneven:
            return respelled(text, new)
        edits = list(edits_of(replacements(text.text, uneven, clusters)))
        removed = 0
        while edits and not edits[0].new and edits[0].start == removed:
            removed = edits.pop(0).end
        if removed:
            text = shifted(text, removed)
            edits = [edit.moved(-removed) for edit in edits]
        return respelled(edited(text, edits), new)

    def _known_clusters(self, text: str) -> dict[str, str]:
        """The short clusters of a text that have a replacement, and it."""
        found = ((cluster, self.charsmap.replacement(cluster)) for cluster in short_clusters(text))
        return {cluster: new for cluster, new in found if new is not None}

    def _rewritten(self, text: str, clusters: dict[str, str]) -> str:
        if not clusters:
            return text.translate(self._singles)
        parts: list[str] = []
        done = 0
        for match in cluster_pattern(text).finditer(text):
            new = clusters.get(match.group())
            if new is not None:
                parts += (text[done : match.start()].translate(self._singles), new)
                done = match.end()
        return "".join((*parts, text[done:].translate(self._singles)))


def replacements(text: str, uneven: dict[str, str], clusters: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """The replacements of clusters and uneven characters in order, as (start, end, what takes the place)."""
    single = re.compile(f"[{re.escape(''.join(uneven))}]" if uneven else "(?!)")
    done = 0
    for match in cluster_pattern(text).finditer(text) if clusters else ():
        if match.group() in clusters:
            for other in single.finditer(text, done, match.start()):
                yield *other.span(), uneven[other.group()]
            yield *match.span(), clusters[match.group()]
            done = match.end()
    for other in single.finditer(text, done):
        yield *other.span(), uneven[other.group()]


def edits_of(changes: Iterable[tuple[int, int, str]]) -> Iterator[Edit]:
    """The replacements with the spans that the reference gives them.

    >>> list(edits_of([(0, 1, "fi"), (1, 2, "")]))
    [Edit(start=0, end=2, new='fi', origins=(0, 1))]

    Law of the reference: character by character each takes the place of one, what is left over stands for the last one.
    A removed character makes room: if the one before it was left over, it takes that place.
    """
    last: Edit | None = None
    left_over = False
    for start, end, new in changes:
        if last is not None and left_over and not new and start == last.end:
            last, left_over = Edit(last.start, end, last.new, (*last.origins[:-1], start)), False
            continue
        if last is not None:
            yield last
        last = Edit(start, end, new, tuple(min(start + at, end - 1) for at in range(len(new))))
        left_over = len(new) > end - start
    if last is not None:
        yield last


def shifted(text: AlignedText, count: int) -> AlignedText:
    """The text behind its first characters, with the spans of as many characters from the beginning on.

    >>> shifted(AlignedText.whole("abc"), 1).origins
    (Span(start=0, end=1), Span(start=1, end=2))
    """
    rest = len(text.text) - count
    return replace(text, text=text.text[count:], starts=text.starts[:rest], ends=text.ends[:rest])


def build_precompiled(fields: Fields) -> Precompiled:
    """{"type": "Precompiled", "precompiled_charsmap": base64}."""
    charsmap = decode_charsmap(fields.string("precompiled_charsmap"), fields.at("precompiled_charsmap"))
    return Precompiled(charsmap, Singles(charsmap))
