"""Finding the few places of a long text that a normalization form rewrites, and rewriting no more than these."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from tokcore.normalizers.changes import Change, Form, Rewriting, changed, rewriting
from tokcore.unicode_data.normalization import INERT

# What may join what stands before it: marks, Hangul vowels and finals, and whatever a form turns into one of these.
JOINING = r"[\p{M}\u1160-\u11FF\u3131-\u318E\uFF9E-\uFFDC]"
BLOCK_LENGTH = 256
BLOCK = regex.compile(rf"(?s:.{{1,{BLOCK_LENGTH}}}+){JOINING}*+")
STRETCH = regex.compile(rf"[\x00-\x7F]++(?!{JOINING})|(?s:.){JOINING}*+")


def character_class(ranges: Sequence[tuple[int, int]]) -> str:
    r"""Ranges of code points, both ends included, as the inside of a character class.

    >>> character_class([(0x32FF, 0x32FF), (0x1E4EC, 0x1E4EF)]).isascii()
    True
    """
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges)


# `re` looks a BMP character up in a bitmap and compares others with one range after the other. So a text is searched
# for a rougher class first, all but the emoji beyond the BMP: most texts never meet the exact class.
BMP = [(first, last) for first, last in INERT if last < 0x10000]
ASTRAL = [(first, last) for first, last in INERT if first >= 0x10000]
EMOJI = range(0x1F170, 0x1FB00)
INERT_AMONG_EMOJI = [(first, last) for first, last in ASTRAL if first < EMOJI.stop and last >= EMOJI.start]
ROUGHLY_ASTRAL = [(0x10000, EMOJI.start - 1), (EMOJI.stop, 0x10FFFF), *INERT_AMONG_EMOJI]
SUSPECT = re.compile(f"[{character_class(BMP + ROUGHLY_ASTRAL)}]")
INERT_RUN = re.compile(rf"(?:[{character_class(BMP)}]|(?=[\U00010000-\U0010ffff])[{character_class(ASTRAL)}])+")


class Block(NamedTuple):
    """Characters `start` to `end` of a text, and what becomes of them; origins count from the start of the text."""

    start: int
    end: int
    text: str
    origins: list[int]


class Rewritings(dict[str, Rewriting]):
    """The rewritings of a text's stretches, each worked out once.

    >>> Rewritings("NFD")["é"].origins
    (0, 0)
    """

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def __missing__(self, stretch: str) -> Rewriting:
        result = self[stretch] = rewriting(self.form, stretch)
        return result


def between_inert(text: str) -> Iterator[tuple[int, int]]:
    r"""Start and end of each part without the table's characters: no part reaches into another.

    >>> list(between_inert("ab\u32ffc"))
    [(0, 2), (3, 4)]
    """
    done = 0
    suspect = SUSPECT.search(text)
    if suspect is not None:
        for run in INERT_RUN.finditer(text, suspect.start()):
            yield done, run.start()
            done = run.end()
    yield done, len(text)


def changing_blocks(form: Form, text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each block that the form rewrites; a block ends before a character that joins nothing.

    >>> list(changing_blocks("NFD", "a" * BLOCK_LENGTH + "é"))
    [(256, 257)]

    Law: what stands before a character that joins nothing, and the text from it on, are rewritten independently.
    """
    if text.isascii():
        return
    for start, end in between_inert(text):
        if not unicodedata.is_normalized(form, text[start:end]):
            for block in BLOCK.finditer(text, start, end):
                if not unicodedata.is_normalized(form, block.group()):
                    yield block.span()


def rewritten_blocks(form: Form, text: str) -> Iterator[Block]:
    """The blocks that the form rewrites, in order; none if the text is in the form.

    >>> next(rewritten_blocks("NFKD", "½!"))
    Block(start=0, end=2, text='1⁄2!', origins=[0, 0, 0, 1])
    """
    known = Rewritings(form)
    for start, end in changing_blocks(form, text):
        parts: list[str] = []
        origins: list[int] = []
        position = start
        for stretch in STRETCH.findall(text, start, end):
            if stretch.isascii():
                parts.append(stretch)
                origins += range(position, position + len(stretch))
            else:
                new, indices = known[stretch]
                parts.append(new)
                origins += [position + index for index in indices]
            position += len(stretch)
        yield Block(start, end, "".join(parts), origins)


def rewritten_changes(form: Form, text: str) -> Iterator[Change]:
    r"""The whole text as changes, one for each character of the result.

    >>> list(rewritten_changes("NFC", "ae\N{COMBINING ACUTE ACCENT}"))
    [Change(character='a', added=0), Change(character='é', added=-1)]
    """
    done = 0
    for start, end in changing_blocks(form, text):
        yield from (Change(character, 0) for character in text[done:start])
        for stretch in STRETCH.findall(text, start, end):
            yield from changed(form, stretch)
        done = end
    yield from (Change(character, 0) for character in text[done:])


def rewrite(form: Form, text: str) -> str:
    """The form of a text, without alignment.

    >>> rewrite("NFKD", "½ ﬁ")
    '1⁄2 fi'
    """
    parts: list[str] = []
    done = 0
    for start, end in changing_blocks(form, text):
        old = text[start:end]
        # Python sorts marks by insertion: quadratic in a run of marks, and only a run of marks makes a long block.
        new = unicodedata.normalize(form, old) if len(old) <= 4 * BLOCK_LENGTH else rewriting(form, old).text
        parts += (text[done:start], new)
        done = end
    return "".join([*parts, text[done:]]) if parts else text
