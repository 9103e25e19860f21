"""Rank files (`.tiktoken`) with a pattern and special tokens from the caller or from a preset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile
from tokcore.formats.parts import Parts, byte_level
from tokcore.formats.presets import FILE_NAMES, PRESETS, preset
from tokcore.models.bpe import BPE
from tokcore.models.derived_merges import DerivedMergeRules
from tokcore.models.load_vocab import strings_by_id
from tokcore.protocols import Step
from tokcore.rankfile import read_ranks

RANK_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]{1,10}\r?(\n|\Z)")


def from_ranks(
    data: bytes,
    *,
    pattern: str,
    special_tokens: Mapping[str, int] | None = None,
    normalizer: str | None = None,
) -> Parts:
    r"""The parts of a rank file, its split pattern and its special tokens.

    >>> parts = from_ranks(b"YQ== 0\nYg== 1\nYWI= 2", pattern=r"\w+", special_tokens={"<|end|>": 3})
    >>> parts.tokenizer().encode("abba<|end|>").ids
    [2, 1, 0, 3]

    `pattern`: the name of a preset, or a regular expression. A piece that is an entry is one token, whatever the
    merges would make of it: so does `tiktoken`.
    """
    known = PRESETS.get(pattern)
    if known is not None:
        pattern = known.pattern
        normalizer = normalizer if normalizer is not None else known.normalizer
        special_tokens = special_tokens if special_tokens is not None else known.special_tokens
    return rank_parts(read_ranks(data), [pattern], special_tokens or {}, normalizer)


def rank_parts(
    vocab: Mapping[str, int], patterns: Iterable[str], special_tokens: Mapping[str, int], normalizer: str | None = None
) -> Parts:
    """The parts of a vocabulary whose ids are its ranks.

    Special tokens stand in the vocabulary too: the ids that a file gives added tokens do not count, those of the
    vocabulary do. No merge makes them.
    """
    taken = {id: token for token, id in vocab.items()}
    for token, id in special_tokens.items():
        if token in vocab or id in taken:
            what = f"{token!r} is also an entry" if token in vocab else f"id {id} of {token!r} belongs to {taken[id]!r}"
            raise MalformedFile(where="special tokens", what=what, remedy="give each token an id of its own")
        taken[id] = token
    ranks = dict(vocab)
    every = {**ranks, **special_tokens}
    strings = strings_by_id(every, "ranks")
    model = BPE(every, strings, DerivedMergeRules(ranks, strings), ignore_merges=True)
    added = tuple(AddedToken(id, token, special=True) for token, id in sorted(special_tokens.items(), key=by_id))
    return Parts(byte_level(patterns, normalizer), Step("BPE", "/model", model), added)


def by_id(entry: tuple[str, int]) -> int:
    return entry[1]


def from_named_ranks(name: str, data: bytes) -> Parts:
    """The parts of a rank file whose name says which it is, such as cl100k_base.tiktoken."""
    stem = PurePath(name).stem
    known = FILE_NAMES.get(stem)
    if known is None:
        raise MalformedFile(
            where=name,
            what="a rank file does not say its split pattern, and this name is not known",
            remedy="give pattern=, a regular expression or one of: " + ", ".join(sorted(PRESETS)),
        )
    found = preset(known)
    ranks = read_ranks(data)
    # A cut-down file keeps its pattern; only ids that it leaves free go to the special tokens of the whole one.
    fits = not (set(found.special_tokens.values()) & set(ranks.values()))
    return rank_parts(ranks, [found.pattern], found.special_tokens if fits else {}, found.normalizer)


def looks_like_ranks(data: bytes) -> bool:
    """Whether a file's first line is a base64 token and a rank.

    >>> looks_like_ranks(b"IQ== 0"), looks_like_ranks(b"\\x0a\\x0e")
    (True, False)
    """
    return RANK_LINE.match(data) is not None
