"""The explainable path: every stage of a text on its way to tokens, kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tokcore.added_tokens import AddedMatch, Matcher, Segment
from tokcore.errors import require_utf8
from tokcore.padding import Padding
from tokcore.protocols import Decoder, Model, Normalizer, PostProcessor, PreTokenizer, Step
from tokcore.spans import AlignedText, ByteSpan, Span, utf8_length
from tokcore.tokens import Encoding, ModelToken, Origin, Token
from tokcore.truncation import Lazy, Part, Truncation, merged


@dataclass(frozen=True, slots=True)
class TextStage:
    """The text behind one step: what was cut or rewritten so far, and the added tokens found.

    `name` says the kind of step, `component` its name in the file, `pointer` its place there.
    """

    name: str
    component: str
    pointer: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class TokenStage:
    """The tokens behind one step, one tuple per part: a text, its pair, what a template placed before or behind them.

    `name` is "model", "truncation", "post-processor" or "padding"; padding makes all parts one.
    """

    name: str
    component: str
    pointer: str
    sequences: tuple[tuple[Token, ...], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """All stages of one text; `encoding` is what `Tokenizer.encode` returns.

    `text_stages` of the text, `pair_stages` of its pair if there is one, `token_stages` of both.
    """

    source: str
    text_stages: tuple[TextStage, ...]
    token_stages: tuple[TokenStage, ...]
    encoding: Encoding
    pair_stages: tuple[TextStage, ...] = ()


@dataclass(frozen=True, slots=True)
class DecodeStage:
    """The strings behind one step of decoding: those of the ids' tokens, or what a decoder made of them."""

    name: str
    component: str
    pointer: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecodeTrace:
    """All stages of decoding; `text` is what `Tokenizer.decode` returns."""

    ids: tuple[int, ...]
    stages: tuple[DecodeStage, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Stages:
    """The components a text runs through, in order, and how ids become bytes."""

    raw_matcher: Matcher
    normalizers: tuple[Step[Normalizer], ...]
    normalized_matcher: Matcher
    pre_tokenizers: tuple[Step[PreTokenizer], ...]
    model: Step[Model]
    post_processors: tuple[Step[PostProcessor], ...]
    token_bytes: Callable[[int], bytes]
    truncation: Truncation | None = None
    padding: Padding | None = None


def trace_text(stages: Stages, source: str, split_special_tokens: bool) -> list[TextStage]:
    """The text stages: added tokens in the raw text, normalizers, added tokens again, pre-tokenizers.

    Law: added tokens are matched before anything else; those marked `normalized` in the normalized text. What has
    matched takes no further part.
    """
    segments: list[Segment] = [AlignedText.whole(source)] if source else []
    done = [TextStage("text", "", "", tuple(segments))]

    def stage(name: str, component: str, pointer: str, change: Callable[[AlignedText], Sequence[Segment]]) -> None:
        nonlocal segments
        changed: list[Segment] = []
        for segment in segments:
            if isinstance(segment, AddedMatch):
                changed.append(segment)
            else:
                changed.extend(change(segment))
        segments = changed
        done.append(TextStage(name, component, pointer, tuple(segments)))

    if stages.raw_matcher:
        stage("added tokens", "raw", "/added_tokens", lambda text: stages.raw_matcher.split(text, split_special_tokens))
    for normalizer in stages.normalizers:
        stage("normalizer", normalizer.name, normalizer.pointer, partial(rewritten, normalizer.component))
    if stages.normalized_matcher:
        matcher = stages.normalized_matcher
        stage("added tokens", "normalized", "/added_tokens", lambda text: matcher.split(text, split_special_tokens))
    for pre_tokenizer in stages.pre_tokenizers:
        stage("pre-tokenizer", pre_tokenizer.name, pre_tokenizer.pointer, pre_tokenizer.component.split)
    return done


def rewritten(normalizer: Normalizer, text: AlignedText) -> list[AlignedText]:
    """A normalizer's result as segments: text that it emptied is none."""
    result = normalizer.normalize(text)
    return [result] if result.text else []


def trace_tokens(stages: Stages, segments: Sequence[Segment], sequence: int) -> list[Token]:
    """The tokens of the pieces, before post-processing."""
    tokens: list[Token] = []
    token_bytes = stages.token_bytes
    for index, segment in enumerate(segments):
        if isinstance(segment, AddedMatch):
            id = segment.token.id
            origin = Origin.ADDED
            tokens.append(Token(id, segment.text, token_bytes(id), segment.span, origin, index, sequence, sequence))
            continue
        for model_token, span in aligned(stages.model.component.tokenize(segment.text), segment):
            id, value, _ = model_token
            tokens.append(Token(id, value, token_bytes(id), span, Origin.MODEL, index, sequence, sequence))
    return tokens


def aligned(tokens: Sequence[ModelToken], piece: AlignedText) -> list[tuple[ModelToken, Span]]:
    """Each model token with its span of the source: from the first start to the last end of its characters.

    >>> token = ModelToken(5, "é", ByteSpan(1, 3))
    >>> aligned([token], AlignedText.whole("aé"))[0][1]
    Span(start=1, end=2)
    """
    starts, ends = piece.starts, piece.ends
    character_at: Sequence[int] = range(len(piece.text))
    if not piece.text.isascii():
        character_at = [index for index, character in enumerate(piece.text) for _ in range(utf8_length(character))]
    if not tokens or tokens[-1].at.end <= len(character_at):
        return [
            (token, Span(starts[character_at[token.at.start]], ends[character_at[token.at.end - 1]]))
            for token in tokens
        ]
    return [
        (token, Span(starts[character_at[at.start]], ends[character_at[at.end - 1]]))
        if (at := token.at).end <= len(character_at)
        else (token, span_outside(at, piece.source))
        for token in tokens
    ]


def span_outside(at: ByteSpan, source: str) -> Span:
    """The span of a token that lies behind the end of its piece: the bytes of a prefix or suffix count as text there.

    >>> span_outside(ByteSpan(2, 3), "éa, …"), span_outside(ByteSpan(2, 3), "é")
    (Span(start=1, end=2), Span(start=2, end=3))

    Law (the reference's): its bytes are looked up in the whole source as if the piece began there; where the source is
    too short they stay bytes.
    """
    nearby = source[: at.end + 1]
    character_at = dict(enumerate(index for index, one in enumerate(nearby) for _ in range(utf8_length(one))))
    start, end = character_at.get(at.start), character_at.get(at.end)
    if start is None:
        return Span(at.start, at.end)
    return Span(start, character_at.get(at.end - 1, start + 1) + 1 if end is None else end)


def run(stages: Stages, text: str, pair: str | None, *, add_special_tokens: bool, split_special_tokens: bool) -> Trace:
    """Run a text, or a text and its pair, through every stage and keep what each one made of it."""
    sources = [text] if pair is None else [text, pair]
    for name, source in zip(("text", "pair"), sources, strict=False):
        require_utf8(source, name)
    text_stages = [trace_text(stages, source, split_special_tokens) for source in sources]
    parts: Sequence[Part] = [
        Part(trace_tokens(stages, done[-1].segments, number)) for number, done in enumerate(text_stages)
    ]
    token_stages = [TokenStage("model", stages.model.name, stages.model.pointer, frozen(parts))]
    for name, component, pointer, changed in behind_model(stages, parts, add_special_tokens):
        parts = changed
        token_stages.append(TokenStage(name, component, pointer, frozen(parts)))
    pair_stages = tuple(text_stages[1]) if pair is not None else ()
    return Trace(text, tuple(text_stages[0]), tuple(token_stages), encoding(text, pair, parts), pair_stages)


def behind_model(
    stages: Stages, parts: Sequence[Part], add_special_tokens: bool
) -> Iterator[tuple[str, str, str, Sequence[Part]]]:
    """Every step behind the model as (name, component, pointer, parts): truncation, post-processors, padding."""
    if stages.truncation is not None:
        placed = added_count(stages, len(parts) == 2) if add_special_tokens else 0
        parts = stages.truncation.cut(parts, placed)
        yield "truncation", stages.truncation.strategy.value, "/truncation", parts
    for step in stages.post_processors:
        parts = step.component.process(parts, add_special_tokens)
        yield "post-processor", step.name, step.pointer, parts
    if stages.padding is not None:
        parts = stages.padding.pad(parts)
        yield "padding", "BatchLongest" if stages.padding.length is None else "Fixed", "/padding", parts


def added_count(stages: Stages, pair: bool) -> int:
    """How many tokens the post-processors place."""
    return sum(step.component.added_count(pair) for step in stages.post_processors)


def layout(stages: Stages, add_special_tokens: bool) -> list[int | None]:
    """The ids that the post-processors place around a single text's; None is the text itself."""
    text = Token(0, "", b"", None, Origin.MODEL)
    parts: Sequence[Part] = [Part((text,))]
    for step in stages.post_processors:
        parts = step.component.process(parts, add_special_tokens)
    return [None if token.origin is Origin.MODEL else token.id for token in merged(parts).tokens]


def encoding(text: str, pair: str | None, parts: Sequence[Part]) -> Encoding:
    """The parts as one encoding, what overflows as others."""
    tokens, overflowing = merged(parts)
    others = Lazy(len(overflowing), lambda index: Encoding(text, tuple(overflowing[index]), pair))
    return Encoding(text, tuple(tokens), pair, others if overflowing else ())


def frozen(parts: Sequence[Part]) -> tuple[tuple[Token, ...], ...]:
    return tuple(tuple(part.tokens) for part in parts)


def run_decoders(
    decoders: Sequence[Step[Decoder]], ids: tuple[int, ...], tokens: Sequence[str], joiner: str
) -> DecodeTrace:
    """Run the tokens of ids through every decoder and keep what each one made of them."""
    stages = [DecodeStage("tokens", "", "", tuple(tokens))]
    for step in decoders:
        tokens = step.component.decode(tokens)
        stages.append(DecodeStage("decoder", step.name, step.pointer, tuple(tokens)))
    return DecodeTrace(ids, tuple(stages), joiner.join(tokens))
