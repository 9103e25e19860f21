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


# A part of a token, and whether the token ends with it.
Stretch = tuple[str, bool]


class DecoderStream(Protocol):
    """A decoder at work on tokens that arrive one after another, each of them in one stretch or more.

    Laws: joined, what comes out is what `decode` makes of the whole list, under every cut; what has come out stays. A
    call costs as much as its text is long, whatever came before. The first stretch of a token may be empty: it says
    that there is one.
    """

    @property
    def joined(self) -> bool:
        """Whether what comes out is one token, in stretches of which none is said to be the last."""

    @property
    def held(self) -> bytes:
        """What has come in and is not accounted for in what has come out."""

    @property
    def reason(self) -> str | None:
        """Why something is held, None where nothing is."""

    @property
    def early(self) -> bool:
        """Whether text has come out that `decode` gives otherwise."""

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]: ...

    def finish(self) -> Sequence[Stretch]:
        """There are no more tokens; where the tokens were joined before, this is the end of the one."""


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

    def stream(self, joined: bool) -> DecoderStream:
        """Its streaming form. `joined`: an earlier step has made one token of all, which arrives in stretches."""


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
