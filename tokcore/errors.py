"""Every error tokcore raises: where it happened, what was found, what to do about it."""

from __future__ import annotations


class TokcoreError(Exception):
    """An error a person can act on.

    >>> str(TokcoreError(where="/model/type", what="found 'Foo'", remedy="use BPE"))
    "/model/type: found 'Foo' (use BPE)"

    `where` is a JSON pointer into the input (or a short name of the place), `what` says what was found,
    `remedy` how to go on.
    """

    def __init__(self, *, where: str, what: str, remedy: str) -> None:
        super().__init__(where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what} ({self.remedy})"


class MalformedFile(TokcoreError):
    """The file is not JSON, lacks a key, or holds a value of the wrong type."""


class UnsupportedComponent(TokcoreError):
    """The file names a component, or an option of one, that is not built in."""


class PatternError(TokcoreError):
    """A regular expression that does not compile or cannot be translated exactly."""


class InvalidText(TokcoreError):
    """Text that has no UTF-8 form: it holds a lone surrogate."""


class UnknownId(TokcoreError):
    """An id outside the vocabulary."""


def require_utf8(text: str, where: str = "text") -> None:
    r"""Refuse text that has no UTF-8 form.

    >>> require_utf8("a🚀")
    >>> require_utf8("a\ud83d")
    Traceback (most recent call last):
    tokcore.errors.InvalidText: text: lone surrogate U+D83D at character 1 (replace it, for example by U+FFFD)

    Law: a tokenizer works on Unicode scalar values; the reference library refuses surrogates too.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidText(
            where=where,
            what=f"lone surrogate U+{ord(text[error.start]):04X} at character {error.start}",
            remedy="replace it, for example by U+FFFD",
        ) from None
