"""The figures beside a text, written out, and the one sentence that says what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from app.counts import Counts

DASH = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it counts; `note` says why there is none."""

    value: str
    label: str
    note: str = ""


def figures(counts: Counts) -> tuple[Figure, ...]:
    """The six figures in the order of the page.

    >>> [figure.value for figure in figures(Counts.of("the quick fox", tokens=4))]
    ['4', '13', '13', '3', '3.25', '1.33']
    """
    no_words = "this script puts no spaces between words" if counts.words and counts.tokens_per_word is None else ""
    return (
        Figure(f"{counts.tokens:,}", "token" if counts.tokens == 1 else "tokens"),
        Figure(f"{counts.characters:,}", "character" if counts.characters == 1 else "characters"),
        Figure(f"{counts.bytes:,}", "byte of UTF-8" if counts.bytes == 1 else "bytes of UTF-8"),
        Figure(f"{counts.words:,}", "word" if counts.words == 1 else "words"),
        Figure(ratio(counts.bytes_per_token), "bytes per token"),
        Figure(ratio(counts.tokens_per_word), "tokens per word", no_words),
    )


def ratio(value: float | None) -> str:
    """Two decimals, a dash where there is none.

    >>> ratio(64 / 14), ratio(None)
    ('4.57', '–')
    """
    return DASH if value is None else f"{value:.2f}"


def meaning(counts: Counts, subject: str) -> str:
    """What the figures say, in one sentence.

    >>> meaning(Counts(14, 64, 64, 13, 64 / 14, 14 / 13), "English")
    '4.57 bytes per token: English is cheap here, most words are one token.'
    """
    if counts.tokens == 0 or counts.bytes_per_token is None:
        return "No tokens yet: type or paste a text, or choose an example."
    found = f"{ratio(counts.bytes_per_token)} bytes per token: "
    characters = counts.characters / counts.tokens
    if counts.tokens == 1:
        return found + "all of it is one token."
    if characters == 1 and counts.bytes_per_token == 1:
        return found + "every character is a token of its own."
    if characters < 1.0:
        return found + f"{counts.tokens / counts.characters:.2f} tokens for every character, {subject} is dear here."
    if counts.tokens_per_word is None:
        return found + f"{characters:.2f} characters per token; words cannot be counted without spaces."
    if counts.tokens_per_word <= 1.4:
        return found + f"{subject} is cheap here, most words are one token."
    if counts.tokens_per_word <= 2.2:
        return found + f"some words are cut up, a word takes {ratio(counts.tokens_per_word)} tokens."
    return found + f"{subject} is dear here, a word takes {ratio(counts.tokens_per_word)} tokens."
