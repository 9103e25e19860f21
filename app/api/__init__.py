"""The JSON API: one module an address. docs/api.md describes it, docs/replay-endpoint.md what lies under /v1/."""

from __future__ import annotations

from flask import Blueprint

from app.api import chat_completions, decode, health, models, tokenize, tokenizers

BLUEPRINTS: tuple[Blueprint, ...] = (
    tokenizers.blueprint,
    tokenize.blueprint,
    decode.blueprint,
    health.blueprint,
    models.blueprint,
    chat_completions.blueprint,
)
