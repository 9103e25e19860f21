"""Tool-call formats and reasoning tags by name."""

from __future__ import annotations

from tokcore.parsing.formats.deepseek import DEEPSEEK_V3, DEEPSEEK_V31
from tokcore.parsing.formats.gpt_oss import GPT_OSS
from tokcore.parsing.formats.hermes import HERMES
from tokcore.parsing.formats.llama3_json import LLAMA3_JSON
from tokcore.parsing.formats.mistral import MISTRAL
from tokcore.parsing.formats.pythonic import PYTHONIC
from tokcore.parsing.formats.qwen3_coder import QWEN3_CODER
from tokcore.parsing.spec import FormatSpec, ReasoningSpec

_SPECS = (HERMES, LLAMA3_JSON, MISTRAL, DEEPSEEK_V3, DEEPSEEK_V31, QWEN3_CODER, GPT_OSS, PYTHONIC)
FORMATS: dict[str, FormatSpec] = {spec.name: spec for spec in _SPECS}

REASONING: dict[str, ReasoningSpec] = {
    "think": ReasoningSpec("<think>", "</think>"),
    # Mistral's own control tokens; its first reasoning models wrote <think> instead.
    "mistral": ReasoningSpec("[THINK]", "[/THINK]"),
}
