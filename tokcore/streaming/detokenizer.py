"""Ids to text while they come: every character as soon as no later id can change it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Protocol

from tokcore.errors import TokcoreError


class NotAnId(TokcoreError):
    """Something that is no whole number where an id is due."""


class StreamEnded(TokcoreError):
    """More was given to a stream that had been finished."""


class Decoding(Protocol):
    """A tokenizer's decoders in streaming form."""

    @property
    def held(self) -> bytes: ...

    @property
    def reason(self) -> str | None: ...

    @property
    def early(self) -> bool: ...

    def feed(self, ids: Iterable[int]) -> str: ...

    def finish(self) -> str: ...


class Decodes(Protocol):
    """What has a streaming form: a tokenizer."""

    def decoding(self, skip_special_tokens: bool) -> Decoding: ...


class EmittedText:
    """What has been emitted, kept in parts: adding costs nothing for what is there, reading costs its length.

    >>> emitted = EmittedText()
    >>> emitted.append("a"), emitted.append("b"), emitted.text
    ('a', 'b', 'ab')
    """

    def __init__(self) -> None:
        self._parts: list[str] = []

    def append(self, text: str) -> str:
        """Keep a text and hand it on."""
        if text:
            self._parts.append(text)
        return text

    @property
    def text(self) -> str:
        self._parts[:] = ["".join(self._parts)]
        return self._parts[0]


class IncrementalDetokenizer:
    r"""Turns ids into text bit by bit; nothing that was emitted is ever taken back.

    >>> from tokcore import Tokenizer
    >>> vocab = '{"a": 0, "ðŁ": 1, "ļ": 2, "Ģ": 3}'
    >>> decoder = '{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false}'
    >>> tokenizer = Tokenizer.from_str('{"model": {"vocab": %s, "merges": []}, "decoder": %s}' % (vocab, decoder))
    >>> detokenizer = IncrementalDetokenizer(tokenizer)
    >>> detokenizer.add([0]), detokenizer.add([1]), detokenizer.held, detokenizer.reason
    ('a', '', b'\xf0\x9f', '2 of 4 bytes of a character')
    >>> detokenizer.add([2, 3]), detokenizer.add([1]), detokenizer.flush(), detokenizer.text
    ('🚀', '', '�', 'a🚀�')

    Laws: what all `add` and `flush` return, joined, is `decode` of all ids, however they are cut; the one exception is
    marked by `early`. Held are bytes that begin a character, and what the file's decoders change by what follows
    (docs/streaming.md lists it). An id without a token is passed over, as in `decode`. A token costs the same at the
    100,000th place as at the first, unless `reason` says that the text waits for its end.
    """

    def __init__(self, tokenizer: Decodes, skip_special_tokens: bool = True) -> None:
        self._decoding = tokenizer.decoding(skip_special_tokens)
        self._emitted = EmittedText()
        self._ended = False

    @property
    def text(self) -> str:
        """Everything emitted so far."""
        return self._emitted.text

    @property
    def held(self) -> bytes:
        """The bytes that have come and are not in `text` yet."""
        return b"" if self._ended else self._decoding.held

    @property
    def reason(self) -> str | None:
        """Why something is held, None where nothing is."""
        return None if self._ended else self._decoding.reason

    @property
    def early(self) -> bool:
        """Whether characters were emitted that `decode` gives as U+FFFD, because their run of byte tokens broke."""
        return self._decoding.early

    def add(self, ids: Iterable[int]) -> str:
        """The text that these ids complete; on an error none of them has been taken."""
        if self._ended:
            raise StreamEnded(where="ids", what="the stream has been flushed", remedy="begin a new detokenizer")
        return self._emitted.append(self._decoding.feed(checked_ids(ids)))

    def flush(self) -> str:
        """What was held: there are no more ids. A second flush has nothing to give."""
        if self._ended:
            return ""
        text = self._decoding.finish()
        self._ended = True
        return self._emitted.append(text)


def checked_ids(ids: Iterable[int]) -> list[int]:
    """The ids as whole numbers of Python.

    >>> checked_ids([3, "4"])
    Traceback (most recent call last):
    tokcore.streaming.detokenizer.NotAnId: ids/1: found '4' (an id is a whole number)

    Numbers of any size and sign are ids, if only of no token; true and false are not numbers.
    """
    try:
        given = list(ids)
    except TypeError:
        remedy = "give a list of ids, even for one"
        raise NotAnId(where="ids", what=f"found {shortened(ids)}", remedy=remedy) from None
    checked: list[int] = []
    for place, id in enumerate(given):
        try:
            if isinstance(id, bool):
                raise TypeError
            checked.append(index(id))
        except TypeError:
            what, remedy = f"found {shortened(id)}", "an id is a whole number"
            raise NotAnId(where=f"ids/{place}", what=what, remedy=remedy) from None
    return checked


def shortened(value: object) -> str:
    """A value for an error, at most 40 characters of it."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
