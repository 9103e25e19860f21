r"""What a backslash and the characters after it mean where they stand for one character or one set."""

from __future__ import annotations

from tokcore.patterns.cursor import Cursor
from tokcore.patterns.properties import property_set
from tokcore.patterns.tree import CharSet, Property

_CONTROL = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "a": 7, "e": 27}
_SETS = {"w": "\\w", "s": "\\s", "d": "\\d", "h": "\\h"}
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"


def read_escape(cursor: Cursor) -> int | CharSet:
    r"""The code point or the set that an escape stands for; the cursor is just past the backslash.

    >>> read_escape(Cursor("x{1F600}", "")), read_escape(Cursor("D", ""))
    (128512, Property(name='\\d', negated=True))

    The caller has dealt with the escapes that mean something else where they stand (anchors, references).
    """
    start = cursor.at - 1
    letter = cursor.next()
    if letter == "":
        cursor.refuse("a backslash that ends the pattern", start, "write \\\\ for a backslash")
    if letter in _CONTROL:
        return _CONTROL[letter]
    if letter.lower() in _SETS:
        return Property(_SETS[letter.lower()], negated=letter.isupper())
    if letter in "pP" and cursor.peek() == "{":
        return _read_property(cursor, letter == "P", start)
    if letter == "x" or letter in _OCTAL:
        return _read_number(cursor, letter, start)
    if letter == "o" and cursor.peek() == "{":
        cursor.next()
        return _braced(cursor, _OCTAL, 8, 11, start)
    if letter == "u":
        digits = cursor.digits(_HEX, 4)
        if len(digits) < 4:
            cursor.refuse("\\u without four hexadecimal digits", start, "write \\uHHHH or \\x{H...}")
        return _scalar(cursor, int(digits, 16), start)
    if letter == "c" or (letter == "C" and cursor.take("-")):
        return _read_control(cursor, start)
    if letter in "CM":
        cursor.refuse(f"\\{letter}, a control or meta character,", start, "write the character as \\x{H...}")
    return ord(letter)


def _read_property(cursor: Cursor, negated: bool, start: int) -> CharSet:
    cursor.next()
    negated ^= cursor.take("^")
    name = cursor.until("}", "a property", start)
    return property_set(cursor, name, negated, start)


def _read_number(cursor: Cursor, letter: str, start: int) -> int:
    if letter == "x" and cursor.take("{"):
        return _braced(cursor, _HEX, 16, 8, start)
    cursor.at = start
    lead = _read_byte(cursor)
    if lead < 0x80:
        return lead
    # Numbers from 0x80 on are bytes of UTF-8 to the reference, and must form whole characters.
    wanted = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    encoded = bytes([lead])
    while len(encoded) < wanted and cursor.peek() == "\\" and cursor.peek(2)[1:] in ("x", *_OCTAL):
        encoded += bytes([_read_byte(cursor)])
    try:
        return ord(encoded.decode("utf-8"))
    except (UnicodeDecodeError, TypeError):
        cursor.refuse("escaped bytes that are not one UTF-8 character", start, "write the character as \\x{H...}")


def _read_byte(cursor: Cursor) -> int:
    start = cursor.at
    cursor.next()
    if cursor.take("x"):
        digits, base = cursor.digits(_HEX, 2), 16
    else:
        digits, base = cursor.digits(_OCTAL, 3), 8
    if digits == "" or int(digits, base) > 0xFF:
        cursor.refuse("a number escape that gives no byte", start, "write the character as \\x{H...}")
    return int(digits, base)


def _braced(cursor: Cursor, alphabet: str, base: int, most: int, start: int) -> int:
    digits = cursor.digits(alphabet, most)
    if digits == "" or not cursor.take("}"):
        cursor.refuse("a braced number that is not one code point", start, "write one code point as \\x{H...}")
    return _scalar(cursor, int(digits, base), start)


def _scalar(cursor: Cursor, code: int, start: int) -> int:
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        cursor.refuse(f"U+{code:04X}, which no text can hold,", start, "use a code point up to U+10FFFF, no surrogate")
    return code


def _read_control(cursor: Cursor, start: int) -> int:
    letter = cursor.next()
    if not (letter.isascii() and letter.isalpha()):
        cursor.refuse("a control escape without a letter", start, "write the character as \\x{H...}")
    return ord(letter) & 0x1F
