"""Which tokenizers there are, and each of them loaded once, when it is first needed.

To add one for everybody, write a row in app/vocabularies.py; for one machine, put its tokenizer.json (or its folder)
into the folder that TOKBOARD_TOKENIZERS names.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock

from app.entries import CatalogueEntry, folder_entries
from app.errors import TokenizerUnavailable, UnknownTokenizer
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer

log = logging.getLogger("tokboard")


@dataclass(frozen=True, slots=True)
class TokenizerInfo:
    """What a list of tokenizers says about one of them.

    `available`: its file is there and no load of it has failed. `remedy` is None for an available one, `sha256` (of the
    file) and `vocab_size` where they are not known.
    """

    name: str
    title: str
    family: str
    available: bool
    loaded: bool
    default: bool
    vocab_size: int | None
    sha256: str | None
    remedy: str | None


class _Slot:
    """An entry and what this process has made of it so far."""

    def __init__(self, entry: CatalogueEntry) -> None:
        self.entry = entry
        self.tokenizer: Tokenizer | None = None
        self.vocab_size = entry.vocab_size
        self.failure: TokenizerUnavailable | None = None
        self._source: Path | None = None
        self._sha256: str | None = None
        self._lock = Lock()

    def source(self) -> Path | None:
        """The entry's file; once found it is not looked for again, an absent one is (it may be installed any time)."""
        if self._source is None:
            self._source = self.entry.source()
        return self._source

    @property
    def sha256(self) -> str | None:
        """Of the source file, read when first asked for; None where it cannot be read."""
        source = self.source()
        if self._sha256 is None and source is not None:
            try:
                with source.open("rb") as file:
                    self._sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                log.warning("tokenizer %r: %s cannot be read: %s", self.entry.name, source.name, error.strerror)
        return self._sha256

    def get(self) -> Tokenizer:
        """The tokenizer: the first caller loads, the others wait for it. A load that failed is not tried again."""
        if self.tokenizer is None:
            with self._lock:
                if self.failure is not None:
                    raise TokenizerUnavailable(
                        where=self.failure.where, what=self.failure.what, remedy=self.failure.remedy
                    )
                if self.tokenizer is None:
                    self.tokenizer = self._load()
                    self.vocab_size = self.tokenizer.vocab_size
        return self.tokenizer

    def _load(self) -> Tokenizer:
        source = self.source()
        if source is None:
            # Not kept as a failure: a package may be installed, or a file put back, while the app runs.
            raise TokenizerUnavailable(
                where="tokenizer", what=f"{self.entry.name!r} is not installed here", remedy=self.entry.remedy
            )
        try:
            return self.entry.load(source)
        except (TokcoreError, OSError, MemoryError) as error:
            log.warning("tokenizer %r cannot be loaded from %s: %s", self.entry.name, source, error)
            found = f"{error.where}: {error.what}" if isinstance(error, TokcoreError) else type(error).__name__
            mend = f"mend the file ({error.remedy})" if isinstance(error, TokcoreError) else "check the file"
            self.failure = TokenizerUnavailable(
                where="tokenizer",
                what=f"{self.entry.name!r} cannot be loaded from {source.name}: {found}",
                remedy=f"{mend}, then start again; the other tokenizers go on working",
            )
            raise self.failure from None


class Catalogue:
    """The tokenizers of one process, by name or by the SHA-256 of their file."""

    def __init__(self, entries: Iterable[CatalogueEntry]) -> None:
        """The first entry that is available becomes the default. Raises ValueError for two entries of one name."""
        self._slots: dict[str, _Slot] = {}
        for entry in entries:
            if entry.name in self._slots:
                raise ValueError(f"two tokenizers are called {entry.name!r}")
            self._slots[entry.name] = _Slot(entry)
        if not self._slots:
            raise ValueError("a catalogue needs an entry")

    @classmethod
    def of(cls, table: Iterable[CatalogueEntry], folder: Path | None) -> Catalogue:
        """A table, and what a folder holds; a name of the table is not given away to the folder."""
        entries = {entry.name: entry for entry in table}
        for entry in [] if folder is None else folder_entries(folder):
            if entry.name in entries:
                log.warning("tokenizer %r in the folder is passed over: that name is taken; rename it", entry.name)
            else:
                entries[entry.name] = entry
        return cls(entries.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._slots)

    @cached_property
    def default(self) -> str:
        """The name of the first entry whose file is there (of the first one, where none is)."""
        present = (name for name, slot in self._slots.items() if slot.source() is not None)
        return next(present, self.names[0])

    def entry(self, name: str) -> CatalogueEntry:
        """The row of a name or SHA-256; raises UnknownTokenizer."""
        return self._slot(name).entry

    def tokenizer(self, name: str) -> Tokenizer:
        """The tokenizer of a name or SHA-256, loaded if need be; raises UnknownTokenizer, TokenizerUnavailable."""
        return self._slot(name).get()

    def info(self, name: str) -> TokenizerInfo:
        """What there is to say about one entry, without loading it. Its file is read once, for the SHA-256."""
        slot = self._slot(name)
        available = slot.source() is not None and slot.failure is None
        return TokenizerInfo(
            name=slot.entry.name,
            title=slot.entry.title,
            family=slot.entry.family,
            available=available,
            loaded=slot.tokenizer is not None,
            default=slot.entry.name == self.default,
            vocab_size=slot.vocab_size,
            sha256=slot.sha256,
            remedy=None if available else slot.failure.remedy if slot.failure is not None else slot.entry.remedy,
        )

    def listing(self) -> list[TokenizerInfo]:
        """One info per entry, in the order of the table."""
        return [self.info(name) for name in self._slots]

    def preload(self) -> None:
        """Load the default before the process forks, so that its workers share it. A failure is logged, not raised."""
        try:
            self.tokenizer(self.default)
        except TokenizerUnavailable as error:
            log.warning("the default tokenizer is not available: %s", error)

    def _slot(self, name: str) -> _Slot:
        slot = self._slots.get(name)
        if slot is None and len(name) == 64:
            slot = next((slot for slot in self._slots.values() if slot.sha256 == name), None)
        if slot is None:
            found = repr(name) if len(name) <= 64 else "a name of " + format(len(name), ",") + " characters"
            known = "choose one of " + ", ".join(self.names)
            raise UnknownTokenizer(where="tokenizer", what=f"there is no tokenizer {found} here", remedy=known)
        return slot
