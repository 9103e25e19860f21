"""A prompt's tokens when no message can write a control token: only the template's own words may."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokcore.chat.provenance import PromptSpan
from tokcore.spans import Span
from tokcore.tokens import Encoding, Origin, Token, TokenColumns

# Stands in for the first character of a match that is not allowed; no vocabulary has it as an added token.
MASK = "\U0010fffd"
TRUSTED = ("template", "generation")


@dataclass(frozen=True, slots=True)
class SafeEncoding:
    """The tokens of a prompt with the control tokens of strangers split, and the places where that made a difference.

    `split`: the matches that were not allowed, as spans of the prompt, in order.
    """

    tokens: tuple[Token, ...]
    split: tuple[Span, ...]

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]


def untrusted_matches(encoding: Encoding, spans: Sequence[PromptSpan]) -> tuple[tuple[Token, PromptSpan], ...]:
    """Added tokens of a prompt that reach into words the template did not write, each with the first such words."""
    strangers = [span for span in spans if span.origin.kind not in TRUSTED]
    found, at = [], 0
    for token in _added(encoding):
        if token.origin is not Origin.ADDED or token.span is None or token.span.start == token.span.end:
            continue
        while at < len(strangers) and strangers[at].span.end <= token.span.start:
            at += 1
        if at == len(strangers):
            break
        if strangers[at].span.start < token.span.end:
            found.append((token, strangers[at]))
    return tuple(found)


def _added(encoding: Encoding) -> Iterator[Token]:
    """The tokens that may be matches, in order: of columns, only those are put together."""
    entries = encoding.entries
    if isinstance(entries, TokenColumns):
        yield from (entries[index] for index in sorted(entries.added))
    else:
        yield from entries


def encode_safely(
    encode: Callable[[str], Encoding], plain: Callable[[str], Encoding], text: str, spans: Sequence[PromptSpan]
) -> SafeEncoding:
    """The tokens of a rendered prompt (`text`, `spans`) with added tokens matched in the template's words only.

    `encode`: text to tokens without a post-processor; `plain`: the same of a tokenizer without added tokens. Laws: a
    prompt without untrusted matches has the tokens of `encode`; joined, the tokens' texts are those of `encode`. Each
    stretch between two matches is encoded as a text of its own, so that a pre-tokenizer which treats the very first
    word of a text apart (Metaspace's "first") does so in each.
    """
    encoding = encode(text)
    characters, split = list(text), []
    while bad := untrusted_matches(encoding, spans):
        for token, _ in bad:
            assert token.span is not None
            start = token.span.start
            # What a match took in of the white space before it is no part of the token's name.
            while characters[start].isspace() and start + 1 < token.span.end:
                start += 1
            characters[start] = MASK
            split.append(token.span)
        encoding = encode("".join(characters))
    if not split:
        return SafeEncoding(tuple(encoding.entries), ())
    tokens: list[Token] = []
    done = 0
    for token in encoding.entries:
        if token.origin is Origin.ADDED and token.span is not None:
            tokens.extend(_moved(plain(text[done : token.span.start]), done))
            tokens.append(token)
            done = token.span.end
    tokens.extend(_moved(plain(text[done:]), done))
    return SafeEncoding(tuple(tokens), tuple(sorted(split)))


def _moved(encoding: Encoding, by: int) -> list[Token]:
    return [
        token._replace(span=None if token.span is None else Span(token.span.start + by, token.span.end + by))
        for token in encoding.entries
    ]
