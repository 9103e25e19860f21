"""RobertaProcessing: <s> text </s>, and </s> pair </s> behind it, all of type 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tokcore.fields import Fields
from tokcore.postprocessors.byte_level import trim
from tokcore.postprocessors.placing import enclose, named_id, placed_token
from tokcore.tokens import Token
from tokcore.truncation import Part, Tokens


@dataclass(frozen=True, slots=True)
class RobertaProcessing:
    """Encloses the first text in `cls` and `sep`, each other one in two `sep`; spans trimmed as by ByteLevel.

    >>> roberta = RobertaProcessing(cls=placed_token("<s>", 0), sep=placed_token("</s>", 2))
    >>> [[token.value for token in part.tokens] for part in roberta.process([Part(()), Part(())], True)]
    [['<s>', '</s>'], ['</s>', '</s>']]
    """

    cls: Token
    sep: Token
    trim_offsets: bool = True
    add_prefix_space: bool = True

    def added_count(self, pair: bool) -> int:
        return 4 if pair else 2

    def process(self, parts: Sequence[Part], add_special_tokens: bool) -> Sequence[Part]:
        if self.trim_offsets:
            parts = [part.change(partial(trim, add_prefix_space=self.add_prefix_space)) for part in parts]
        if not add_special_tokens:
            # The overflowing lists keep their types in the reference.
            return [Part(of_type_0(part.tokens), part.overflowing) for part in parts]
        return [
            part.change(partial(self._change, self.sep if number else self.cls)) for number, part in enumerate(parts)
        ]

    def _change(self, before: Token, tokens: Tokens) -> Tokens:
        return enclose((before,), of_type_0(tokens), (self.sep,))


def of_type_0(tokens: Tokens) -> Tokens:
    return [token._replace(type_id=0) if token.type_id else token for token in tokens]


def build_roberta(fields: Fields) -> RobertaProcessing:
    """{"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets", "add_prefix_space"}."""
    return RobertaProcessing(
        cls=placed_token(*named_id(fields, "cls")),
        sep=placed_token(*named_id(fields, "sep")),
        trim_offsets=fields.boolean("trim_offsets"),
        add_prefix_space=fields.boolean("add_prefix_space"),
    )
