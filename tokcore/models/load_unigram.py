"""Reading the Unigram model of a tokenizer.json."""

from __future__ import annotations

import math
from typing import Any

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, wrong_kind
from tokcore.models.unigram import Unigram

# The reference's table of powers of ten, each the nearest to its power, which `10.0**n` is not everywhere.
LARGEST_POWER = 308
POWERS = tuple(float(f"1e{power}") for power in range(LARGEST_POWER + 1))


def build_unigram(fields: Fields) -> Unigram:
    """{"type": "Unigram", "vocab": [[string, score], …], "unk_id": id or null, "byte_fallback": boolean}.

    >>> build_unigram(Fields({"vocab": [["<unk>", 0], ["a", -1.5]], "unk_id": 0}, "/model")).scores
    [0.0, -1.5]

    Only "vocab" must be there. A string may stand in it twice: the last one counts. Without unk_id it may be empty.
    """
    strings, scores = read_scored_vocab(fields)
    return Unigram(
        strings=strings,
        scores=scores,
        unk_id=read_unk_id(fields, len(strings)),
        byte_fallback=fields.boolean("byte_fallback", default=False),
    )


def read_scored_vocab(fields: Fields) -> tuple[list[str], list[float]]:
    """The strings and the scores of the "vocab" list."""
    strings: list[str] = []
    scores: list[float] = []
    for pointer, entry in fields.items("vocab"):
        if not isinstance(entry, list):
            raise wrong_kind(entry, pointer, "a token and its score, [string, number]")
        if len(entry) != 2:
            raise MalformedFile(
                where=pointer, what=f"a list of {len(entry)}", remedy="must be a token and its score, [string, number]"
            )
        token, score = entry
        if not isinstance(token, str):
            raise wrong_kind(token, f"{pointer}/0", "a string")
        strings.append(token)
        scores.append(read_score(score, f"{pointer}/1"))
    return strings, scores


def read_score(value: Any, pointer: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_kind(value, pointer, "a number")
    try:
        number = float(value) if isinstance(value, int) else as_read_by_reference(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise MalformedFile(
            where=pointer, what="found a number out of range", remedy="must be finite, as 64 bits hold it"
        )
    return number


def read_unk_id(fields: Fields, size: int) -> int | None:
    """The id of the unknown token, None where there is none."""
    id = fields.value.get("unk_id")
    if id is None:
        return None
    if not isinstance(id, int) or isinstance(id, bool) or id < 0:
        raise wrong_kind(id, fields.at("unk_id"), "the id of a token, or null")
    if not size:
        raise MalformedFile(
            where=fields.at("vocab"), what="the vocabulary is empty", remedy="put in the unknown token at least"
        )
    if id >= size:
        raise MalformedFile(
            where=fields.at("unk_id"), what=f"found {id} in a vocabulary of {size}", remedy="use the id of a token"
        )
    return id


def as_read_by_reference(number: float) -> float:
    """The number that the reference reads where Python reads `number`, written with as few digits as tell it apart.

    >>> as_read_by_reference(-1.5), as_read_by_reference(-15.275492379532281)
    (-1.5, -15.27549237953228)

    Law: the digits as a whole number and then, separately rounded, the power of ten: in one of seven 17-digit numbers
    the last bit comes out different, and with it a tie may fall the other way.
    """
    if number == 0 or not math.isfinite(number):
        return number
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    power = int(exponent or 0) - len(fraction)
    result = float(int(whole + fraction))
    if power < -LARGEST_POWER:
        result /= POWERS[LARGEST_POWER]
        power += LARGEST_POWER
    return result / POWERS[-power] if power < 0 else result * POWERS[power]


def as_written_for_reference(number: float) -> float:
    """The number to write so that the reference reads `number`; where there is none, the number itself.

    >>> as_read_by_reference(as_written_for_reference(-15.27549237953228))
    -15.27549237953228
    """
    neighbours = (number, math.nextafter(number, -math.inf), math.nextafter(number, math.inf))
    return next((near for near in neighbours if as_read_by_reference(near) == number), number)
