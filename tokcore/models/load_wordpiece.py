"""Reading the WordPiece model of a tokenizer.json."""

from __future__ import annotations

from tokcore.fields import Fields, wrong_kind
from tokcore.models.load_vocab import read_vocab, strings_by_id
from tokcore.models.wordpiece import WordPiece


def build_wordpiece(fields: Fields) -> WordPiece:
    """{"type": "WordPiece", "vocab": {string: id}, "unk_token": string, "continuing_subword_prefix": string, …}.

    >>> file = {"vocab": {"a": 0}, "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    >>> build_wordpiece(Fields(file, "/model"))
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: /model: key 'max_input_chars_per_word' is missing (add 'max_input_chars_per_word' to
    this object)

    All keys must be there; an unk_token outside the vocabulary is no error until a text needs it.
    """
    vocab = read_vocab(fields)
    limit = fields.required("max_input_chars_per_word")
    # 64 bits as in the reference; such a limit is in use for "no limit".
    if not isinstance(limit, int) or isinstance(limit, bool) or not 0 <= limit < 2**64:
        raise wrong_kind(limit, fields.at("max_input_chars_per_word"), "a whole number, not negative, of 64 bits")
    return WordPiece(
        vocab=vocab,
        strings=strings_by_id(vocab, fields.at("vocab")),
        unk_token=fields.string("unk_token"),
        continuing_subword_prefix=fields.string("continuing_subword_prefix"),
        max_input_chars_per_word=limit,
        longest=max(map(len, vocab), default=0),
    )
