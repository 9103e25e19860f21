"""How long a mask takes on a real vocabulary, beside llguidance and outlines_core where they are installed.

    python -m benchmarks.mask path/to/tokenizer.json[.xz]

Prints one JSON line per engine and schema: seconds to prepare, milliseconds of the first mask, and of all the masks on
the way of one answer (median, ninth decile, most), each asked for once. tokcore keeps masks by state: `again_ms` is the
median of a second walk through the same answer.
"""

from __future__ import annotations

import json
import lzma
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tokcore import Tokenizer
from tokcore.schema import TokenMask, Vocabulary, compile_schema

PROPERTIES = {
    "city": {"type": "string"},
    "note": {"type": "string", "maxLength": 100},
    "days": {"type": "integer", "minimum": 1, "maximum": 14},
    "unit": {"enum": ["celsius", "fahrenheit"]},
    "when": {"type": "string", "format": "date-time"},
    "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "maxItems": 3},
}
ANSWER = {
    **{"city": "São Paulo, Brazil", "note": "Rain in the evening, take an umbrella 🌂", "days": 12, "unit": "celsius"},
    **{"when": "2024-02-29T10:30:00Z", "tags": ["weather", "rain"]},
}
TREE = {
    "$ref": "#/$defs/n",
    "$defs": {
        "n": {
            "type": "object",
            "properties": {"v": {"type": "string"}, "k": {"type": "array", "items": {"$ref": "#/$defs/n"}}},
            "required": ["v"],
        }
    },
}
CASES: dict[str, tuple[object, object]] = {
    "weather call": (
        {"type": "object", "properties": PROPERTIES, "required": list(PROPERTIES), "additionalProperties": False},
        ANSWER,
    ),
    "forty optional strings": (
        {
            "type": "object",
            "properties": {f"field_{n}": {"type": "string"} for n in range(40)},
            "additionalProperties": False,
        },
        {"field_3": "one", "field_20": "two words", "field_39": "three"},
    ),
    "tree": (TREE, {"v": "root", "k": [{"v": "left", "k": []}, {"v": "right"}]}),
    "unanchored pattern": ({"type": "string", "pattern": "cat|dog"}, "a hot dog is no cat"),
}

# Walks the ids once and yields the seconds of each mask, the first one first.
Walk = Callable[[list[int]], Iterator[float]]


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def tokcore_walk(schema: object, vocabulary: Vocabulary, end: int) -> Walk:
    mask = TokenMask(compile_schema(schema), vocabulary, [end])

    def walk(ids: list[int]) -> Iterator[float]:
        state = mask.start
        for id in ids:
            yield timed(lambda here=state: mask.allowed(here))
            assert id in mask.allowed(state), mask.why_not(state, id)
            state = mask.advance(state, id)

    return walk


def llguidance_walk(schema: object, file: str, end: int) -> Walk:
    import llguidance

    tokenizer = llguidance.LLTokenizer(file, eos_token=end)
    grammar = llguidance.LLMatcher.grammar_from_json_schema(
        json.dumps(schema), defaults={"whitespace_flexible": False, "key_separator": ": ", "item_separator": ", "}
    )

    def walk(ids: list[int]) -> Iterator[float]:
        matcher = llguidance.LLMatcher(tokenizer, grammar)
        assert not matcher.get_error(), matcher.get_error()
        for id in ids:
            yield timed(matcher.compute_bitmask)
            assert matcher.consume_token(id), matcher.get_error()

    return walk


def outlines_walk(schema: object, tokens: list[bytes], end: int) -> Walk:
    import outlines_core
    from outlines_core.json_schema import build_regex_from_schema

    ids_of: dict[bytes, list[int]] = {}
    for id, token in enumerate(tokens):
        if token and id != end:
            ids_of.setdefault(token, []).append(id)
    index = outlines_core.Index(build_regex_from_schema(json.dumps(schema)), outlines_core.Vocabulary(end, ids_of))

    def walk(ids: list[int]) -> Iterator[float]:
        guide = outlines_core.Guide(index)
        for id in ids:
            yield timed(guide.get_tokens)
            guide.advance(id)

    return walk


def report(engine: str, case: str, prepare: Callable[[], Walk], ids: list[int]) -> None:
    start = time.perf_counter()
    try:
        walk = prepare()
        prepared = time.perf_counter() - start
        first, *rest = (seconds * 1000 for seconds in walk(ids))
        again = statistics.median(seconds * 1000 for seconds in walk(ids))
    except Exception as error:  # what another engine does not manage is a result too
        print(json.dumps({"engine": engine, "case": case, "error": f"{type(error).__name__}: {error}"[:200]}))
        return
    figures = {
        **{
            "prepare_s": round(prepared, 3),
            "first_ms": round(first, 2),
            "median_ms": round(statistics.median(rest), 2),
        },
        **{"ninth_decile_ms": round(statistics.quantiles(rest, n=10)[-1], 2), "most_ms": round(max(rest), 2)},
        "again_ms": round(again, 3),
    }
    print(json.dumps({"engine": engine, "case": case, "masks": len(ids), **figures}), flush=True)


def main(path: str) -> None:
    packed = Path(path).read_bytes()
    file = (lzma.decompress(packed) if path.endswith(".xz") else packed).decode()
    tokenizer = Tokenizer.from_str(file)
    tokens = tokenizer.vocab_bytes()
    end = next(id for id, token in enumerate(tokens) if not token)
    start = time.perf_counter()
    vocabulary = Vocabulary(tokens)
    print(json.dumps({"entries": len(tokens), "vocabulary_s": round(time.perf_counter() - start, 3)}))
    for case, (schema, answer) in CASES.items():
        ids = tokenizer.encode(json.dumps(answer, ensure_ascii=False)).ids
        report("tokcore", case, lambda schema=schema: tokcore_walk(schema, vocabulary, end), ids)
        report("llguidance", case, lambda schema=schema: llguidance_walk(schema, file, end), ids)
        report("outlines_core", case, lambda schema=schema: outlines_walk(schema, tokens, end), ids)


if __name__ == "__main__":
    main(sys.argv[1])
