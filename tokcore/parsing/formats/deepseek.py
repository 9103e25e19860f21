"""DeepSeek: calls between control tokens written with full-width bars.

V3 and R1: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f`, a line "```json", the object, a line
"```", `<｜tool▁call▁end｜>`; more calls; `<｜tool▁calls▁end｜>`. V3.1: the name stands before <｜tool▁sep｜>, the
object right behind it, without a fence.
"""

from __future__ import annotations

from tokcore.parsing.arguments import ObjectArguments
from tokcore.parsing.events import Kind
from tokcore.parsing.spec import Arguments, Between, FormatSpec, Inside, Move, State, Text, Word

_CALLS, _CALL, _SEP = "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"
_CALL_END, _CALLS_END, _FENCE = "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "```"

_OPENING = {_CALLS: Move("calls", opens=True), _CALL: Move("call", opens=True)}


def _spec(name: str, call: dict[str, State], closing: dict[str, Move]) -> FormatSpec:
    states: dict[str, State] = {
        "content": Text(Kind.CONTENT, _OPENING),
        "calls": Inside({_CALL: Move("call")}),
        **call,
        "arguments": Arguments(ObjectArguments, then="after arguments"),
        "after arguments": Between({**closing, _CALL_END: Move("after call"), _CALLS_END: Move("content"), **_OPENING}),
        "after call": Between({_CALLS_END: Move("content"), **_OPENING}),
    }
    return FormatSpec(name, states)


_NAME_FIRST, _NAME_REST = r"[^\s<{`｜]", r"[^\s<{`]"

DEEPSEEK_V3 = _spec(
    "deepseek_v3",
    {
        # The type of the tool: "function", always.
        "call": Word("[a-z]", "[a-z_]", {_SEP: Move("name")}, is_name=False),
        "name": Word(_NAME_FIRST, _NAME_REST, {"\n": Move("fence", announces=True)}),
        "fence": Inside({"```json": Move("arguments"), "{": Move("arguments", keeps=True)}),
    },
    {_FENCE: Move("after arguments")},
)

DEEPSEEK_V31 = _spec(
    "deepseek_v31",
    {"call": Word(_NAME_FIRST, _NAME_REST, {_SEP: Move("arguments", announces=True)})},
    {},
)
