"""Common ways to stream that are wrong, to be seen beside the right ones; nothing in the project relies on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from tokcore.streaming.detokenizer import EmittedText, StreamEnded, checked_ids
from tokcore.streaming.stops import checked_stops


class DecodesWhole(Protocol):
    """What decodes a list of ids: a tokenizer."""

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str: ...


class PerDeltaDetokenizer:
    """Decodes each delta alone.

    >>> from tokcore import Tokenizer
    >>> vocab = '{"ðŁ": 0, "ļĢ": 1}'
    >>> decoder = '{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false}'
    >>> tokenizer = Tokenizer.from_str('{"model": {"vocab": %s, "merges": []}, "decoder": %s}' % (vocab, decoder))
    >>> detokenizer = PerDeltaDetokenizer(tokenizer)
    >>> detokenizer.add([0]) + detokenizer.add([1]), tokenizer.decode([0, 1])
    ('���', '🚀')

    Wrong because: a character whose bytes come in two deltas is never seen; a decoder's rule for the first token (a
    space taken off) is applied to each delta's first; other cuts give another text.
    """

    held, early, reason = b"", False, None

    def __init__(self, tokenizer: DecodesWhole, skip_special_tokens: bool = True) -> None:
        self._tokenizer, self._skip = tokenizer, skip_special_tokens
        self._emitted = EmittedText()
        self._ended = False

    @property
    def text(self) -> str:
        return self._emitted.text

    def add(self, ids: Iterable[int]) -> str:
        if self._ended:
            raise StreamEnded(where="ids", what="the stream has been flushed", remedy="begin a new detokenizer")
        ids = checked_ids(ids)
        return self._emitted.append(self._tokenizer.decode(ids, self._skip) if ids else "")

    def flush(self) -> str:
        self._ended = True
        return ""


class WindowDetokenizer:
    """Decodes a window of ids with and without the newest, and emits the difference unless it ends in U+FFFD.

    >>> from tokcore import Tokenizer
    >>> vocab = '{"ðŁ": 0, "ļĢ": 1, "ï¿½": 2}'
    >>> decoder = '{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false}'
    >>> tokenizer = Tokenizer.from_str('{"model": {"vocab": %s, "merges": []}, "decoder": %s}' % (vocab, decoder))
    >>> detokenizer = WindowDetokenizer(tokenizer)
    >>> detokenizer.add([0]), detokenizer.add([1]), detokenizer.add([2]), detokenizer.add([2]), detokenizer.flush()
    ('', '🚀', '', '', '��')

    Wrong because: U+FFFD is also a character that a text may hold, and bytes that never become one are U+FFFD for good;
    both wait as long as the text goes on so, and all that waits is decoded anew with each delta, so that the cost grows
    with the square. Where decoding depends on what lies before the window (a first token's rule, CTC's repetitions,
    what a Replace matches), the difference is not the text of the new ids.
    """

    early = False

    def __init__(self, tokenizer: DecodesWhole, skip_special_tokens: bool = True) -> None:
        self._tokenizer, self._skip = tokenizer, skip_special_tokens
        self._window: list[int] = []
        self._read = 0
        self._emitted = EmittedText()
        self._ended = False

    @property
    def text(self) -> str:
        return self._emitted.text

    @property
    def held(self) -> bytes:
        return self._difference().encode()

    @property
    def reason(self) -> str | None:
        return "the text ends in U+FFFD" if self._difference() else None

    def add(self, ids: Iterable[int]) -> str:
        if self._ended:
            raise StreamEnded(where="ids", what="the stream has been flushed", remedy="begin a new detokenizer")
        self._window += checked_ids(ids)
        text = self._difference()
        if not text or text.endswith("\ufffd"):
            return ""
        # What was new is the context of what comes next.
        del self._window[: self._read]
        self._read = len(self._window)
        return self._emitted.append(text)

    def flush(self) -> str:
        text = self._difference()
        self._window, self._read, self._ended = [], 0, True
        return self._emitted.append(text)

    def _difference(self) -> str:
        before = self._tokenizer.decode(self._window[: self._read], self._skip)
        return self._tokenizer.decode(self._window, self._skip)[len(before) :]


class FixedHoldStopChecker:
    """Always holds as many characters as the longest stop has, less one.

    >>> checker = FixedHoldStopChecker(["<|end|>"])
    >>> checker.add("I am"), checker.held, checker.add(" here."), checker.held, checker.finish()
    ('', 'I am', 'I am', ' here.', ' here.')

    Wrong because: text that can begin no stop is late, all the time; and of several stops that one wins which starts
    first in what has come so far, so that other cuts give another text.
    """

    candidate = None

    def __init__(self, stops: Sequence[str] | str, include_stop: bool = False) -> None:
        self._stops = checked_stops(stops)
        self._include_stop = include_stop
        self._hold = max(map(len, self._stops), default=1) - 1
        self._unarmed = 0
        self._ended = False
        self.held = ""
        self.match: str | None = None

    @property
    def stopped(self) -> bool:
        return self.match is not None

    def add(self, delta: str, armed: bool = True) -> str:
        if self._ended:
            raise StreamEnded(where="delta", what="the text has been finished", remedy="begin a new checker")
        if self.stopped:
            return ""
        text = self.held + delta
        unarmed = self._unarmed if armed else len(text)
        # A stop that ends in unarmed text is not one.
        found = [(text.find(stop, max(0, unarmed - len(stop) + 1)), stop) for stop in self._stops]
        found = [(at, stop) for at, stop in found if at >= 0]
        if found and armed:
            at, self.match = min(found, key=lambda pair: pair[0])
            self.held = ""
            return text[: at + len(self.match)] if self._include_stop else text[:at]
        left = max(0, len(text) - self._hold)
        self.held, self._unarmed = text[left:], max(0, unarmed - left)
        return text[:left]

    def finish(self) -> str:
        self._ended = True
        return self.release()

    def release(self) -> str:
        held, self.held, self._unarmed = self.held, "", 0
        return held
