"""The downloads: every token's facts as CSV and as JSON, made a few thousand rows at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from app.views.chips import TokenFacts

STEP_ROWS = 4_000
COLUMNS = (
    *("index", "id", "token", "text", "bytes", "char_start", "char_end", "byte_start", "byte_end"),
    *("utf16_start", "utf16_end", "piece", "origin", "special"),
)


def csv_parts(facts: Iterable[TokenFacts]) -> Iterator[str]:
    """The table in parts, its header first."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for some in _steps(facts):
        writer.writerows(map(row, some))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def json_parts(body: Mapping[str, object], facts: Iterable[TokenFacts] | None) -> Iterator[str]:
    """`body` as one object in parts, with a last member `rows` where there are facts.

    >>> "".join(json_parts({"ids": [1]}, [])), "".join(json_parts({"ids": [1]}, None))
    ('{"ids": [1], "rows": []}', '{"ids": [1]}')
    """
    written = json.dumps(body, ensure_ascii=False)
    if facts is None:
        yield written
        return
    yield written[:-1] + ', "rows": ['
    between = ""
    for some in _steps(facts):
        rows = (json.dumps(dict(zip(COLUMNS, row(fact), strict=True)), ensure_ascii=False) for fact in some)
        yield between + ", ".join(rows)
        between = ", "
    yield "]}"


def row(fact: TokenFacts) -> tuple[object, ...]:
    """One value per column; None where there is none."""
    characters, utf8, utf16 = (span or (None, None) for span in (fact.characters, fact.utf8, fact.utf16))
    return (
        *(fact.index, fact.id, fact.token, fact.text, fact.raw.hex()),
        *(*characters, *utf8, *utf16),
        *(fact.piece, fact.origin.value, int(fact.special)),
    )


def _steps(facts: Iterable[TokenFacts]) -> Iterator[list[TokenFacts]]:
    rest = iter(facts)
    return iter(lambda: list(islice(rest, STEP_ROWS)), [])
