"""UTF-8 that arrives in stretches."""

from __future__ import annotations

import re

# Bytes that begin a character and do not end it. No surrogates (ED A0…), nothing overlong, nothing past U+10FFFF.
_BEGUN = re.compile(
    rb"(?:[\xc2-\xdf]|\xe0[\xa0-\xbf]?|[\xe1-\xec\xee\xef][\x80-\xbf]?|\xed[\x80-\x9f]?"
    rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|[\xf1-\xf3](?:[\x80-\xbf]{1,2})?|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?)\Z"
)


class Utf8Reader:
    r"""Bytes to text with U+FFFD for what is not UTF-8, each character as soon as its last byte is there.

    >>> reader = Utf8Reader()
    >>> reader.feed(b"a\xf0\x9f"), reader.held, reader.reason
    ('a', b'\xf0\x9f', '2 of 4 bytes of a character')
    >>> reader.feed(b"\x9a\x80"), reader.feed(b"\xe2"), reader.finish()
    ('🚀', '', '�')

    Laws: joined, it is the text that `bytes.decode` makes of all the bytes with errors="replace". Held are the bytes
    that some continuation makes a character, and no others. The text is never looked at: U+FFFD may be what it says.
    """

    def __init__(self) -> None:
        self.held = b""

    @property
    def reason(self) -> str | None:
        return f"{len(self.held)} of {length_of(self.held[0])} bytes of a character" if self.held else None

    def feed(self, data: bytes) -> str:
        data = self.held + data
        self.held = begun_character(data)
        return data[: len(data) - len(self.held)].decode("utf-8", "replace")

    def finish(self) -> str:
        held, self.held = self.held, b""
        return held.decode("utf-8", "replace")


def begun_character(data: bytes) -> bytes:
    r"""The last bytes that begin a character and lack its end, none where there is no such.

    >>> begun_character(b"a\xe2\x82"), begun_character(b"\xe2\x82\xac"), begun_character(b"\xed\xa0")
    (b'\xe2\x82', b'', b'')
    """
    if not data or data[-1] < 0x80:
        return b""
    begun = _BEGUN.search(data[-3:])
    return b"" if begun is None else begun[0]


def length_of(lead: int) -> int:
    """How many bytes a character has that begins with this one.

    >>> [length_of(character.encode()[0]) for character in "aé€🚀"]
    [1, 2, 3, 4]
    """
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
