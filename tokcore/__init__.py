"""The text boundary of language models: text to tokens, tokens to text, every stage in sight.

>>> from tokcore import bytes_to_unicode
>>> bytes_to_unicode()[32]
'Ġ'

Code in this package does no network access, reads no environment and no clock; files are read by the loaders only.
"""

from tokcore.added_tokens import AddedMatch, AddedToken
from tokcore.bytemap import bytes_to_unicode, unicode_to_bytes
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.errors import TokcoreError
from tokcore.generation import replay
from tokcore.parsing import OutputParser, TagStreamer, openai_tool_call, parse_tool_calls
from tokcore.pipeline import Tokenizer
from tokcore.schema import json_schema_to_regex, tool_call_pattern
from tokcore.spans import AlignedText, Span
from tokcore.streaming.detokenizer import IncrementalDetokenizer
from tokcore.streaming.stops import StopChecker
from tokcore.tokens import Encoding, Origin, Token
from tokcore.trace import Trace

__all__ = [
    "CHATML_TEMPLATE",
    "AddedMatch",
    "AddedToken",
    "AlignedText",
    "Encoding",
    "IncrementalDetokenizer",
    "Origin",
    "OutputParser",
    "Span",
    "StopChecker",
    "TagStreamer",
    "TokcoreError",
    "Token",
    "Tokenizer",
    "Trace",
    "bytes_to_unicode",
    "json_schema_to_regex",
    "openai_tool_call",
    "parse_tool_calls",
    "render_chat",
    "replay",
    "tool_call_pattern",
    "unicode_to_bytes",
]
