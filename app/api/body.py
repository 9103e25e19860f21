"""JSON in and out: strict about what comes, compact about what goes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from flask import Response, request

from app.bodies import read_body
from app.errors import InvalidField, MalformedBody, UnsupportedBody
from app.forms import shorten
from tokcore.fields import Fields

_INTEGER_DIGITS_LIMIT = 20


def read_object(*known: str) -> Fields:
    """The body as a JSON object with no other keys than these.

    Raises UnsupportedBody (not sent as JSON), MalformedBody (not JSON), MalformedFile (not an object), InvalidField.
    """
    if request.mimetype != "application/json":
        raise UnsupportedBody(
            where="Content-Type",
            what=f"found {shorten(request.mimetype)!r}",
            remedy="send JSON as application/json",
        )
    fields = Fields(parse(read_body(request)), "")
    for key in fields.value:
        if key not in known:
            raise InvalidField(
                where=shorten(fields.at(key)), what="this key is not known here", remedy="known: " + ", ".join(known)
            )
    return fields


def parse(raw: bytes) -> Any:
    """The value of a JSON text by RFC 8259, UTF-8 and nothing else; a key given twice is refused too.

    >>> parse(b'{"ids": [1, 2]}')
    {'ids': [1, 2]}
    >>> parse(b'{"a": NaN}')
    Traceback (most recent call last):
    app.errors.MalformedBody: body: NaN is not JSON (send a number, or null)
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise MalformedBody(
            where=f"byte {error.start}", what=f"byte {raw[error.start]:02x} is not UTF-8", remedy="send UTF-8"
        ) from None
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_integer, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise MalformedBody(
            where=f"line {error.lineno}, column {error.colno}",
            what=f"not JSON: {error.msg}",
            remedy="send one JSON object",
        ) from None
    except RecursionError:
        raise MalformedBody(where="body", what="nested too deep", remedy="send one flat JSON object") from None


def optional_string(body: Fields, key: str, default: str) -> str:
    """A string; absent or null is the default."""
    found = body.optional_string(key)
    return default if found is None else found


def optional_boolean(body: Fields, key: str, default: bool) -> bool:
    """true or false; absent is the default."""
    return body.boolean(key, default) if key in body.value else default


def json_response(value: Mapping[str, Any], status: int = 200) -> Response:
    """Compact JSON, non-ASCII as it is (a token is half as long as its escape)."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text + "\n", status, content_type="application/json")


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedBody(where="body", what=f"{name} is not JSON", remedy="send a number, or null")


def _integer(digits: str) -> int:
    # Python's own limit (4,300 digits) would surface as a ValueError without a place.
    if len(digits) > _INTEGER_DIGITS_LIMIT:
        raise MalformedBody(
            where="body", what=f"a number of {len(digits):,} digits", remedy="no number here has more than 20"
        )
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise MalformedBody(where="body", what=f"key {shorten(key)!r} stands twice", remedy="send it once")
        found[key] = value
    return found
