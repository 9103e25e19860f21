"""What the same documents take in other languages, and what the KV cache takes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from app.budget_request import BudgetRequest
from app.budget_samples import REFERENCE, SENTENCES
from app.views.budget_words import gigabytes, number
from tokcore.chat.budget import Budget, about

# Of an exact figure, and of what is only as good as one sentence.
DIGITS = 3
CACHE_ESTIMATE_DIGITS = 2


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """The documents of a request in one language. `fits` is None where there is nothing to say."""

    title: str
    code: str
    sentence: str
    chosen: bool
    measured: str
    bytes_per_token: str
    factor: str
    how: str
    tokens: str
    fits: bool | None
    left: str
    cache: str


@dataclass(frozen=True, slots=True)
class Cache:
    """What the KV cache takes."""

    per_token: str
    how: str
    request: str
    request_exact: str
    context: str


def documents_given(found: BudgetRequest) -> bool:
    return bool(found.numbers.get("docs") and found.document_tokens)


def languages(found: BudgetRequest) -> Iterator[LanguageRow]:
    """One row a language; none without a tokenizer."""
    if REFERENCE not in found.languages:
        return
    english = found.languages[REFERENCE]
    for name, measured in found.languages.items():
        factor = found.factor(name)
        assert factor is not None
        estimate = name != REFERENCE
        times = f" × {measured.tokens} ÷ {english.tokens}" if estimate else ""
        how, tokens, fits, left, kv = "", "", None, "", ""
        if documents_given(found):
            count, size = found.numbers["docs"], found.document_tokens or 0
            exact = count * size * factor
            how = (f"{number(count)} × " if count > 1 else "") + number(size) + times if count > 1 or estimate else ""
            tokens = approximate(exact, estimate)
            fits, left = _request_in(found, name, estimate)
            if found.kv_bytes_per_token is not None:
                digits = CACHE_ESTIMATE_DIGITS if estimate else DIGITS
                kv = gigabytes(exact * found.kv_bytes_per_token, digits)
        yield LanguageRow(
            title=measured.name,
            code=SENTENCES[name].code,
            sentence=SENTENCES[name].text,
            chosen=name == found.docs_language,
            measured=f"{number(measured.bytes)} bytes in {number(measured.tokens)} tokens",
            bytes_per_token=f"{float(measured.bytes_per_token):.2f}",
            factor=f"{float(factor):.2f}",
            how=how,
            tokens=tokens,
            fits=fits,
            left=left,
            cache=kv,
        )


def approximate(tokens: Fraction, estimate: bool) -> str:
    """Exact in English, to three digits in another language."""
    return f"≈ {number(about(tokens, DIGITS))}" if estimate else number(int(tokens))


def _request_in(found: BudgetRequest, language: str, estimate: bool) -> tuple[bool | None, str]:
    """Whether the whole request fits with its documents in a language, and what is left or missing."""
    documents = found.documents_in(language)
    if found.context_tokens is None or documents is None or set(found.unknown) - {"documents"}:
        return None, ""
    others = tuple(part for part in found.known if part.name != "documents")
    budget = Budget(found.context_tokens, (*others, documents))
    return not budget.over_tokens, approximate(Fraction(abs(budget.left_tokens)), estimate)


def cache(found: BudgetRequest, used: int) -> Cache | None:
    """Of the request as it is: the margin is never written. None where a token's bytes are not given."""
    per_token = found.kv_bytes_per_token
    if per_token is None:
        return None
    margin = found.parts["margin"]
    live = used - (margin.tokens if margin is not None else 0)
    shape = "" if found.numbers["kv_token"] else _shape(found)
    context = found.context_tokens
    return Cache(
        per_token=number(per_token),
        how=shape,
        request=gigabytes(live * per_token, DIGITS),
        request_exact=f"{number(live)} tokens × {number(per_token)} bytes",
        context="" if context is None else gigabytes(context * per_token, DIGITS),
    )


def _shape(found: BudgetRequest) -> str:
    layers, heads, dimension = (found.numbers[name] for name in ("kv_layers", "kv_heads", "kv_dim"))
    width = (found.kv_bytes_per_token or 0) // (2 * layers * heads * dimension)
    return f"2 × {number(layers)} layers × {number(heads)} KV heads × {number(dimension)} × {width} bytes"
