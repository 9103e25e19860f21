"""GET /api/v1/tokenizers: what there is to choose from."""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, Response

from app.api.body import json_response
from app.board import board

blueprint = Blueprint("api_tokenizers", __name__)


@blueprint.get("/api/v1/tokenizers")
def tokenizers() -> Response:
    """Every entry of the catalogue, the absent ones with their remedy. Loads none."""
    catalogue = board().catalogue
    return json_response({"default": catalogue.default, "tokenizers": [asdict(info) for info in catalogue.listing()]})
