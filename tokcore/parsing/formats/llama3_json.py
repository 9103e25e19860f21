"""Llama 3: a bare JSON object at the start of the output, `parameters` for arguments.

`{"name": "f", "parameters": {"x": 1}}`, several of them separated by `;`. <|python_tag|> may stand before the first
one, then also behind other content. Content that merely begins with a brace comes back raw.
"""

from __future__ import annotations

from functools import partial

from tokcore.parsing.arguments import Envelope
from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Inside, Move, Text

_TAG = "<|python_tag|>"
_OBJECT = {_TAG: Move("tagged", opens=True), "{": Move("object", opens=True, keeps=True)}

LLAMA3_JSON = FormatSpec(
    "llama3_json",
    {
        "start": Between(_OBJECT),
        "content": Text(Kind.CONTENT, {_TAG: Move("tagged", opens=True)}),
        # The tag also stands before code for the built-in interpreter: that is no call of this format.
        "tagged": Inside({"{": Move("object", keeps=True)}),
        "object": Arguments(partial(Envelope, bare=True), then="after call"),
        "after call": Between({";": Move("separated", opens=True), **_OBJECT}),
        "separated": Inside({"{": Move("object", keeps=True), _TAG: Move("tagged")}),
    },
    start="start",
    known_only=True,
)
