"""`vocab.txt`: a WordPiece vocabulary, one token a line, as BERT has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokcore import models
from tokcore.added_tokens import WHITE_SPACE, AddedToken
from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.formats.merges_files import named_tokens
from tokcore.formats.parts import Parts, around

LONGEST_WORD = 100
ROLES = {f"{role.lower()}_token": f"[{role}]" for role in ("UNK", "SEP", "PAD", "CLS", "MASK")}
ENDS = "".join(sorted(WHITE_SPACE))


def from_vocab_txt(data: bytes, settings: Mapping[str, Any] | None = None) -> Parts:
    r"""The parts of a vocab.txt.

    >>> tokenizer = from_vocab_txt(b"[UNK]\n[CLS]\n[SEP]\nhello\n##s\n").tokenizer()
    >>> tokenizer.encode("Hellos").tokens
    ['[CLS]', 'hello', '##s', '[SEP]']

    `settings`: the content of tokenizer_config.json: do_lower_case (default true), strip_accents (default: as
    do_lower_case), tokenize_chinese_chars (default true) and the special tokens.
    """
    return wordpiece_parts(read_vocab_txt(data), settings or {})


def read_vocab_txt(data: bytes) -> dict[str, int]:
    r"""Token → number of its line, counted from 0; of two equal lines the later one counts.

    >>> read_vocab_txt(b"a\nb\n")
    {'a': 0, 'b': 1}
    """
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        where = f"vocab.txt: byte {error.start}"
        raise MalformedFile(where=where, what="not UTF-8 text", remedy="save the file as UTF-8") from None
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise MalformedFile(where="vocab.txt", what="found no token", remedy="each line is one token")
    # The reference cuts white space off a line's end.
    return {line.rstrip(ENDS): number for number, line in enumerate(lines)}


def wordpiece_parts(vocab: Mapping[str, int], settings: Mapping[str, Any]) -> Parts:
    """The parts of a WordPiece vocabulary with BERT's other components."""
    roles = {**ROLES, **named_tokens(settings)}
    fields = Fields(settings, "tokenizer_config.json")
    accents = settings.get("strip_accents")
    description = {
        "type": "WordPiece",
        "unk_token": roles["unk_token"],
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": LONGEST_WORD,
        "vocab": dict(vocab),
    }
    ends = [[(roles[role], vocab[roles[role]])] for role in ("cls_token", "sep_token") if roles[role] in vocab]
    components = {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": fields.boolean("tokenize_chinese_chars", default=True),
            "strip_accents": None if accents is None else fields.boolean("strip_accents"),
            "lowercase": fields.boolean("do_lower_case", default=True),
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": around(ends[0], ends[1], before_pair=False) if len(ends) == 2 else None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    }
    present = {token for token in roles.values() if token in vocab}
    added = tuple(AddedToken(vocab[token], token, special=True) for token in sorted(present, key=vocab.__getitem__))
    return Parts(components, models.build(description), added, roles)
