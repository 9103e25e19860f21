"""Sets of bytes in words."""

from __future__ import annotations

_SPELLED = {0x20: "a space", 0x0A: "a line feed", 0x0D: "a carriage return", 0x09: "a tab", 0x2D: "'-'", 0x2C: "','"}


def describe_bytes(members: bytes) -> str:
    r"""A sorted set of bytes as a person would say it.

    >>> describe_bytes(b"0123456789"), describe_bytes(b' "-'), describe_bytes(bytes(range(0xC2, 0xF5)))
    ('0-9', 'a space, " or \'-\'', 'a character beyond ASCII')
    """
    ascii_only = [byte for byte in members if byte < 0x80]
    parts = [_stretch(low, high) for low, high in _stretches(ascii_only)]
    if any(byte >= 0xC0 for byte in members):
        parts.append("a character beyond ASCII")
    elif any(byte >= 0x80 for byte in members):
        parts.append("the rest of a character")
    return ", ".join(parts[:-1]) + " or " + parts[-1] if len(parts) > 1 else "".join(parts)


def _stretches(members: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for byte in members:
        if found and byte == found[-1][1] + 1:
            found[-1] = (found[-1][0], byte)
        else:
            found.append((byte, byte))
    return found


def _stretch(low: int, high: int) -> str:
    if high - low < 2:
        return " or ".join(map(_one, range(low, high + 1)))
    return f"{_one(low)}-{_one(high)}"


def _one(byte: int) -> str:
    if byte in _SPELLED:
        return _SPELLED[byte]
    return chr(byte) if 0x20 < byte < 0x7F else f"0x{byte:02X}"
