"""gpt-oss (Harmony): messages with a header, sent to channels.

`<|channel|>analysis<|message|>…<|end|>` is reasoning, `…final…` and `…commentary…` are content, and a recipient
`to=functions.f` makes a call, before <|channel|> or behind it: `<|start|>assistant<|channel|>commentary
to=functions.f <|constrain|>json<|message|>{"x": 1}<|call|>`. The prompt ends with `<|start|>assistant`: the first
header begins behind that.
"""

from __future__ import annotations

from tokcore.parsing.arguments import ObjectArguments
from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Header, Move, Text

_START, _CHANNEL, _MESSAGE = "<|start|>", "<|channel|>", "<|message|>"
_ENDS = ("<|end|>", "<|return|>", "<|call|>")
_CLOSING = {end: Move("between messages") for end in _ENDS}
_HEADERS = {_START: Move("header", opens=True), _CHANNEL: Move("header", opens=True)}

# A recipient other than a function is a built-in tool of the model's own: its messages are reasoning in `analysis`.
_REST = r"[^<]*(?:<\|constrain\|>[^<]*)?"
_ROLE = r"(?:assistant)?[^<]*"
_CHOICES = (
    (
        rf"(?:{_ROLE}\bto=functions\.(?P<name>[\w.\-]+)[^<]*(?:<\|channel\|>)(?:analysis|commentary){_REST})",
        "arguments",
    ),
    (rf"(?:{_ROLE}<\|channel\|>)?(?:analysis|commentary)[^<]*\bto=functions\.(?P<name>[\w.\-]+){_REST}", "arguments"),
    (rf"(?:{_ROLE}<\|channel\|>)?analysis\b{_REST}", "analysis"),
    (rf"(?:{_ROLE}<\|channel\|>)?(?:commentary|final)\b{_REST}", "message"),
)

GPT_OSS = FormatSpec(
    "gpt_oss",
    {
        "start": Between({**_HEADERS, "to=": Move("header", opens=True, keeps=True)}),
        "content": Text(Kind.CONTENT, _HEADERS),
        "header": Header(_MESSAGE, _CHOICES, breaks=(_START, *_ENDS)),
        "analysis": Text(Kind.REASONING, _CLOSING),
        "message": Text(Kind.CONTENT, _CLOSING),
        "arguments": Arguments(ObjectArguments, then="after call"),
        "after call": Between({**_CLOSING, **_HEADERS}),
        "between messages": Between(_HEADERS),
    },
    start="start",
    reasons_in="analysis",
)
