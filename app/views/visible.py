"""Text made visible: every character that a screen would hide gets a sign or a name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """How a run is drawn. The values are CSS class names."""

    TEXT = "text"
    SPACE = "sp"
    NEWLINE = "nl"
    TAB = "tab"
    NAMED = "nm"
    MARK = "mk"


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text drawn in one way.

    `text` is the text itself, `sign` what is drawn for it, `name` what to call it, "" where the text names itself.
    """

    kind: Kind
    text: str
    sign: str
    name: str = ""


C0_NAMES = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF"),
    *("VT", "FF", "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK"),
    *("SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"),
)

# Short names by which the Unicode charts and editors call them.
SHORT_NAMES = {
    **{chr(code): name for code, name in enumerate(C0_NAMES)},
    "\x7f": "DEL",
    "\x85": "NEL",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u034f": "CGJ",
    "\u061c": "ALM",
    "\u115f": "HCF",
    "\u1160": "HJF",
    "\u1680": "OGSP",
    "\u180e": "MVS",
    "\u2000": "NQSP",
    "\u2001": "MQSP",
    "\u2002": "ENSP",
    "\u2003": "EMSP",
    "\u2004": "3/MSP",
    "\u2005": "4/MSP",
    "\u2006": "6/MSP",
    "\u2007": "FSP",
    "\u2008": "PSP",
    "\u2009": "THSP",
    "\u200a": "HSP",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LSEP",
    "\u2029": "PSEP",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u202f": "NNBSP",
    "\u205f": "MMSP",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\u2800": "BRAILLE BLANK",
    "\u3000": "IDSP",
    "\u3164": "HF",
    "\ufeff": "BOM",
    "\uffa0": "HHF",
    **{chr(0xFE00 + index): f"VS{index + 1}" for index in range(16)},
    **{chr(0xE0100 + index): f"VS{index + 17}" for index in range(240)},
}
UNSHOWN_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
MARK_CATEGORIES = {"Mn", "Me", "Mc"}
DOTTED_CIRCLE = "\u25cc"


def visible_runs(text: str) -> tuple[Run, ...]:
    r"""Text as runs of signs.

    >>> [(run.kind.value, run.sign) for run in visible_runs(" a\n\u200d")]
    [('sp', '·'), ('text', 'a'), ('nl', '⏎'), ('nm', 'ZWJ')]

    The texts of the runs joined are the text. A combining mark with nothing before it stands on a dotted circle.
    """
    runs: list[Run] = []
    plain_from = 0
    for index, character in enumerate(text):
        if index == plain_from and unicodedata.category(character) in MARK_CATEGORIES and character not in SHORT_NAMES:
            runs.append(Run(Kind.MARK, character, DOTTED_CIRCLE + character, character_name(character)))
            plain_from = index + 1
            continue
        run = _hidden_run(character)
        if run is None:
            continue
        if plain_from < index:
            runs.append(_text_run(text[plain_from:index]))
        runs.append(run)
        plain_from = index + 1
    if plain_from < len(text):
        runs.append(_text_run(text[plain_from:]))
    return tuple(runs)


def _text_run(text: str) -> Run:
    return Run(Kind.TEXT, text, text)


def _hidden_run(character: str) -> Run | None:
    """The run of a character that a screen would not show, None where it shows itself."""
    if character == " ":
        return Run(Kind.SPACE, character, "·", "space")
    if character == "\n":
        return Run(Kind.NEWLINE, character, "⏎", "newline")
    if character == "\t":
        return Run(Kind.TAB, character, "⇥", "tab")
    short = SHORT_NAMES.get(character)
    if short is None and (character.isascii() or unicodedata.category(character) not in UNSHOWN_CATEGORIES):
        return None
    return Run(Kind.NAMED, character, short or code_point(character), character_name(character))


def code_point(character: str) -> str:
    """The usual way to write a code point.

    >>> code_point("é")
    'U+00E9'
    """
    return f"U+{ord(character):04X}"


def character_name(character: str) -> str:
    r"""The Unicode name in small letters and the code point.

    >>> character_name("\u200d"), character_name("\x00")
    ('zero width joiner U+200D', 'NUL U+0000')
    """
    name = unicodedata.name(character, "").lower() or SHORT_NAMES.get(character, "")
    return f"{name} {code_point(character)}".strip()


def spoken(runs: tuple[Run, ...]) -> str:
    """What a screen reader says for the runs: text as it is, the rest by name.

    >>> spoken(visible_runs(" the"))
    'space the'
    """
    return " ".join(run.name or run.text for run in runs)


def is_right_to_left(text: str) -> bool:
    """Whether the first character with a direction runs right to left.

    >>> is_right_to_left(" שלום"), is_right_to_left("a שלום")
    (True, False)
    """
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def has_right_to_left(text: str) -> bool:
    """Whether any character runs right to left.

    >>> has_right_to_left("a שלום"), has_right_to_left("a b")
    (True, False)
    """
    return not text.isascii() and any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
