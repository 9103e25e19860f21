"""A model's output text into reasoning, content and tool calls, while it streams.

>>> parse_tool_calls('<tool_call>{"name": "now"}</tool_call>')
('', [{'name': 'now', 'arguments': {}}])

One engine (`engine`) runs a format's table (`formats`) with the help of a lexer that holds back what may still become
a marker, and of small machines for the languages that arguments are written in. A whole text is fed once.
"""

from __future__ import annotations

from tokcore.parsing.events import Kind, ParseEvent, merged
from tokcore.parsing.formats import FORMATS, REASONING
from tokcore.parsing.output import (
    OutputParser,
    ToolCall,
    openai_tool_call,
    parse_tool_calls,
    starts_in_reasoning,
)
from tokcore.parsing.problems import FinishedStream, MalformedFormat, UnknownFormat, Unwritable
from tokcore.parsing.spec import FormatSpec, ReasoningSpec
from tokcore.parsing.tag_streamer import TagStreamer

__all__ = [
    "FORMATS",
    "REASONING",
    "FinishedStream",
    "FormatSpec",
    "Kind",
    "MalformedFormat",
    "OutputParser",
    "ParseEvent",
    "ReasoningSpec",
    "TagStreamer",
    "ToolCall",
    "UnknownFormat",
    "Unwritable",
    "merged",
    "openai_tool_call",
    "parse_tool_calls",
    "starts_in_reasoning",
]
