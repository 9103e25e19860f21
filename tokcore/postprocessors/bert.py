"""BertProcessing: [CLS] text [SEP], and pair [SEP] behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tokcore.fields import Fields
from tokcore.postprocessors.placing import enclose, named_id, placed_token
from tokcore.tokens import Token
from tokcore.truncation import Part, Tokens


@dataclass(frozen=True, slots=True)
class BertProcessing:
    """Encloses the first text in `cls` and `sep`, puts `sep` of type 1 behind each other one.

    >>> bert = BertProcessing(cls=placed_token("[CLS]", 1), sep=placed_token("[SEP]", 2))
    >>> [[token.value for token in part.tokens] for part in bert.process([Part(()), Part(())], True)]
    [['[CLS]', '[SEP]'], ['[SEP]']]
    """

    cls: Token
    sep: Token

    def added_count(self, pair: bool) -> int:
        return 3 if pair else 2

    def process(self, parts: Sequence[Part], add_special_tokens: bool) -> Sequence[Part]:
        if not add_special_tokens:
            return parts
        return [part.change(partial(self._change, number)) for number, part in enumerate(parts)]

    def _change(self, number: int, tokens: Tokens) -> Tokens:
        if number == 0:
            return enclose((self.cls,), tokens, (self.sep,))
        return enclose((), tokens, (self.sep._replace(type_id=1),))


def build_bert(fields: Fields) -> BertProcessing:
    """{"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}."""
    return BertProcessing(cls=placed_token(*named_id(fields, "cls")), sep=placed_token(*named_id(fields, "sep")))
