"""Reading the key-value part at the head of a GGUF file: every length is checked before it is used."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from tokcore.errors import MalformedFile, UnsupportedComponent

MAGIC = b"GGUF"
# Version 1 counted in 32 bits; 2 and 3 have one layout. Source: docs/gguf.md of the ggml project.
VERSIONS = (2, 3)
STRING, ARRAY = 8, 9
# Type number → struct code.
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
# A key takes 8 bytes of length, 4 of type and a value at least.
SMALLEST_ENTRY = 13
DEPTH_LIMIT = 4
LONGEST_KEY = 65_535


class Truncated(MalformedFile):
    """The head of the file is longer than what was given of it."""


def read_gguf_header(data: bytes, wanted: Callable[[str], bool] = lambda key: True) -> Mapping[str, Any]:
    r"""Key → value, of the keys that are wanted; an array is a list, one of bytes is bytes.

    >>> read_gguf_header(b"GGUF\x03\0\0\0" + b"\0" * 8 + b"\x01" + b"\0" * 7 + b"\x01" + b"\0" * 7 + b"a\0\0\0\0\x07")
    {'a': 7}
    """
    cursor = Cursor(data)
    if cursor.take(4) != MAGIC:
        raise MalformedFile(where="byte 0", what=f"found {data[:4]!r}", remedy="a GGUF file begins with GGUF")
    version = cursor.number("I")
    if version not in VERSIONS:
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        what = f"version {swapped}, big-endian" if swapped in (1, *VERSIONS) else f"version {version}"
        raise UnsupportedComponent(where="byte 4", what=what, remedy="supported: 2 and 3, little-endian")
    cursor.number("Q")
    count = cursor.number("Q")
    cursor.require(count * SMALLEST_ENTRY, f"{count} keys")
    found: dict[str, Any] = {}
    for _ in range(count):
        key = cursor.text("a key", LONGEST_KEY)
        value = cursor.value(cursor.number("I"), keep=wanted(key))
        if wanted(key):
            found[key] = value
    return found


class Cursor:
    """A place in the data that moves on as values are read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def require(self, length: int, what: str) -> None:
        """Refuse a claim that goes past the end of the data."""
        left = len(self.data) - self.at
        if length > left:
            raise Truncated(
                where=f"byte {self.at}",
                what=f"{what}: {length} bytes where {left} are left",
                remedy="the file is cut off or broken",
            )

    def take(self, length: int, what: str = "a value") -> bytes:
        self.require(length, what)
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self, code: str) -> Any:
        (value,) = struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))
        return value

    def text(self, what: str, longest: int | None = None) -> str:
        start = self.at
        length = self.number("Q")
        if longest is not None and length > longest:
            raise MalformedFile(
                where=f"byte {start}", what=f"{what} of {length} bytes", remedy=f"must be at most {longest}"
            )
        try:
            return self.take(length, what).decode("utf-8")
        except UnicodeDecodeError:
            raise MalformedFile(
                where=f"byte {start}", what=f"{what} is not UTF-8 text", remedy="convert the model again"
            ) from None

    def value(self, kind: int, keep: bool = True, depth: int = 0) -> Any:
        """A value of this type; one that is not kept is only passed over."""
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        if kind == STRING:
            return self.text("a string")
        if kind != ARRAY:
            raise MalformedFile(
                where=f"byte {self.at - 4}", what=f"a value of type {kind}", remedy="the file is broken"
            )
        if depth == DEPTH_LIMIT:
            raise MalformedFile(where=f"byte {self.at}", what="arrays nested too deep", remedy="the file is broken")
        return self.array(keep, depth)

    def array(self, keep: bool, depth: int) -> Any:
        kind, length = self.number("I"), self.number("Q")
        if kind in NUMBERS:
            code = NUMBERS[kind]
            size = struct.calcsize("<" + code)
            data = self.take(length * size, f"an array of {length}")
            if not keep:
                return None
            return data if kind in (0, 1) else list(struct.unpack(f"<{length}{code}", data))
        # A string takes 8 bytes at least, an array 12.
        self.require(length * 8, f"an array of {length}")
        values = (self.value(kind, keep, depth + 1) for _ in range(length))
        if keep:
            return list(values)
        for _ in values:
            pass
        return None
