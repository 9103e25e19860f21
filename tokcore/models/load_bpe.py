"""Reading the BPE model of a tokenizer.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokcore.errors import MalformedFile
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
        rules=MergeRules(read_merges(fields, vocab, prefix)),
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


def read_merges(fields: Fields, vocab: Mapping[str, int], prefix: str) -> list[tuple[int, int, int]]:
    """(left id, right id, joined id) of each rule; the joined string leaves out the right part's prefix."""
    merges = fields.required("merges")
    if not isinstance(merges, list):
        raise wrong_kind(merges, fields.at("merges"), "a list")
    cut = len(prefix.encode())
    try:
        if merges and isinstance(merges[0], str):
            # The head of a merges.txt, which the reference passes over wherever it stands.
            pairs = [merge.split(" ") for merge in merges if not merge.startswith(VERSION_LINE)]
        else:
            # A string of two characters, or an object of two keys, would unpack as well.
            if not all(type(pair) is list for pair in merges):
                raise TypeError
            pairs = merges
        if not cut:
            return [(vocab[left], vocab[right], vocab[left + right]) for left, right in pairs]
        return [(vocab[left], vocab[right], vocab[left + without(right, cut)]) for left, right in pairs]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise first_bad_merge(merges, vocab, cut, fields.at("merges")) from None


def without(token: str, cut: int) -> str:
    """A token less as many bytes as the prefix has, which the reference does not look for.

    >>> without("##ing", 2), without("ing", 2)
    ('ing', 'g')
    """
    raw = token.encode()
    if cut > len(raw):
        raise ValueError("shorter than the prefix")
    return raw[cut:].decode()


def first_bad_merge(merges: Sequence[Any], vocab: Mapping[str, int], cut: int, pointer: str) -> MalformedFile:
    """The error for the first rule that cannot be read."""
    as_strings = isinstance(merges[0], str)
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
        left, right = parts
        try:
            joined = left + without(right, cut)
        except ValueError:
            what = f"the prefix of {cut} bytes cannot be taken off {right!r}"
            return MalformedFile(where=where, what=what, remedy="begin continuing tokens with the prefix")
        for token in (left, right, joined):
            if token not in vocab:
                return MalformedFile(
                    where=where, what=f"token {token!r} is not in the vocabulary", remedy="add it or drop the rule"
                )
    raise AssertionError("no bad merge found")
