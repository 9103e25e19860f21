"""POST /api/v1/decode: the text of ids."""

from __future__ import annotations

from flask import Blueprint, Response

from app.api.body import json_response, optional_boolean, optional_string, read_object
from app.board import board
from app.errors import InvalidField, TextTooLong
from tokcore.errors import UnknownId
from tokcore.fields import Fields, wrong_kind
from tokcore.pipeline import Tokenizer

blueprint = Blueprint("api_decode", __name__)


@blueprint.post("/api/v1/decode")
def decode() -> Response:
    """{tokenizer?, ids, skip_special_tokens?} → the text, and each id's token and bytes."""
    body = read_object("tokenizer", "ids", "skip_special_tokens")
    shared = board()
    name = optional_string(body, "tokenizer", shared.catalogue.default)
    ids = read_ids(body, shared.settings.ids_limit)
    skip = optional_boolean(body, "skip_special_tokens", True)
    tokenizer = shared.catalogue.tokenizer(name)
    tokens = known_tokens(tokenizer, ids)
    raw = {id: tokenizer.token_bytes(id) for id in set(ids)}
    check_size(sum(len(raw[id]) for id in ids), shared.settings.text_limit_bytes)
    text = tokenizer.decode(ids, skip_special_tokens=skip)
    shown = {id: data.hex() for id, data in raw.items()}
    answer = {"text": text, "tokens": tokens, "bytes": [shown[id] for id in ids]}
    return json_response({"tokenizer": shared.catalogue.entry(name).name, **answer})


def read_ids(body: Fields, limit: int) -> list[int]:
    """The list `ids`; each item a whole number (a boolean is none)."""
    ids = body.required("ids")
    if not isinstance(ids, list):
        raise wrong_kind(ids, "/ids", "a list of whole numbers")
    if len(ids) > limit:
        raise TextTooLong(where="/ids", what=f"{len(ids):,} ids; the limit is {limit:,}", remedy="send them in parts")
    for index, id in enumerate(ids):
        if type(id) is not int:
            raise wrong_kind(id, f"/ids/{index}", "a whole number")
        if id < 0:
            raise InvalidField(where=f"/ids/{index}", what=f"id {id} is below 0", remedy="ids start at 0")
    return ids


def check_size(count_bytes: int, limit_bytes: int) -> None:
    """Refuse ids whose text would be longer than a text may be: one id can stand for a hundred characters."""
    if count_bytes > limit_bytes:
        raise TextTooLong(
            where="/ids",
            what=f"these ids stand for {count_bytes:,} bytes; the limit is {limit_bytes:,}",
            remedy="send them in parts",
        )


def known_tokens(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    """The stored token of each id; an id without one is refused with its place."""
    stored = {id: tokenizer.id_to_token(id) for id in set(ids)}
    tokens: list[str] = []
    for index, id in enumerate(ids):
        token = stored[id]
        if token is None:
            raise UnknownId(
                where=f"/ids/{index}", what=f"id {id} has no token", remedy=f"use ids below {tokenizer.id_limit}"
            )
        tokens.append(token)
    return tokens
