"""The spaces that WordPiece and CTC take out again before punctuation and English contractions."""

from __future__ import annotations

REPLACEMENTS = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m")),
    *((" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)


def clean_up(text: str) -> str:
    """The replacements one after another, each over the whole text.

    >>> clean_up("I do not know , it 's late .")
    "I don't know, it's late."
    """
    for dirty, clean in REPLACEMENTS:
        text = text.replace(dirty, clean)
    return text
