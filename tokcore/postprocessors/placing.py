"""What post-processors that place tokens have in common."""

from __future__ import annotations

from collections.abc import Sequence

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, is_natural, kind_of, wrong_kind
from tokcore.tokens import Origin, Token
from tokcore.truncation import Tokens


def placed_token(value: str, id: int, type_id: int = 0) -> Token:
    """A token that stands for no text of the source.

    >>> placed_token("[CLS]", 101).span is None
    True
    """
    return Token(id, value, value.encode(), None, Origin.TEMPLATE, type_id=type_id, special=True)


def enclose(before: Sequence[Token], tokens: Tokens, after: Sequence[Token]) -> Tokens:
    """Tokens with placed ones around them.

    Law: as in the reference the special-tokens mask is written anew, so what an earlier post-processor placed inside is
    special no longer.
    """
    inside = (token._replace(special=False) if token.special else token for token in tokens)
    return (*before, *inside, *after)


def named_id(fields: Fields, key: str) -> tuple[str, int]:
    """A ["[SEP]", 102] of the file."""
    value = fields.required(key)
    if not isinstance(value, list) or len(value) != 2:
        what = f"a list of {len(value)}" if isinstance(value, list) else kind_of(value)
        raise MalformedFile(
            where=fields.at(key), what=f"found {what}", remedy='must be a token and its id, as in ["[SEP]", 102]'
        )
    token, id = value
    if not isinstance(token, str):
        raise wrong_kind(token, fields.at(key) + "/0", "a string")
    if not is_natural(id):
        raise wrong_kind(id, fields.at(key) + "/1", "a whole number from 0 to 4294967295")
    return token, id
