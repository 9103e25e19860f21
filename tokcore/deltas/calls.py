"""The tool calls of one choice, checked while their deltas come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokcore.deltas.assemble import as_index, is_index
from tokcore.deltas.findings import Findings
from tokcore.deltas.strict_json import quoted, read_json
from tokcore.deltas.texts import StreamText


class CallCheck:
    """One call: its id, its name, its arguments, and the lines they came in."""

    def __init__(self, number: int, line: int) -> None:
        self.number = number
        self.line = line
        self.id = ""
        self.name = ""
        self.arguments = StreamText()
        self.arguments_are_text = True

    def findings(self, truncated: bool) -> Iterator[tuple[int, str, str]]:
        """What is known only when the call has ended; `truncated`: the arguments may end anywhere."""
        if not self.name:
            yield self.line, "call-name-missing", f"call {self.number} has no name"
        if not self.arguments_are_text:
            return
        text = self.arguments.whole
        yield from self.arguments.broken_characters(text, f"arguments of call {self.number}")
        parsed = read_json(text)
        if parsed.problem and not (truncated and parsed.cut):
            line = self.arguments.line_at(parsed.at) or self.line
            what = f"the arguments of call {self.number}{self._named} are not JSON: {parsed.problem}"
            yield line, "arguments-not-json", what
        elif not parsed.problem and not isinstance(parsed.value, dict):
            what = f"the arguments of call {self.number}{self._named} are {quoted(text, 40)}"
            yield self.arguments.line_at(0), "arguments-not-object", what

    @property
    def _named(self) -> str:
        return f", {quoted(self.name, 60)}," if self.name else ""


class CallsCheck:
    """All calls of one choice."""

    def __init__(self, choice: int, findings: Findings) -> None:
        self._choice = choice
        self._findings = findings
        self._calls: dict[int, CallCheck] = {}
        self._ended: list[CallCheck] = []
        self._latest: int | None = None
        self._next = 0

    def __len__(self) -> int:
        return len(self._calls) + len(self._ended)

    def take(self, entries: object, line: int) -> bool:
        """Check the `tool_calls` of one delta; whether they bring anything."""
        if entries is None:
            return False
        if not isinstance(entries, list):
            self._add(line, "call-shape", f"tool_calls is {kind_of(entries)}", ())
            return True
        for entry in entries:
            if isinstance(entry, Mapping):
                self._take(entry, line)
            else:
                self._add(line, "call-shape", f"an entry of tool_calls is {kind_of(entry)}", ())
        return bool(entries)

    def finish(self, truncated: bool) -> None:
        """Report what the ends of the calls show."""
        for call in (*self._ended, *(self._calls[number] for number in sorted(self._calls))):
            for line, rule, what in call.findings(truncated):
                self._findings.add(line, rule, what)

    def _add(self, line: int, rule: str, what: str, number: object) -> None:
        self._findings.add(line, rule, what, key=(self._choice, number))

    def _take(self, entry: Mapping[str, Any], line: int) -> None:
        number = self._number(entry, line)
        id, function = entry.get("id"), entry.get("function")
        if not isinstance(function, Mapping):
            if function is not None or entry.get("type") != "custom":
                self._add(line, "call-shape", f"function of call {number} is {kind_of(function)}", number)
            function = {}
        name = function.get("name")
        call = self._calls.get(number)
        if call is not None and id and name and call.id and id != call.id:
            what = f"index {number} is that of {quoted(call.id, 60)}, and {quoted(str(id), 60)} begins under it"
            self._findings.add(line, "call-index-repeated", what)
            self._ended.append(call)
            call = None
        if call is None:
            call = self._calls[number] = CallCheck(number, line)
            if not isinstance(id, str) or not id:
                self._findings.add(line, "call-id-missing", f"call {number} begins with id {shown(id)}")
            else:
                call.id = id
        elif id:
            self._check_id(call, id, line)
        self._check_name(call, name, line)
        if "arguments" in function:
            self._check_arguments(call, function["arguments"], line)

    def _number(self, entry: Mapping[str, Any], line: int) -> int:
        """The call's index, or where there is none the one that the put-together message has."""
        index = entry.get("index")
        if not is_index(index):
            self._add(line, "call-index-missing", f"a call with index {shown(index)}", None)
        known = as_index(index)
        if known is not None:
            number = known
            if number > self._next:
                what = f"a call begins with index {number}, where {self._next} is next"
                self._findings.add(line, "call-index-jump", what)
        else:
            number = self._next if self._latest is None or entry.get("id") else self._latest
        self._next = max(self._next, number + 1)
        self._latest = number
        return number

    def _check_id(self, call: CallCheck, id: object, line: int) -> None:
        given = str(id)
        if call.id == given:
            self._add(line, "call-id-repeated", f"call {call.number} has its id {quoted(given, 60)} again", call.number)
        elif call.id:
            what = f"call {call.number} was {quoted(call.id, 60)} and is {quoted(given, 60)}"
            self._add(line, "call-id-changes", what, call.number)
        call.id = given

    def _check_name(self, call: CallCheck, name: object, line: int) -> None:
        if not name or not isinstance(name, str):
            return
        if call.name:
            what = f"call {call.number} is named {quoted(call.name, 60)}, and {quoted(name, 60)} comes again"
            self._add(line, "call-name-repeated", what, call.number)
        elif call.arguments.length:
            what = f"the name of call {call.number}, {quoted(name, 60)}, comes after {call.arguments.length} characters"
            self._add(line, "call-name-late", what + " of its arguments", call.number)
        call.name = call.name or name

    def _check_arguments(self, call: CallCheck, arguments: object, line: int) -> None:
        if isinstance(arguments, str):
            if arguments:
                call.arguments.add(arguments, line)
        elif arguments is None:
            self._add(line, "arguments-null", f"the arguments of call {call.number} are null", call.number)
        else:
            call.arguments_are_text = False
            what = f"the arguments of call {call.number} are {kind_of(arguments)}"
            self._add(line, "arguments-type", what, call.number)


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a number"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "an object"),
)


def kind_of(value: object) -> str:
    """What JSON calls a value; None is "missing or null".

    >>> kind_of([]), kind_of(True), kind_of(None)
    ('a list', 'a boolean', 'missing or null')
    """
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "missing or null")


def shown(value: object) -> str:
    """A small value as it stands, a large one by its kind.

    >>> shown(None), shown(""), shown("0"), shown([1])
    ('missing or null', '""', '"0"', 'a list')
    """
    if isinstance(value, str):
        return quoted(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else kind_of(value)
