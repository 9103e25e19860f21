"""JSON that a person typed: read strictly, and where it breaks said by line and column."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from app.errors import InvalidField
from app.forms import shorten

# Deep enough for every schema met so far; what is read travels between processes, which follow nesting by recursion.
DEPTH_LIMIT = 100


def read_json(text: str, where: str, remedy: str = "mend the JSON there") -> Any:
    r"""The value of a JSON text.

    >>> read_json('[{"a": 1}]', "tools")
    [{'a': 1}]
    >>> read_json('[{"a": 1\n "b"}]', "tools")
    Traceback (most recent call last):
    app.errors.InvalidField: tools: line 2, column 2: expected ',' before ` "b"}]` (mend the JSON there)

    Refused besides what is no JSON: NaN and Infinity, half of a surrogate pair, nesting deeper than DEPTH_LIMIT.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidField(where=where, what=_broken(error), remedy=remedy) from None
    except RecursionError:
        raise _too_deep(where) from None
    except ValueError as error:
        raise InvalidField(where=where, what=str(error), remedy="JSON has plain numbers only") from None
    if _is_too_deep(value):
        raise _too_deep(where)
    if "\\u" in text:
        check_surrogates(value, where)
    return value


def check_surrogates(value: Any, where: str) -> None:
    """Refuse a value that holds half of a surrogate pair: no text can."""
    try:
        written(value).encode()
    except UnicodeEncodeError as error:
        found = f"half of a surrogate pair, \\u{ord(error.object[error.start]):04x}"
        raise InvalidField(where=where, what=found, remedy="no text can hold it: write the character itself") from None


def written(value: Any, indent: int | None = None) -> str:
    """A value as JSON, non-ASCII kept.

    >>> written({"a": "é"})
    '{"a":"é"}'
    """
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))


def _broken(error: json.JSONDecodeError) -> str:
    lines = error.doc.split("\n")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    rest = shorten(line[max(0, error.colno - 2) :], 40) if line else ""
    message = error.msg[:1].lower() + error.msg[1:]
    if message.startswith("expecting"):
        wanted = message.removeprefix("expecting ").removesuffix(" delimiter")
        message = f"expected {'a value' if wanted == 'value' else wanted}"
        message += f" before `{rest}`" if rest.strip() else ", and the text ends"
    return f"line {error.lineno}, column {error.colno}: {message}"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"found {name}, which JSON does not have")


def _too_deep(where: str) -> InvalidField:
    return InvalidField(
        where=where, what=f"nested deeper than {DEPTH_LIMIT} levels", remedy="take some brackets or braces out"
    )


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [
            inner
            for item in level
            if isinstance(item, Mapping | list)
            for inner in (item.values() if isinstance(item, Mapping) else item)
        ]
        if not level:
            return False
    return True
