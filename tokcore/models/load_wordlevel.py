"""Reading the WordLevel model of a tokenizer.json."""

from __future__ import annotations

from tokcore.fields import Fields
from tokcore.models.load_vocab import read_vocab, strings_by_id
from tokcore.models.wordlevel import WordLevel


def build_wordlevel(fields: Fields) -> WordLevel:
    """{"type": "WordLevel", "vocab": {string: id}, "unk_token": string}; both keys must be there.

    >>> build_wordlevel(Fields({"vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}, "/model")).tokenize("a")[0].id
    0

    An unk_token outside the vocabulary is no error until a text needs it.
    """
    unk_token = fields.string("unk_token")
    vocab = read_vocab(fields)
    return WordLevel(vocab, strings_by_id(vocab, fields.at("vocab")), unk_token)
