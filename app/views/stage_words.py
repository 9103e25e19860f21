"""What each component does, in one line for someone who meets it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

COMPONENT_WORDS: Mapping[str, str] = {
    "NFC": "Composes characters: e and a combining accent become é.",
    "NFD": "Takes characters apart: é becomes e and a combining accent.",
    "NFKC": "Composes characters and replaces look-alikes: ﬁ becomes fi.",
    "NFKD": "Takes characters apart and replaces look-alikes.",
    "Lowercase": "Writes everything in small letters.",
    "Strip": "Removes white space at the ends.",
    "StripAccents": "Removes combining accents.",
    "Replace": "Replaces one pattern by another string.",
    "Prepend": "Puts a string in front.",
    "Split": "Cuts the text with a regular expression. The model never joins across a cut.",
    "ByteLevel": "Writes each byte as one printable character: a space becomes Ġ, á becomes Ã¡.",
    "Metaspace": "Writes each space as ▁ and cuts there.",
    "Digits": "Cuts out digits.",
    "Punctuation": "Cuts out punctuation.",
    "Whitespace": "Cuts at white space and between words and punctuation.",
    "WhitespaceSplit": "Cuts at white space.",
    "BertPreTokenizer": "Cuts at white space and punctuation.",
    "BPE": "Joins neighbours in each piece by its merge rules, lowest rank first, until no rule fits.",
    "WordPiece": "Takes the longest entry that fits, again and again, from the left of each piece.",
    "Unigram": "Chooses the most probable way to cut each piece.",
    "WordLevel": "Looks each piece up whole.",
    "TemplateProcessing": "Places special tokens around the text as its template says.",
}
KIND_WORDS: Mapping[str, str] = {
    "normalizer": "Rewrites the text.",
    "pre-tokenizer": "Cuts the text into pieces.",
    "model": "Turns each piece into tokens.",
    "post-processor": "Places tokens around the text.",
}


def stage_words(component: str, kind: str) -> str:
    """The line of a component; one without a row is described by its kind.

    >>> stage_words("Whatever", "normalizer")
    'Rewrites the text.'
    """
    return COMPONENT_WORDS.get(component, KIND_WORDS.get(kind, ""))
