"""Outputs to start from in the stream lab: written by us, each with the settings that make its point."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from app.stream_input import StreamForm


@dataclass(frozen=True, slots=True)
class Sample:
    """An output and its settings; `shows` is one line about what to look for."""

    title: str
    shows: str
    form: StreamForm

    def with_tokenizer(self, tokenizer: str) -> StreamForm:
        return replace(self.form, tokenizer=tokenizer)


def sample(title: str, shows: str, text: str, **settings: str | bool) -> Sample:
    return Sample(title, shows, StreamForm("", text=text, **settings))  # type: ignore[arg-type]


def tool(name: str, **types: str | list[str]) -> dict[str, object]:
    properties = {name: {"type": type} for name, type in types.items()}
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": properties}}}


WEATHER = '{"name": "get_weather", "arguments": {"city": "São Tomé", "unit": "°C"}}'
BOOKING_TOOLS = json.dumps(
    [tool("book_table", guests="integer", postcode="string", outside="boolean", note="string")], ensure_ascii=False
)

FIRST = sample(
    "Reasoning, then a call",
    "the bytes of an emoji, thoughts, and a call whose name leaves before its arguments",
    "<think>\n🧑\u200d🚀 wants the weather, so I need the tool.\n</think>\n\nOne moment.\n"
    f"<tool_call>\n{WEATHER}\n</tool_call>",
)

SAMPLES = (
    FIRST,
    sample(
        "An answer with emoji",
        "a character comes in several tokens, and its bytes are held until it is whole",
        "a 🧑\u200d🚀 on 𝔐𝔞𝔯𝔰 – 世界 ❤\ufe0f",
        format="none",
    ),
    sample(
        "Two calls",
        "each call has its index; the white space between them is dropped",
        '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n'
        '<tool_call>\n{"name": "greet", "arguments": {"name": "Bo"}}\n</tool_call>',
    ),
    sample(
        "A call cut off by max_tokens",
        "the first call is whole; of the second, what came of its arguments has gone out",
        'Ok.\n<tool_call>\n{"name": "save", "arguments": {"x": 1}}\n</tool_call>\n'
        '<tool_call>\n{"name": "note", "arguments": {"text": "Salt and pepper, then"}}\n</tool_call>',
        max_tokens="38",
    ),
    sample(
        "Braces and tags inside strings",
        "the JSON object decides where a call ends, not the text of the tag",
        '<tool_call>\n{"name": "shell", "arguments": {"run": "echo \'}}</tool_call>\' | tr } {", "quote": "\\""}}\n'
        "</tool_call>",
    ),
    sample(
        "A stop string across tokens",
        "what may become the stop waits; </ansible> does not become it, and leaves",
        "Use </ansible> tags? The answer is 42.</answer>\n\nQuestion: what is 6 times 9?",
        stops="</answer>\n\\n\\nQuestion:",
        format="none",
    ),
    sample(
        "A quoted tag in prose",
        "a close tag where nothing is open is text; a tag that begins no call is text too",
        "<think>\nQuote the tags.\n</think>\nWrite </think> to end a thought and <tool_call> to begin a call. "
        "a<b, too.",
    ),
    sample(
        "A real replacement character",
        "U+FFFD is also a legal character: whoever waits for it to go away, waits for ever",
        "A broken file: " + 12 * "\ufffd" + ". It ends in one, too: \ufffd",
        format="none",
    ),
    sample(
        "A call inside reasoning",
        "a draft stays a thought; the reasoning was opened by the prompt",
        'maybe <tool_call>{"name": "f", "arguments": {}}</tool_call>?\n</think>\n'
        '<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>',
        starts_in_reasoning=True,
    ),
    sample(
        "Qwen3-Coder: typed values",
        "each value is written as the tool's schema types it: 4 is a number, 01067 a string",
        "Booking.\n<tool_call>\n<function=book_table>\n<parameter=guests>\n4\n</parameter>\n<parameter=postcode>\n01067\n"
        "</parameter>\n<parameter=outside>\nfalse\n</parameter>\n<parameter=note>\nby the window, 1 < 2\n</parameter>\n"
        "</function>\n</tool_call>",
        format="qwen3_coder",
        definitions=BOOKING_TOOLS,
    ),
    sample(
        "gpt-oss: channels",
        "analysis is reasoning, final is content, commentary to a function is a call",
        "<|channel|>analysis<|message|>They want the time.<|end|><|start|>assistant<|channel|>commentary "
        'to=functions.now <|constrain|>json<|message|>{"zone": "UTC"}<|call|>',
        format="gpt_oss",
    ),
    sample(
        "Mistral: a marker before JSON",
        "after the marker comes a list of calls",
        'Let me see.[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": [2, 3]}}, '
        '{"name": "now", "arguments": {}}]',
        format="mistral",
        reasoning=False,
    ),
)
