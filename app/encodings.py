"""Encodings, kept for a while so that the rest of a page can follow without the text."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from app.catalogue import Catalogue
from app.forms import EncodeInput
from tokcore.tokens import Encoding

ENTRY_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Kept:
    """An encoding and the catalogue name of the tokenizer that made it."""

    encoding: Encoding
    tokenizer: str
    since_seconds: float


class Encodings:
    """A bounded cache, safe between threads: key → Encoding.

    Bounds: `limit_tokens` over all encodings (the newest always stays, even alone above it), ENTRY_LIMIT of them, and
    `age_seconds` each; what was used longest ago goes first. Each process has its own: with several workers a key can
    be unknown to the one that answers, so a page must be able to send the text again (`get` gives None).
    """

    def __init__(self, limit_tokens: int, age_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_tokens = limit_tokens
        self._age_seconds = age_seconds
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._tokens = 0

    @property
    def weight_tokens(self) -> int:
        """How many tokens are kept now."""
        return self._tokens

    def get(self, key: str) -> Encoding | None:
        """The encoding of a key, None where it was never here, was crowded out, or is too old."""
        kept = self.find(key)
        return None if kept is None else kept.encoding

    def find(self, key: str) -> Kept | None:
        """As `get`, with the tokenizer that the encoding is of."""
        with self._lock:
            self._drop_old()
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def encode(self, catalogue: Catalogue, form: EncodeInput) -> tuple[str, Encoding]:
        """The encoding of an input and its key, from the cache where it is there.

        Raises what `Catalogue.tokenizer` and `Tokenizer.encode` raise; nothing is kept then.
        """
        tokenizer = catalogue.tokenizer(form.tokenizer)
        name = catalogue.entry(form.tokenizer).name
        key = encoding_key(name, form)
        encoding = self.get(key)
        if encoding is None:
            encoding = tokenizer.encode(form.text, **form.options)
            self.put(key, encoding, name)
        return key, encoding

    def put(self, key: str, encoding: Encoding, tokenizer: str = "") -> None:
        """Keep an encoding; older ones make room."""
        with self._lock:
            self._drop_old()
            self._drop(key)
            self._kept[key] = Kept(encoding, tokenizer, self._clock())
            self._tokens += len(encoding)
            while len(self._kept) > ENTRY_LIMIT or (self._tokens > self._limit_tokens and len(self._kept) > 1):
                self._drop(next(iter(self._kept)))

    def _drop_old(self) -> None:
        oldest_seconds = self._clock() - self._age_seconds
        for key in [key for key, kept in self._kept.items() if kept.since_seconds < oldest_seconds]:
            self._drop(key)

    def _drop(self, key: str) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._tokens -= len(kept.encoding)


def encoding_key(tokenizer: str, form: EncodeInput) -> str:
    """32 hex digits that name a tokenizer, options and text, and tell nothing about the text.

    >>> len(encoding_key("qwen3", EncodeInput("qwen3", "a")))
    32
    """
    digest = hashlib.sha256(f"{tokenizer}\n{sorted(form.options.items())}\n".encode())
    digest.update(form.text.encode())
    return digest.hexdigest()[:32]
