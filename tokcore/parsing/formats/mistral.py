"""Mistral: [TOOL_CALLS], then an array of objects, or a name and its arguments.

Tokenizers up to version 7: `[TOOL_CALLS] [{"name": "f", "arguments": {"x": 1}, "id": "abcdefghi"}, …]`.
Version 11: `[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"x": 1}`; from 13 on without the id. `[TOOL_CALLS]f{"x": 1}` is
what is left where control tokens behind the first are not shown. Reasoning stands in [THINK] tags, in <think> tags with
older models.
"""

from __future__ import annotations

from tokcore.parsing.arguments import Envelope, ObjectArguments
from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Inside, Move, Text, Word

_CALLS = {"[TOOL_CALLS]": Move("calls", opens=True)}
_ARGUMENTS = {
    "[ARGS]": Move("arguments", announces=True),
    "[CALL_ID]": Move("id", announces=True),
    "{": Move("arguments", announces=True, keeps=True),
}

MISTRAL = FormatSpec(
    "mistral",
    {
        "content": Text(Kind.CONTENT, _CALLS),
        "calls": Inside({"[": Move("array"), "{": Move("object", keeps=True)}, otherwise="name"),
        "array": Inside({"{": Move("object", keeps=True)}),
        "object": Arguments(Envelope, then="after object"),
        "after object": Between({",": Move("array", opens=True), "]": Move("after call"), **_CALLS}),
        "name": Word(r"\w", r"[\w.\-]", {**_ARGUMENTS, " ": Move("named"), "\n": Move("named")}),
        "named": Inside(_ARGUMENTS),
        "id": Word(
            r"[\w\-]", r"[\w\-]", {"[ARGS]": Move("arguments"), "{": Move("arguments", keeps=True)}, is_name=False
        ),
        "arguments": Arguments(ObjectArguments, then="after call"),
        "after call": Between(_CALLS),
    },
    reasoning="mistral",
)
