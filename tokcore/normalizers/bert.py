"""BertNormalizer: BERT's cleaning, spaces around Chinese characters, accents off, lower case, in this order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tokcore.fields import Fields
from tokcore.normalizers.charsets import one_of
from tokcore.normalizers.edits import rebuilt, respelled, spread, without
from tokcore.normalizers.lowercase import Lowercase
from tokcore.normalizers.normal_forms import NFD
from tokcore.spans import AlignedText
from tokcore.unicode_data.categories import CONTROLS, NONSPACING_MARKS

SPACE = re.compile("[\t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
REMOVED = re.compile(one_of(CONTROLS))
# Chinese as BERT had it in 2018: later extensions, kana and Hangul are not spaced out.
CHINESE = one_of(
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f"
)
CHINESE_RUN = re.compile(f"{CHINESE}+")
NONSPACING = re.compile(one_of(NONSPACING_MARKS))


@dataclass(frozen=True, slots=True)
class BertNormalizer:
    r"""What BERT does to a text before cutting it.

    >>> BertNormalizer().rewrite("Né\x00 東京\n")
    'ne  東  京  '

    `strip_accents` None: as `lowercase` is. Accents are nonspacing marks only, after canonical decomposition.
    """

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True

    @property
    def strips_accents(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def rewrite(self, text: str) -> str:
        """The text of `normalize`, without alignment."""
        if self.clean_text:
            text = SPACE.sub(" ", REMOVED.sub("", text))
        if self.handle_chinese_chars and not text.isascii():
            text = CHINESE_RUN.sub(lambda run: spaced(run.group()), text)
        if self.strips_accents and not text.isascii():
            text = NONSPACING.sub("", NFD().rewrite(text))
        return Lowercase().rewrite(text) if self.lowercase else text

    def normalize(self, text: AlignedText) -> AlignedText:
        """The spaces around a Chinese character have its span.

        >>> BertNormalizer().normalize(AlignedText.whole("a京")).origins[1:]
        (Span(start=1, end=2), Span(start=1, end=2), Span(start=1, end=2))
        """
        if self.clean_text:
            text = without(text, REMOVED)
            text = respelled(text, SPACE.sub(" ", text.text))
        if self.handle_chinese_chars and not text.text.isascii():
            text = spaced_out(text)
        if self.strips_accents and not text.text.isascii():
            decomposed = NFD().normalize(text)
            text = without(rebuilt(text, decomposed.text, decomposed.starts, decomposed.ends), NONSPACING)
        return Lowercase().normalize(text) if self.lowercase else text


def spaced(characters: str) -> str:
    """A space before and behind each character.

    >>> spaced("東京")
    ' 東  京 '
    """
    return f" {'  '.join(characters)} "


def spaced_out(text: AlignedText) -> AlignedText:
    """Spaces around every Chinese character, with its span."""
    runs = [run.span() for run in CHINESE_RUN.finditer(text.text)]
    if not runs:
        return text
    counts = bytearray(b"\1") * len(text.text)
    for start, end in runs:
        counts[start:end] = b"\3" * (end - start)
    return spread(text, CHINESE_RUN.sub(lambda run: spaced(run.group()), text.text), counts)


def build_bert(fields: Fields) -> BertNormalizer:
    """{"type": "BertNormalizer", "clean_text": …, "handle_chinese_chars": …, "strip_accents": …, "lowercase": …}."""
    return BertNormalizer(
        clean_text=fields.boolean("clean_text"),
        handle_chinese_chars=fields.boolean("handle_chinese_chars"),
        strip_accents=None if fields.value.get("strip_accents") is None else fields.boolean("strip_accents"),
        lowercase=fields.boolean("lowercase"),
    )
