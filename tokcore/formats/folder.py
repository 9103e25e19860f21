"""A model's folder: which of its files is the tokenizer, and what the others add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from tokcore.errors import MalformedFile
from tokcore.formats.gguf import from_gguf
from tokcore.formats.merges_files import CLASSES, from_vocab_and_merges, likely_kind
from tokcore.formats.parts import Parts
from tokcore.formats.presets import LLAMA3, LLAMA3_COUNT, preset
from tokcore.formats.ranks import from_named_ranks, looks_like_ranks, rank_parts
from tokcore.formats.sentencepiece import convert
from tokcore.formats.sentencepiece_file import BPE, SentencePieceFile, read_sentencepiece
from tokcore.formats.settings import ADDED_TOKENS, CONFIG, SPECIAL_MAP, TEMPLATE, Settings, read_settings, with_settings
from tokcore.formats.tekken import from_tekken
from tokcore.formats.wordpiece_vocab import from_vocab_txt
from tokcore.loader import parse_json, read_tokenizer_json
from tokcore.pipeline import Tokenizer
from tokcore.rankfile import read_ranks

SETTINGS_FILES = (CONFIG, SPECIAL_MAP, ADDED_TOKENS, TEMPLATE)
MODEL_NAMES = ("tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "spm.model")
TEKKEN_KEY = b'"default_num_special_tokens"'
# Besides these names: any file that ends so, where it is the only one.
ENDINGS = (".model", ".tiktoken", ".gguf")


def candidates(names: Iterable[str]) -> list[str]:
    """Of a folder's file names those worth reading: the settings and the first tokenizer that is there.

    >>> candidates(["README.md", "vocab.txt", "tokenizer.json", "chat_template.jinja"])
    ['chat_template.jinja', 'tokenizer.json']
    """
    present = set(names)
    settings = [name for name in SETTINGS_FILES if name in present]
    for chosen, _ in READERS:
        if present.issuperset(chosen):
            return [*settings, *chosen]
    for ending in ENDINGS:
        found = sorted(name for name in present if name.endswith(ending))
        if found:
            return [*settings, *found] if len(found) == 1 else refuse_several(found)
    return refuse_none(present)


def from_folder(files: Mapping[str, bytes]) -> Tokenizer:
    """The tokenizer of a folder, given as file name → content.

    >>> from_folder({"vocab.txt": b"[UNK]\\nhello\\n##s", "tokenizer_config.json": b"{}"}).encode("Hellos").tokens
    ['hello', '##s']
    """
    chosen = [name for name in candidates(files) if name not in SETTINGS_FILES]
    settings = read_settings(files)
    for names, read in READERS:
        if [*names] == chosen:
            return finished(*read(files, settings), settings)
    return finished(*by_ending(chosen[0], files[chosen[0]], settings), settings)


def refuse_several(found: Sequence[str]) -> NoReturn:
    raise MalformedFile(where="folder", what=f"several: {', '.join(found)}", remedy="leave one")


def refuse_none(present: Iterable[str]) -> NoReturn:
    sought = [" with ".join(names) for names, _ in READERS] + [f"*{ending}" for ending in ENDINGS]
    raise MalformedFile(
        where="folder",
        what="no tokenizer among " + (", ".join(sorted(present)[:20]) or "no files"),
        remedy="looked for, in this order: " + ", ".join(sought),
    )


def finished(parts: Parts, framed: bool, settings: Settings) -> Tokenizer:
    parts = with_settings(parts, settings, framed=framed)
    template = settings.chat_template if settings.chat_template is not None else parts.chat_template
    return parts.tokenizer(config=settings.config, chat_template=template)


def from_tokenizer_json(files: Mapping[str, bytes], settings: Settings) -> tuple[Parts, bool]:
    """tokenizer.json says itself what stands around a text."""
    components, model, added = read_tokenizer_json(files["tokenizer.json"])
    return Parts(components, model, tuple(added)), True


def from_model_file(name: str) -> Callable[[Mapping[str, bytes], Settings], tuple[Parts, bool]]:
    return lambda files, settings: by_ending(name, files[name], settings)


def from_merges(files: Mapping[str, bytes], settings: Settings) -> tuple[Parts, bool]:
    config = {**settings.config, **{key: token.content for key, token in settings.roles.items()}}
    parts = from_vocab_and_merges(files["vocab.json"], files["merges.txt"], settings=config)
    kind = CLASSES.get(settings.class_name) or likely_kind(parts.model.component.vocab)
    return parts, kind in ("roberta", "clip")


def from_wordpiece(files: Mapping[str, bytes], settings: Settings) -> tuple[Parts, bool]:
    config = {**settings.config, **{key: token.content for key, token in settings.roles.items()}}
    return from_vocab_txt(files["vocab.txt"], config), True


def from_tekken_json(files: Mapping[str, bytes], settings: Settings) -> tuple[Parts, bool]:
    return from_tekken(files["tekken.json"]), False


def by_ending(name: str, data: bytes, settings: Settings) -> tuple[Parts, bool]:
    """A file whose format its ending or its content shows."""
    if name.endswith(".gguf"):
        return from_gguf(data), True
    if name.endswith(".tiktoken"):
        return from_named_ranks(name, data), False
    if looks_like_ranks(data):
        return from_llama3_ranks(data, settings), False
    # LlamaTokenizer's own default differs from that of the others.
    legacy = settings.config.get("legacy")
    if not isinstance(legacy, bool):
        legacy = settings.class_name != "LlamaTokenizer"
    return convert(renamed(read_sentencepiece(data), settings), legacy=legacy), False


def from_llama3_ranks(data: bytes, settings: Settings) -> Parts:
    """A tokenizer.model that is a rank file: Llama 3's. Its special tokens have the ids that the folder gives them."""
    ranks = read_ranks(data)
    special = {token.content: id for id, token in settings.added.items() if token.content not in ranks}
    if not special and len(ranks) == LLAMA3_COUNT:
        special = dict(preset("llama3").special_tokens)
    return rank_parts(ranks, [LLAMA3], special)


def renamed(file: SentencePieceFile, settings: Settings) -> SentencePieceFile:
    """A model whose placeholders bear the names that the folder's added tokens give their ids."""
    kept = {piece.text for id, piece in enumerate(file.pieces) if id not in settings.added}
    # transformers renames the pieces of a BPE only.
    placeholders = settings.added.items() if file.model_type == BPE else ()
    names = {
        id: token.content
        for id, token in placeholders
        if id < len(file.pieces) and token.content and token.content not in kept
    }
    if not names:
        return file
    pieces = tuple(piece._replace(text=names.get(id, piece.text)) for id, piece in enumerate(file.pieces))
    return replace(file, pieces=pieces)


Reader = Callable[[Mapping[str, bytes], Settings], tuple[Parts, bool]]
READERS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("tokenizer.json",), from_tokenizer_json),
    (("tekken.json",), from_tekken_json),
    *(((name,), from_model_file(name)) for name in MODEL_NAMES),
    (("vocab.json", "merges.txt"), from_merges),
    (("vocab.txt",), from_wordpiece),
)


def is_tekken(data: bytes) -> bool:
    """Whether a JSON file is a tekken.json rather than a tokenizer.json."""
    # Reading a large file twice would take longer than the look.
    if TEKKEN_KEY not in data:
        return False
    value = parse_json(data)
    return isinstance(value, dict) and "model" not in value and isinstance(value.get("vocab"), list)
