"""A post-processor, truncation and padding beside the reference's: everything an encoding says, and what overflows."""

from __future__ import annotations

from functools import cache
from itertools import islice
from json import dumps, loads
from typing import Any

import tokenizers

from tests.reference import added, both, byte_level_file
from tokcore import TokcoreError, Tokenizer

BERT = {"type": "BertProcessing", "sep": ["[SEP]", 258], "cls": ["[CLS]", 257]}
ROBERTA = {"type": "RobertaProcessing", "sep": ["</s>", 258], "cls": ["<s>", 257]}
FIELDS = ("ids", "tokens", "offsets", "type_ids", "word_ids", "special_tokens_mask", "attention_mask")


def roberta(trim_offsets: bool = True, add_prefix_space: bool = True) -> dict[str, Any]:
    return {**ROBERTA, "trim_offsets": trim_offsets, "add_prefix_space": add_prefix_space}


def byte_level(trim_offsets: bool = True, add_prefix_space: bool = True) -> dict[str, Any]:
    return {"type": "ByteLevel", "trim_offsets": trim_offsets, "add_prefix_space": add_prefix_space}


def text(id: str = "A", type_id: int = 0) -> dict[str, Any]:
    return {"Sequence": {"id": id, "type_id": type_id}}


def special(id: str, type_id: int = 0) -> dict[str, Any]:
    return {"SpecialToken": {"id": id, "type_id": type_id}}


def template(single: list[Any], pair: list[Any]) -> dict[str, Any]:
    tokens = {
        "[CLS]": {"id": "[CLS]", "ids": [257], "tokens": ["[CLS]"]},
        "[SEP]": {"id": "[SEP]", "ids": [258], "tokens": ["[SEP]"]},
        "three": {"id": "three", "ids": [1, 2, 300], "tokens": ["to", "French", ": "]},
        "none": {"id": "", "ids": [], "tokens": []},
    }
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": tokens}


TEMPLATE = template(
    [special("[CLS]"), text(), special("[SEP]")],
    [special("[CLS]"), text(), special("[SEP]"), text("B", 1), special("[SEP]", 1)],
)


def sequence(*processors: Any) -> dict[str, Any]:
    return {"type": "Sequence", "processors": list(processors)}


def truncation(max_length: int, strategy: str = "LongestFirst", stride: int = 0, direction: str = "Right") -> Any:
    return {"max_length": max_length, "strategy": strategy, "stride": stride, "direction": direction}


def padding(strategy: Any = "BatchLongest", direction: str = "Right", multiple: int | None = None) -> dict[str, Any]:
    return {
        "strategy": strategy,
        "direction": direction,
        "pad_to_multiple_of": multiple,
        "pad_id": 0,
        "pad_type_id": 7,
        "pad_token": "[PAD]",
    }


def load(post_processor: Any = None, **settings: Any) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """A byte-level tokenizer that keeps spaces on words, with these settings, in both libraries."""
    return _load(dumps([post_processor, settings]))


@cache
def _load(key: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    post_processor, settings = loads(key)
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    merges = ["Ġ a", "Ġ Ġ", "a b", "Ċ Ċ", "Ã ©"]
    file = byte_level_file(
        merges, added_tokens=[added("<x>", 261)], pre_tokenizer=pre_tokenizer, post_processor=post_processor
    )
    return both({**file, **settings})


def said(encoding: Any) -> dict[str, Any]:
    """What an encoding of either library says."""
    return {field: list(getattr(encoding, field)) for field in FIELDS}


def assert_same_encoding(
    tokenizer: Tokenizer,
    reference: tokenizers.Tokenizer,
    text: str,
    pair: str | None = None,
    add_special_tokens: bool = True,
) -> None:
    """Both libraries say the same, on every path, or both refuse."""
    try:
        theirs = reference.encode(text, pair, add_special_tokens=add_special_tokens)
    except BaseException as error:
        if type(error).__name__ not in ("PanicException", "Exception"):
            raise
        theirs = None
    try:
        traced = tokenizer.trace(text, pair, add_special_tokens)
        ours = tokenizer.encode(text, pair, add_special_tokens)
        ids = ours.ids if pair is not None else tokenizer.encode_ids(text, add_special_tokens)
    except TokcoreError:
        assert theirs is None
        return
    assert theirs is not None
    assert said(ours) == said(traced.encoding) == said(theirs)
    assert ids == theirs.ids
    assert tuple(ours.entries) == tuple(traced.encoding.entries) == sum(traced.token_stages[-1].sequences, ())
    assert len(ours.overflowing) == len(theirs.overflowing)
    for our_part, traced_part, their_part in islice(
        zip(ours.overflowing, traced.encoding.overflowing, theirs.overflowing, strict=True), 40
    ):
        assert said(our_part) == said(traced_part) == said(their_part)
