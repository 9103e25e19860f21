r"""Qwen3-Coder: XML-like tags whose values get their types from the tool's schema.

`<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>`. The outer tag is often
forgotten: then a call is announced at its first parameter, or at its end, not at its name, which prose may mention.
"""

from __future__ import annotations

from functools import partial

from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Inside, Move, Text, Word
from tokcore.parsing.xml_parameters import XmlParameters

_FUNCTION, _NAME = "<function=", r"[^<>\s]"
_OPENING = {"<tool_call>": Move("call", opens=True), _FUNCTION: Move("bare name", opens=True)}

QWEN3_CODER = FormatSpec(
    "qwen3_coder",
    {
        "content": Text(Kind.CONTENT, _OPENING),
        "call": Inside({_FUNCTION: Move("name")}),
        "name": Word(_NAME, _NAME, {">": Move("parameters", announces=True)}),
        "parameters": Arguments(XmlParameters, then="after call"),
        "bare name": Word(_NAME, _NAME, {">": Move("bare parameters")}),
        "bare parameters": Arguments(partial(XmlParameters, wrapped=False), then="after call"),
        "after call": Between({"</tool_call>": Move("content"), **_OPENING}),
    },
)
