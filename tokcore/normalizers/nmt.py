"""Nmt: control characters left out, other white space and invisible characters made spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokcore.normalizers.edits import respelled, without
from tokcore.spans import AlignedText

# NUL, U+0085 and the other C1 controls stay.
REMOVED = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
SPACE = re.compile("[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]")


@dataclass(frozen=True, slots=True)
class Nmt:
    r"""The clean-up of neural machine translation models.

    >>> Nmt().rewrite("a\x01\tb\u200dc")
    'a b c'
    """

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        return SPACE.sub(" ", REMOVED.sub("", text))

    def normalize(self, text: AlignedText) -> AlignedText:
        text = without(text, REMOVED)
        return respelled(text, SPACE.sub(" ", text.text))
