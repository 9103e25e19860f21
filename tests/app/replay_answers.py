"""Answers that the tests with the OpenAI client replay: one of each format, and some that are no clean answers."""

from __future__ import annotations

from typing import Any

HELLO: Any = [{"role": "user", "content": "How warm is it in Évora?"}]
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
WEATHER: Any = {"type": "function", "function": {"name": "weather", "strict": True, "parameters": PARAMETERS}}
NOW: Any = {"type": "function", "function": {**WEATHER["function"], "name": "now", "parameters": NOTHING}}
TOOLS = [WEATHER, NOW]
ARGUMENTS = '{"city": "Évora", "days": 2}'
CALLED = ("weather", {"city": "Évora", "days": 2})

# One answer of each format: its text, and what a client is to have of it.
ANSWERS: dict[str, tuple[str, dict[str, Any]]] = {
    "hermes": (
        '<think>\nWarm 🧑‍🚀?\n</think>\n\nLet me see.\n<tool_call>\n{"name": "weather", "arguments": '
        + ARGUMENTS
        + '}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
        {"reasoning": "Warm 🧑‍🚀?", "content": "Let me see.\n", "calls": [CALLED, ("now", {})]},
    ),
    "llama3_json": ('{"name": "weather", "parameters": ' + ARGUMENTS + "}", {"calls": [CALLED]}),
    "mistral": (
        '[THINK]Warm?[/THINK]Look.[TOOL_CALLS] [{"name": "weather", "arguments": ' + ARGUMENTS + "}]",
        {"reasoning": "Warm?", "content": "Look.", "calls": [CALLED]},
    ),
    "deepseek_v3": (
        "Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n"
        + ARGUMENTS
        + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        {"content": "Look.", "calls": [CALLED]},
    ),
    "deepseek_v31": (
        "<think>Warm?</think>Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>"
        + ARGUMENTS
        + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        {"reasoning": "Warm?", "content": "Look.", "calls": [CALLED]},
    ),
    "qwen3_coder": (
        "<tool_call>\n<function=weather>\n<parameter=city>\nÉvora\n</parameter>\n<parameter=days>\n2\n</parameter>\n"
        "</function>\n</tool_call>",
        {"calls": [CALLED]},
    ),
    "gpt_oss": (
        "<|channel|>analysis<|message|>Warm?<|end|><|start|>assistant<|channel|>commentary to=functions.weather "
        "<|constrain|>json<|message|>" + ARGUMENTS + "<|call|>",
        {"reasoning": "Warm?", "calls": [CALLED]},
    ),
    "pythonic": ('[weather(city="Évora", days=2), now()]', {"calls": [CALLED, ("now", {})]}),
}
# What is no clean answer: cut off, broken, braces and tags in strings, tags in prose.
ODD = [
    "",
    "No tool is needed: it is 31 °C 🌞🌞, \ufffd included.",
    "In HTML `</think>` is no tag, nor is <tool_",
    '<tool_call>\n{"name": "weather", "arguments": {"city": "a } </tool_call> {", "days": 1}}\n</tool_call>',
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Évo',
    "<tool_call>\n{broken}\n</tool_call> and on it goes",
]
