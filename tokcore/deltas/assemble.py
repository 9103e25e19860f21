"""Chunks put together to the answer that OpenAI's Python client has at the end of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard


class _Text(list[str]):
    """A growing string, kept in pieces so that a long stream costs its length."""


def assemble(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole answer of a stream of chat.completion.chunk objects.

    >>> first = {"id": "a", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "He"}}]}
    >>> last = {"id": "a", "choices": [{"index": 0, "delta": {"content": "llo"}, "finish_reason": "stop"}]}
    >>> assemble([first, last])["choices"]
    [{'index': 0, 'message': {'role': 'assistant', 'content': 'Hello'}, 'finish_reason': 'stop'}]

    Law: where the client takes a stream, this is what it has: every text of a delta is appended, names and ids that a
    server sends again included; `index` and `type` are replaced; `usage` and `system_fingerprint` are the last chunk's;
    the first chunk gives everything else. Where the client raises, this goes on: choices and calls go by their index,
    a call without one belongs to the call before unless it brings an id, values of the wrong type are passed over.
    No chunk is changed. Cost is linear.
    """
    assembler = Assembler()
    for chunk in chunks:
        assembler.add(chunk)
    return assembler.completion()


def join_deltas(deltas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The message of one choice from its deltas.

    >>> join_deltas([{"content": "He"}, {"content": "llo"}])
    {'content': 'Hello'}
    """
    message: dict[str, Any] = {}
    for delta in deltas:
        _accumulate(message, delta)
    joined = _finished(message)
    assert isinstance(joined, dict)
    return joined


class Assembler:
    """Puts chunks together one by one.

    >>> assembler = Assembler()
    >>> assembler.add({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})
    >>> assembler.completion()["choices"][0]["message"]
    {'content': 'Hi'}
    """

    def __init__(self) -> None:
        self._frame: dict[str, Any] | None = None
        self._choices: dict[int, dict[str, Any]] = {}
        self._last: dict[str, Any] = {}

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk; what is not of its shape is passed over."""
        if self._frame is None:
            left_out = ("choices", "object", "obfuscation")
            self._frame = {name: value for name, value in chunk.items() if name not in left_out}
        choices = chunk.get("choices")
        for position, choice in enumerate(choices if isinstance(choices, list) else ()):
            if isinstance(choice, Mapping):
                self._add_choice(position, choice)
        self._last = {name: chunk.get(name) for name in ("usage", "system_fingerprint")}

    def completion(self) -> dict[str, Any]:
        """The answer so far, an object of its own each time."""
        known = sorted(self._choices)
        choices = [_finished(self._choices[index]) for index in known]
        frame: dict[str, Any] = {**(self._frame or {}), "object": "chat.completion", "choices": choices}
        for name, value in self._last.items():
            if value is not None or name in frame:
                frame[name] = value
        whole: dict[str, Any] = _copied(frame)
        return whole

    def _add_choice(self, position: int, choice: Mapping[str, Any]) -> None:
        index = as_index(choice.get("index"))
        number = position if index is None else index
        kept = self._choices.get(number)
        if kept is None:
            others = {name: _started(value) for name, value in choice.items() if name not in ("index", "delta")}
            kept = self._choices[number] = {"index": number, "message": {}, **others}
        else:
            if choice.get("finish_reason"):
                kept["finish_reason"] = choice["finish_reason"]
            _add_logprobs(kept, choice.get("logprobs"))
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            _accumulate(kept["message"], delta)


def is_index(value: object) -> TypeGuard[int]:
    """Whether a value can be the index of a choice or a call.

    >>> is_index(0), is_index(True), is_index(-1), is_index("0")
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def as_index(value: object) -> int | None:
    """The index that the client reads: a number, or digits in a string; None where it would raise.

    >>> as_index(1), as_index("1"), as_index(None), as_index("x")
    (1, 1, None, None)
    """
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    return value if is_index(value) else None


def _add_logprobs(kept: dict[str, Any], logprobs: object) -> None:
    if not isinstance(logprobs, Mapping):
        return
    if not isinstance(kept.get("logprobs"), dict):
        kept["logprobs"] = {"content": None, "refusal": None}
    for name in ("content", "refusal"):
        values = logprobs.get(name)
        if isinstance(values, list) and values:
            if not isinstance(kept["logprobs"].get(name), list):
                kept["logprobs"][name] = []
            kept["logprobs"][name].extend(values)


def _accumulate(whole: dict[str, Any], delta: Mapping[str, Any]) -> None:
    for name, value in delta.items():
        kept = whole.get(name)
        if kept is None:
            whole[name] = _Calls(value) if name == "tool_calls" and isinstance(value, list) else _started(value)
        elif name in ("index", "type"):
            whole[name] = _started(value)
        elif isinstance(kept, _Text) and isinstance(value, str):
            kept.append(value)
        elif isinstance(kept, int | float) and isinstance(value, int | float):
            whole[name] = kept + value
        elif isinstance(kept, dict) and isinstance(value, Mapping):
            _accumulate(kept, value)
        elif isinstance(kept, _Calls) and isinstance(value, list):
            kept.extend(value)
        elif isinstance(kept, list) and not isinstance(kept, _Text) and isinstance(value, list):
            if not kept and _has_indexes(value):
                whole[name] = _Calls(value)
            else:
                kept.extend(value)


def _has_indexes(values: list[Any]) -> bool:
    return any(isinstance(value, Mapping) and "index" in value for value in values)


class _Calls:
    """A list whose entries are merged by their `index`: the calls of a message."""

    def __init__(self, entries: list[Any]) -> None:
        self._entries: dict[int, dict[str, Any]] = {}
        self._latest: int | None = None
        self._next = 0
        self.extend(entries)

    def extend(self, entries: list[Any]) -> None:
        for entry in entries:
            if isinstance(entry, Mapping):
                self._add(entry)

    def _add(self, entry: Mapping[str, Any]) -> None:
        index = as_index(entry.get("index"))
        if index is not None:
            number = index
        elif self._latest is None or entry.get("id"):
            number = self._next
        else:
            number = self._latest
        self._next = max(self._next, number + 1)
        self._latest = number
        _accumulate(self._entries.setdefault(number, {}), entry)

    def finished(self) -> list[Any]:
        return [_finished(self._entries[number]) for number in sorted(self._entries)]


def _started(value: Any) -> Any:
    """The first piece of what may grow."""
    if isinstance(value, str):
        return _Text([value])
    if isinstance(value, Mapping):
        return {name: _started(part) for name, part in value.items()}
    if isinstance(value, list):
        return _Calls(value) if _has_indexes(value) else list(value)
    return value


def _finished(value: Any) -> Any:
    if isinstance(value, _Text):
        return "".join(value)
    if isinstance(value, _Calls):
        return value.finished()
    if isinstance(value, dict):
        return {name: _finished(part) for name, part in value.items()}
    return value


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(part) for name, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value
