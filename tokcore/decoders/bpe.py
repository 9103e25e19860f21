"""BPEDecoder: the end-of-word suffix becomes a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.rewriters import EachCharacter, Literal
from tokcore.decoders.streams import PerToken
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream, Stretch


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """Replaces `suffix` by a space, and by nothing in the last token.

    >>> BPEDecoder("</w>").decode(["lo", "w</w>", "tide</w>"])
    ['lo', 'w ', 'tide']

    An empty suffix is found around every character, as in the reference.
    """

    suffix: str = "</w>"
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        last = len(tokens) - 1
        return [token.replace(self.suffix, "" if index == last else " ") for index, token in enumerate(tokens)]

    def decode_between(self, token: str, joined: bool) -> str:
        return token.replace(self.suffix, "" if joined else " ")

    def stream(self, joined: bool) -> DecoderStream:
        """Held: the newest token from its first suffix on, until another token shows that it is not the last."""
        if not joined:
            return _Suffixes(self.suffix)
        return PerToken(
            True,
            lambda token, first: self.decode_between(token, joined=True),
            lambda first: Literal(self.suffix, "") if self.suffix else EachCharacter(str),
        )


class _Suffixes:
    """Tokens of which the last is treated otherwise. `_rest`: the newest one from its first suffix on, if any."""

    early = False
    joined = False

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._rest: list[str] | None = None
        self._begun = Literal(suffix, suffix) if suffix else None
        self._open = False

    @property
    def held(self) -> bytes:
        begun = "" if self._begun is None else self._begun.held
        return ("".join(self._rest or ()) + begun).encode()

    @property
    def reason(self) -> str | None:
        if self._rest is None:
            return None if self._begun is None else self._begun.reason
        if not self.held:
            return None
        return f"`{self._suffix}` is a space if another token follows" if self._suffix else "this may be the last token"

    def feed(self, text: str, ends: bool) -> Sequence[Stretch]:
        stretches = [] if self._open or self._rest is None else [self._release(" ")]
        self._open = not ends
        if self._rest is not None:
            self._rest.append(text)
            return stretches
        if self._begun is not None:
            text = self._begun.feed(text) + (self._begun.finish() if ends else "")
        at = text.find(self._suffix)
        if at < 0:
            return [*stretches, (text, ends)]
        # Once a suffix is found, the rest waits as it is.
        self._rest = [text[at:] + ("" if self._begun is None else self._begun.finish())]
        return [*stretches, (text[:at], False)]

    def finish(self) -> Sequence[Stretch]:
        return [] if self._rest is None else [self._release("")]

    def _release(self, replacement: str) -> Stretch:
        text, self._rest = "".join(self._rest or ()), None
        return text.replace(self._suffix, replacement), True


def build_bpe_decoder(fields: Fields) -> BPEDecoder:
    """{"type": "BPEDecoder", "suffix": "</w>"}."""
    return BPEDecoder(fields.string("suffix"))
