"""A model's output into reasoning, content and tool calls, as OpenAI's deltas or whole."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

from tokcore.parsing.engine import Engine
from tokcore.parsing.events import Kind, ParseEvent
from tokcore.parsing.formats import FORMATS, REASONING
from tokcore.parsing.problems import MalformedFormat, Unwritable, require_text, unknown_format
from tokcore.parsing.spec import NO_TOOLS, FormatSpec, ReasoningSpec, Schema, with_reasoning
from tokcore.spans import Span

Definitions = Sequence[Mapping[str, Any]]
Delta = dict[str, Any]


class ToolCall(TypedDict):
    """A complete call: the tool's name and its arguments, read."""

    name: str
    arguments: dict[str, Any]


class OutputParser:
    """Parses one output while it streams.

    >>> parser = OutputParser()
    >>> parser.feed("<think>Hm</thi"), parser.held, parser.reason
    ([{'reasoning_content': 'Hm'}], '</thi', '`</thi` may become `</think>`')
    >>> parser.feed('nk>Hi!<tool_call>{"name": "now", "arguments": {}}</tool_call>', final=True)[:2]
    [{'content': 'Hi!'},
     {'tool_calls': [{'index': 0, 'id': 'call_0', 'type': 'function', 'function': {'name': 'now', 'arguments': ''}}]}]

    `reasoning`: the tags' name ("think", "mistral") or a ReasoningSpec, True for the format's own, None or False for
    none. `tools`: a format's name or a FormatSpec, True for hermes, a list of tool definitions for hermes with them,
    None or False for no calls. `starts_in_reasoning`: the open tag stands in the prompt. `definitions`: the tools, as
    OpenAI writes them; they give XML values their types. `call_id`: the id of a call by its index.

    Laws: whatever the pieces, the joined deltas are the same; an id and a name come once; arguments that went out are a
    prefix of the final ones; those of a complete call are a JSON object.

    `tags`: the tags around reasoning, None where there are none or the format marks it in its own way.
    """

    def __init__(
        self,
        reasoning: bool | str | ReasoningSpec | None = "think",
        tools: bool | str | FormatSpec | Definitions | None = "hermes",
        starts_in_reasoning: bool = False,
        definitions: Definitions | None = None,
        call_id: Callable[[int], str] = "call_{}".format,
    ) -> None:
        if isinstance(tools, Sequence) and not isinstance(tools, str):
            definitions = tools if definitions is None else definitions
            tools = bool(tools)
        bare = _format(tools)
        tags = _tags(reasoning, bare)
        spec = with_reasoning(bare, tags)
        self.tags = tags if bare.reasons_in is None else None
        self._spec, self._schemas, self._call_id = spec, schemas_of(definitions or ()), call_id
        self._start = spec.reasons_in if starts_in_reasoning else None
        self._engine = Engine(spec, self._schemas, self._start)

    def feed(self, delta: str, final: bool = False) -> list[Delta]:
        """OpenAI's deltas of one more piece; `final` says that it is the last."""
        return self.deltas_of(self.events(delta, final))

    def events(self, delta: str, final: bool = False) -> list[ParseEvent]:
        """The same as events, with their spans."""
        return self._engine.feed(delta, final)

    def deltas_of(self, events: Iterable[ParseEvent]) -> list[Delta]:
        """Deltas of events, neighbours of a kind merged; reasoning and content never share one."""
        runs: list[tuple[ParseEvent, list[str]]] = []
        for event in events:
            if event.kind in (Kind.DROPPED, Kind.CALL_END):
                continue
            if event.kind is not Kind.CALL and runs and runs[-1][0][0:3:2] == event[0:3:2]:
                runs[-1][1].append(event.text)
            else:
                runs.append((event, [event.text]))
        return [self._delta(event, "".join(texts)) for event, texts in runs]

    def _delta(self, event: ParseEvent, text: str) -> Delta:
        match event.kind:
            case Kind.REASONING:
                return {"reasoning_content": text}
            case Kind.CONTENT:
                return {"content": text}
        call: Delta = {"index": event.call}
        if event.kind is Kind.CALL:
            assert event.call is not None
            call |= {"id": self._call_id(event.call), "type": "function", "function": {"name": text, "arguments": ""}}
        else:
            call["function"] = {"arguments": text}
        return {"tool_calls": [call]}

    @property
    def held(self) -> str:
        """The text that is held back: a tail of what was fed."""
        return self._engine.held

    @property
    def reason(self) -> str | None:
        """Why text is held back; None where none is."""
        return self._engine.reason

    @property
    def state(self) -> str:
        """The state the engine is in, by its name in the format."""
        return self._engine.state


def parse_tool_calls(
    text: str,
    tools: bool | str | FormatSpec | Definitions | None = "hermes",
    definitions: Definitions | None = None,
) -> tuple[str, list[ToolCall]]:
    """Content and complete calls of a whole output.

    >>> parse_tool_calls('Ok.<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>')
    ('Ok.', [{'name': 'f', 'arguments': {'x': 1}}])
    >>> parse_tool_calls('<tool_call>{"name": "f", "arguments": {"x": 1')
    ('<tool_call>{"name": "f", "arguments": {"x": 1', [])

    The engine of the stream, fed once. Calls that broke or were cut off stand in the content, raw. Reasoning stands
    there too, with its tags, and what looks like a call inside it is none; gpt-oss's analysis is left out.
    """
    require_text(text, "text")
    parser = OutputParser(True, tools, definitions=definitions)
    content: list[str] = []
    calls: list[ToolCall] = []
    name, arguments, index, start = "", [""], -1, 0
    for event in parser.events(text, final=True):
        if event.call is not None and event.call > index:
            index, start, arguments = event.call, event.span.start, []
        match event.kind:
            case Kind.CONTENT:
                content.append(event.text)
            case Kind.REASONING:
                content.append(_with_tags(text, event.span, parser.tags))
            case Kind.CALL:
                name = event.text
            case Kind.ARGUMENTS:
                arguments.append(event.text)
            case Kind.CALL_END if event.note == "":
                calls.append(ToolCall(name=name, arguments=json.loads("".join(arguments))))
            case Kind.CALL_END if event.note == "cut off":
                content.append(text[start:])
    return "".join(content), calls


def _with_tags(text: str, reasoning: Span, tags: ReasoningSpec | None) -> str:
    """Reasoning as it came, newlines and tags with it; nothing where it has no tags."""
    if tags is None:
        return ""
    start, end = reasoning
    while start > 0 and text[start - 1] in "\r\n":
        start -= 1
    while end < len(text) and text[end] in "\r\n":
        end += 1
    start -= len(tags.open) if text.endswith(tags.open, 0, start) else 0
    end += len(tags.close) if text.startswith(tags.close, end) else 0
    return text[start:end]


_LONE = re.compile("[\ud800-\udfff]")


def openai_tool_call(call: ToolCall, id: str | None = None) -> dict[str, Any]:
    """A call as OpenAI's messages carry it: its arguments are a JSON string, non-ASCII kept.

    >>> openai_tool_call({"name": "f", "arguments": {"city": "São Paulo"}}, "call_0")["function"]
    {'name': 'f', 'arguments': '{"city": "São Paulo"}'}

    `id`: where none is given, "call_" and 24 digits made of the call, so that other calls have other ids (two equal
    calls of one message need ids of yours). A lone surrogate becomes its escape, so the string has a UTF-8 form.
    Arguments that are JSON text already, as in OpenAI's own calls, stay as they are: nothing is encoded twice.
    Errors: Unwritable where the arguments are no object, or JSON has no word for a value (infinity, a set).
    """
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str) or "arguments" not in call:
        raise Unwritable(
            where="call", what=f"found {call!r:.100}", remedy='a call has a "name", a text, and "arguments"'
        )
    arguments = _arguments_text(call)
    arguments = _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", arguments)
    function = {"name": call["name"], "arguments": arguments}
    if id is None:
        made_of = json.dumps([call["name"], arguments])
        id = "call_" + hashlib.sha256(made_of.encode()).hexdigest()[:24]
    return {"id": id, "type": "function", "function": function}


def _arguments_text(call: ToolCall) -> str:
    arguments: object = call["arguments"]
    where = f"arguments of {call['name']}"
    text, read = "", arguments
    try:
        if isinstance(arguments, str):
            text, read = arguments, json.loads(arguments, parse_constant=_no_constant)
        else:
            text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unwritable(where=where, what=f"no JSON form: {error}", remedy="use JSON's own types") from None
    if not isinstance(read, Mapping):
        raise Unwritable(where=where, what=f"found {arguments!r:.100}", remedy="arguments are one object")
    return text


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not JSON")


_PROMPT_ENDS = {"gpt_oss": "<|channel|>analysis<|message|>"}


def starts_in_reasoning(prompt: str, reasoning: bool | str | ReasoningSpec | None = "think") -> bool:
    r"""Whether a rendered prompt ends inside reasoning, so that only the close tag will be generated.

    >>> starts_in_reasoning("<|im_start|>assistant\n<think>\n"), starts_in_reasoning("<think>\n\n</think>\n\n")
    (True, False)

    That is where the open tag is the last thing but white space. Tags in earlier messages do not count. "gpt_oss" asks
    for the header of its analysis channel.
    """
    if reasoning is None or reasoning is False:
        return False
    require_text(prompt, "prompt")
    if isinstance(reasoning, str) and reasoning in _PROMPT_ENDS:
        return prompt.endswith(_PROMPT_ENDS[reasoning])
    tags = _tags(reasoning, NO_TOOLS)
    return tags is not None and prompt.rstrip().endswith(tags.open)


def schemas_of(definitions: Definitions) -> dict[str, Schema]:
    """The tools' parameters by name, from definitions as OpenAI writes them, with or without the outer object.

    >>> schemas_of([{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}, {"name": "g"}])
    {'f': {'type': 'object'}, 'g': {}}
    """
    if isinstance(definitions, Mapping | str) or not isinstance(definitions, Iterable):
        remedy = "give a list of tools, even for one"
        raise MalformedFormat(where="definitions", what=f"found {definitions!r:.60}", remedy=remedy)
    schemas: dict[str, Schema] = {}
    for number, definition in enumerate(definitions):
        where = f"definitions/{number}"
        function = definition.get("function", definition) if isinstance(definition, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            what = "found a tool without a name"
            raise MalformedFormat(where=where, what=what, remedy='write {"type": "function", "function": {"name": …}}')
        parameters = function.get("parameters")
        schemas[function["name"]] = parameters if isinstance(parameters, Mapping) else {}
    return schemas


def _format(tools: bool | str | FormatSpec | Definitions | None) -> FormatSpec:
    if tools is None or tools is False:
        return NO_TOOLS
    if isinstance(tools, FormatSpec):
        return tools
    name = "hermes" if tools is True else tools
    if not isinstance(name, str) or name not in FORMATS:
        raise unknown_format("tools", tools, FORMATS)
    return FORMATS[name]


def _tags(reasoning: bool | str | ReasoningSpec | None, spec: FormatSpec) -> ReasoningSpec | None:
    if reasoning is None or reasoning is False or isinstance(reasoning, ReasoningSpec):
        return reasoning or None
    name = spec.reasoning if reasoning is True else reasoning
    if not isinstance(name, str) or name not in REASONING:
        raise unknown_format("reasoning", reasoning, REASONING)
    return REASONING[name]
