"""A budget as JSON: whole tokens and bytes, and fractions as pairs."""

from __future__ import annotations

from typing import Any

from app.budget_request import BudgetRequest
from app.budget_samples import REFERENCE, SENTENCES
from tokcore.chat.budget import Budget, Part


def as_dict(tokenizer: str, found: BudgetRequest) -> dict[str, Any]:
    """A request without problems; `context_tokens`, what depends on it, and `kv_cache` are None where not given."""
    budget = found.budget
    return {
        "tokenizer": tokenizer,
        "context_tokens": found.context_tokens,
        "parts": [_part(part) for part in found.known],
        "used_tokens": sum(part.tokens for part in found.known),
        "for_the_input_tokens": None if budget is None else budget.room_tokens,
        "left_tokens": None if budget is None else budget.left_tokens,
        "cuts": [] if budget is None else _cuts(budget),
        "languages": [_language(found, name) for name in found.languages],
        "kv_cache": _cache(found),
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "count": part.count,
        "first_tokens": part.first_tokens,
        "each_tokens": part.each_tokens,
        "tokens": part.tokens,
        "reserved": part.reserved,
    }


def _cuts(budget: Budget) -> list[dict[str, Any]]:
    return [
        {"part": cut.part.name, "units": cut.units, "left_tokens": cut.left_tokens, "enough": cut.left_tokens >= 0}
        for cut in budget.cuts()
    ]


def _language(found: BudgetRequest, name: str) -> dict[str, Any]:
    measured, factor, documents = found.languages[name], found.factor(name), found.documents_in(name)
    tokens = None if documents is None else documents.tokens
    per_token = found.kv_bytes_per_token
    return {
        "name": name,
        "sentence": SENTENCES[name].text,
        "bytes": measured.bytes,
        "tokens": measured.tokens,
        "factor": None if factor is None else [measured.tokens, found.languages[REFERENCE].tokens],
        "documents_tokens": tokens,
        "documents_kv_bytes": None if tokens is None or per_token is None else tokens * per_token,
    }


def _cache(found: BudgetRequest) -> dict[str, Any] | None:
    if found.kv_bytes_per_token is None:
        return None
    live = sum(part.tokens for part in found.known if part.name != "margin")
    return {
        "bytes_per_token": found.kv_bytes_per_token,
        "request_tokens": live,
        "request_bytes": live * found.kv_bytes_per_token,
    }
