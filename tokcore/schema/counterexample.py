"""A document that a weakened pattern lets through and the schema does not.

>>> found = counterexample({"type": "array", "items": {"type": "boolean"}, "uniqueItems": True})
>>> found.broken, len(json.loads(found.text)) > 1
('/uniqueItems', True)
>>> counterexample({"type": "array", "items": {"type": "boolean"}}) is None
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations

from tokcore.schema.automaton import Automaton
from tokcore.schema.ecma import parse_pattern
from tokcore.schema.errors import SchemaError
from tokcore.schema.ledger import KeywordUse
from tokcore.schema.parse import RECURSION
from tokcore.schema.pattern import SchemaPattern, compile_schema
from tokcore.schema.sampling import sample
from tokcore.schema.validity import broken_keyword

MAX_PAIRS = 20


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A document that the pattern matches, and the pointer of the keyword that it breaks.

    `text` is None where keywords are left out but no document was found that shows it.
    """

    weakened: tuple[KeywordUse, ...]
    text: str | None
    broken: str | None


def counterexample(schema: object, *, recursion: int = RECURSION, tries: int = 200) -> Counterexample | None:
    """Where the pattern of `compile_schema(schema, weaken=True)` is weaker than the schema, a document that shows it.

    None where nothing is left out: then all that the pattern matches is valid. `tries`: how many documents are looked
    at. Documents come out of the pattern itself, and out of schemas that ask for the very thing the keyword forbids.
    """
    pattern = compile_schema(schema, recursion=recursion, weaken=True)
    if not pattern.weakened:
        return None
    automaton = pattern.automaton()
    for text in _candidates(schema, pattern, recursion, tries):
        if not automaton.matches(text):
            continue
        broken = broken_keyword(schema, json.loads(text))
        if broken is not None:
            return Counterexample(pattern.weakened, text, broken)
    return Counterexample(pattern.weakened, None, None)


def _candidates(schema: object, pattern: SchemaPattern, recursion: int, tries: int) -> Iterator[str]:
    for opposite in _opposites(schema, pattern.weakened):
        try:
            automaton = compile_schema(opposite, recursion=recursion, weaken=True).automaton()
        except SchemaError:
            continue
        yield from (sample(automaton, seed, free_bytes=40) for seed in range(10))
    automaton = pattern.automaton()
    # Short ones first: in them equal elements are likely, and they are easy to read.
    yield from (sample(automaton, seed, free_bytes=10 + seed) for seed in range(tries))


def _opposites(schema: object, weakened: tuple[KeywordUse, ...]) -> Iterator[object]:
    """The schema with one left-out keyword turned into what it forbids, or into where it matters."""
    for use in weakened:
        found = _at(schema, use.pointer)
        above = use.pointer.rpartition("/")[0]
        if use.keyword in ("not", "if"):
            yield _with_all_of(schema, above, use.keyword, [found])
        elif use.keyword == "oneOf" and isinstance(found, list):
            for pair in list(combinations(found, 2))[:MAX_PAIRS]:
                yield _with_all_of(schema, above, use.keyword, pair)
        elif use.keyword == "patternProperties" and isinstance(found, dict):
            for pattern in found:
                yield _with_all_of(schema, above, use.keyword, [{"required": [_name_like(pattern)]}])


def _with_all_of(schema: object, pointer: str, without: str, more: Sequence[object]) -> object:
    changed = deepcopy(schema)
    place = _at(changed, pointer)
    if isinstance(place, dict):
        del place[without]
        known = place.get("allOf", [])
        place["allOf"] = [*(known if isinstance(known, list) else []), *more]
    return changed


def _name_like(pattern: str) -> str:
    try:
        automaton = Automaton(parse_pattern(pattern, ""))
    except SchemaError:
        return pattern
    return automaton.shortest(automaton.start).decode()


def _at(schema: object, pointer: str) -> object:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        schema = schema[int(name)] if isinstance(schema, list) else schema[name]  # type: ignore[index]
    return schema
