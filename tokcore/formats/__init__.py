"""Every other file people hold, converted to what a tokenizer.json says. `load` is the way in; one format a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath

from tokcore.errors import MalformedFile
from tokcore.formats.folder import by_ending, from_folder, is_tekken
from tokcore.formats.gguf import from_gguf
from tokcore.formats.gguf_header import MAGIC
from tokcore.formats.parts import Parts
from tokcore.formats.presets import PRESETS as PRESETS
from tokcore.formats.ranks import from_named_ranks, from_ranks, looks_like_ranks
from tokcore.formats.settings import Settings
from tokcore.formats.tekken import from_tekken
from tokcore.formats.wordpiece_vocab import from_vocab_txt
from tokcore.loader import load_json
from tokcore.pipeline import Tokenizer

LOOKED_FOR = (
    "tokenizer.json, tekken.json, a SentencePiece .model, a .tiktoken rank file, vocab.txt, a .gguf, "
    "or vocab.json with merges.txt given together"
)
HALVES = {"vocab.json": "merges.txt", "merges.txt": "vocab.json"}
# A SentencePiece file begins with its first piece.
SENTENCEPIECE_START = b"\x0a"


def load(
    name: str,
    data: bytes | Mapping[str, bytes],
    *,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    r"""A Tokenizer from a file of any known format, or from several files: name → content.

    >>> load("vocab.txt", b"[UNK]\nhello\n##s").encode("hellos").tokens
    ['hello', '##s']
    >>> load("x.tiktoken", b"YQ== 0\nYg== 1\nYWI= 2", pattern="gpt2").encode("ab").ids
    [2]

    `name`: the file's name (of several files: any name, only for the reader). `pattern`, `special_tokens`: for a rank
    file, which has neither: a regular expression or the name of one in PRESETS, and token → id.
    Raises MalformedFile, UnsupportedComponent or PatternError, each with the place, what was found and what helps.
    """
    if isinstance(data, Mapping):
        return from_folder(data)
    if pattern is not None:
        return from_ranks(data, pattern=pattern, special_tokens=special_tokens).tokenizer()
    base = PurePath(name).name
    if base in HALVES:
        raise MalformedFile(where=name, what=f"one half of two: {HALVES[base]} is missing", remedy="give both files")
    if data.startswith(MAGIC):
        return from_gguf(data).tokenizer()
    for ending, read in BY_ENDING.items():
        if base.endswith(ending):
            return read(base, data)
    return by_content(name, data)


def by_content(name: str, data: bytes) -> Tokenizer:
    """A file whose name says nothing."""
    if data.lstrip()[:1] == b"{":
        return json_file(name, data)
    if looks_like_ranks(data):
        return from_named_ranks(name, data).tokenizer()
    if data.startswith(SENTENCEPIECE_START):
        return model_file(name, data)
    raise MalformedFile(
        where=name,
        what=f"neither the name nor the content ({data[:8]!r} …) is known",
        remedy=f"looked for: {LOOKED_FOR}",
    )


def json_file(name: str, data: bytes) -> Tokenizer:
    return from_tekken(data).tokenizer() if is_tekken(data) else load_json(data)


def model_file(name: str, data: bytes) -> Tokenizer:
    parts, _ = by_ending(name, data, Settings())
    return parts.tokenizer()


def alone(read: Callable[[bytes], Parts]) -> Callable[[str, bytes], Tokenizer]:
    return lambda name, data: read(data).tokenizer()


BY_ENDING: Mapping[str, Callable[[str, bytes], Tokenizer]] = {
    ".json": json_file,
    ".gguf": alone(from_gguf),
    ".model": model_file,
    ".tiktoken": lambda name, data: from_named_ranks(name, data).tokenizer(),
    "vocab.txt": alone(from_vocab_txt),
}
