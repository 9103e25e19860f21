"""StripAccents: combining marks left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokcore.normalizers.charsets import one_of
from tokcore.normalizers.edits import without
from tokcore.spans import AlignedText
from tokcore.unicode_data.categories import MARKS

MARK = re.compile(one_of(MARKS))


@dataclass(frozen=True, slots=True)
class StripAccents:
    r"""Takes out marks (Mn, Mc, Me) of the reference's Unicode; composed letters stay composed.

    >>> StripAccents().rewrite("e\N{COMBINING ACUTE ACCENT}é")
    'eé'
    """

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return text if text.isascii() else MARK.sub("", text)

    def normalize(self, text: AlignedText) -> AlignedText:
        return text if text.text.isascii() else without(text, MARK)
