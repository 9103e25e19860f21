"""Pythonic (Llama 3.2 to 4, and others): a list of calls at the start of the output.

`[f(x=1, s="a", ok=True), g()]`. Llama 4 may put it between <|python_start|> and <|python_end|>.
"""

from __future__ import annotations

from tokcore.parsing.events import Kind
from tokcore.parsing.python_literals import PythonArguments
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Inside, Move, Text, Word

_START, _END = "<|python_start|>", "<|python_end|>"

PYTHONIC = FormatSpec(
    "pythonic",
    {
        "start": Between({_START: Move("list", opens=True), "[": Move("first", opens=True)}),
        "content": Text(Kind.CONTENT, {_START: Move("list", opens=True)}),
        "list": Inside({"[": Move("first")}),
        "first": Inside({}, otherwise="name"),
        "name": Word(r"[^\W\d]", r"[\w.]", {"(": Move("arguments")}),
        "arguments": Arguments(PythonArguments, then="after call"),
        "after call": Between({",": Move("first", opens=True), "]": Move("after list")}),
        "after list": Between({_END: Move("content"), _START: Move("list", opens=True)}),
    },
    start="start",
    known_only=True,
)
