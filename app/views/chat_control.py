"""Findings of the chat lab, and the first of them: control tokens that somebody else than the template wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.chat_request import ChatRequest
from app.views.chat_origins import href, words
from app.views.chips import Cluster, chunk
from tokcore.chat.provenance import PromptSpan, RenderedPrompt
from tokcore.chat.safe import SafeEncoding, untrusted_matches
from tokcore.fields import escape_pointer
from tokcore.spans import Span
from tokcore.tokens import Encoding, Token

CONTROL_LIMIT = 5
AROUND = 80


@dataclass(frozen=True, slots=True)
class Link:
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class Colouring:
    """The same words as tokens in one of two ways."""

    title: str
    clusters: tuple[Cluster, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know; `level` is "warning" or "note"."""

    level: str
    rule: str
    title: str
    what: str
    links: tuple[Link, ...] = ()
    colourings: tuple[Colouring, ...] = ()


def control_tokens(
    request: ChatRequest,
    prompt: RenderedPrompt,
    encoding: Encoding,
    special_ids: Collection[int],
    safely: Callable[[], SafeEncoding | None],
) -> Iterator[Finding]:
    groups: dict[Span, tuple[PromptSpan, list[Token]]] = {}
    for token, span in untrusted_matches(encoding, trusting(request, prompt.spans)):
        if span.origin.kind == "computed" and not _is_given(token.value.strip(), span, request):
            continue
        groups.setdefault(span.span, (span, []))[1].append(token)
    safe = safely() if groups else None
    for span, tokens in list(groups.values())[:CONTROL_LIMIT]:
        index = span.origin.index
        by_model = (
            span.origin.kind == "message" and index is not None and request.messages[index].get("role") == "assistant"
        )
        names = ", ".join(f"“{name}”" for name in dict.fromkeys(token.value.strip() for token in tokens))
        whose = words(span.origin)
        count = "A control token" if len(tokens) == 1 else f"{len(tokens):,} control tokens"
        one = len(tokens) == 1
        what = f"{names} {'is' if one else 'are'} matched as text wherever typed: "
        what += (
            f"here the model wrote {'it' if one else 'them'}."
            if by_model
            else f"to the model {'it is' if one else 'they are'} no different from the template’s own."
        )
        colourings: tuple[Colouring, ...] = ()
        if safe is not None and span.origin.kind != "computed":
            first, last = tokens[0].span, tokens[-1].span
            assert first is not None and last is not None
            around = Span(max(span.span.start, first.start - AROUND), min(span.span.end, last.end + AROUND))
            split = Encoding(prompt.text, safe.tokens)
            colourings = (
                _colouring("matched", encoding, around, special_ids),
                _colouring("split", split, around, special_ids),
            )
            matched = f"{colourings[0].tokens:,} token{'' if colourings[0].tokens == 1 else 's'}"
            what += (
                f" Matched, these words are {matched}; split into plain text, as a safe encoder does with everything"
                f" that the template did not write, {colourings[1].tokens:,}."
            )
        yield Finding(
            "note" if by_model else "warning",
            "control",
            f"{count} in {whose}",
            what,
            (Link(whose, href(span.origin)),),
            colourings,
        )


def trusting(request: ChatRequest, spans: Sequence[PromptSpan]) -> tuple[PromptSpan, ...]:
    """The spans with the tokenizer's own special tokens (`bos_token`) counted as the template's words."""
    own = {f"/{name}" for name in request.special if name not in request.given}
    return tuple(
        replace(span, origin=replace(span.origin, kind="template")) if span.origin.pointer in own else span
        for span in spans
    )


def _is_given(text: str, span: PromptSpan, request: ChatRequest) -> bool:
    """Whether one of the things that a stretch was computed from holds a text."""
    given = {"messages": request.messages, "tools": request.tools or [], **request.variables}
    sources = span.origin.sources or ("/messages", "/tools")
    return any(source.startswith("/") and text in str(_at(given, source)) for source in sources)


def _at(value: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        if isinstance(value, Mapping):
            value = next((item for name, item in value.items() if escape_pointer(str(name)) == key), None)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _colouring(title: str, encoding: Encoding, around: Span, special_ids: Collection[int]) -> Colouring:
    inside = [at for at, (start, end) in enumerate(encoding.offsets) if start < around.end and end > around.start]
    if not inside:
        return Colouring(title, (), 0)
    first, count = inside[0], inside[-1] - inside[0] + 1
    return Colouring(title, chunk(encoding, first, count, special_ids).clusters, count)
