"""Reading the "vocab" object of a tokenizer.json: token string → id."""

from __future__ import annotations

from collections.abc import Mapping

from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.fields import Fields, escape_pointer, is_natural, wrong_kind

# Past this many ids without an entry the list from id to string would be the largest thing in memory.
GAP_LIMIT = 1_000_000


def read_vocab(fields: Fields) -> dict[str, int]:
    """The "vocab" object, every id checked, none given twice.

    >>> read_vocab(Fields({"vocab": {"a": 0, "b": 0}}, "/model"))
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: /model/vocab/b: id 0 belongs to 'a' already (give every token an id of its own)

    The reference loads such a file, but which of the two strings the id then stands for changes from run to run.
    """
    vocab = fields.mapping("vocab")
    ids = vocab.values()
    # All at once: a large file has hundreds of thousands of entries.
    if set(map(type, ids)) - {int} or not (is_natural(min(ids, default=0)) and is_natural(max(ids, default=0))):
        token, id = next((token, id) for token, id in vocab.items() if not is_natural(id))
        where = f"{fields.at('vocab')}/{escape_pointer(token)}"
        raise wrong_kind(id, where, "a whole number from 0 to 4294967295")
    if len(set(ids)) < len(vocab):
        raise first_repeated_id(vocab, fields.at("vocab"))
    return dict(vocab)


def first_repeated_id(vocab: Mapping[str, int], pointer: str) -> MalformedFile:
    """The error for the first id that an earlier token has too."""
    owners: dict[int, str] = {}
    for token, id in vocab.items():
        if owners.setdefault(id, token) != token:
            return MalformedFile(
                where=f"{pointer}/{escape_pointer(token)}",
                what=f"id {id} belongs to {owners[id]!r} already",
                remedy="give every token an id of its own",
            )
    raise AssertionError("no repeated id found")


def strings_by_id(vocab: Mapping[str, int], pointer: str) -> list[str | None]:
    """The inverse of a vocabulary as a list.

    >>> strings_by_id({"a": 0, "c": 2}, "/model/vocab")
    ['a', None, 'c']
    """
    top = max(vocab.values(), default=-1)
    if top > len(vocab) + GAP_LIMIT:
        raise UnsupportedComponent(
            where=pointer,
            what=f"id {top} in a vocabulary of {len(vocab)} entries",
            remedy=f"leave at most {GAP_LIMIT} ids unused",
        )
    strings: list[str | None] = [None] * (top + 1)
    for token, id in vocab.items():
        strings[id] = token
    return strings
