"""An encoding as chips: tokens in the order of the text, those that share a character held together."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from app.offsets import Utf8Span, Utf16Span, utf8_spans, utf16_spans
from app.views.visible import Kind, Run, is_right_to_left, spoken, visible_runs
from tokcore.spans import Span
from tokcore.tokens import Encoding, Origin, Token

COLOURS = 6
# A text that no token boundary ever cuts at a character would be one cluster without end.
CLUSTER_LIMIT_TOKENS = 64
# Outlined where a token was added, dashed where it is not in the text.
ORIGIN_CSS = {Origin.MODEL: "", Origin.ADDED: "add", Origin.TEMPLATE: "add tpl", Origin.PADDING: "add tpl pad"}


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """Everything a page, a table or a download says of one token.

    `text` is the text it covers, None where it covers none or only a part of a character that it shares.
    """

    index: int
    id: int
    token: str
    text: str | None
    raw: bytes
    characters: Span | None
    utf8: Utf8Span | None
    utf16: Utf16Span | None
    piece: int | None
    origin: Origin
    special: bool

    @property
    def kind(self) -> str:
        """model, added, special, template or padding.

        >>> fact = TokenFacts(0, 5, "a", "a", b"a", None, None, None, None, Origin.ADDED, special=False)
        >>> fact.kind
        'added'
        """
        return "special" if self.origin is Origin.ADDED and self.special else self.origin.value


@dataclass(frozen=True)
class Chip:
    """One token as drawn: what stands on it and what the browser is told of it."""

    facts: TokenFacts
    runs: tuple[Run, ...]
    label: str

    @cached_property
    def css(self) -> str:
        """The classes: a colour in turn, or the outline of an added token."""
        if self.facts.origin is Origin.MODEL:
            return f"t k{self.facts.index % COLOURS}"
        return f"t {ORIGIN_CSS[self.facts.origin]}"

    @property
    def at(self) -> str:
        """index, piece, spans in code points, UTF-8, UTF-16, bytes in hex; empty where there is none."""
        fact = self.facts
        spans = (fact.characters, fact.utf8, fact.utf16)
        written = ["" if span is None else f"{span.start}-{span.end}" for span in spans]
        piece = "" if fact.piece is None else str(fact.piece)
        return " ".join((str(fact.index), piece, *written, fact.raw.hex()))

    @property
    def right_to_left(self) -> bool:
        return self.facts.text is not None and is_right_to_left(self.facts.text)


@dataclass(frozen=True, slots=True)
class Cluster:
    """One token, or several that share characters: then `glyphs` is the shared text, drawn once over its parts.

    `dropped` is text before it that no token covers, `end` where its own text ends (code points).
    """

    chips: tuple[Chip, ...]
    glyphs: tuple[Run, ...]
    dropped: tuple[Run, ...]
    end: int
    breaks: bool
    right_to_left: bool

    @property
    def is_shared(self) -> bool:
        return bool(self.glyphs)

    @property
    def label(self) -> str:
        return f"{spoken(self.glyphs)}: one stretch in {len(self.chips)} tokens"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The tokens `start` to `stop` of an encoding, as clusters; `dropped` is text after the last token of all."""

    clusters: tuple[Cluster, ...]
    dropped: tuple[Run, ...]
    start: int
    stop: int
    total: int

    @property
    def is_last(self) -> bool:
        return self.stop >= self.total


def cluster_ends(entries: Sequence[Token], start: int) -> Iterator[int]:
    """Where each cluster that begins at or after token `start` ends.

    >>> tokens = [Token(1, "a", b"a", Span(0, 1), Origin.MODEL), Token(2, "b", b"b", Span(1, 3), Origin.MODEL),
    ...           Token(3, "c", b"c", Span(2, 3), Origin.MODEL)]
    >>> list(cluster_ends(tokens, 0))
    [1, 3]
    """
    while start < len(entries):
        span, stop = entries[start].span, start + 1
        reach = -1 if span is None else span.end
        while stop < len(entries) and stop - start < CLUSTER_LIMIT_TOKENS:
            following = entries[stop]
            if following.span is None or following.span.start >= reach or following.sequence != entries[start].sequence:
                break
            reach = max(reach, following.span.end)
            stop += 1
        yield stop
        start = stop


def token_facts(encoding: Encoding, start: int, stop: int, special_ids: Collection[int]) -> list[TokenFacts]:
    """The facts of tokens `start` to `stop`; both must be ends of clusters."""
    entries = encoding.entries[start:stop]
    spans = [token.span for token in entries]
    utf8, utf16 = utf8_spans(encoding.source, spans), utf16_spans(encoding.source, spans)
    shared: set[int] = set()
    begin = 0
    for end in cluster_ends(entries, 0):
        if end - begin > 1:
            shared.update(range(begin, end))
        begin = end
    return [
        TokenFacts(
            index=start + index,
            id=token.id,
            token=token.value,
            text=None if token.span is None or index in shared else token.span.cut(encoding.source),
            raw=token.raw,
            characters=token.span,
            utf8=utf8[index],
            utf16=utf16[index],
            piece=token.piece,
            origin=token.origin,
            special=token.id in special_ids,
        )
        for index, token in enumerate(entries)
    ]


def chunk(encoding: Encoding, start: int, size: int, special_ids: Collection[int]) -> Chunk:
    """About `size` tokens from `start` on: a cluster is never cut."""
    ends: list[int] = []
    for end in cluster_ends(encoding.entries, start):
        ends.append(end)
        if end - start >= size:
            break
    stop = ends[-1] if ends else start
    facts = token_facts(encoding, start, stop, special_ids)
    done = _covered_until(encoding.entries, start)
    clusters: list[Cluster] = []
    begin = start
    for end, following in zip(ends, _followings(encoding, start, ends), strict=True):
        clusters.append(_cluster(encoding.source, facts[begin - start : end - start], done, following))
        begin, done = end, max(done, clusters[-1].end)
    last = stop >= len(encoding.entries)
    return Chunk(
        clusters=tuple(clusters),
        dropped=visible_runs(encoding.source[done:]) if last else (),
        start=start,
        stop=stop,
        total=len(encoding.entries),
    )


def _covered_until(entries: Sequence[Token], stop: int) -> int:
    """Where in the text the last of the tokens before `stop` that covers any ends; 0 where none does."""
    for index in range(stop - 1, -1, -1):
        span = entries[index].span
        if span is not None:
            return span.end
    return 0


def _followings(encoding: Encoding, start: int, ends: Sequence[int]) -> list[int]:
    """For each cluster, where the text that the tokens behind it cover begins; the text's end where they cover none."""
    entries = encoding.entries
    behind = (entries[index].span for index in range(ends[-1] if ends else start, len(entries)))
    following = next((span.start for span in behind if span is not None), len(encoding.source))
    found: list[int] = []
    for begin, end in reversed(list(pairwise((start, *ends)))):
        found.append(following)
        spans = (entries[index].span for index in range(begin, end))
        following = next((span.start for span in spans if span is not None), following)
    return found[::-1]


def _cluster(source: str, facts: Sequence[TokenFacts], done: int, following: int) -> Cluster:
    """`done`: where the text covered so far ends; `following`: where the next token's text begins."""
    spans = [fact.characters for fact in facts if fact.characters is not None]
    if spans:
        whole = Span(min(span.start for span in spans), max(span.end for span in spans))
    else:
        # Behind the last of the text, what was dropped of it comes first.
        place = following if following == len(source) else done
        whole = Span(place, place)
    if spans and whole.end < following and _is_composed(source[whole.start : following], facts):
        whole = Span(whole.start, following)
    covered = whole.cut(source)
    glyphs = visible_runs(covered) if len(facts) > 1 else ()
    parts = (_part(fact, part, len(facts)) for part, fact in enumerate(facts, 1))
    return Cluster(
        chips=tuple(parts) if glyphs else (_chip(facts[0], covered),),
        glyphs=glyphs,
        dropped=visible_runs(source[done : whole.start]),
        end=whole.end,
        breaks="\n" in covered,
        right_to_left=is_right_to_left(covered),
    )


def _is_composed(text: str, facts: Sequence[TokenFacts]) -> bool:
    """Whether a normalizer composed the text into what the tokens stand for (the reference's span then ends early)."""
    made = b"".join(fact.raw for fact in facts).decode(errors="replace")
    return unicodedata.normalize("NFC", text) == unicodedata.normalize("NFC", made)


def _chip(fact: TokenFacts, covered: str) -> Chip:
    """A token with text of its own shows it; one without shows its stored form."""
    runs = visible_runs(covered or fact.token)
    return Chip(fact, runs, "" if len(runs) == 1 and not runs[0].name else spoken(runs))


def _part(fact: TokenFacts, number: int, count: int) -> Chip:
    """A token that shares characters shows its bytes: parts of a character have no glyph of their own."""
    written = fact.raw.hex(" ").upper()
    return Chip(fact, (Run(Kind.TEXT, written, written),), f"part {number} of {count}, bytes {written}")
