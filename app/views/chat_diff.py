"""Two prompts compared token by token: with another setting, or with the turn before, as a prefix cache sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from app.chat_input import ChatForm
from app.chat_request import ChatRequest, TemplateChoice, shown_value, typed_value
from app.chat_work import previous
from app.views.chat_origins import href, words
from app.views.visible import Run, visible_runs
from tokcore.chat.provenance import RenderedPrompt
from tokcore.chat.variables import TemplateFacts
from tokcore.tokens import Encoding

# Two middles of more tokens than this, multiplied, are shown as one change.
MATCHER_WORK = 4_000_000
EDGE = 240
CHANGED_CHARACTERS = 4_000
PARTS_LIMIT = 200
ENDING_WORDS = {
    "prompt": "begin an answer",
    "none": "end with the last message",
    "continue": "continue the last message",
}


@dataclass(frozen=True, slots=True)
class Against:
    """One thing to compare with."""

    value: str
    title: str


@dataclass(frozen=True, slots=True)
class DiffPart:
    """`kind`: "same", "here" (only in this prompt) or "there" (only in the other); `more` tokens are left out."""

    kind: str
    head: tuple[Run, ...]
    tail: tuple[Run, ...]
    tokens: int
    more: bool


@dataclass(frozen=True, slots=True)
class Writer:
    """The first token where two prompts part, and who wrote it."""

    title: str
    runs: tuple[Run, ...]
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class DiffView:
    options: tuple[Against, ...]
    chosen: str
    sentence: str = ""
    parts: tuple[DiffPart, ...] = ()
    more_parts: int = 0
    writers: tuple[Writer, ...] = ()
    problem: str = ""
    shared_share: float | None = None


def options(
    form: ChatForm, request: ChatRequest, own: TemplateChoice, facts: TemplateFacts | None
) -> tuple[Against, ...]:
    """What this prompt can be compared with. `own`: the template that the tokenizer has."""
    found = [Against("", "nothing"), Against("previous", "the previous turn")]
    templates = [("own", own.title, own.source)]
    templates.append(("chatml", "Ours: ChatML, the format of Qwen3", ""))
    for name, title, source in templates:
        if name != form.source and (name != "own" or (source != request.template.source)):
            found.append(Against(f"template.{name}", f"template: {title}"))
    if form.template.strip() and form.source != "pasted":
        found.append(Against("template.pasted", "template: pasted"))
    for name in request.template.names:
        if name != request.template.name:
            found.append(Against(f"named.{name}", f"template: {name}"))
    for variable in facts.variables if facts is not None else ():
        if variable.role != "own":
            continue
        now = shown_value(request.given[variable.name]) if variable.name in request.given else ""
        values = ["", "true", "false", *(shown_value(value) for value in variable.choices if isinstance(value, str))]
        for value in dict.fromkeys(values[:8]):
            if value != now:
                found.append(Against(f"variable.{variable.name}.{value}", f"{variable.name}: {value or 'unset'}"))
    parsed = "left as text" if request.parse_arguments else "read first"
    if any(message.get("tool_calls") for message in request.messages):
        found.append(Against("parse", f"arguments given as JSON text: {parsed}"))
    found += [
        Against(f"ending.{name}", f"ending: {title}") for name, title in ENDING_WORDS.items() if name != request.ending
    ]
    return tuple(found)


def other_request(
    value: str, form: ChatForm, request: ChatRequest, template: TemplateChoice | None
) -> ChatRequest | None:
    """The request to compare with; None where there is none. `template`: the other template, where one was chosen."""
    kind, _, rest = value.partition(".")
    match kind:
        case "previous":
            return previous(request)
        case "template" | "named" if template is not None:
            return replace(request, template=template)
        case "variable":
            name, _, typed = rest.partition(".")
            return request.with_given(name, typed_value(typed) if typed else None)
        case "parse":
            return replace(request, parse_arguments=not request.parse_arguments)
        case "ending" if rest in ENDING_WORDS:
            return replace(request, ending=rest)
    return None


def diff_view(
    offered: Sequence[Against],
    chosen: str,
    here: tuple[RenderedPrompt, Encoding],
    there: tuple[RenderedPrompt, Encoding],
) -> DiffView:
    """This prompt beside the other one."""
    (prompt, encoding), (other, other_encoding) = here, there
    ids, other_ids = encoding.ids, other_encoding.ids
    shared = _shared(ids, other_ids)
    parts = list(_parts(encoding, other_encoding, ids, other_ids, shared))
    is_previous = chosen == "previous"
    sentence = _sentence(len(ids), len(other_ids), shared, is_previous, ids == other_ids)
    writers: list[Writer] = []
    if ids != other_ids and not (is_previous and shared == len(other_ids)):
        for title, some, of in (("here", encoding, prompt), ("there", other_encoding, other)):
            if shared < len(some):
                writers.append(
                    _writer("in the previous turn" if is_previous and title == "there" else title, some, of, shared)
                )
    return DiffView(
        options=tuple(offered),
        chosen=chosen,
        sentence=sentence,
        parts=tuple(parts[:PARTS_LIMIT]),
        more_parts=max(0, len(parts) - PARTS_LIMIT),
        writers=tuple(writers),
        shared_share=100 * shared / len(other_ids) if is_previous and other_ids else None,
    )


def _shared(ids: Sequence[int], others: Sequence[int]) -> int:
    """How many tokens two prompts begin with together.

    >>> _shared([1, 2, 3], [1, 2, 4, 5])
    2
    """
    return next(
        (at for at, (one, two) in enumerate(zip(ids, others, strict=False)) if one != two), min(len(ids), len(others))
    )


def _sentence(count: int, other: int, shared: int, is_previous: bool, equal: bool) -> str:
    if is_previous:
        if shared == other:
            return (
                f"This prompt begins with all {other:,} tokens of the previous one: a prefix cache has them, and works "
                f"out {count - other:,} more."
            )
        return (
            f"This prompt shares the first {shared:,} of the {other:,} tokens of the previous one, then they part: a "
            f"prefix cache throws {other - shared:,} away and works out {count - shared:,}."
        )
    if equal:
        return f"No difference: both prompts are the same {count:,} tokens."
    change = count - other
    how = "as many tokens" if change == 0 else f"{abs(change):,} tokens {'more' if change > 0 else 'fewer'}"
    return f"{count:,} tokens here, {other:,} there: {how} here. They begin with the same {shared:,}."


def _parts(here: Encoding, there: Encoding, ids: Sequence[int], others: Sequence[int], head: int) -> Iterator[DiffPart]:
    tail = _shared(ids[head:][::-1], others[head:][::-1])
    middle, other_middle = ids[head : len(ids) - tail], others[head : len(others) - tail]
    if head:
        yield _part("same", here, 0, head)
    if len(middle) * len(other_middle) <= MATCHER_WORK:
        codes = SequenceMatcher(None, other_middle, middle, autojunk=False).get_opcodes()
    else:
        codes = [("replace", 0, len(other_middle), 0, len(middle))]
    for kind, there_from, there_to, here_from, here_to in codes:
        if kind == "equal":
            yield _part("same", here, head + here_from, head + here_to)
            continue
        if there_to > there_from:
            yield _part("there", there, head + there_from, head + there_to)
        if here_to > here_from:
            yield _part("here", here, head + here_from, head + here_to)
    if tail:
        yield _part("same", here, len(ids) - tail, len(ids))


def _part(kind: str, encoding: Encoding, first: int, stop: int) -> DiffPart:
    offsets = encoding.offsets
    text = encoding.source[offsets[first][0] : offsets[stop - 1][1]]
    edge = EDGE if kind == "same" else CHANGED_CHARACTERS // 2
    if len(text) <= 2 * edge + 40:
        return DiffPart(kind, visible_runs(text), (), stop - first, more=False)
    return DiffPart(kind, visible_runs(text[:edge]), visible_runs(text[-edge:]), stop - first, more=True)


def _writer(title: str, encoding: Encoding, prompt: RenderedPrompt, at: int) -> Writer:
    start, end = encoding.offsets[at]
    span = next((span for span in prompt.spans if span.span.end > start), prompt.spans[-1])
    return Writer(title, visible_runs(encoding.source[start:end]), words(span.origin), href(span.origin))
