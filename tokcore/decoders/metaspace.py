"""Metaspace decoder: ▁ becomes a space again, and nothing in the first token where a space was put before the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tokcore.decoders.rewriters import EachCharacter
from tokcore.decoders.streams import PerToken
from tokcore.errors import MalformedFile
from tokcore.fields import Fields
from tokcore.protocols import DecoderStream

SCHEMES = ("always", "first", "never")


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Replaces `replacement` by a space; in the first token by nothing, unless the scheme is "never".

    >>> Metaspace().decode(["▁How▁", "▁are"])
    ['How', ' are']

    Law: the first token loses every `replacement` it holds, not only a leading one.
    """

    replacement: str = "▁"
    prepends: bool = True
    joins: ClassVar[bool] = False

    def decode(self, tokens: Sequence[str]) -> list[str]:
        return [self.decode_between(token, joined=index == 0) for index, token in enumerate(tokens)]

    def decode_between(self, token: str, joined: bool) -> str:
        return token.replace(self.replacement, "" if joined and self.prepends else " ")

    def stream(self, joined: bool) -> DecoderStream:
        """Nothing is held: every character is rewritten by itself."""
        return PerToken(
            joined, self.decode_between, lambda first: EachCharacter(lambda text: self.decode_between(text, first))
        )


def build_metaspace(fields: Fields) -> Metaspace:
    """{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always" unless given, "split": means nothing here}.

    Old files have `add_prefix_space` instead of the scheme; false is refused there, as the reference does, because the
    scheme then counts as "always".
    """
    for key in ("split", "add_prefix_space"):
        if fields.value.get(key) is not None:
            fields.boolean(key)
    fields.optional_string("str_rep")
    scheme = fields.string("prepend_scheme") if "prepend_scheme" in fields.value else "always"
    if scheme not in SCHEMES:
        raise fields.refuse("prepend_scheme", f"scheme {scheme!r} is not known", f"known: {', '.join(SCHEMES)}")
    if fields.value.get("add_prefix_space") is False and scheme != "never":
        raise MalformedFile(
            where=fields.at("add_prefix_space"),
            what=f"false, but the prepend_scheme is {scheme!r}",
            remedy='set prepend_scheme to "never"',
        )
    return Metaspace(one_character(fields, "replacement"), scheme != "never")


def one_character(fields: Fields, key: str) -> str:
    """A string of exactly one code point."""
    value = fields.string(key)
    if len(value) != 1:
        raise MalformedFile(where=fields.at(key), what=f"found {value!r}", remedy="must be one character")
    return value
