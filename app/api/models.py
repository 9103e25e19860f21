"""GET /v1/models: the tokenizers of the catalogue, as models of an OpenAI-compatible server."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from app.api.body import json_response
from app.board import board
from app.catalogue import Catalogue

blueprint = Blueprint("api_models", __name__)


@blueprint.get("/v1/models")
def models() -> Response:
    """Every tokenizer that can be used. Loads none."""
    catalogue = board().catalogue
    names = [info.name for info in catalogue.listing() if info.available]
    return json_response({"object": "list", "data": [model(catalogue, name) for name in names]})


@blueprint.get("/v1/models/<path:name>")
def one_model(name: str) -> Response:
    """One of them, by name or by the SHA-256 of its file."""
    catalogue = board().catalogue
    return json_response(model(catalogue, catalogue.entry(name).name))


def model(catalogue: Catalogue, name: str) -> dict[str, Any]:
    """A tokenizer as OpenAI describes a model; `created` is when its file was last changed."""
    source = catalogue.entry(name).source()
    created = 0 if source is None else int(source.stat().st_mtime)
    return {"id": name, "object": "model", "created": created, "owned_by": "tokboard"}
