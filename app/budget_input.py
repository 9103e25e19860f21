"""What the budget page is sent: its fields as they were typed, and the link that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from flask import Request
from werkzeug.datastructures import MultiDict

from app.forms import check_text, read_form, read_query
from app.settings import Settings

TOKENS_LIMIT = 1_000_000_000
COUNT_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Field:
    """A number of the form: its name, its label, one line on what it means, and its limits."""

    name: str
    label: str
    meaning: str
    limit: int = TOKENS_LIMIT
    least: int = 0


@dataclass(frozen=True, slots=True)
class TextField:
    """A box whose text is counted in place of the number of the field `instead`."""

    name: str
    instead: str
    summary: str
    label: str
    limit_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that make one part of a budget. `language`: the name of the choice of a language for them, else ""."""

    name: str
    title: str
    fields: tuple[Field, ...]
    text: TextField | None = None
    language: str = ""


GROUPS = (
    Group(
        "window",
        "Context",
        (Field("context", "Context length", "tokens the model can attend to, prompt and answer together", least=1),),
    ),
    Group(
        "system",
        "System",
        (Field("system", "System text", "tokens of the standing instructions"),),
        TextField("system_text", "system", "Count a system text instead", "System text, counted as it stands"),
    ),
    Group(
        "tools",
        "Tools",
        (
            Field("tools", "How many", "definitions that every request carries", COUNT_LIMIT),
            Field("tool_first", "The first", "tokens, with the template's words about tools"),
            Field("tool_next", "Each further", "tokens of one more definition"),
        ),
        TextField("tool_text", "tool_first", "Count a definition instead", "One tool definition, JSON", 100_000),
    ),
    Group(
        "documents",
        "Documents",
        (
            Field("docs", "How many", "documents, or chunks of them, that the request brings", COUNT_LIMIT),
            Field("doc_size", "Size of one", "tokens, counted in English"),
        ),
        TextField("text", "doc_size", "Count a document instead", "One document; its tokens are the size of each"),
        "docs_language",
    ),
    Group(
        "history",
        "History",
        (
            Field("turns", "Turns", "messages of user and assistant that are sent again", COUNT_LIMIT),
            Field("turn_size", "Size of one", "tokens of its text, counted in English"),
            Field("framing", "Framing of one", "tokens the template puts around a turn: 5 in Qwen's format"),
        ),
        None,
        "history_language",
    ),
    Group(
        "template",
        "Template",
        (Field("template", "Other framing", "generation prompt (3 in Qwen's format), empty thinking block (4)"),),
    ),
    Group(
        "free",
        "Kept free",
        (
            Field("answer", "Answer", "tokens the model may write: max_tokens"),
            Field("margin", "Margin", "tokens left alone, for counts that are estimates"),
        ),
    ),
    Group(
        "kv",
        "KV cache",
        (
            Field("kv_layers", "Layers", "each keeps its own keys and values", 10_000, 1),
            Field("kv_heads", "KV heads", "heads with keys of their own, in each layer", 10_000, 1),
            Field("kv_dim", "Head dimension", "numbers in a key, and as many in a value", 100_000, 1),
            Field("kv_token", "Or bytes per token", "if known: then the shape above does not count", TOKENS_LIMIT, 1),
        ),
    ),
)
NUMBERS = {field.name: field for group in GROUPS for field in group.fields}
TEXTS = {group.text.name: group.text for group in GROUPS if group.text is not None}
LANGUAGES = tuple(group.language for group in GROUPS if group.language)
# Bytes of one number in the KV cache.
WIDTHS = {"": 2, "2": 2, "1": 1, "4": 4}
FIELDS = (*NUMBERS, *TEXTS, *LANGUAGES, "kv_width")


@dataclass(frozen=True, slots=True)
class BudgetForm:
    """The fields by name, as typed; one that is not there is empty.

    >>> BudgetForm("qwen3", {"context": "4,096", "answer": "768"}).to_query("qwen3")
    'context=4%2C096&answer=768'
    """

    tokenizer: str
    values: Mapping[str, str]

    @classmethod
    def from_request(cls, request: Request, default_tokenizer: str) -> tuple[Self, bool]:
        """From the query of a GET, else from the form that was posted; and whether any field of a budget was there."""
        args = read_query(request) if request.method in ("GET", "HEAD") else read_form(request)
        form = cls.from_args(args, default_tokenizer)
        return form, any(name in args for name in FIELDS)

    @classmethod
    def from_args(cls, args: MultiDict[str, str], default_tokenizer: str) -> Self:
        """From decoded name-value pairs; names of something else are passed over."""
        values = {name: _newlines(args[name]) for name in FIELDS if name in args}
        return cls(args.get("tokenizer") or default_tokenizer, values)

    def value(self, name: str) -> str:
        return self.values.get(name, "")

    def with_values(self, values: Mapping[str, str]) -> Self:
        return replace(self, values={**self.values, **values})

    def checked(self, settings: Settings) -> Self:
        """Itself, if its texts may be worked on; raises InvalidText (a lone surrogate) or TextTooLong."""
        for name in TEXTS:
            check_text(self.value(name), settings, where=name)
        return self

    def to_query(self, default_tokenizer: str) -> str:
        """The query of a link to this state; one without any number says so by an empty context."""
        pairs = {name: self.value(name) for name in FIELDS if self.value(name)} or {"context": ""}
        chosen = {} if self.tokenizer == default_tokenizer else {"tokenizer": self.tokenizer}
        return urlencode({**chosen, **pairs})

    def link_query(self, default_tokenizer: str, settings: Settings) -> tuple[str, bool]:
        """The query of a link, and whether its texts had to stay out of it."""
        query = self.to_query(default_tokenizer)
        if len(query) <= settings.link_limit_bytes:
            return query, False
        return self.with_values(dict.fromkeys(TEXTS, "")).to_query(default_tokenizer), True

    def carried_query(self, default_tokenizer: str) -> str:
        """What another page is told: the tokenizer."""
        return "" if self.tokenizer == default_tokenizer else urlencode({"tokenizer": self.tokenizer})


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
