"""What each kind of component does: five verbs, one per stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tokcore.spans import AlignedText
from tokcore.tokens import ModelToken
from tokcore.truncation import Part


class Normalizer(Protocol):
    """Rewrites text, keeping the origin of every character."""

    def normalize(self, text: AlignedText) -> AlignedText: ...


class PreTokenizer(Protocol):
    """Cuts text into pieces, in order; the model never joins across a cut. Empty pieces are left out."""

    def split(self, text: AlignedText) -> Sequence[AlignedText]: ...


class Model(Protocol):
    """Turns one piece into tokens of its vocabulary."""

    @property
    def vocab(self) -> Mapping[str, int]:
        """Stored token string → id."""

    @property
    def entry_count(self) -> int:
        """How many entries the file lists; ids of added tokens go on from here."""

    def tokenize(self, piece: str) -> Sequence[ModelToken]: ...

    def token_to_id(self, token: str) -> int | None: ...

    def id_to_token(self, id: int) -> str | None: ...


class PostProcessor(Protocol):
    """Adds template tokens around the parts of a result (a text, or a text and its pair), or adjusts their spans.

    Law: it never looks at what the tokens are, so what it places is the same around any text.
    """

    def added_count(self, pair: bool) -> int:
        """How many tokens it places: truncation leaves room for them."""

    def process(self, parts: Sequence[Part], add_special_tokens: bool) -> Sequence[Part]: ...


class Decoder(Protocol):
    """Rewrites a list of stored token strings on their way to text; the results of the last one are joined."""

    @property
    def joins(self) -> bool:
        """Whether the result is always one string."""

    def decode(self, tokens: Sequence[str]) -> Sequence[str]: ...

    def decode_between(self, token: str, joined: bool) -> str:
        """What it makes of one token that stands between others, far from the ends and unlike its neighbours.

        `joined`: an earlier step has made one string of all tokens, and this token is a stretch of it. Bytes that are
        no UTF-8 by themselves are surrogate escapes.
        """


C = TypeVar("C", covariant=True)


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """A component and where it stands in the file.

    >>> Step("NFC", "/normalizer", component=None).pointer
    '/normalizer'

    A Sequence in the file is several steps: nothing else tells them apart, and each is a row of a trace.
    """

    name: str
    pointer: str
    component: C
