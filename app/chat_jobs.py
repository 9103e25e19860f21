"""What the chat lab runs in the sandbox: a module of its own, so that a worker need not load the web with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokcore.chat.arguments import CallArguments, parse_tool_arguments
from tokcore.chat.cost import Variants, render_variants
from tokcore.chat.environment import Limits
from tokcore.chat.errors import ChatError
from tokcore.chat.provenance import RenderedPrompt, render_with_provenance, unreached
from tokcore.chat.template import render_chat
from tokcore.chat.variables import UNSET, Probe, TemplateFacts, template_facts
from tokcore.errors import TokcoreError


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a conversation: the prompt, or why there is none; and what can be said of template and input.

    `facts` is None where the template does not compile. `unreached`: pointers of what left nothing in the prompt.
    """

    facts: TemplateFacts | None
    prompt: RenderedPrompt | None
    failure: TokcoreError | None
    unreached: tuple[str, ...] = ()
    arguments: tuple[CallArguments, ...] = ()


def rendered(
    source: str, messages: list[Any], tools: list[Any] | None, options: Mapping[str, Any], limits: Limits
) -> Rendered:
    """Facts and prompt of one conversation, a template's failure among the results."""
    try:
        facts = template_facts(source)
    except ChatError as failure:
        return Rendered(None, None, failure)
    report = parse_tool_arguments(messages)[1]
    try:
        prompt = render_with_provenance(source, messages, tools, limits=limits, **options)
    except ChatError as failure:
        return Rendered(facts, None, failure, arguments=report if options["parse_arguments"] else ())
    given = parse_tool_arguments(messages)[0] if options["parse_arguments"] else messages
    return Rendered(facts, prompt, None, unreached(prompt, given, tools), report)


def prompt_of(
    source: str, messages: list[Any], tools: list[Any] | None, options: Mapping[str, Any], limits: Limits
) -> RenderedPrompt:
    """One prompt. A function of its own, as are the others here: a variable may have any name but the renderer's."""
    return render_with_provenance(source, messages, tools, limits=limits, **options)


def variants_of(
    source: str, messages: list[Any], tools: list[Any] | None, options: Mapping[str, Any], limits: Limits
) -> Variants:
    """One prompt with and without its parts."""
    return render_variants(source, messages, tools, limits=limits, **options)


def probed(
    names: Sequence[str],
    source: str,
    messages: list[Any],
    tools: list[Any] | None,
    options: Mapping[str, Any],
    limits: Limits,
) -> tuple[Probe, ...]:
    """The switches of a template tried three ways, the others as they are."""

    def text(name: str, value: Any) -> str | None:
        given = {key: item for key, item in options.items() if key != name}
        switched = given if value is UNSET else {**given, name: value}
        try:
            return render_chat(source, messages, tools, limits=limits, **switched)
        except ChatError:
            return None

    return tuple(Probe(name, text(name, UNSET), text(name, True), text(name, False)) for name in names)
