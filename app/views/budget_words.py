"""The words and figures of a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from tokcore.chat.budget import Budget, Cut, about

PART_TITLES = {
    "system": "System",
    "tools": "Tools",
    "documents": "Documents",
    "history": "History",
    "template": "Template",
    "answer": "Answer",
    "margin": "Margin",
}
# What a part is counted in; the others are cut token by token.
_UNITS = {"tools": ("tool", "tools"), "documents": ("document", "documents"), "history": ("turn", "turns")}
_SHORTER = {"system": "off the system text", "answer": "off the answer", "margin": "off the margin"}
_BYTE_UNITS = ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"), (1, "bytes"))


def number(value: int) -> str:
    """Thousands apart.

    >>> number(22_646)
    '22,646'
    """
    return f"{value:,}"


def signed(value: int) -> str:
    """With a minus sign, not a hyphen.

    >>> signed(-12)
    '−12'
    """
    return f"−{number(-value)}" if value < 0 else number(value)


def gigabytes(size_bytes: Fraction | int, digits: int) -> str:
    """A size to so many digits, in units of a thousand.

    >>> gigabytes(147_456 * 20_000, 3), gigabytes(Fraction(147_456 * 20_000 * 25, 14), 2), gigabytes(0, 3)
    ('≈ 2.95 GB', '≈ 5.3 GB', '0 bytes')
    """
    rounded = about(size_bytes, digits)
    unit, name = next(((unit, name) for unit, name in _BYTE_UNITS if rounded >= unit), (1, "bytes"))
    shown = f"{(Decimal(rounded) / unit).normalize():,f} {name}"
    return shown if unit == 1 and rounded == size_bytes else f"≈ {shown}"


def amount(part: str, count: int) -> str:
    """So many things of a part.

    >>> amount("history", 11), amount("documents", 1), amount("answer", 2_048)
    ('11 turns', '1 document', '2,048 tokens')
    """
    one, many = _UNITS.get(part, ("token", "tokens"))
    return f"{number(count)} {one if count == 1 else many}"


def cut_words(cut: Cut) -> str:
    """One cut and what is free after it.

    >>> from tokcore.chat.budget import Part
    >>> cut_words(Cut(Part("documents", 6, 512, 512), 2, 94))
    '2 documents fewer: 4 of 6 stay, 94 tokens left'
    """
    part, stay = cut.part, cut.part.count - cut.units
    after = f"{number(cut.left_tokens)} tokens left" if cut.left_tokens else "nothing left"
    if cut.left_tokens == 1:
        after = "1 token left"
    if part.name in _UNITS:
        kept = f"{number(stay)} of {number(part.count)} stay" if stay > 1 else "1 stays" if stay else "none stays"
        return f"{amount(part.name, cut.units)} fewer: {kept}, {after}"
    where = _SHORTER.get(part.name, f"off the {part.name}")
    return f"{amount(part.name, cut.units)} {where}: {number(stay)} stay, {after}"


def shorter_words(count: int, largest_tokens: int) -> str:
    """How short documents must be for all of them to stay.

    >>> shorter_words(1, 32_768), shorter_words(6, 190)
    ('the document shortened to 32,768 tokens', 'all 6 documents shortened to 190 tokens each')
    """
    if count == 1:
        return f"the document shortened to {amount('', largest_tokens)}"
    return f"all {amount('documents', count)} shortened to {amount('', largest_tokens)} each"


def plan_words(plan: Sequence[Cut]) -> Iterator[str]:
    """Cuts that only together are enough; the last says what is free then, or what is still missing."""
    for at, cut in enumerate(plan):
        last = at == len(plan) - 1
        whole = cut.units == cut.part.count
        if last and cut.left_tokens >= 0 and not whole:
            yield cut_words(cut)
            continue
        what = (
            f"all {amount(cut.part.name, cut.units)}" if cut.units > 1 else f"the only {amount(cut.part.name, 1)[2:]}"
        )
        where = f" {_SHORTER.get(cut.part.name, f'off the {cut.part.name}')}" if cut.part.name not in _UNITS else ""
        free = cut.left_tokens
        after = f"{number(-free)} tokens still too many" if free < 0 else f"{number(free)} tokens left"
        yield f"{what}{where}: {after}"


def verdict(budget: Budget | None, used: int, partly: bool) -> str:
    """One line about the whole; `partly`: a part is not counted, for a field of it cannot be read.

    >>> verdict(Budget(4_096, ()), 0, False), verdict(None, 1, False)
    ('It fits: 4,096 of 4,096 tokens are left', '1 token; the context length decides whether that fits')
    """
    tokens = f"{number(used)} {'token' if used == 1 else 'tokens'}"
    if budget is None:
        return f"{'At least ' if partly else ''}{tokens}; the context length decides whether that fits"
    if budget.over_tokens:
        least = "at least " if partly else ""
        return f"It does not fit: {least}{number(budget.over_tokens)} of {tokens} are too many"
    left = number(budget.left_tokens)
    if partly:
        return f"Not all is counted: so far {left} of {number(budget.context_tokens)} tokens are left"
    if not budget.left_tokens:
        return f"It fits exactly: all {number(budget.context_tokens)} tokens are used"
    return f"It fits: {left} of {number(budget.context_tokens)} tokens are left"


def room_words(budget: Budget | None) -> str:
    """What the whole input may take, in a sentence."""
    if budget is None:
        return "Give the context length, or take a model's numbers."
    if budget.room_tokens < 0:
        return f"Answer and margin alone are {number(-budget.room_tokens)} tokens more than the context."
    reserved = [f"{number(part.tokens)} for the {part.name}" for part in budget.parts if part.reserved and part.tokens]
    room = number(budget.room_tokens)
    if not reserved:
        return f"All {room} tokens are for the input, template included: nothing is kept for an answer."
    less = f" less {' and '.join(reserved)}"
    return f"{number(budget.context_tokens)}{less}: {room} tokens for the whole input, template included."
