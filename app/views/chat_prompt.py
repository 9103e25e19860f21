"""A prompt as drawn: stretches with their writers, as text or as tokens; of a long one its beginning and its end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from app.views.chat_origins import css, href, label, words
from app.views.chips import Cluster, chunk
from app.views.visible import Run, visible_runs
from tokcore.chat.origins import Origin
from tokcore.chat.provenance import PromptSpan, RenderedPrompt
from tokcore.spans import Span
from tokcore.tokens import Encoding

# How much is drawn: characters at the beginning and at the end; of one long stretch its two ends.
HEAD, TAIL = 40_000, 10_000
TOKENS_HEAD, TOKENS_TAIL = 6_000, 2_000
LONG, LONG_HEAD, LONG_TAIL = 4_000, 2_400, 800
STRETCHES = 1_200
SPANS_LISTED = 400
LISTED_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the prompt with one writer. `clusters` instead of `runs` where tokens are drawn.

    `more`: characters left out behind it; `reaches`: its last token reaches into what the next one wrote.
    """

    css: str
    label: str
    words: str
    href: str
    runs: tuple[Run, ...]
    clusters: tuple[Cluster, ...]
    more: int
    reaches: bool


@dataclass(frozen=True, slots=True)
class ListedSpan:
    """One row of the table of spans."""

    start: int
    end: int
    words: str
    href: str
    runs: tuple[Run, ...]
    more: int


@dataclass(frozen=True, slots=True)
class PromptView:
    stretches: tuple[Stretch, ...]
    listed: tuple[ListedSpan, ...]
    more_listed: int
    with_tokens: bool
    left_out: int


def prompt_view(
    prompt: RenderedPrompt, encoding: Encoding, special_ids: Collection[int], with_tokens: bool
) -> PromptView:
    """The prompt as text, or as the tokens of `encoding`."""
    head, tail = (TOKENS_HEAD, TOKENS_TAIL) if with_tokens else (HEAD, TAIL)
    shown = tuple(_shown(prompt, head, tail))
    starts = [start for start, _ in encoding.offsets] if with_tokens else []
    stretches = []
    done = 0
    for span, origin, more in shown:
        clusters: tuple[Cluster, ...] = ()
        if with_tokens:
            first, stop = bisect_left(starts, max(span.start, done)), bisect_left(starts, span.end)
            # Tokens that share a character begin at one place: they are never parted.
            if stop > first:
                clusters = chunk(encoding, first, stop - first, special_ids).clusters
                done = max(span.end, max(cluster.end for cluster in clusters))
        stretches.append(
            Stretch(
                css=css(origin),
                label=label(origin),
                words=words(origin),
                href=href(origin),
                runs=() if with_tokens else visible_runs(span.cut(prompt.text)),
                clusters=clusters,
                more=more,
                reaches=bool(clusters) and clusters[-1].end > span.end,
            )
        )
    spans = prompt.spans
    return PromptView(
        stretches=tuple(stretches),
        listed=tuple(map(_listed, spans[:SPANS_LISTED])),
        more_listed=max(0, len(spans) - SPANS_LISTED),
        with_tokens=with_tokens,
        left_out=len(prompt.text) - sum(span.end - span.start for span, _, _ in shown),
    )


def joined(spans: Sequence[PromptSpan]) -> Iterator[tuple[Span, Origin]]:
    """Neighbours that would be labelled alike, as one; the template's lines among them (its first line is kept)."""
    begun: tuple[Span, Origin] | None = None
    for span in spans:
        if begun is not None and (label(begun[1]), css(begun[1])) == (label(span.origin), css(span.origin)):
            begun = (Span(begun[0].start, span.span.end), begun[1])
            continue
        if begun is not None:
            yield begun
        begun = (span.span, span.origin)
    if begun is not None:
        yield begun


def _shown(prompt: RenderedPrompt, head: int, tail: int) -> Iterator[tuple[Span, Origin, int]]:
    """(stretch, writer, characters left out behind it) of what is drawn."""
    pieces: list[tuple[Span, Origin]] = []
    for span, origin in joined(prompt.spans):
        if span.end - span.start > LONG:
            pieces += [
                (Span(span.start, span.start + LONG_HEAD), origin),
                (Span(span.end - LONG_TAIL, span.end), origin),
            ]
        else:
            pieces.append((span, origin))
    first = _count(pieces, head, STRETCHES)
    last = len(pieces) - _count(pieces[: first - 1 : -1] if first else pieces[::-1], tail, STRETCHES // 3)
    drawn = pieces[:first] + pieces[max(first, last) :]
    for number, (span, origin) in enumerate(drawn):
        following = drawn[number + 1][0].start if number + 1 < len(drawn) else len(prompt.text)
        yield span, origin, following - span.end


def _count(pieces: Sequence[tuple[Span, Origin]], characters: int, most: int) -> int:
    """How many of the pieces fit; the first always."""
    for number, (span, _) in enumerate(pieces):
        characters -= span.end - span.start
        if characters < 0 or number == most:
            return max(1, number)
    return len(pieces)


def _listed(span: PromptSpan) -> ListedSpan:
    return ListedSpan(
        start=span.span.start,
        end=span.span.end,
        words=words(span.origin),
        href=href(span.origin),
        runs=visible_runs(span.text[:LISTED_CHARACTERS]),
        more=max(0, len(span.text) - LISTED_CHARACTERS),
    )
