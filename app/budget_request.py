"""A budget form as numbers: what cannot be used is left out, and said beside its field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.budget_input import LANGUAGES, NUMBERS, TEXTS, WIDTHS, BudgetForm, Field
from app.budget_samples import REFERENCE, SENTENCES
from app.errors import InvalidField, Problem, TextTooLong
from app.forms import check_text, shorten
from app.settings import Settings
from app.stream_request import Reader
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.budget import Budget, KvShape, Measured, Part, scaled
from tokcore.deltas.sse import parse_json
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer

# Thousands may stand apart: by a comma, an underscore, a blank of any width.
_NUMBER = re.compile(r"\d+|\d{1,3}(?:[,_ \u00a0\u2009\u202f]\d{3})+", re.ASCII)
_BELOW_ZERO = re.compile(r"[-\u2212]\s*[\d.,]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class BudgetRequest:
    """The numbers of a form.

    `context_tokens` and each part are None where unknown; `parts` in the order of the prompt. `counted`: tokens of a
    text, by its field (of a definition: as the first tool). `languages` by name, empty without a tokenizer.
    `document_tokens`: one document, as in English.
    """

    context_tokens: int | None
    parts: Mapping[str, Part | None]
    counted: Mapping[str, int]
    tool_next_tokens: int | None
    languages: Mapping[str, Measured]
    numbers: Mapping[str, int]
    document_tokens: int | None
    docs_language: str
    history_language: str
    kv_bytes_per_token: int | None
    problems: Mapping[str, Problem]

    @property
    def known(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts.values() if part is not None)

    @property
    def unknown(self) -> tuple[str, ...]:
        return tuple(name for name, part in self.parts.items() if part is None)

    @property
    def budget(self) -> Budget | None:
        """Of what is known; None without a context length."""
        return None if self.context_tokens is None else Budget(self.context_tokens, self.known)

    def factor(self, language: str) -> Fraction | None:
        """How many times the tokens of English; None where it cannot be measured."""
        return _factor(self.languages, language)

    def documents_in(self, language: str) -> Part | None:
        """The documents, were they in another language."""
        return _things("documents", self.numbers.get("docs"), self.document_tokens, self.factor(language))


def measured(tokenizer: Tokenizer) -> dict[str, Measured]:
    """The known sentences, as this tokenizer counts them; one that it drops whole is left out."""
    found = {name: (sentence, _count(tokenizer, sentence.text)) for name, sentence in SENTENCES.items()}
    return {
        name: Measured(sentence.title, len(sentence.text.encode()), tokens)
        for name, (sentence, tokens) in found.items()
        if tokens
    }


def read(form: BudgetForm, tokenizer: Tokenizer | TokcoreError, settings: Settings) -> BudgetRequest:
    """What a form says; a tokenizer that is not to be had comes as its error, and only what needs it is unknown."""
    reader = Reader()
    languages: dict[str, Measured] = {}
    if isinstance(tokenizer, TokcoreError):
        reader.refuse(tokenizer)
    else:
        languages = measured(tokenizer)
    numbers = {name: found for name in NUMBERS if (found := _number(reader, form, NUMBERS[name])) is not None}
    texts = {name: _count_text(reader, form, name, tokenizer, settings) for name in TEXTS if form.value(name)}
    first, further = numbers.get("tool_first"), numbers.get("tool_next")
    if "tool_text" in texts:
        known = None if texts["tool_text"] is None else _tool_cost(reader, form.value("tool_text"), tokenizer)
        first, further = known or (None, None)
        texts["tool_text"] = first
    docs_language, history_language = (_language(reader, form, name) for name in LANGUAGES)
    document = texts["text"] if "text" in texts else numbers.get("doc_size")
    history_factor = _factor(languages, history_language)
    parts = (
        ("system", _tokens("system", texts["system_text"] if "system_text" in texts else numbers.get("system"))),
        ("tools", _tools(numbers.get("tools"), first, further)),
        ("documents", _things("documents", numbers.get("docs"), document, _factor(languages, docs_language))),
        (
            "history",
            _things("history", numbers.get("turns"), numbers.get("turn_size"), history_factor, numbers.get("framing")),
        ),
        ("template", _tokens("template", numbers.get("template"))),
        ("answer", _tokens("answer", numbers.get("answer"), reserved=True)),
        ("margin", _tokens("margin", numbers.get("margin"), reserved=True)),
    )
    return BudgetRequest(
        context_tokens=numbers.get("context") or None,
        parts=dict(parts),
        counted={name: tokens for name, tokens in texts.items() if tokens is not None},
        tool_next_tokens=further,
        languages=languages,
        numbers=numbers,
        document_tokens=document,
        docs_language=docs_language or REFERENCE,
        history_language=history_language or REFERENCE,
        kv_bytes_per_token=_kv_bytes(reader, form, numbers),
        problems=reader.problems,
    )


def _factor(languages: Mapping[str, Measured], language: str | None) -> Fraction | None:
    """How many times the tokens of English; None where it cannot be measured."""
    if language == REFERENCE:
        return Fraction(1)
    if language is None or language not in languages or REFERENCE not in languages:
        return None
    return languages[language].factor(languages[REFERENCE])


def _tokens(name: str, tokens: int | None, reserved: bool = False) -> Part | None:
    return None if tokens is None else Part.of_tokens(name, tokens, reserved)


def _tools(count: int | None, first: int | None, further: int | None) -> Part | None:
    return None if count is None or first is None or further is None else Part("tools", count, first, further)


def _things(
    name: str, count: int | None, size: int | None, factor: Fraction | None, framing: int | None = 0
) -> Part | None:
    if count is None or size is None or factor is None or framing is None:
        return None
    each = scaled(size, factor) + framing
    return Part(name, count, each, each)


def _number(reader: Reader, form: BudgetForm, field: Field) -> int | None:
    """The number of a field, 0 where it is empty, None where it is refused."""
    typed = form.value(field.name).strip()
    if typed == "":
        return 0
    found = shorten(typed)
    if _NUMBER.fullmatch(typed):
        digits = re.sub(r"\D", "", typed).lstrip("0") or "0"
        value = int(digits) if len(digits) <= 12 else None
        if value is not None and field.least <= value <= field.limit:
            return value
        what = f"{found} is above the limit" if value is None or value > field.limit else f"{found} is too small"
    elif _BELOW_ZERO.fullmatch(typed):
        what = f"{found} is below zero"
    else:
        what = f"{found!r} is not a whole number"
    remedy = f"give a whole number from {field.least:,} to {field.limit:,}, or nothing"
    reader.refuse(InvalidField(where=field.name, what=what, remedy=remedy))
    return None


def _language(reader: Reader, form: BudgetForm, name: str) -> str | None:
    chosen = form.value(name) or REFERENCE
    if chosen in SENTENCES:
        return chosen
    known = ", ".join(SENTENCES)
    reader.refuse(InvalidField(where=name, what=f"found {shorten(chosen)!r}", remedy=f"choose one of {known}"))
    return None


def _kv_bytes(reader: Reader, form: BudgetForm, numbers: Mapping[str, int]) -> int | None:
    """Bytes per token, None where nothing or too little is given."""
    width = WIDTHS.get(form.value("kv_width"))
    if width is None:
        what = f"found {shorten(form.value('kv_width'))!r}"
        reader.refuse(InvalidField(where="kv_width", what=what, remedy="choose 1, 2 or 4 bytes"))
    if "kv_token" not in numbers:
        return None
    if numbers["kv_token"]:
        return numbers["kv_token"]
    names = ("kv_layers", "kv_heads", "kv_dim")
    shape = [numbers.get(name) for name in names]
    if any(shape):
        for name, value in zip(names, shape, strict=True):
            if value == 0:
                what, remedy = "nothing is given, and the other two are", "give all three, or none"
                reader.refuse(InvalidField(where=name, what=what, remedy=remedy))
    layers, heads, dimension = shape
    if not (layers and heads and dimension and width):
        return None
    return KvShape(layers, heads, dimension, width).bytes_per_token


def _count(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.text_ids(text))


def _count_text(
    reader: Reader, form: BudgetForm, name: str, tokenizer: Tokenizer | TokcoreError, settings: Settings
) -> int | None:
    try:
        check_text(form.value(name), settings, where=name)
    except TokcoreError as error:
        reader.refuse(error)
        return None
    return None if isinstance(tokenizer, TokcoreError) else _count(tokenizer, form.value(name))


def _tool_cost(reader: Reader, text: str, tokenizer: Tokenizer | TokcoreError) -> tuple[int, int] | None:
    """What our ChatML template adds for the first tool of a definition and for one more: prompts with and without."""
    limit = TEXTS["tool_text"].limit_bytes
    if isinstance(tokenizer, TokcoreError):
        return None
    if limit is not None and len(text.encode()) > limit:
        what, remedy = f"{len(text.encode()):,} bytes; the limit is {limit:,}", "give one definition"
        reader.refuse(TextTooLong(where="tool_text", what=what, remedy=remedy))
        return None
    value, wrong, _ = parse_json(text)
    tool = value[0] if isinstance(value, list) and len(value) == 1 else value
    if wrong or not isinstance(tool, dict):
        what = f"this is not JSON: {wrong}" if wrong else "this is not one JSON object"
        if isinstance(value, list):
            what = f"this is a list of {len(value):,}"
        remedy = "give one definition, as in a request's tools, and how many of its size there are in the field above"
        reader.refuse(InvalidField(where="tool_text", what=what, remedy=remedy))
        return None
    try:
        none, one, two = (
            _count(tokenizer, render_chat(CHATML_TEMPLATE, [{"role": "user", "content": "x"}], tools))
            for tools in (None, [tool], [tool, tool])
        )
    except (TokcoreError, RecursionError) as error:
        what = error.what if isinstance(error, TokcoreError) else "it is too deep"
        reader.refuse(InvalidField(where="tool_text", what=what, remedy="give a definition that a template can write"))
        return None
    return one - none, two - one
