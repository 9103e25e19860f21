r"""Hermes and Qwen: a JSON object inside <tool_call> tags.

`<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call>`: as Qwen3's template writes it, one block a call.
"""

from __future__ import annotations

from tokcore.parsing.arguments import Envelope
from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Move, Text

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"

HERMES = FormatSpec(
    "hermes",
    {
        "content": Text(Kind.CONTENT, {_OPEN: Move("call", opens=True)}),
        "call": Arguments(Envelope, then="after call"),
        # A second object in the same block is a second call.
        "after call": Between(
            {
                _CLOSE: Move("content"),
                _OPEN: Move("call", opens=True),
                "{": Move("call", opens=True, keeps=True),
            }
        ),
    },
)
