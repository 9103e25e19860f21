"""Reading the BPE model of a tokenizer.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import add, itemgetter
from typing import Any

from tokcore.errors import MalformedFile, TokcoreError, UnsupportedComponent
from tokcore.fields import Fields, kind_of, wrong_kind
from tokcore.models.bpe import BPE
from tokcore.models.load_vocab import read_vocab
from tokcore.models.load_vocab import strings_by_id as strings_by_id
from tokcore.models.merges import MergeRules

VERSION_LINE = "#version"


def build_bpe(fields: Fields) -> BPE:
    """{"type": "BPE", "vocab": {string: id}, "merges": ["a b" or ["a", "b"]], …}.

    >>> bpe = build_bpe(Fields({"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}, "/model"))
    >>> bpe.rules.pair(0)
    (0, 1)
    """
    dropout = fields.value.get("dropout")
    if dropout is not None and (isinstance(dropout, bool) or not isinstance(dropout, int | float) or dropout != 0):
        raise fields.refuse("dropout", f"found {dropout!r}", "set it to null: with dropout a text has no one encoding")
    vocab = read_vocab(fields)
    prefix = fields.optional_string("continuing_subword_prefix") or ""
    return BPE(
        vocab=vocab,
        strings=strings_by_id(vocab, fields.at("vocab")),
        rules=read_merges(fields, vocab, prefix),
        unk_token=fields.optional_string("unk_token"),
        continuing_subword_prefix=prefix,
        end_of_word_suffix=fields.optional_string("end_of_word_suffix") or "",
        fuse_unk=read_flag(fields, "fuse_unk"),
        byte_fallback=read_flag(fields, "byte_fallback"),
        ignore_merges=read_flag(fields, "ignore_merges"),
    )


def read_flag(fields: Fields, key: str) -> bool:
    """A flag that is off where it is missing or null."""
    return fields.value.get(key) is not None and fields.boolean(key)


def read_merges(fields: Fields, vocab: Mapping[str, int], prefix: str) -> MergeRules:
    """The rules of the file; the joined string leaves out the right part's prefix."""
    merges = fields.required("merges")
    if not isinstance(merges, list):
        raise wrong_kind(merges, fields.at("merges"), "a list")
    cut = len(prefix.encode())
    try:
        # Column by column: a large file has half a million rules.
        left, right = merge_columns(merges)
        ends = [without(token, cut) for token in right] if cut else right
        joined = map(add, left, ends)
        return MergeRules.of_columns(*(list(map(vocab.__getitem__, tokens)) for tokens in (left, right, joined)))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise first_bad_merge(merges, vocab, cut, fields.at("merges")) from None


def merge_columns(merges: Sequence[Any]) -> tuple[Sequence[str], Sequence[str]]:
    """The left and the right token of every rule; an error of Python's if a rule does not have two.

    >>> merge_columns(["a b", "#version: 0.2", "ab c"])
    (['a', 'ab'], ['b', 'c'])
    """
    if merges and isinstance(merges[0], str):
        text = " ".join(merges)
        if VERSION_LINE in text:
            # The head of a merges.txt, which the reference passes over wherever it stands.
            merges = [merge for merge in merges if not merge.startswith(VERSION_LINE)]
            text = " ".join(merges)
        if set(map(str.count, merges, repeat(" "))) - {1}:
            raise ValueError
        tokens = text.split(" ") if merges else []
        return tokens[::2], tokens[1::2]
    # A string of two characters, or an object of two keys, would do as well.
    if set(map(type, merges)) - {list} or set(map(len, merges)) - {2}:
        raise TypeError
    return list(map(itemgetter(0), merges)), list(map(itemgetter(1), merges))


def without(token: str, cut: int) -> str:
    """A token less as many bytes as the prefix has, which the reference does not look for.

    >>> without("##ing", 2), without("ing", 2)
    ('ing', 'g')
    """
    raw = token.encode()
    if cut > len(raw):
        raise ValueError("shorter than the prefix")
    return raw[cut:].decode()


def first_bad_merge(merges: Sequence[Any], vocab: Mapping[str, int], cut: int, pointer: str) -> TokcoreError:
    """The error for the first rule that cannot be read: of a wrong form, else of tokens that do not go together.

    A token shorter than the prefix is an UnsupportedComponent: the reference crashes over it, so the file is no other
    model either.
    """
    as_strings = isinstance(merges[0], str)
    pairs: list[tuple[str, str, str]] = []
    for index, merge in enumerate(merges):
        where = f"{pointer}/{index}"
        if as_strings and isinstance(merge, str) and merge.startswith(VERSION_LINE):
            continue
        if isinstance(merge, str) != as_strings:
            return MalformedFile(where=where, what=f"found {kind_of(merge)}", remedy="write all merges in one way")
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):
            return MalformedFile(
                where=where, what=f"found {merge!r:.60}", remedy='must be two tokens, "a b" or ["a", "b"]'
            )
        pairs.append((where, *parts))
    return next(error for pair in pairs if (error := unfit(*pair, vocab, cut)) is not None)


def unfit(where: str, left: str, right: str, vocab: Mapping[str, int], cut: int) -> TokcoreError | None:
    """Why a rule's tokens do not go together, None if they do."""
    remedy = "begin continuing tokens with the prefix"
    absent = [token for token in (left, right) if token not in vocab]
    try:
        if not absent and (joined := left + without(right, cut)) not in vocab:
            absent = [joined]
    except UnicodeDecodeError:
        what = f"a prefix of {cut} bytes ends inside a character of {right!r}"
        return MalformedFile(where=where, what=what, remedy=remedy)
    except ValueError:
        return UnsupportedComponent(
            where=where, what=f"a prefix of {cut} bytes is longer than {right!r}", remedy=remedy
        )
    if not absent:
        return None
    what = f"token {absent[0]!r} is not in the vocabulary"
    return MalformedFile(where=where, what=what, remedy="add it or drop the rule")
