"""SentencePiece's precompiled charsmap: a trie over UTF-8 bytes and the texts that its keys become."""

from __future__ import annotations

import struct
from array import array
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass, field

from tokcore.errors import MalformedFile

HAS_LEAF = 1 << 8
IS_LEAF = 1 << 31


@dataclass(frozen=True, slots=True)
class Charsmap:
    """The replacements of a charsmap.

    >>> empty = parse_charsmap(struct.pack("<2I", 4, 0) + b"unused", "")
    >>> empty.replacement("a") is None
    True

    `data` as the file has it: the trie's size in bytes (32 bits, the low byte first), the trie, the texts, each ended
    by NUL. The trie is a double array: one unit is a node, `label` the byte that leads to it, and the children of the
    node at `at` lie where `at ^ offset` is changed by their labels; a leaf holds the place of its text.
    """

    data: bytes
    units: array[int] = field(repr=False, compare=False)
    texts: bytes = field(repr=False, compare=False)

    def replacement(self, chunk: str) -> str | None:
        """What the shortest key that `chunk` begins with becomes, None without such a key.

        Law of the reference: the shortest, and all of the chunk is replaced. NUL ends a chunk.
        """
        units, count = self.units, len(self.units)
        at = offset(units[0])
        for byte in chunk.encode():
            at ^= byte
            if byte == 0 or at >= count or label(units[at]) != byte:
                return None
            unit = units[at]
            at ^= offset(unit)
            if unit & HAS_LEAF:
                return self.text_at(units[at] & ~IS_LEAF)
        return None

    def text_at(self, place: int) -> str:
        end = self.texts.find(b"\0", place)
        return self.texts[place : end if end >= 0 else None].decode()


def offset(unit: int) -> int:
    """What leads from a node to its children.

    >>> offset(5 << 10), offset(5 << 10 | 1 << 9)
    (5, 1280)
    """
    return unit >> 10 << ((unit & 1 << 9) >> 6)


def label(unit: int) -> int:
    """The byte that leads to a node; a leaf's is none."""
    return unit & (IS_LEAF | 0xFF)


def decode_charsmap(text: str, pointer: str) -> Charsmap:
    """The charsmap of a file: standard base64, its padding optional.

    >>> decode_charsmap("BAAAAA==", "/normalizer/precompiled_charsmap")
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: /normalizer/precompiled_charsmap: the trie should have 4 bytes, found 0 \
(take the charsmap as the model has it)
    """
    body = text.rstrip("=")
    padding = len(text) - len(body)
    try:
        data = b64decode(body.encode() + b"=" * (-len(body) % 4), validate=True)
    except (Base64Error, ValueError):
        data = b""
    if padding > -len(body) % 4 or b64encode(data).decode().rstrip("=") != body:
        raise MalformedFile(where=pointer, what="found no base64", remedy="encode the charsmap's bytes in base64")
    return parse_charsmap(data, pointer)


def parse_charsmap(data: bytes, pointer: str) -> Charsmap:
    """The charsmap of its bytes; whatever a text could reach in the trie is checked."""
    size = int.from_bytes(data[:4], "little")
    if len(data) < 4:
        raise malformed(pointer, f"found {len(data)} bytes, fewer than the 4 of a size")
    if len(data) - 4 < size // 4 * 4:
        raise malformed(pointer, f"the trie should have {size} bytes, found {len(data) - 4}")
    if size < 4:
        raise malformed(pointer, "the trie is empty")
    units = array("I", struct.unpack_from(f"<{size // 4}I", data, 4))
    texts = data[4 + size // 4 * 4 :]
    try:
        texts.decode()
    except UnicodeDecodeError as error:
        raise malformed(pointer, f"the texts are no UTF-8 at byte {error.start}") from None
    check_leaves(units, texts, pointer)
    return Charsmap(data, units, texts)


def check_leaves(units: array[int], texts: bytes, pointer: str) -> None:
    """Refuse a trie in which a key leads to no text, or into the middle of a character."""
    children: dict[int, list[int]] = {}
    for at, unit in enumerate(units):
        if 0 < label(unit) < 256:
            children.setdefault(at ^ label(unit), []).append(at)
    # From node to node: the tables of a damaged trie may meet again, a key of them may have no end.
    waiting, seen = [offset(units[0])], set[int]()
    while waiting:
        base = waiting.pop()
        if base in seen:
            continue
        seen.add(base)
        for at in children.get(base, ()):
            below = at ^ offset(units[at])
            waiting.append(below)
            if units[at] & HAS_LEAF:
                place = units[below] & ~IS_LEAF if below < len(units) else len(texts) + 1
                if place > len(texts) or (texts[place : place + 1] and texts[place] & 0xC0 == 0x80):
                    raise malformed(pointer, f"the key that ends at unit {at} leads to no text")


def malformed(pointer: str, what: str) -> MalformedFile:
    return MalformedFile(where=pointer, what=what, remedy="take the charsmap as the model has it")
