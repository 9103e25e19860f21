"""The bar of a budget in per cent of its width, so that an SVG draws it without any style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.views.budget_words import PART_TITLES, number
from tokcore.chat.budget import Part

# A segment as wide as this has room for its name; what does not fit is hatched, so that no name is read there.
NAMED_PER_CENT = 17


@dataclass(frozen=True, slots=True)
class Segment:
    """One part from `x` on; `label` "" where there is no room for it."""

    name: str
    x: str
    width: str
    middle: str
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The parts one after another. `limit`: where the context ends, None where it is not known.

    `beyond`: what does not fit. `left`: what is free. `said`: the whole in words.
    """

    segments: tuple[Segment, ...]
    limit: str | None
    beyond: Segment | None
    left: Segment | None
    said: str


def bar(context_tokens: int | None, parts: Sequence[Part]) -> Bar:
    """The bar of these parts; it is as long as the context, or as the parts where they are longer.

    >>> drawn = bar(1_000, [Part("documents", 2, 300, 300), Part.of_tokens("answer", 100, reserved=True)])
    >>> [(segment.name, segment.x, segment.width) for segment in drawn.segments], drawn.left.x, drawn.limit
    ([('documents', '0%', '60%'), ('answer', '60%', '10%')], '70%', '100%')
    """
    used = sum(part.tokens for part in parts)
    scale = max(context_tokens or 0, used, 1)

    def segment(name: str, start: int, tokens: int, title: str) -> Segment:
        wide = Fraction(100 * tokens, scale) >= NAMED_PER_CENT and start + tokens <= (context_tokens or scale)
        x, width, middle = (_per_cent(at, scale) for at in (start, tokens, start + Fraction(tokens, 2)))
        return Segment(name, x, width, middle, f"{title} {number(tokens)}" if wide else "")

    segments, at = [], 0
    for part in parts:
        segments.append(segment(part.name, at, part.tokens, PART_TITLES[part.name]))
        at += part.tokens
    over = 0 if context_tokens is None else used - context_tokens
    said = ", ".join(f"{PART_TITLES[part.name]} {number(part.tokens)}" for part in parts if part.tokens)
    return Bar(
        segments=tuple(segments),
        limit=None if context_tokens is None else _per_cent(context_tokens, scale),
        beyond=segment("beyond", scale - over, over, "Too many") if over > 0 else None,
        left=segment("left", used, -over, "Left") if over < 0 else None,
        said=said or "nothing",
    )


def _per_cent(tokens: int | Fraction, scale: int) -> str:
    return f"{round(float(Fraction(100 * tokens, scale)), 4):g}%"
