"""The figures beside a text, written out, and the one sentence that says what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from app.counts import Counts

DASH = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it counts, in which `unit` if that needs saying; `note` says why there is none."""

    value: str
    label: str
    note: str = ""
    unit: str = ""


def figures(counts: Counts) -> tuple[Figure, ...]:
    """The six figures in the order of the page.

    >>> [figure.value for figure in figures(Counts.of("the quick fox", tokens=4))]
    ['4', '13', '13', '3', '3.25', '1.33']
    """
    no_words = "this script puts no spaces between words" if counts.words and counts.tokens_per_word is None else ""
    return (
        Figure(f"{counts.tokens:,}", "token" if counts.tokens == 1 else "tokens"),
        Figure(f"{counts.characters:,}", "character" if counts.characters == 1 else "characters"),
        Figure(f"{counts.bytes:,}", "byte" if counts.bytes == 1 else "bytes", unit="in UTF-8"),
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


def meaning(counts: Counts, subject: str = "") -> str:
    """What the figures beside it mean, in one sentence that does not repeat them.

    >>> meaning(Counts(14, 64, 64, 13, 64 / 14, 14 / 13), "English")
    'English is cheap here: most words are one token.'
    >>> meaning(Counts(37, 80, 80, 13, 80 / 37, 37 / 13))
    'Costly here: words are cut into nearly three tokens each.'

    `subject`: what the text is written in, "" where that is not known.
    """
    if counts.tokens == 0 or counts.bytes_per_token is None:
        return "No tokens yet: type or paste a text, or choose an example."
    named = f"{subject[:1].upper()}{subject[1:]} is " if subject else ""
    cheap, costly = (f"{named}{word} here" if named else f"{word.capitalize()} here" for word in ("cheap", "costly"))
    characters = counts.characters / counts.tokens
    if counts.tokens == 1:
        return "All of it is one token."
    if characters < 1.0:
        return f"{costly}: every character takes {about(1 / characters)} tokens."
    if characters == 1.0:
        return f"{costly}: every character is a token of its own."
    if counts.tokens_per_word is None:
        return f"A token holds {about(characters)} characters. Words cannot be counted where no spaces stand between."
    if counts.tokens_per_word <= 1.4:
        return f"{cheap}: most words are one token."
    if counts.tokens_per_word <= 2.2:
        return "Neither cheap nor costly here: some words are whole, others are cut in two or three."
    return f"{costly}: words are cut into {about(counts.tokens_per_word)} tokens each."


_NUMBERS = ("no", *["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])


def about(value: float) -> str:
    """A number as one says it.

    >>> about(2.86), about(2.0), about(3.2), about(1.5), about(41.7)
    ('nearly three', 'about two', 'a little over three', 'about one and a half', 'nearly 42')
    """
    whole, rest = divmod(value, 1)
    low, high = (_NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}" for n in (int(whole), int(whole) + 1))
    if rest < 0.05:
        return f"about {low}"
    if rest < 0.4:
        return f"a little over {low}"
    return f"about {low} and a half" if rest < 0.65 else f"nearly {high}"
