"""Reading a SentencePiece `.model`: its pieces and the settings that decide how it encodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tokcore.errors import MalformedFile
from tokcore.formats.wire import BYTES, VARINT, WireField, expect, float_of, text_of, wire_fields

# Field numbers and defaults: sentencepiece_model.proto of the sentencepiece project.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
UNIGRAM, BPE, WORD, CHAR = range(1, 5)
MODEL_PIECES, MODEL_TRAINER, MODEL_NORMALIZER, MODEL_DENORMALIZER = 1, 2, 3, 5
PIECE_TEXT, PIECE_SCORE, PIECE_KIND = 1, 2, 3
TRAINER_FIELDS = {3: "model_type", 24: "treat_whitespace_as_suffix", 35: "byte_fallback"}
TRAINER_IDS = {40: "unk_id", 41: "bos_id", 42: "eos_id", 43: "pad_id"}
NORMALIZER_FIELDS = {3: "add_dummy_prefix", 4: "remove_extra_whitespaces", 5: "escape_whitespaces"}
CHARSMAP = 2
NOT_FLAGS = {"model_type", *TRAINER_IDS.values()}


class Piece(NamedTuple):
    """One entry of the vocabulary; its id is its place."""

    text: str
    score: float
    kind: int


@dataclass(frozen=True, slots=True)
class SentencePieceFile:
    """A model's pieces and settings.

    `model_type`: UNIGRAM or BPE; an id of -1 means that there is no such token. `charsmap`: the compiled
    normalization rules, b"" for none.
    """

    pieces: tuple[Piece, ...]
    model_type: int = UNIGRAM
    treat_whitespace_as_suffix: bool = False
    byte_fallback: bool = False
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    charsmap: bytes = b""
    denormalizes: bool = False
    unk_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    pad_id: int = -1


def read_sentencepiece(data: bytes) -> SentencePieceFile:
    r"""The content of a `.model` file.

    >>> read_sentencepiece(b"\x0a\x08\x0a\x01a\x15\x00\x00\x80\xbf").pieces
    (Piece(text='a', score=-1.0, kind=1),)
    """
    pieces: list[Piece] = []
    numbers: dict[str, int] = {}
    charsmap, denormalizes = b"", False
    for field in wire_fields(data):
        if field.number == MODEL_PIECES:
            pieces.append(read_piece(data, field))
        elif field.number == MODEL_TRAINER:
            numbers |= {
                name: value - 2**64 if value >= 2**63 else value
                for name, value in named_numbers(data, field, {**TRAINER_FIELDS, **TRAINER_IDS})
            }
        elif field.number == MODEL_NORMALIZER:
            numbers |= dict(named_numbers(data, field, NORMALIZER_FIELDS))
            charsmap = bytes_in(data, field, CHARSMAP, charsmap)
        elif field.number == MODEL_DENORMALIZER:
            denormalizes = bool(bytes_in(data, field, CHARSMAP, b""))
    if not pieces:
        raise MalformedFile(
            where="pieces", what="found none", remedy="the file is cut off, or it is no SentencePiece model"
        )
    found: dict[str, Any] = {name: value if name in NOT_FLAGS else bool(value) for name, value in numbers.items()}
    return SentencePieceFile(pieces=tuple(pieces), charsmap=charsmap, denormalizes=denormalizes, **found)


def read_piece(data: bytes, message: WireField) -> Piece:
    """One `pieces` entry."""
    expect(message, BYTES, "a piece")
    text, score, kind = "", 0.0, NORMAL
    for field in wire_fields(data, message.start, message.end):
        if field.number == PIECE_TEXT:
            text = text_of(data, field, "a piece's text")
        elif field.number == PIECE_SCORE:
            score = float_of(data, field, "a piece's score")
        elif field.number == PIECE_KIND:
            expect(field, VARINT, "a piece's type")
            kind = field.value
    return Piece(text, score, kind)


def named_numbers(data: bytes, message: WireField, names: dict[int, str]) -> Iterator[tuple[str, int]]:
    """The known number fields of a message."""
    expect(message, BYTES, "a specification")
    for field in wire_fields(data, message.start, message.end):
        if field.number in names:
            expect(field, VARINT, names[field.number])
            yield names[field.number], field.value


def bytes_in(data: bytes, message: WireField, number: int, default: bytes) -> bytes:
    """The last bytes field of this number in a message."""
    for field in wire_fields(data, message.start, message.end):
        if field.number == number:
            expect(field, BYTES, "precompiled_charsmap")
            default = data[field.start : field.end]
    return default
