"""POST /api/v1/tokenize: a text's tokens, with their places and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response

from app.api.body import json_response, optional_boolean, optional_string, read_object
from app.board import board
from app.counts import Counts
from app.forms import check_text
from app.offsets import utf8_spans
from tokcore.pipeline import Tokenizer
from tokcore.tokens import Encoding

blueprint = Blueprint("api_tokenize", __name__)


@blueprint.post("/api/v1/tokenize")
def tokenize() -> Response:
    """{tokenizer?, text, add_special_tokens?, split_special_tokens?} → ids, tokens, offsets and more."""
    body = read_object("tokenizer", "text", "add_special_tokens", "split_special_tokens")
    shared = board()
    name = optional_string(body, "tokenizer", shared.catalogue.default)
    text = body.string("text")
    check_text(text, shared.settings, where="/text")
    add = optional_boolean(body, "add_special_tokens", True)
    split = optional_boolean(body, "split_special_tokens", False)
    tokenizer = shared.catalogue.tokenizer(name)
    encoding = tokenizer.encode(text, add_special_tokens=add, split_special_tokens=split)
    return json_response({"tokenizer": shared.catalogue.entry(name).name, **tokens_json(tokenizer, encoding)})


def tokens_json(tokenizer: Tokenizer, encoding: Encoding) -> Mapping[str, Any]:
    """An encoding as lists of equal length, one item per token, and its counts.

    `offsets` are the reference library's: code points, (0, 0) for a token without source text; `byte_offsets` count
    UTF-8 bytes of the source and are null there. `special` is 1 for a token that the post-processor placed, and for one
    that `skip_special_tokens` leaves out of a decoded text.
    """
    ids, offsets = encoding.ids, encoding.offsets
    # A megabyte has few different tokens: what depends on the id alone is worked out once for each.
    raw = {id: tokenizer.token_bytes(id).hex() for id in set(ids)}
    skipped = special_ids(tokenizer)
    placed = encoding.special_tokens_mask
    return {
        "ids": ids,
        "tokens": encoding.tokens,
        "offsets": offsets,
        "byte_offsets": utf8_spans(encoding.source, [span if span != (0, 0) else None for span in offsets]),
        "bytes": [raw[id] for id in ids],
        "special": [int(mark or id in skipped) for id, mark in zip(ids, placed, strict=True)],
        "counts": asdict(Counts.of(encoding.source, len(encoding))),
    }


def special_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """The ids of the added tokens that the file calls special."""
    return frozenset(id for id, token in tokenizer.added_tokens.items() if token.special)
