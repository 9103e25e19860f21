"""GET /healthz: whether this process answers."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Touches no tokenizer: a probe must neither wait for one nor fail with one."""
    return jsonify(status="ok")
