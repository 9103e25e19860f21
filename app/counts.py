"""The figures beside a text: characters, bytes, words, and what a token holds on average."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Scripts whose words stand without spaces between them: Thai, Lao, Myanmar, Khmer, Tai and their extensions, Tibetan
# (it marks syllables), kana, Han with its extensions, Yi. Korean writes spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u19e0-\u19ff\u1a20-\u1aaf"
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua9e0-\ua9ff\uaa60-\uaadf"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af]+"
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What a text and its tokens measure.

    >>> counts = Counts.of("the quick fox", tokens=4)
    >>> counts.characters, counts.bytes, counts.words, counts.bytes_per_token
    (13, 13, 3, 3.25)

    `characters` are code points, `bytes` UTF-8, `words` what white space separates, `tokens` all of the encoding's.
    A ratio is None where its divisor is 0; `tokens_per_word` also where the text is in a script without spaces.
    """

    tokens: int
    characters: int
    bytes: int
    words: int
    bytes_per_token: float | None
    tokens_per_word: float | None

    @classmethod
    def of(cls, text: str, tokens: int) -> Counts:
        """`text` has a UTF-8 form."""
        size = len(text) if text.isascii() else len(text.encode())
        words = len(text.split())
        return cls(
            tokens=tokens,
            characters=len(text),
            bytes=size,
            words=words,
            bytes_per_token=size / tokens if tokens else None,
            tokens_per_word=tokens / words if words and has_word_spaces(text) else None,
        )


def has_word_spaces(text: str) -> bool:
    """Whether white space separates the words of a text: fewer than half of its letters are of a script without spaces.

    >>> has_word_spaces("The quick 狐"), has_word_spaces("素早い茶色の狐 fox"), has_word_spaces("1969 🚀")
    (True, False, True)
    """
    if text.isascii():
        return True
    unspaced = sum(map(len, _UNSPACED.findall(text)))
    return unspaced == 0 or unspaced < sum(map(str.isalpha, _UNSPACED.sub("", text)))
