"""The work of the chat lab: templates run in the sandbox, tokens are counted here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app import sandbox
from app.chat_jobs import Rendered, probed, prompt_of, rendered, variants_of
from app.chat_request import ChatRequest
from app.sandbox import Budget, BudgetExceeded, JobCrashed
from tokcore.chat.cost import Bill, counted
from tokcore.chat.errors import ChatError
from tokcore.chat.provenance import RenderedPrompt
from tokcore.chat.variables import Probe, TemplateFacts, template_facts
from tokcore.errors import TokcoreError

RENDERING = Budget(seconds=3.0)
BILLING = Budget(seconds=5.0)
FACTS = Budget(seconds=1.0)
# A bill encodes the prompt once a part: so many characters in all, and so many parts at most.
BILL_CHARACTERS = 4_000_000
BILL_PARTS = 120
PROBE_CHARACTERS = 1_000_000
PROBES_LIMIT = 12


@dataclass(frozen=True, slots=True)
class Billed:
    """A bill, how many messages and tools were left out of it, and why there is none at all."""

    bill: Bill | None
    left_out: int = 0
    failure: TokcoreError | None = None


def render(request: ChatRequest) -> Rendered:
    """The prompt of a request. A template's failure is a result; raises SandboxBusy only."""
    try:
        return sandbox.run(
            rendered,
            request.template.source,
            request.messages,
            request.tools,
            request.options,
            RENDERING.limits,
            budget=RENDERING,
        )
    except (BudgetExceeded, JobCrashed) as failure:
        return Rendered(facts_of(request.template.source), None, failure)


def facts_of(source: str) -> TemplateFacts | None:
    """What can be read off a template, None where it does not compile or takes too long to."""
    try:
        return sandbox.run(template_facts, source, budget=FACTS)
    except (ChatError, BudgetExceeded, JobCrashed):
        return None


def other_prompt(request: ChatRequest) -> RenderedPrompt:
    """Another prompt to compare with; raises why there is none."""
    return sandbox.run(
        prompt_of,
        request.template.source,
        request.messages,
        request.tools,
        request.options,
        RENDERING.limits,
        budget=RENDERING,
    )


def bill(request: ChatRequest, prompt: RenderedPrompt, count_ids: Callable[[str], int]) -> Billed:
    """What each part of the prompt costs; of a long conversation only the longest messages and tools are told apart."""
    room = min(BILL_PARTS, max(6, BILL_CHARACTERS // max(1, len(prompt.text))))
    messages, tools, left_out = worth_billing(request.messages, request.tools or (), prompt, room)
    try:
        variants = sandbox.run(
            variants_of,
            request.template.source,
            request.messages,
            request.tools,
            {**request.options, "messages_billed": messages, "tools_billed": tools},
            BILLING.limits,
            budget=BILLING,
        )
    except (ChatError, BudgetExceeded, JobCrashed) as failure:
        return Billed(None, failure=failure)
    return Billed(counted(variants, count_ids), left_out)


def worth_billing(
    messages: Sequence[Any], tools: Sequence[Any], prompt: RenderedPrompt, room: int
) -> tuple[Collection[int] | None, Collection[int] | None, int]:
    """Indexes of the messages and tools that have most words in the prompt, None for all, and how many are left out."""
    if len(messages) + len(tools) <= room:
        return None, None, 0
    sizes: dict[tuple[str, int], int] = {("message", index): 0 for index in range(len(messages))}
    sizes |= {("tool", index): 0 for index in range(len(tools))}
    for span in prompt.spans:
        if span.origin.index is not None:
            sizes[span.origin.kind, span.origin.index] += len(span.text)
    largest = sorted(sizes, key=lambda part: sizes[part], reverse=True)[:room]
    chosen = {kind: frozenset(index for name, index in largest if name == kind) for kind in ("message", "tool")}
    return chosen["message"], chosen["tool"], len(sizes) - len(largest)


def probes(request: ChatRequest, facts: TemplateFacts, prompt: RenderedPrompt) -> tuple[Probe, ...]:
    """Each of the template's own variables left out, true and false; none of them where that would take too long."""
    names = [variable.name for variable in facts.variables if variable.role == "own"][:PROBES_LIMIT]
    if not names or 3 * len(names) * len(prompt.text) > PROBE_CHARACTERS:
        return ()
    try:
        return sandbox.run(
            probed,
            names,
            request.template.source,
            request.messages,
            request.tools,
            request.options,
            RENDERING.limits,
            budget=RENDERING,
        )
    except (BudgetExceeded, JobCrashed):
        return ()


def previous(request: ChatRequest) -> ChatRequest | None:
    """The request before: what the model was given when it wrote the last answer; None where it wrote none."""
    messages = request.messages
    end = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].get("role") == "assistant"), None)
    if end is None:
        return None
    while end > 0 and messages[end - 1].get("role") == "assistant":
        end -= 1
    return replace(request, messages=messages[:end], ending="prompt") if end else None
