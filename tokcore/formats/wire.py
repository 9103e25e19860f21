"""Reading protocol buffers: the wire format only, no schema, every length checked before it is used."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from tokcore.errors import MalformedFile

# A varint holds 64 bits, seven a byte.
LONGEST_VARINT = 10
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
KINDS = {VARINT: "a number", FIXED64: "64 bits", BYTES: "bytes", FIXED32: "32 bits"}


class WireField(NamedTuple):
    """One field: its number, its wire type, where its value lies (`start`, `end`: bytes) and the value if a varint."""

    number: int
    kind: int
    start: int
    end: int
    value: int


def wire_fields(data: bytes, start: int = 0, end: int | None = None) -> Iterator[WireField]:
    r"""The fields of one message, in order.

    >>> [(field.number, data[field.start : field.end]) for data in [b"\x0a\x02hi"] for field in wire_fields(data)]
    [(1, b'hi')]
    >>> list(wire_fields(b"\x0a\xff\xff\xff\x7fhi"))
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: byte 1: a length of 268435455 where 2 bytes are left (the file is cut off or no ...)
    """
    at, stop = start, len(data) if end is None else end
    while at < stop:
        # Nearly all tags and lengths are one byte, which is read without a call.
        tag = data[at]
        began, at = at, at + 1
        if tag >= 0x80:
            tag, at = varint(data, began, stop)
        number, kind = tag >> 3, tag & 7
        if number == 0 or kind not in KINDS:
            raise broken(began, f"field {number} of wire type {kind}")
        value = 0
        if kind == VARINT:
            began = at
            value, at = varint(data, at, stop)
            yield WireField(number, kind, began, at, value)
            continue
        length_at, length = at, 8 if kind == FIXED64 else 4
        if kind == BYTES:
            length, at = varint(data, at, stop)
        if length > stop - at:
            raise broken(length_at, f"a length of {length} where {stop - at} bytes are left")
        yield WireField(number, kind, at, at + length, 0)
        at += length


def varint(data: bytes, at: int, stop: int) -> tuple[int, int]:
    r"""The number at a place, and the place behind it.

    >>> varint(b"\x96\x01", 0, 2)
    (150, 2)
    """
    value = 0
    for index in range(LONGEST_VARINT):
        if at + index >= stop:
            raise broken(at, "a number that does not end")
        byte = data[at + index]
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at + index + 1
    raise broken(at, f"a number of more than {LONGEST_VARINT} bytes")


def text_of(data: bytes, field: WireField, name: str) -> str:
    """A field's value as text."""
    expect(field, BYTES, name)
    try:
        return data[field.start : field.end].decode("utf-8")
    except UnicodeDecodeError:
        raise broken(field.start, f"{name} is not UTF-8 text") from None


def float_of(data: bytes, field: WireField, name: str) -> float:
    """A field's value as a 32-bit number."""
    expect(field, FIXED32, name)
    (value,) = struct.unpack_from("<f", data, field.start)
    return float(value)


def expect(field: WireField, kind: int, name: str) -> None:
    """Refuse a field of another wire type."""
    if field.kind != kind:
        raise broken(field.start, f"{name} is {KINDS[field.kind]}, not {KINDS[kind]}")


def broken(at: int, what: str) -> MalformedFile:
    return MalformedFile(where=f"byte {at}", what=what, remedy="the file is cut off or no SentencePiece model")
