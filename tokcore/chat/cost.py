"""What each part of a prompt costs: the prompt rendered with and without it, both counted."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from tokcore.chat.arguments import parse_tool_arguments
from tokcore.chat.conversation import Templates, prepare
from tokcore.chat.environment import NO_LIMITS, ChatEnvironment, Limits
from tokcore.chat.errors import ChatError
from tokcore.chat.provenance import PromptSpan, RenderedPrompt, render_with_provenance
from tokcore.chat.template import run

Kind = Literal["message", "tool", "tools", "generation", "thinking"]
How = Literal["removed", "repeated", "emptied", ""]

# Variables that switch a block of the prompt on or off, as the published templates call them.
THINKING = ("enable_thinking", "thinking")


class Other(NamedTuple):
    """A prompt that differs from another in one stretch.

    >>> Other.of("a cat sat", "a bat sat")
    Other(head=2, middle='b', tail=6)
    """

    head: int
    middle: str
    tail: int

    @classmethod
    def of(cls, text: str, other: str) -> Other:
        """Characters in common at the start and at the end, and what stands between them in the other text."""
        shorter = min(len(text), len(other))
        head = bisect(range(1, shorter + 1), False, key=lambda n: not text.startswith(other[:n]))
        rest = shorter - head
        tail = bisect(range(1, rest + 1), False, key=lambda n: not text.endswith(other[len(other) - n :]))
        return cls(head, other[head : len(other) - tail], tail)

    def whole(self, text: str) -> str:
        """The other prompt, by way of the one it differs from."""
        return text[: self.head] + self.middle + text[len(text) - self.tail :]


@dataclass(frozen=True, slots=True)
class Variants:
    """A prompt, and what it would be without each of its parts. Made where templates may run; counted anywhere.

    `messages`: per message how it was taken out, and the prompt then; `tools`: the prompt without each tool;
    None where the template refuses. `no_tools`, `no_prompt`, `no_thinking`: without any tool, without the generation
    prompt (and thinking block), without the switch for thinking; None where there is nothing to take out, or it cannot.
    """

    prompt: RenderedPrompt
    messages: tuple[tuple[How, Other | None], ...]
    tools: tuple[Other | None, ...]
    no_tools: Other | None
    no_prompt: Other | None
    no_thinking: Other | None


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the bill, in tokens.

    `tokens`: what the prompt gets shorter by without it, None where the template refuses every way to find out. `own`:
    its own words, each stretch that reached the prompt counted alone; `frame`, the rest, is the template's.
    `how`: "removed" from the conversation; "repeated", where the template refuses to go without it: what a second copy
    adds; "emptied", where it refuses that as well: its words only.
    """

    kind: Kind
    index: int | None
    tokens: int | None
    own: int = 0
    how: How = "removed"

    @property
    def frame(self) -> int | None:
        return None if self.tokens is None else self.tokens - self.own


@dataclass(frozen=True, slots=True)
class Bill:
    """What a prompt costs.

    Law: the tokens of the parts and `residue` add up to `total`, exactly. The residue is what no part takes along when
    it goes alone: a BOS token, a default system prompt, words that two parts share, tokens that reach over a border.
    """

    total: int
    parts: tuple[Part, ...]

    @property
    def residue(self) -> int:
        return self.total - sum(part.tokens or 0 for part in self.parts)

    @property
    def own(self) -> int:
        """Words of messages and tools."""
        return sum(part.own for part in self.parts)

    @property
    def added(self) -> int:
        """Everything that is not the words of a message or a tool."""
        return self.total - self.own

    @property
    def tools_section(self) -> int:
        """All tools and what the template says about them."""
        return sum(part.tokens or 0 for part in self.parts if part.kind in ("tool", "tools"))


def token_bill(
    count_ids: Callable[[str], int], template: Templates, messages: Sequence[Any], tools: Any = None, **options: Any
) -> Bill:
    """The bill of one prompt; `options` are those of render_chat.

    >>> turns = "{% for m in messages %}<{{ m.content }}>{% endfor %}{{ '>>' if add_generation_prompt }}"
    >>> bill = token_bill(len, turns, [{"role": "user", "content": "one"}, {"role": "user", "content": "three"}])
    >>> bill.total, [(part.kind, part.tokens, part.own, part.frame) for part in bill.parts], bill.residue
    (14, [('message', 5, 3, 2), ('message', 7, 5, 2), ('generation', 2, 0, 2)], 0)
    """
    return counted(render_variants(template, messages, tools, **options), count_ids)


def counted(variants: Variants, count_ids: Callable[[str], int]) -> Bill:
    """The bill of prompts that are already rendered; each is counted whole, as a tokenizer would see it."""
    text = variants.prompt.text
    total = count_ids(text)

    def less(other: Other | None) -> int | None:
        return None if other is None else total - count_ids(other.whole(text))

    own = _own(variants.prompt.spans, count_ids)
    parts = []
    for index, (how, other) in enumerate(variants.messages):
        tokens = less(other)
        words = own.get(("message", index), 0)
        parts.append(
            Part("message", index, -tokens if tokens is not None and how == "repeated" else tokens, words, how)
        )
    for index, other in enumerate(variants.tools):
        parts.append(Part("tool", index, less(other), own.get(("tool", index), 0)))
    section = less(variants.no_tools)
    if section is not None and len(variants.tools) > 1:
        parts.append(Part("tools", None, section - sum(part.tokens or 0 for part in parts if part.kind == "tool")))
    thinking, prompt = less(variants.no_thinking), less(variants.no_prompt)
    if prompt is not None:
        parts.append(Part("generation", None, prompt - (thinking or 0)))
    if thinking is not None:
        parts.append(Part("thinking", None, thinking))
    return Bill(total, tuple(parts))


def _own(spans: Sequence[PromptSpan], count_ids: Callable[[str], int]) -> dict[tuple[str, int], int]:
    """Tokens of what each message and each tool says, where it says any; a role is framing."""
    own: dict[tuple[str, int], int] = {}
    for span in spans:
        kind, index = span.origin.kind, span.origin.index
        if index is not None and span.origin.pointer != f"/messages/{index}/role":
            own[kind, index] = own.get((kind, index), 0) + count_ids(span.text)
    return own


def render_variants(
    template: Templates,
    messages: Sequence[Any],
    tools: Sequence[Any] | None = None,
    add_generation_prompt: bool | None = None,
    continue_final_message: bool | str = False,
    now: datetime | None = None,
    *,
    parse_arguments: bool = False,
    limits: Limits = NO_LIMITS,
    messages_billed: Collection[int] | None = None,
    tools_billed: Collection[int] | None = None,
    **variables: Any,
) -> Variants:
    """The prompt and its variants, for `counted`; the arguments are those of render_chat.

    Each message and tool is one more rendering. `messages_billed`, `tools_billed`: the indexes worth one, None for all;
    what is left out has no tokens in the bill and stays in its residue.
    """
    if parse_arguments:
        messages = parse_tool_arguments(messages)[0]
    prompt = render_with_provenance(
        template, messages, tools, add_generation_prompt, continue_final_message, now, limits=limits, **variables
    )

    def other(
        messages: Sequence[Any], tools: Sequence[Any] | None, begun: bool | None, given: Mapping[str, Any]
    ) -> Other | None:
        try:
            chat = prepare(template, messages, tools, begun, continue_final_message, allow_empty=True, **given)
            text = run(ChatEnvironment(now, limits), chat, limits)
            return Other.of(prompt.text, text[: chat.end(text)])
        except ChatError:
            return None

    def without(index: int) -> tuple[How, Other | None]:
        if messages_billed is not None and index not in messages_billed:
            return "", None
        for how, changed in _ways_without(messages, index, bool(continue_final_message)):
            found = other(changed, tools, add_generation_prompt, variables)
            if found is not None:
                return how, found
        return "", None

    begun = not continue_final_message if add_generation_prompt is None else add_generation_prompt
    unswitched = {name: value for name, value in variables.items() if name not in THINKING}

    def without_tool(index: int) -> Other | None:
        if tools_billed is not None and index not in tools_billed:
            return None
        left = [tool for at, tool in enumerate(tools or ()) if at != index]
        return other(messages, left or None, add_generation_prompt, variables)

    return Variants(
        prompt,
        messages=tuple(without(index) for index in range(len(messages))),
        tools=tuple(without_tool(index) for index in range(len(tools or ()))),
        no_tools=other(messages, None, add_generation_prompt, variables) if tools else None,
        no_prompt=other(messages, tools, False, unswitched) if begun else None,
        no_thinking=other(messages, tools, add_generation_prompt, unswitched) if unswitched != variables else None,
    )


def _ways_without(messages: Sequence[Any], index: int, continued: bool) -> Iterator[tuple[How, list[Any]]]:
    """Conversations that tell what one message costs, the best way first."""
    before, message, after = list(messages[:index]), messages[index], list(messages[index + 1 :])
    if after or not continued:
        yield "removed", [*before, *after]
        yield "repeated", [*before, message, message, *after]
    if isinstance(message, Mapping):
        yield "emptied", [*before, {"role": message.get("role"), "content": ""}, *after]
