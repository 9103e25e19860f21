"""ByteLevel: cut GPT-2's way if asked, then write every UTF-8 byte as one display character."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.bytemap import display_bytes
from tokcore.fields import Fields
from tokcore.patterns import Pattern, compile_pattern
from tokcore.pretokenizers.cutting import Behavior, pieces, regroup, runs
from tokcore.pretokenizers.prefixing import with_prefix
from tokcore.spans import AlignedText, utf8_length

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Writes each piece in the byte display alphabet; the bytes of a character all keep its span.

    >>> [piece.text for piece in ByteLevel().split(AlignedText.whole(" é"))]
    ['ĠÃ©']

    `add_prefix_space` puts a space before text that does not begin with one; `pattern` None: no cut of its own.
    """

    add_prefix_space: bool = False
    pattern: Pattern | None = None

    def split(self, text: AlignedText) -> list[AlignedText]:
        if not text.text:
            return []
        if self.add_prefix_space and not text.text.startswith(" "):
            text = with_prefix(text, " ")
        if self.pattern is None:
            return [in_display_bytes(text)]
        cuts = regroup(runs(self.pattern.spans(text.text), len(text.text)), Behavior.ISOLATED)
        return [in_display_bytes(piece) for piece in pieces(text, cuts)]


def in_display_bytes(text: AlignedText) -> AlignedText:
    """One character per UTF-8 byte, each with the span of the character it belongs to.

    >>> in_display_bytes(AlignedText.whole("é")).origins
    (Span(start=0, end=1), Span(start=0, end=1))

    Law of the reference: of a piece all of whose characters stand for nothing the old text stays, behind the new one.
    """
    if text.text and text.starts[-1] == text.ends[-1]:
        doubled = display_bytes(text.text.encode()) + text.text
        start, end = text.starts[-1], text.ends[-1]
        return AlignedText(text.source, doubled, (start,) * len(doubled), (end,) * len(doubled))
    if text.text.isascii():
        return AlignedText(text.source, display_bytes(text.text.encode()), text.starts, text.ends)
    lengths = list(map(utf8_length, text.text))
    return AlignedText(
        text.source,
        display_bytes(text.text.encode()),
        tuple(start for start, length in zip(text.starts, lengths, strict=True) for _ in range(length)),
        tuple(end for end, length in zip(text.ends, lengths, strict=True) for _ in range(length)),
    )


def build_byte_level(fields: Fields) -> ByteLevel:
    """{"type": "ByteLevel", "add_prefix_space": …, "use_regex": …}; `trim_offsets` is for the post-processor."""
    use_regex = fields.boolean("use_regex", default=True)
    fields.boolean("trim_offsets")
    return ByteLevel(
        add_prefix_space=fields.boolean("add_prefix_space"),
        pattern=compile_pattern(GPT2_PATTERN) if use_regex else None,
    )
