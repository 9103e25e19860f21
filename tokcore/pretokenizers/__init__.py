"""Pre-tokenizers by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

from tokcore.fields import Fields
from tokcore.pretokenizers.bert import build_bert
from tokcore.pretokenizers.byte_level import build_byte_level
from tokcore.pretokenizers.char_delimiter import build_char_delimiter_split
from tokcore.pretokenizers.digits import build_digits
from tokcore.pretokenizers.fixed_length import build_fixed_length
from tokcore.pretokenizers.metaspace import build_metaspace
from tokcore.pretokenizers.punctuation import build_punctuation
from tokcore.pretokenizers.split import build_split
from tokcore.pretokenizers.unicode_scripts import build_unicode_scripts
from tokcore.pretokenizers.whitespace import build_whitespace
from tokcore.pretokenizers.whitespace_split import build_whitespace_split
from tokcore.protocols import PreTokenizer, Step
from tokcore.steps import build_steps

TABLE: dict[str, Callable[[Fields], PreTokenizer]] = {
    "BertPreTokenizer": build_bert,
    "ByteLevel": build_byte_level,
    "CharDelimiterSplit": build_char_delimiter_split,
    "Digits": build_digits,
    "FixedLength": build_fixed_length,
    "Metaspace": build_metaspace,
    "Punctuation": build_punctuation,
    "Split": build_split,
    "UnicodeScripts": build_unicode_scripts,
    "Whitespace": build_whitespace,
    "WhitespaceSplit": build_whitespace_split,
}


def build(value: object, pointer: str = "/pre_tokenizer") -> tuple[Step[PreTokenizer], ...]:
    """The pre-tokenizer steps of a file, in order.

    >>> config = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    >>> [step.name for step in build(config)]
    ['ByteLevel']
    """
    return build_steps("pre-tokenizer", "pretokenizers", TABLE, value, pointer)
