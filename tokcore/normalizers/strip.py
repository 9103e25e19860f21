"""Strip: white space taken off the ends of the text."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.normalizers.edits import rebuilt
from tokcore.spans import AlignedText

# Unicode's White_Space, a closed list; unlike `str.strip` without U+001C to U+001F.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"


@dataclass(frozen=True, slots=True)
class Strip:
    r"""Takes white space off the left end, the right end or both; what stays keeps its spans.

    >>> Strip(left=True, right=False).rewrite("\u3000a ")
    'a '
    """

    left: bool
    right: bool

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        text = text.lstrip(WHITE_SPACE) if self.left else text
        return text.rstrip(WHITE_SPACE) if self.right else text

    def normalize(self, text: AlignedText) -> AlignedText:
        new = self.rewrite(text.text)
        if len(new) == len(text.text):
            return text
        start = len(text.text) - len(text.text.lstrip(WHITE_SPACE)) if self.left and new else 0
        end = start + len(new)
        return rebuilt(text, new, text.starts[start:end], text.ends[start:end])


def build_strip(fields: Fields) -> Strip:
    """{"type": "Strip", "strip_left": …, "strip_right": …}."""
    return Strip(left=fields.boolean("strip_left"), right=fields.boolean("strip_right"))
