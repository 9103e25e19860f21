"""NFC, NFD, NFKC, NFKD: the Unicode normalization forms, with the reference's alignment."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tokcore.normalizers.changes import Change, Form
from tokcore.normalizers.edits import rebuilt
from tokcore.normalizers.stretches import rewrite, rewritten_blocks, rewritten_changes
from tokcore.spans import AlignedText


@dataclass(frozen=True, slots=True)
class NormalForm:
    """What the four forms share. Text that is in the form already comes back as the same object."""

    form: ClassVar[Form]

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return rewrite(self.form, text)

    def changes(self, text: str) -> Iterator[Change]:
        """The text of `rewrite` as changes, one for each of its characters."""
        return rewritten_changes(self.form, text)

    def normalize(self, text: AlignedText) -> AlignedText:
        parts: list[str] = []
        # Arrays: a changed megabyte takes 8 MB of numbers, lists would take ten times that.
        starts, ends = array("i"), array("i")
        done = 0
        for start, end, new, origins in rewritten_blocks(self.form, text.text):
            parts += (text.text[done:start], new)
            starts.extend(text.starts[done:start])
            ends.extend(text.ends[done:start])
            starts.extend([text.starts[origin] for origin in origins])
            ends.extend([text.ends[origin] for origin in origins])
            done = end
        if not parts:
            return text
        parts.append(text.text[done:])
        starts.extend(text.starts[done:])
        ends.extend(text.ends[done:])
        return rebuilt(text, "".join(parts), starts, ends)


class NFC(NormalForm):
    r"""Canonical composition; a composite stands for the first of what it is composed of.

    >>> NFC().normalize(AlignedText.whole("e\N{COMBINING ACUTE ACCENT}!")).origins
    (Span(start=0, end=1), Span(start=2, end=3))
    """

    __slots__ = ()
    form = "NFC"


class NFD(NormalForm):
    """Canonical decomposition; every part stands for the whole.

    >>> NFD().normalize(AlignedText.whole("é!")).origins
    (Span(start=0, end=1), Span(start=0, end=1), Span(start=1, end=2))
    """

    __slots__ = ()
    form = "NFD"


class NFKC(NormalForm):
    """Compatibility composition.

    >>> NFKC().rewrite("ﬁn")
    'fin'
    """

    __slots__ = ()
    form = "NFKC"


class NFKD(NormalForm):
    """Compatibility decomposition.

    >>> NFKD().rewrite("½")
    '1⁄2'
    """

    __slots__ = ()
    form = "NFKD"
