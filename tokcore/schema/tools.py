r"""Tools → the pattern of a call: the text around it, and each tool's own schema for the arguments.

>>> tools = [{"type": "function", "function": {"name": "now"}}]
>>> tool_call_pattern(tools)
'<tool_call>\\n\\{"name": "now", "arguments": \\{\\}\\}\\n</tool_call>'
"""

from __future__ import annotations

from typing import NoReturn

from tokcore.schema.errors import SchemaError
from tokcore.schema.expr import NOTHING, Expr, choice, literal, mark, seq
from tokcore.schema.keywords import check_json
from tokcore.schema.layout import Layout
from tokcore.schema.ledger import Ledger
from tokcore.schema.meet import intersect
from tokcore.schema.nodes import Object
from tokcore.schema.parse import RECURSION, parse
from tokcore.schema.pattern import SchemaPattern, spelled_within_budget
from tokcore.schema.strings import quoted

OPENING, CLOSING = "<tool_call>\n", "\n</tool_call>"
MAX_TOOLS = 500


def tool_call_pattern(
    tools: object, name: str | None = None, *, recursion: int = RECURSION, weaken: bool = False
) -> str:
    """The pattern of one call of one of the tools, or of the tool called `name`.

    Options and errors: see `compile_tool_call`.
    """
    return compile_tool_call(tools, name, recursion=recursion, weaken=weaken).text


def compile_tool_call(
    tools: object, name: str | None = None, *, recursion: int = RECURSION, weaken: bool = False
) -> SchemaPattern:
    """The same with all that is known about it.

    >>> compile_tool_call([{"function": {"name": "f"}}], "g")
    Traceback (most recent call last):
    tokcore.schema.errors.SchemaError: name: no tool is called 'g' (use one of 'f')

    `tools`: definitions in OpenAI's form, with the function inside or alone. Several tools are alternatives; a tool
    without `parameters` takes none. Pointers begin at the list, as in /0/function/parameters/type.
    """
    if not isinstance(tools, list):
        _refuse("tools", f"found {tools!r:.60}", "give a list of tools")
    if not 0 < len(tools) <= MAX_TOOLS:
        _refuse("tools", f"{len(tools)} tools", f"give 1 to {MAX_TOOLS}")
    found: dict[str, tuple[str, dict[str, object]]] = {}
    for index, tool in enumerate(tools):
        pointer, function = _function(tool, f"/{index}")
        called = function.get("name")
        if not isinstance(called, str) or not called:
            _refuse(f"{pointer}/name", f"found {called!r:.60}", "give the tool a name")
        check_json(called, f"{pointer}/name")
        if called in found:
            _refuse(f"{pointer}/name", f"a second tool called {called!r:.60}", "give each tool its own name")
        found[called] = (pointer, function)
    if name is not None and name not in found:
        _refuse("name", f"no tool is called {name!r:.60}", f"use one of {', '.join(map(repr, found))}")
    ledger = Ledger(weaken)
    layout = Layout(ledger)
    calls = [
        _call(called, *place, ledger, layout, recursion) for called, place in found.items() if name in (None, called)
    ]
    expression = choice(*calls)
    return SchemaPattern(spelled_within_budget(expression), None, expression, tuple(ledger.uses.values()))


def _refuse(where: str, what: str, remedy: str) -> NoReturn:
    raise SchemaError(where=where, what=what, remedy=remedy)


def _function(tool: object, pointer: str) -> tuple[str, dict[str, object]]:
    if not isinstance(tool, dict):
        _refuse(pointer, f"found {tool!r:.60}", "use an object with the keys type and function")
    if "function" not in tool:
        return pointer, tool
    kind, function = tool.get("type", "function"), tool["function"]
    if kind != "function":
        _refuse(f"{pointer}/type", f"found {kind!r:.60}", "use 'function'")
    if not isinstance(function, dict):
        _refuse(f"{pointer}/function", f"found {function!r:.60}", "use an object with name and parameters")
    return f"{pointer}/function", function


def _call(name: str, pointer: str, function: dict[str, object], ledger: Ledger, layout: Layout, recursion: int) -> Expr:
    place = f"{pointer}/parameters"
    schema = function.get("parameters")
    if schema is None:
        schema = {"type": "object", "properties": {}}
    node = intersect(parse(schema, ledger, pointer=place, recursion=recursion), Object(place))
    arguments = layout.of(node)
    if arguments is NOTHING:
        _refuse(place, "no arguments are valid", "use a schema of type object, and look for bounds that contradict")
    head = seq(literal(f'{OPENING}{{"name": '), quoted(name), literal(', "arguments": '))
    return mark(pointer, seq(head, arguments, literal("}" + CLOSING)))
