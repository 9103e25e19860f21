"""Metaspace: write spaces as a visible character, put one before the text, cut before each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.pretokenizers.cutting import pieces
from tokcore.pretokenizers.options import choice, one_character
from tokcore.pretokenizers.prefixing import with_prefix
from tokcore.spans import AlignedText


class PrependScheme(Enum):
    """Which pieces get a `replacement` before them if they have none: what begins the source, no piece, every piece."""

    FIRST = "first"
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Writes `replacement` for each space, prepends one as the scheme says, cuts before each if `cuts`.

    >>> [piece.text for piece in Metaspace().split(AlignedText.whole("Hey  you"))]
    ['▁Hey', '▁', '▁you']

    Law: a `replacement` that stands in the text counts like a space. What begins the source is judged by its span, so
    text stripped at the front has no first piece, and of one source character cut in two both halves come first.
    """

    replacement: str = "▁"
    scheme: PrependScheme = PrependScheme.ALWAYS
    cuts: bool = True

    @property
    def reads_position(self) -> bool:
        """Whether a piece's place in the source matters."""
        return self.scheme is PrependScheme.FIRST

    def split(self, text: AlignedText) -> list[AlignedText]:
        if not text.text:
            return []
        marked = AlignedText(text.source, text.text.replace(" ", self.replacement), text.starts, text.ends)
        if self._prepends(marked):
            marked = with_prefix(marked, self.replacement)
        if not self.cuts:
            return [marked]
        cuts: list[tuple[int, int]] = []
        start = 0
        for part in marked.text.split(self.replacement):
            end = start + len(part)
            # The replacement itself belongs to the part behind it.
            cuts.append((max(start - 1, 0), end))
            start = end + 1
        return pieces(marked, cuts)

    def _prepends(self, text: AlignedText) -> bool:
        if self.scheme is PrependScheme.NEVER or text.text.startswith(self.replacement):
            return False
        return self.scheme is PrependScheme.ALWAYS or text.starts[0] == 0


def build_metaspace(fields: Fields) -> Metaspace:
    """{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always" unless given, "split": true unless given}.

    Old files have `add_prefix_space` instead of the scheme: true says nothing, false is refused unless the scheme is
    "never", as the reference does, because a scheme that is not given counts as "always". `str_rep` says nothing.
    """
    scheme = choice(fields, "prepend_scheme", PrependScheme, PrependScheme.ALWAYS)
    cuts = fields.value.get("split") is None or fields.boolean("split")
    old_flag = fields.value.get("add_prefix_space") is None or fields.boolean("add_prefix_space")
    if not old_flag and scheme is not PrependScheme.NEVER:
        raise MalformedFile(
            where=fields.at("add_prefix_space"),
            what=f"false, but the prepend_scheme is {scheme.value!r}",
            remedy='set prepend_scheme to "never"',
        )
    fields.optional_string("str_rep")
    return Metaspace(one_character(fields, "replacement"), scheme, cuts)
