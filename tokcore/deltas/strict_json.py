"""JSON read strictly and without raising."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn

_CUT_WORD = re.compile(r"t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][+-]?")
_SURROGATE = re.compile("[\ud800-\udfff]")
DEPTH_LIMIT = 100


class Parsed(NamedTuple):
    """JSON read: its value, or what is wrong, at which character, and whether only the end is missing."""

    value: Any
    problem: str = ""
    at: int = 0
    cut: bool = False


def read_json(text: str) -> Parsed:
    """Strict JSON, without raising.

    >>> read_json('{"a": [1]}').value
    {'a': [1]}
    >>> read_json('{"a": nul')
    Parsed(value=None, problem='it ends at character 9, inside a value', at=9, cut=True)
    >>> read_json('{"a": NaN}').problem
    'NaN is not JSON'
    """
    try:
        value = json.loads(text, parse_constant=_no_constant)
        if _is_deep(text, value):
            raise RecursionError
        return Parsed(value)
    except json.JSONDecodeError as error:
        rest, end = text[error.pos :], len(text)
        if not text.strip():
            return Parsed(None, "it is empty", 0, cut=True)
        if error.msg.startswith("Unterminated string") or not rest.strip() or _CUT_WORD.fullmatch(rest):
            return Parsed(None, f"it ends at character {end}, inside a value", end, cut=True)
        if error.msg.startswith("Invalid \\") and len(rest) < 6:
            return Parsed(None, f"it ends at character {end}, inside an escape", end, cut=True)
        if error.msg == "Extra data":
            what = f"the value ends at character {error.pos}, and more follows: {quoted(rest)}"
            return Parsed(None, what, error.pos)
        what = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos}: {quoted(rest)}"
        return Parsed(None, what, error.pos)
    except RecursionError:
        return Parsed(None, f"it is nested more than {DEPTH_LIMIT} levels deep")
    except ValueError as error:
        what = str(error)
        return Parsed(None, what if what.endswith("is not JSON") else "it holds a number with too many digits")


def quoted(text: str, limit: int = 20) -> str:
    """The beginning of a text as JSON has it.

    >>> quoted("say \\"hi\\"\\n", limit=8)
    '"say \\\\"hi\\\\"…"'
    """
    shown = json.dumps(text[:limit] + "…" * (len(text) > limit), ensure_ascii=False)
    return with_escapes(shown)


def _is_deep(text: str, value: Any) -> bool:
    """Whether a value is nested beyond what may be walked by recursion."""
    if text.count("[") + text.count("{") <= DEPTH_LIMIT:
        return False
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        if not level:
            return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def with_escapes(text: str) -> str:
    r"""Surrogates, which have no UTF-8 form, as JSON escapes.

    >>> with_escapes("a\ud83d")
    'a\\ud83d'
    """
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
