"""Reading a chat completion request: typed members with their place, null as good as absent."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from flask import request

from app.api.body import parse
from app.bodies import read_body
from app.errors import InvalidParameter, UnsupportedBody
from app.forms import shorten
from tokcore.errors import require_utf8
from tokcore.fields import Fields, wrong_kind

DEPTH_LIMIT = 100


class Members(Fields):
    """One JSON object of a request.

    >>> members = Members({"n": 2, "stream": None}, "")
    >>> members.whole("n", 1, 8), members.switch("stream"), members.whole("top_k", 0, 9)
    (2, False, None)
    """

    def given(self, key: str) -> Any:
        """The value, None where it is null or absent."""
        return self.value.get(key)

    def text(self, key: str) -> str:
        """A string that must be there."""
        if self.given(key) is None:
            raise missing(self.at(key))
        return self.string(key)

    def switch(self, key: str, default: bool = False) -> bool:
        """true or false."""
        found = self.optional_switch(key)
        return default if found is None else found

    def optional_switch(self, key: str) -> bool | None:
        """true, false, or nothing said."""
        return None if self.given(key) is None else self.boolean(key)

    def whole(self, key: str, least: int, most: int) -> int | None:
        """A whole number within bounds."""
        value = self.given(key)
        return None if value is None else whole(value, self.at(key), least, most)

    def listed(self, key: str) -> list[Any] | None:
        """A list."""
        value = self.given(key)
        if value is not None and not isinstance(value, list):
            raise wrong_kind(value, self.at(key), "a list")
        return value

    def member(self, key: str) -> Members | None:
        """An object."""
        return None if self.given(key) is None else Members(self.value[key], self.at(key))

    def only(self, known: Sequence[str]) -> None:
        """Refuse the first key that is none of these."""
        for key in self.value:
            if key not in known:
                meant = get_close_matches(key[:80], known, n=1)
                raise InvalidParameter(
                    where=self.at(shorten(key)),
                    what="this parameter is not known here",
                    remedy=f"perhaps {meant[0]} is meant" if meant else "known: " + ", ".join(known),
                    code="unknown_parameter",
                )


def whole(value: object, where: str, least: int, most: int) -> int:
    """A value as a whole number within bounds (true and false are no numbers)."""
    if type(value) is not int:
        raise wrong_kind(value, where, "a whole number")
    if not least <= value <= most:
        raise InvalidParameter(where=where, what=f"found {value}", remedy=f"from {least:,} to {most:,}")
    return value


def missing(where: str) -> InvalidParameter:
    """An error to raise for a parameter that must be there."""
    return InvalidParameter(where=where, what="it is missing", remedy="add it", code="missing_required_parameter")


def unsupported(where: str, what: str, remedy: str, code: str = "unsupported_parameter") -> InvalidParameter:
    """An error to raise for what OpenAI has and this address has not."""
    return InvalidParameter(where=where, what=what, remedy=remedy, code=code)


def read_body_members() -> Members:
    """The body of the current request: a JSON object, not too deep, of texts that have a UTF-8 form."""
    if request.mimetype != "application/json":
        raise UnsupportedBody(
            where="Content-Type",
            what=f"found {shorten(request.mimetype)!r}",
            remedy="send JSON as application/json",
        )
    members = Members(parse(read_body(request)), "")
    check_tree(members.value)
    return members


def check_tree(value: Any) -> None:
    r"""Refuse what is nested too deep to be walked by recursion later, and texts with half of a surrogate pair.

    >>> check_tree({"stop": ["a\ud83d"]})
    Traceback (most recent call last):
    tokcore.errors.InvalidText: /stop/0: lone surrogate U+D83D at character 1 (replace it, for example by U+FFFD)
    """
    # (value, depth, way): a way is (way of the parent, key), written out only for an error.
    waiting: list[tuple[Any, int, Any]] = [(value, 0, None)]
    while waiting:
        found, depth, way = waiting.pop()
        if isinstance(found, str):
            if not found.isascii():
                require_utf8(found, _pointer(way))
        elif isinstance(found, dict | list):
            if depth == DEPTH_LIMIT:
                raise InvalidParameter(
                    where=_pointer(way), what="nested too deep", remedy=f"at most {DEPTH_LIMIT} levels"
                )
            pairs = found.items() if isinstance(found, dict) else enumerate(found)
            for key, item in pairs:
                if isinstance(item, str | dict | list):
                    waiting.append((item, depth + 1, (way, key)))
                if isinstance(key, str) and not key.isascii():
                    require_utf8(key, _pointer(way))


def _pointer(way: Any) -> str:
    keys = []
    while way is not None:
        way, key = way
        keys.append(shorten(str(key)).replace("~", "~0").replace("/", "~1"))
    return "".join(f"/{key}" for key in reversed(keys)) or "/"
