"""The byte display alphabet: how byte-level tokenizers write any byte as one printable character."""

from __future__ import annotations

from functools import cache


@cache
def bytes_to_unicode() -> dict[int, str]:
    """The 256-entry display alphabet, byte value to character.

    >>> alphabet = bytes_to_unicode()
    >>> alphabet[ord(" ")], alphabet[ord("\\n")], alphabet[ord("\\t")], alphabet[ord("a")]
    ('Ġ', 'Ċ', 'ĉ', 'a')

    Law: the 188 values 33–126, 161–172 and 174–255 show as themselves; the other 68 take U+0100 upward in byte order.
    Source: the byte-level alphabet of GPT-2, kept by every byte-level tokenizer since.
    """
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    shifted = (value for value in range(256) if value not in printable)
    alphabet = {value: chr(value) for value in printable}
    alphabet |= {value: chr(0x100 + order) for order, value in enumerate(shifted)}
    return dict(sorted(alphabet.items()))


@cache
def unicode_to_bytes() -> dict[str, int]:
    """The inverse: display character to byte value.

    >>> unicode_to_bytes()["Ġ"]
    32
    """
    return {character: value for value, character in bytes_to_unicode().items()}


def display_bytes(data: bytes) -> str:
    """Bytes written in the display alphabet.

    >>> display_bytes(" 🚀".encode())
    'ĠðŁļĢ'
    """
    return data.decode("latin-1").translate(bytes_to_unicode())


def undisplay(token: str) -> bytes | None:
    """The bytes a display string stands for, None where a character is outside the alphabet.

    >>> undisplay("Ã¡"), undisplay("▁a")
    (b'\\xc3\\xa1', None)
    """
    alphabet = unicode_to_bytes()
    try:
        return bytes([alphabet[character] for character in token])
    except KeyError:
        return None
