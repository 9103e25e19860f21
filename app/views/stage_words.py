"""What each component does, in one line for someone who meets it for the first time."""

from __future__ import annotations

from collections.abc import Mapping

# kind → name in the file → words. One name may be several components: ByteLevel is four.
COMPONENT_WORDS: Mapping[str, Mapping[str, str]] = {
    "normalizer": {
        "BertNormalizer": "Tidies the text for BERT: control characters go, Chinese characters get spaces around "
        "them; if the file asks for it, accents go and letters become small.",
        "ByteLevel": "Writes each byte as one printable character: a space becomes Ġ, á becomes Ã¡.",
        "Lowercase": "Writes everything in small letters.",
        "NFC": "Composes characters: e and a combining accent become é.",
        "NFD": "Takes characters apart: é becomes e and a combining accent.",
        "NFKC": "Composes characters and replaces look-alikes: ﬁ becomes fi.",
        "NFKD": "Takes characters apart and replaces look-alikes: ﬁ becomes fi, é becomes e and a combining accent.",
        "Nmt": "Removes control characters and writes every kind of white space as a plain space.",
        "Precompiled": "Replaces characters by a table in the file, in the main NFKC: ﬁ becomes fi.",
        "Prepend": "Puts a string in front.",
        "Replace": "Replaces one pattern by another string.",
        "Strip": "Removes white space at the ends.",
        "StripAccents": "Removes combining accents. é keeps its accent unless it was taken apart before.",
    },
    "pre-tokenizer": {
        "BertPreTokenizer": "Cuts at white space, which goes, and around each punctuation mark.",
        "ByteLevel": "Writes each byte as one printable character: a space becomes Ġ, á becomes Ã¡.",
        "CharDelimiterSplit": "Cuts at one given character, which goes.",
        "Digits": "Cuts numbers out of the text, each whole or digit by digit.",
        "FixedLength": "Cuts after every so many characters.",
        "Metaspace": "Writes each space as ▁ and cuts there.",
        "Punctuation": "Cuts out punctuation marks.",
        "Split": "Cuts the text with a regular expression. The model never joins across a cut.",
        "UnicodeScripts": "Cuts where the writing system changes: between Latin and Greek, for example.",
        "Whitespace": "Cuts at white space, which goes, and between words and punctuation.",
        "WhitespaceSplit": "Cuts at white space, which goes.",
    },
    "model": {
        "BPE": "Joins neighbours in each piece by its merge rules, lowest rank first, until no rule fits.",
        "Unigram": "Chooses the most probable way to cut each piece.",
        "WordLevel": "Looks each piece up whole.",
        "WordPiece": "Takes the longest entry that fits, again and again, from the left of each piece. "
        "## marks an entry that continues a word.",
    },
    "post-processor": {
        "BertProcessing": "Places one token before the text and one behind it, as BERT was trained.",
        "ByteLevel": "Adds nothing. If the file asks for it, the space before a word no longer counts as part of "
        "where its token stands in the text; the ids stay.",
        "RobertaProcessing": "Places one token before the text and one behind it, as RoBERTa was trained.",
        "TemplateProcessing": "Places special tokens around the text as its template says.",
    },
    "decoder": {
        "BPEDecoder": "Writes the mark for the end of a word as a space.",
        "ByteFallback": "Puts tokens such as <0xE2> together as the bytes of a character.",
        "ByteLevel": "Turns the printable characters back into the bytes they stand for.",
        "CTC": "Takes repeated tokens as one and removes the blank between them, as for speech.",
        "Fuse": "Joins everything into one string.",
        "Metaspace": "Writes each ▁ as a space.",
        "Replace": "Replaces one pattern by another string.",
        "Strip": "Removes a given character at the ends of each token.",
        "WordPiece": "Joins tokens that begin with ## to the word before.",
    },
    "truncation": {
        "LongestFirst": "Cuts a text that is too long; of two, the longer one first.",
        "OnlyFirst": "Cuts a text that is too long; of two, only the first.",
        "OnlySecond": "Cuts only the second of two texts.",
    },
    "padding": {
        "BatchLongest": "Fills up shorter texts, so that all of a batch are as long as the longest.",
        "Fixed": "Fills a shorter text up to a fixed number of tokens.",
    },
}
KIND_WORDS: Mapping[str, str] = {
    "normalizer": "Rewrites the text.",
    "pre-tokenizer": "Cuts the text into pieces.",
    "model": "Turns each piece into tokens.",
    "truncation": "Cuts off what is above a number of tokens.",
    "post-processor": "Places tokens around the text.",
    "padding": "Fills up to a number of tokens.",
    "decoder": "Turns tokens back into text.",
}


def stage_words(component: str, kind: str) -> str:
    """The line of a component; one without a row is described by its kind.

    >>> stage_words("Whatever", "normalizer")
    'Rewrites the text.'
    """
    return COMPONENT_WORDS.get(kind, {}).get(component, KIND_WORDS.get(kind, ""))
