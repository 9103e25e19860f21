"""The JSON API: one module an address. docs/api.md describes it."""

from __future__ import annotations

from flask import Blueprint

from app.api import decode, health, tokenize, tokenizers

BLUEPRINTS: tuple[Blueprint, ...] = (tokenizers.blueprint, tokenize.blueprint, decode.blueprint, health.blueprint)
