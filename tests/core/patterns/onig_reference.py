"""The real library, asked for the matches of a pattern."""

from __future__ import annotations

from tokenizers import Regex
from tokenizers.normalizers import Replace
from tokenizers.pre_tokenizers import Split

MARK = "\U0010fffd"

# Everything a text can hold.
ALL_CHARACTERS = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


def compiles(pattern: str) -> bool:
    """Whether the reference takes the pattern."""
    try:
        Regex(pattern)
    except Exception:
        return False
    return True


def pieces(pattern: str, text: str) -> list[str]:
    """The matches that are not empty."""
    return [piece for piece, _ in Split(Regex(pattern), "removed", invert=True).pre_tokenize_str(text)]


def spans(pattern: str, text: str) -> list[tuple[int, int]]:
    """The spans of all matches: Split shows those that are not empty, Replace marks the others too."""
    if not text:
        return []
    compiled = Regex(pattern)
    full = [span for _, span in Split(compiled, "removed", invert=True).pre_tokenize_str(text)]
    found: list[tuple[int, int]] = []
    at = seen = 0
    for character in Replace(compiled, MARK).normalize_str(text):
        if character != MARK:
            at += 1
        elif seen < len(full) and full[seen][0] == at:
            found.append(full[seen])
            at = full[seen][1]
            seen += 1
        else:
            found.append((at, at))
    return found
