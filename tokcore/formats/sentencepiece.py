"""SentencePiece models as BPE or Unigram with the normalizer that their file describes."""

from __future__ import annotations

import math
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tokcore import normalizers
from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.formats.parts import Parts, sequence, split_on
from tokcore.formats.sentencepiece_file import (
    BPE,
    BYTE,
    CONTROL,
    NORMAL,
    UNIGRAM,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    SentencePieceFile,
    read_sentencepiece,
)
from tokcore.formats.sentencepiece_file import Piece as Piece
from tokcore.formats.sentencepiece_merges import merge_rules
from tokcore.models.bpe import BPE as BPEModel
from tokcore.models.merges import MergeRules
from tokcore.models.unigram import Unigram
from tokcore.protocols import Model, Normalizer, Step
from tokcore.spans import AlignedText

SPACE = "▁"
# What a user-defined symbol's score lies below that of as many best pieces as it has bytes.
SYMBOL_PENALTY = 0.1
META = frozenset(r"\.^$|()[]{}*+?-#&~")


def from_sentencepiece(data: bytes, *, legacy: bool = True) -> Parts:
    """The parts of a SentencePiece `.model`; see `convert`."""
    return convert(read_sentencepiece(data), legacy=legacy)


def convert(file: SentencePieceFile, *, legacy: bool = True, symbols_are_added: bool = False) -> Parts:
    """A model's parts.

    >>> pieces = (Piece("<unk>", 0.0, UNKNOWN), Piece("▁a", -1.0, NORMAL), Piece("b", -2.0, NORMAL))
    >>> convert(SentencePieceFile(pieces)).tokenizer().encode("a b").tokens
    ['▁a', '▁', 'b']

    `legacy`: every stretch between special tokens begins with a dummy space; otherwise only the text's first one does.
    `symbols_are_added`: user-defined symbols are sought in the raw text, as llama.cpp does; SentencePiece itself seeks
    them after normalization and behind the dummy space.
    """
    if symbols_are_added:
        file = replace(file, pieces=tuple(without_unused(file.pieces)))
    require_supported(file)
    symbols = [piece.text for piece in file.pieces if piece.kind == USER_DEFINED]
    normalizer = sequence("normalizers", normalizer_steps(file, legacy))
    if not symbols_are_added:
        require_kept(symbols, normalizer)
    # In normalized text an added token is found just so, unless a dummy space would be put before its own string.
    added_normalized = file.model_type == BPE and not file.add_dummy_prefix and kept_alone(symbols, normalizer)
    inline = [] if symbols_are_added or added_normalized or file.model_type == UNIGRAM else symbols
    components = {
        "normalizer": normalizer,
        "pre_tokenizer": sequence("pretokenizers", pre_tokenizer_steps(file, legacy, inline)),
        "decoder": {"type": "Sequence", "decoders": decoder_steps(file)},
    }
    build = build_bpe if file.model_type == BPE else build_unigram
    added = tuple(
        AddedToken(id, text, normalized=kind == USER_DEFINED and not symbols_are_added, special=kind != USER_DEFINED)
        for id, (text, _, kind) in enumerate(file.pieces)
        if kind in (CONTROL, UNKNOWN) or (kind == USER_DEFINED and (symbols_are_added or added_normalized))
    )
    roles = {
        f"{role}_token": file.pieces[id].text
        for role in ("unk", "bos", "eos", "pad")
        if 0 <= (id := getattr(file, f"{role}_id")) < len(file.pieces)
    }
    return Parts(components, build(file, bool(inline)), added, roles)


def require_supported(file: SentencePieceFile) -> None:
    """Refuse what a tokenizer.json cannot say, and pieces that are broken."""
    if file.model_type not in (UNIGRAM, BPE):
        kind = {3: "word", 4: "char"}.get(file.model_type, file.model_type)
        raise unsupported("trainer_spec/model_type", f"found {kind}", "supported: unigram, bpe")
    if file.treat_whitespace_as_suffix and file.add_dummy_prefix:
        raise unsupported("trainer_spec/treat_whitespace_as_suffix", "found true", "supported: false")
    if file.denormalizes:
        raise unsupported("denormalizer_spec", "found rules for decoding", "supported: none")
    kinds = Counter(piece.kind for piece in file.pieces)
    strange = kinds.keys() - {NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE}
    if strange:
        id = next(id for id, piece in enumerate(file.pieces) if piece.kind in strange)
        name = "unused" if file.pieces[id].kind == UNUSED else f"type {file.pieces[id].kind}"
        raise unsupported(f"pieces/{id}", f"{name} piece {file.pieces[id].text!r}", "leave it out")
    if kinds[UNKNOWN] > 1:
        raise MalformedFile(where="pieces", what=f"{kinds[UNKNOWN]} unknown tokens", remedy="there must be one")
    seen: set[str] = set()
    for id, (text, score, _) in enumerate(file.pieces):
        if not text or text in seen:
            what = f"{text!r} stood before" if text else "an empty piece"
            raise MalformedFile(where=f"pieces/{id}", what=what, remedy="list each once")
        if not math.isfinite(score):
            raise MalformedFile(where=f"pieces/{id}", what=f"score {score}", remedy="must be finite")
        seen.add(text)


def without_unused(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces, unused ones made such that no text gives them; llama.cpp's converter fills a vocabulary up so.

    A score far below the others would count for the unknown token's.
    """
    lowest = min((piece.score for piece in pieces if piece.kind == NORMAL), default=0.0)
    for piece in pieces:
        yield Piece(piece.text, max(piece.score, lowest), BYTE) if piece.kind == UNUSED else piece


def unsupported(where: str, what: str, remedy: str) -> UnsupportedComponent:
    return UnsupportedComponent(where=where, what=what, remedy=remedy)


def normalizer_steps(file: SentencePieceFile, legacy: bool) -> list[dict[str, Any]]:
    """What the file does to a text first, in SentencePiece's order."""
    steps: list[dict[str, Any]] = []
    if file.charsmap:
        steps.append({"type": "Precompiled", "precompiled_charsmap": b64encode(file.charsmap).decode()})
    if file.remove_extra_whitespaces:
        # Only U+0020 counts; at the end of a text its replacement does too.
        tail = f"[ {SPACE}]+" if file.escape_whitespaces else " +"
        steps.append(replaced({"Regex": rf"\A +|{tail}\z"}, ""))
        steps.append(replaced({"Regex": " {2,}"}, " "))
    if file.add_dummy_prefix and legacy:
        steps.append({"type": "Prepend", "prepend": " "})
    if file.escape_whitespaces:
        steps.append(replaced({"String": " "}, SPACE))
    return steps


def replaced(pattern: Mapping[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": dict(pattern), "content": content}


def pre_tokenizer_steps(file: SentencePieceFile, legacy: bool, symbols: Sequence[str]) -> list[dict[str, Any]]:
    """The dummy space where the normalizer does not put it, and the cuts around user-defined symbols."""
    steps: list[dict[str, Any]] = []
    if file.add_dummy_prefix and not legacy:
        steps.append({"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "first", "split": False})
    if symbols:
        steps.append(split_on("|".join(map(escaped, sorted(symbols, key=len, reverse=True)))))
    return steps


def escaped(text: str) -> str:
    """A pattern for exactly this text.

    >>> escaped("<a.b>")
    '<a\\\\.b>'
    """
    return "".join(f"\\{character}" if character in META else character for character in text)


def require_kept(symbols: Sequence[str], normalizer: object) -> None:
    """Refuse a user-defined symbol that the file's own rules would change, which SentencePiece keeps as it is."""
    steps = normalizers.build(normalizer)
    for symbol in symbols:
        # Letters around it keep the rules for the ends of a text away.
        if not applied(steps, f"a{symbol}a").endswith(f"a{symbol}a"):
            raise unsupported(
                "normalizer_spec",
                f"the rules change the user-defined symbol {symbol!r}",
                "train the model with the identity normalization or without this symbol",
            )


def kept_alone(symbols: Sequence[str], normalizer: object) -> bool:
    """Whether the rules leave each symbol as it is when there is nothing around it."""
    steps = normalizers.build(normalizer)
    return all(applied(steps, symbol) == symbol for symbol in symbols)


def applied(steps: Sequence[Step[Normalizer]], text: str) -> str:
    """A text after the normalizers."""
    aligned = AlignedText.whole(text)
    for step in steps:
        aligned = step.component.normalize(aligned)
    return aligned.text


def decoder_steps(file: SentencePieceFile) -> list[dict[str, Any]]:
    steps = [replaced({"String": SPACE}, " ")]
    if file.byte_fallback or any(piece.kind == BYTE for piece in file.pieces):
        steps.append({"type": "ByteFallback"})
    steps.append({"type": "Fuse"})
    if file.add_dummy_prefix or file.remove_extra_whitespaces:
        steps.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return steps


def build_bpe(file: SentencePieceFile, has_symbols: bool) -> Step[Model]:
    """The BPE model; a symbol between cuts is found whole, so that no merge touches it."""
    vocab = {piece.text: id for id, piece in enumerate(file.pieces)}
    model = BPEModel(
        vocab,
        [piece.text for piece in file.pieces],
        MergeRules(merge_rules(file.pieces)),
        unk_token=next((piece.text for piece in file.pieces if piece.kind == UNKNOWN), None),
        fuse_unk=True,
        byte_fallback=file.byte_fallback,
        ignore_merges=has_symbols,
    )
    return Step("BPE", "/model", model)


def build_unigram(file: SentencePieceFile, has_symbols: bool) -> Step[Model]:
    """The Unigram model; a symbol's score makes it win over the pieces it is made of."""
    best = max((piece.score for piece in file.pieces if piece.kind == NORMAL), default=0.0)
    pieces = [
        piece._replace(score=len(piece.text.encode()) * best - SYMBOL_PENALTY) if piece.kind == USER_DEFINED else piece
        for piece in file.pieces
    ]
    unk_id = next((id for id, piece in enumerate(pieces) if piece.kind == UNKNOWN), None)
    model = Unigram(
        [piece.text for piece in pieces], [piece.score for piece in pieces], unk_id, byte_fallback=file.byte_fallback
    )
    return Step("Unigram", "/model", model)
