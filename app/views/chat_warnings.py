"""What to know about a prompt before it is sent: warnings, and notes that are no cause for alarm."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from app.chat_jobs import Rendered
from app.chat_request import ChatRequest
from app.views.chat_control import Finding, Link, control_tokens
from app.views.chat_origins import field_words, href, tool_name, words
from tokcore.chat.provenance import PromptSpan, RenderedPrompt
from tokcore.chat.safe import SafeEncoding
from tokcore.tokens import Encoding, Origin

CONTROL_LIMIT = 5
UNREACHED_LIMIT = 8
AROUND = 80
BEGINNING = 2_000
# Fields that say what a message is and are compared, not written: that they leave nothing of their own is no news.
SILENT = ("role", "type", "id", "tool_call_id", "index", "strict")


def findings(
    request: ChatRequest,
    rendered: Rendered,
    encoding: Encoding | None,
    *,
    special_ids: Collection[int],
    safely: Callable[[], SafeEncoding | None],
    beginning: Callable[[str], Encoding],
) -> tuple[Finding, ...]:
    """Warnings first. `safely` gives the safe encoding, None where the prompt is too long for it; `beginning` encodes a
    text with the tokens that the tokenizer adds."""
    found: list[Finding] = []
    if rendered.prompt is not None and encoding is not None:
        found += control_tokens(request, rendered.prompt, encoding, special_ids, safely)
        found += _double_start(rendered.prompt, beginning)
        found += _ending(request, rendered.prompt)
        found += _unreached(request, rendered)
        found += _arguments(request, rendered)
    found += _variables(request, rendered)
    found += _features(rendered)
    return tuple(sorted(found, key=lambda finding: finding.level != "warning"))


def _double_start(prompt: RenderedPrompt, beginning: Callable[[str], Encoding]) -> Iterator[Finding]:
    entries = beginning(prompt.text[:BEGINNING]).entries
    placed = []
    for token in entries:
        if token.origin is not Origin.TEMPLATE:
            break
        placed.append(token.id)
    behind = [token.id for token in entries[len(placed) : 2 * len(placed)]]
    if placed and behind == placed:
        name = entries[0].value
        yield Finding(
            "warning",
            "double-start",
            f"Two {name} at the start",
            "The template writes it, and the tokenizer adds another where the prompt is encoded with special tokens. "
            "Encode a rendered prompt with add_special_tokens=False, as this page does.",
            _lines_of(prompt, 0),
        )


def _lines_of(prompt: RenderedPrompt, at: int) -> tuple[Link, ...]:
    span = next((span for span in prompt.spans if span.span.end > at), None)
    return () if span is None else (Link(words(span.origin), href(span.origin)),)


def _ending(request: ChatRequest, prompt: RenderedPrompt) -> Iterator[Finding]:
    last = request.messages[-1].get("role") if request.messages else None
    kinds = {span.origin.kind for span in prompt.spans}
    if request.ending == "prompt" and "generation" not in kinds and kinds - {"computed"}:
        yield Finding(
            "warning",
            "generation",
            "No generation prompt",
            "It was asked for, and the template writes nothing more with it than without: the model is not told that "
            "an answer begins here.",
            (Link("behind the last message", "#ending"),),
        )
    elif request.ending == "none" and last in ("user", "tool", "system"):
        yield Finding(
            "note",
            "generation",
            "No generation prompt",
            f"The prompt ends with a message of role {last}, and nothing says that the answer begins: fine for "
            "training, not for asking.",
            (Link("behind the last message", "#ending"),),
        )


def _unreached(request: ChatRequest, rendered: Rendered) -> Iterator[Finding]:
    """Whole messages and tools first, then single fields; fields that are only compared are passed over."""
    assert rendered.prompt is not None
    lost = [pointer for pointer in rendered.unreached if pointer.rsplit("/", 1)[-1] not in SILENT]
    reached = {(span.origin.kind, span.origin.index) for span in rendered.prompt.spans if not _is_role(span)}
    sources = {name for span in rendered.prompt.spans for name in span.origin.sources}
    whole: set[tuple[str, int]] = set()
    for pointer in lost:
        kind, index = _place(pointer)
        mine = f"/{kind}s/{index}"
        if (kind, index) not in reached and not any(name == mine or name.startswith(mine + "/") for name in sources):
            whole.add((kind, index))
    tools = sorted(index for kind, index in whole if kind == "tool")
    if tools:
        names = [tool_name((request.tools or [])[index]) or str(index) for index in tools]
        every = len(tools) == len(request.tools or ())
        shown = ", ".join(names[:UNREACHED_LIMIT]) + (" …" if len(names) > UNREACHED_LIMIT else "")
        yield Finding(
            "warning",
            "unreached",
            "No tool reached the prompt" if every else "Not every tool reached the prompt",
            f"Given and not written: {shown}. The model does not know of them.",
            (Link("the tools", "#tools-field"),),
        )
    named = {span.origin.index for span in rendered.prompt.spans if span.origin.kind == "message"}
    for index in sorted(index for kind, index in whole if kind == "message")[:UNREACHED_LIMIT]:
        role = request.messages[index].get("role")
        yield Finding(
            "warning",
            "unreached",
            f"Message {index} never reached the prompt",
            f"The template wrote {'its role and nothing else' if index in named else 'nothing'} of it; "
            f"the role is {role}.",
            (Link(f"message {index}", f"#m-{index}"),),
        )
    rest = [pointer for pointer in lost if _place(pointer) not in whole]
    thoughts = [pointer for pointer in rest if field_words(pointer) == "thoughts"]
    for index in sorted({_place(pointer)[1] for pointer in thoughts})[:UNREACHED_LIMIT]:
        yield Finding(
            "note",
            "thoughts",
            f"The thoughts of message {index} are left out",
            "Most templates drop the thoughts of turns before the last question.",
            (Link(f"message {index}", f"#m-{index}"),),
        )
    others = [pointer for pointer in rest if pointer not in thoughts]
    if others:
        shown = ", ".join(others[:UNREACHED_LIMIT])
        more = f", and {len(others) - UNREACHED_LIMIT:,} more" if len(others) > UNREACHED_LIMIT else ""
        yield Finding(
            "warning",
            "unreached",
            "A field never reached the prompt"
            if len(others) == 1
            else f"{len(others):,} fields never reached the prompt",
            f"Given and not written: {shown}{more}.",
            tuple(
                Link(
                    f"message {index}" if kind == "message" else "the tools",
                    f"#m-{index}" if kind == "message" else "#tools-field",
                )
                for kind, index in dict.fromkeys(map(_place, others[:UNREACHED_LIMIT]))
            ),
        )


def _is_role(span: PromptSpan) -> bool:
    return span.origin.pointer.endswith("/role")


def _place(pointer: str) -> tuple[str, int]:
    parts = pointer.split("/")
    return parts[1].removesuffix("s"), int(parts[2])


def _arguments(request: ChatRequest, rendered: Rendered) -> Iterator[Finding]:
    assert rendered.prompt is not None
    quoted = [
        span
        for span in rendered.prompt.spans
        if span.origin.pointer.endswith("/arguments") and span.origin.change == "changed" and span.text.startswith('"')
    ]
    for span in quoted[:CONTROL_LIMIT]:
        yield Finding(
            "warning",
            "arguments",
            f"The arguments of {words(span.origin).split(', changed')[0]} are quoted twice",
            "They were given as JSON text, and the template writes JSON: the model sees a string full of backslashes. "
            "Let them be read first, as servers do.",
            (Link("arguments given as JSON text", "#parse_arguments"), Link("the message", href(span.origin))),
        )
    states = [call.state for call in rendered.arguments]
    if states and not quoted:
        texts = sum(state != "object" for state in states)
        said = []
        if texts < len(states):
            said.append(f"{len(states) - texts:,} given as an object")
        if request.parse_arguments:
            parsed = states.count("parsed")
            said += [f"{parsed:,} given as JSON text and read first"] if parsed else []
            said += [f"{texts - parsed:,} a text that is no JSON object, left alone"] if texts > parsed else []
        elif texts:
            said.append(f"{texts:,} given as JSON text, which the template got as it is")
        yield Finding("note", "arguments", "Arguments of tool calls", f"{', '.join(said)}.")


def _variables(request: ChatRequest, rendered: Rendered) -> Iterator[Finding]:
    if rendered.facts is None:
        return
    read = {variable.name: variable for variable in rendered.facts.variables}
    for name in request.given:
        if name in read:
            continue
        near = get_close_matches(
            name, [key for key, variable in read.items() if variable.role == "own"], n=1, cutoff=0.5
        )
        hint = f" It reads {near[0]}: is that meant?" if near else ""
        yield Finding(
            "warning",
            "ignored",
            f"The variable {name} is given and not read",
            f"The template never asks for it, and the prompt is the same without it.{hint}",
            (Link("the variables", "#choices"),),
        )
    for name, variable in read.items():
        if variable.role == "special token" and name not in request.variables:
            yield Finding(
                "note",
                "missing",
                f"{name} is read and not given",
                "This tokenizer’s configuration does not name one; what the template does then is its own affair.",
                tuple(Link(f"line {line}", f"#line-{line}") for line in variable.lines[:3]),
            )


def _features(rendered: Rendered) -> Iterator[Finding]:
    features: Sequence[Any] = rendered.facts.features if rendered.facts is not None else ()
    if not features:
        return
    names = ", ".join(feature.name for feature in features[:UNREACHED_LIMIT])
    more = f" and {len(features) - UNREACHED_LIMIT} more" if len(features) > UNREACHED_LIMIT else ""
    yield Finding(
        "note",
        "features",
        "The template needs more than every engine has",
        f"{names}{more}: engines that are not Python’s Jinja with the additions of transformers may lack them.",
        (Link("what it needs, line by line", "#template-panel"),),
    )
