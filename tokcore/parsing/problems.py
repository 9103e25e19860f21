"""Errors of parsing: a format nobody knows, a stream that is over, a tag that is nothing."""

from __future__ import annotations

from collections.abc import Iterable

from tokcore.errors import InvalidText, TokcoreError, require_utf8


class UnknownFormat(TokcoreError):
    """A name that no reasoning style and no tool-call format has."""


class MalformedFormat(TokcoreError):
    """A format's table that cannot be run: an empty marker, a way to a state that is not there."""


class FinishedStream(TokcoreError):
    """Text after the end of the output."""


class Unwritable(TokcoreError):
    """A call whose arguments have no JSON form."""


def require_text(text: object, where: str) -> None:
    """Refuse what is no string, or has no UTF-8 form.

    >>> require_text(None, "delta")
    Traceback (most recent call last):
    tokcore.errors.InvalidText: delta: found None (give a string, an empty one where there is nothing)
    """
    if not isinstance(text, str):
        remedy = "give a string, an empty one where there is nothing"
        raise InvalidText(where=where, what=f"found {text!r:.40}", remedy=remedy)
    require_utf8(text, where)


def unknown_format(where: str, found: object, known: Iterable[str]) -> UnknownFormat:
    """The error for a name that is not in a table.

    >>> print(unknown_format("tools", "hermse", ["hermes", "mistral"]))
    tools: found 'hermse' (use one of hermes, mistral)
    """
    return UnknownFormat(where=where, what=f"found {found!r}", remedy=f"use one of {', '.join(known)}")


def finished_stream() -> FinishedStream:
    """The error for a delta after the final one."""
    return FinishedStream(where="feed", what="the output was finished", remedy="make a new parser for the next output")
