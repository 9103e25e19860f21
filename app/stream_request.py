"""A stream lab form as the engine takes it: what cannot be used is left out, and said beside its field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.errors import InvalidField, Problem, TextTooLong, problem_of
from app.forms import shorten
from app.settings import Settings
from app.stream_input import NO_FORMAT, StreamForm
from tokcore.deltas.sse import parse_json
from tokcore.errors import TokcoreError, UnknownId
from tokcore.generation import STRATEGIES, Strategy, StreamSettings, may_skip_special_tokens
from tokcore.parsing import FORMATS
from tokcore.pipeline import Tokenizer
from tokcore.streaming.cuts import bursts, even, seeded

STOPS_LIMIT = 1_000
STOPS_LIMIT_CHARACTERS = 100_000
DEFINITIONS_LIMIT = 200
FIRST_NUMBER = {"one": "", "even": "4", "random": "1", "bursts": "1", "after": "1", "whole": ""}
# A minus sign counts where nothing that it could join stands before it.
_NUMBER = re.compile(r"(?<![\w.])-?[0-9]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """Ids, settings, sizes of the deltas and a strategy; `problems` by the field that each belongs to."""

    ids: tuple[int, ...]
    settings: StreamSettings
    sizes: tuple[int, ...]
    strategy: Strategy
    problems: Mapping[str, Problem]

    @property
    def generated(self) -> tuple[bool, tuple[int, ...]]:
        """Whether max_tokens cut the ids off, and the ids up to there."""
        limit = self.settings.max_tokens
        cut_off = limit is not None and len(self.ids) > limit
        return cut_off, self.ids[:limit] if cut_off else self.ids

    def first(self, count: int) -> StreamRequest:
        """The same with the first so many ids; the deltas stay as they are up to there."""
        if len(self.ids) <= count:
            return self
        sizes, left = [], count
        for size in self.sizes:
            sizes.append(min(size, left))
            left -= sizes[-1]
            if left == 0:
                break
        return replace(self, ids=self.ids[:count], sizes=tuple(sizes))


class Reader:
    """Reads field by field; what is refused is noted, and its default taken."""

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}

    def refuse(self, error: TokcoreError) -> None:
        self.problems.setdefault(str(error.where), problem_of(error))

    def number(self, where: str, value: str, least: int, limit: int) -> int | None:
        """The number typed, None where the field is empty or refused."""
        typed = value.strip()
        if typed == "":
            return None
        if typed.isascii() and typed.isdigit() and len(typed) <= 12 and least <= int(typed) <= limit:
            return int(typed)
        what, remedy = f"found {shorten(typed)!r}", f"a whole number from {least:,} to {limit:,}, or nothing"
        self.refuse(InvalidField(where=where, what=what, remedy=remedy))
        return None


def read(form: StreamForm, tokenizer: Tokenizer, limits: Settings) -> StreamRequest:
    """What a form asks for. Raises TextTooLong only: all else that is wrong is among the problems."""
    reader = Reader()
    if form.given == "ids":
        ids = typed_ids(form.text, tokenizer, limits, reader)
    else:
        ids = tuple(tokenizer.text_ids(form.text))
    count = limits.ids_limit
    tools = _choice(reader, "format", form.format, (NO_FORMAT, *FORMATS), "hermes")
    settings = StreamSettings(
        stops=stop_strings(form.stops, reader),
        include_stop=form.include_stop,
        stops_in_reasoning=form.stops_in_reasoning,
        min_tokens=reader.number("min_tokens", form.min_tokens, 0, count) or 0,
        max_tokens=reader.number("max_tokens", form.max_tokens, 1, count),
        reasoning="think" if form.reasoning else None,
        tools=None if tools == NO_FORMAT else tools,
        starts_in_reasoning=form.starts_in_reasoning and form.reasoning,
        definitions=tool_definitions(form.definitions, reader),
        skip_special_tokens=not form.keep_special
        and may_skip_special_tokens(tokenizer, None if tools == NO_FORMAT else tools),
    )
    strategy = STRATEGIES[_choice(reader, "strategy", form.strategy, tuple(STRATEGIES), "bytes")]
    sizes = delta_sizes(form, len(ids), reader)
    return StreamRequest(ids, settings, sizes, strategy, reader.problems)


def delta_sizes(form: StreamForm, count: int, reader: Reader) -> tuple[int, ...]:
    """How many ids each delta brings.

    >>> [delta_sizes(StreamForm("", cut=cut, n="2"), 5, Reader()) for cut in ("even", "after", "whole")]
    [(2, 2, 1), (2, 3), (5,)]
    """
    limit = max(count, 1) if form.cut == "after" else 10**9
    first = FIRST_NUMBER[form.cut]
    n = reader.number("n", form.n, 0 if form.cut in ("random", "bursts") else 1, limit) if first else None
    number = int(first or 1) if n is None else n
    match form.cut:
        case "even":
            sizes = even(count, number)
        case "random":
            sizes = seeded(count, number)
        case "bursts":
            sizes = bursts(count, number)
        case "after":
            first_size = min(number, count)
            sizes = tuple(size for size in (first_size, count - first_size) if size > 0)
        case "whole":
            sizes = (count,) if count else ()
        case _:
            sizes = even(count, 1)
    return tuple(sizes)


def typed_ids(text: str, tokenizer: Tokenizer, limits: Settings, reader: Reader) -> tuple[int, ...]:
    """The numbers in a text, whatever stands between them; ids that stand for nothing stay, and are named."""
    found = _NUMBER.findall(text)
    if len(found) > limits.ids_limit:
        raise TextTooLong(
            where="text", what=f"{len(found):,} ids; the limit is {limits.ids_limit:,}", remedy="send them in parts"
        )
    # int() of a very long number is refused by Python; no tokenizer has an id of more than 12 digits.
    ids = tuple(int(digits) if len(digits) <= 12 else 10**12 for digits in found)
    if text.strip() and not ids:
        reader.refuse(InvalidField(where="text", what="there is no number in it", remedy="write ids, such as 9707, 11"))
    known = {id: id >= 0 and tokenizer.id_to_token(id) is not None for id in set(ids)}
    unknown = [place for place, id in enumerate(ids) if not known[id]]
    if unknown:
        first = unknown[0]
        others = f", and {len(unknown) - 1:,} more have none" if len(unknown) > 1 else ""
        reader.refuse(
            UnknownId(
                where="text",
                what=f"id {found[first]} at place {first + 1:,} has no token{others}; such ids give no text",
                remedy=f"use ids from 0 to {tokenizer.id_limit - 1:,}, or choose the tokenizer they came from",
            )
        )
    size = sum(len(tokenizer.token_bytes(id)) if known[id] else 0 for id in ids)
    if size > limits.text_limit_bytes:
        raise TextTooLong(
            where="text",
            what=f"these ids stand for {size:,} bytes; the limit is {limits.text_limit_bytes:,}",
            remedy="send them in parts",
        )
    return ids


def stop_strings(box: str, reader: Reader) -> tuple[str, ...]:
    r"""One stop a line, with JSON's escapes, in quotes or without; or a JSON list of them.

    >>> stop_strings("</answer>\n\\n\\nUser:", Reader()), stop_strings('["a", "\\n"]', Reader())
    (('</answer>', '\n\nUser:'), ('a', '\n'))

    Lines that are empty separate and are no stops; an empty stop must be written "" and is refused.
    """
    if box.strip().startswith("["):
        value, _, _ = parse_json(box)
        if isinstance(value, list) and all(isinstance(stop, str) for stop in value):
            return _usable(value, reader)
    stops = []
    for number, line in enumerate(box.split("\n"), 1):
        quoted = len(line) > 1 and line.strip()[:1] == line.strip()[-1:] == '"'
        if line.strip() == "":
            continue
        text = line.strip() if quoted else '"' + re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', line) + '"'
        try:
            stops.append(json.loads(text, strict=False))
        except ValueError:
            what = f"line {number}: `{shorten(line)}` has an escape that JSON does not know"
            remedy = r"write \n, \t, \\ or \u0000 with four hex digits"
            reader.refuse(InvalidField(where="stops", what=what, remedy=remedy))
    return _usable(stops, reader)


def _usable(stops: list[str], reader: Reader) -> tuple[str, ...]:
    if "" in stops:
        what = f"stop {stops.index('') + 1} is empty, and an empty string stands everywhere"
        reader.refuse(InvalidField(where="stops", what=what, remedy="write at least one character, or delete it"))
    if any("\ud800" <= character <= "\udfff" for stop in stops for character in stop):
        remedy = "no text can hold it: write the character itself"
        reader.refuse(InvalidField(where="stops", what="half of a surrogate pair", remedy=remedy))
        stops = [stop for stop in stops if stop.isascii() or not re.search("[\ud800-\udfff]", stop)]
    usable = [stop for stop in stops if stop]
    if len(usable) > STOPS_LIMIT:
        what = f"{len(usable):,} stops; the first {STOPS_LIMIT:,} are used"
        reader.refuse(InvalidField(where="stops", what=what, remedy="leave out the others"))
    usable, size = usable[:STOPS_LIMIT], sum(map(len, usable[:STOPS_LIMIT]))
    if size > STOPS_LIMIT_CHARACTERS:
        what = f"{size:,} characters; the limit is {STOPS_LIMIT_CHARACTERS:,}, and the stream below goes without stops"
        reader.refuse(InvalidField(where="stops", what=what, remedy="write shorter ones"))
        return ()
    return tuple(usable)


def tool_definitions(box: str, reader: Reader) -> tuple[Mapping[str, Any], ...]:
    """OpenAI's list of tools, or one of them.

    >>> tool_definitions('{"name": "now"}', Reader())
    ({'name': 'now'},)
    """
    if not box.strip():
        return ()
    value, problem, _ = parse_json(box)
    tools = value if isinstance(value, list) else [value]
    wrong = next((place for place, tool in enumerate(tools) if not named(tool)), None)
    what = problem
    if not what and wrong is not None:
        what = (
            f"tool {wrong + 1} is no object with a name" if isinstance(value, list) else "it is no object with a name"
        )
    if not what and len(tools) > DEFINITIONS_LIMIT:
        what = f"{len(tools):,} tools; the limit is {DEFINITIONS_LIMIT}"
    if what:
        remedy = 'write a list such as [{"type": "function", "function": {"name": "now", "parameters": {}}}]'
        reader.refuse(InvalidField(where="definitions", what=f"{what}; the stream below goes without", remedy=remedy))
        return ()
    return tuple(tools)


def named(tool: object) -> bool:
    """Whether a value is a tool: OpenAI's wrapped form or a bare one.

    >>> named({"type": "function", "function": {"name": "f"}}), named({"name": "f"}), named([])
    (True, True, False)
    """
    if not isinstance(tool, Mapping):
        return False
    inner = tool.get("function", tool)
    return isinstance(inner, Mapping) and isinstance(inner.get("name"), str)


def _choice(reader: Reader, where: str, value: str, known: tuple[str, ...], default: str) -> str:
    if value in known:
        return value
    what, remedy = f"there is no {shorten(value)!r} here", f"choose one of {', '.join(known)}"
    reader.refuse(InvalidField(where=where, what=what, remedy=remedy))
    return default
