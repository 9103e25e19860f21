"""Rank files (`.tiktoken`): one base64 token and its rank a line, the merge rules implied."""

from __future__ import annotations

import os
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokcore.added_tokens import AddedToken
from tokcore.bytemap import display_bytes
from tokcore.errors import MalformedFile
from tokcore.fields import is_natural
from tokcore.loader import assemble, read
from tokcore.models.bpe import BPE
from tokcore.models.derived_merges import DerivedMergeRules
from tokcore.models.load_vocab import strings_by_id
from tokcore.pipeline import Tokenizer
from tokcore.protocols import Step

LINE_RULE = "each line is a base64 token, a space and its rank"
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


def from_rank_file(
    source: str | os.PathLike[str] | bytes,
    *,
    pattern: str,
    added_tokens: Iterable[AddedToken] = (),
    normalizer: str | None = None,
    ignore_merges: bool = False,
) -> Tokenizer:
    """A byte-level BPE tokenizer from a rank file, its split pattern and its added tokens.

    >>> from base64 import b64encode
    >>> lines = [b64encode(token) + b" %d" % rank for rank, token in enumerate([b"a", b"b", b"ab"])]
    >>> from_rank_file(b"\\n".join(lines), pattern=r"\\w+").encode("abba").tokens
    ['ab', 'b', 'a']

    `source`: path, or the file's bytes. `normalizer`: the name of one without options, such as "NFC". The result is
    that of the tokenizer.json one gets by splitting every entry by rank into its two parts.
    """
    vocab = read_ranks(source if isinstance(source, bytes) else read(Path(source)))
    strings = strings_by_id(vocab, "ranks")
    model = BPE(vocab, strings, DerivedMergeRules(vocab, strings), ignore_merges=ignore_merges)
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    components = {
        "normalizer": normalizer and {"type": normalizer},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, BYTE_LEVEL]},
        "post_processor": BYTE_LEVEL,
        "decoder": BYTE_LEVEL,
    }
    return assemble(components, Step("BPE", "/model", model), added_tokens)


def read_ranks(data: bytes) -> dict[str, int]:
    """Token in the display alphabet → rank.

    >>> read_ranks(b"IGE= 0\\nYQ== 1")
    {'Ġa': 0, 'a': 1}
    """
    lines = data.split(b"\n")
    vocab: dict[str, int] = {}
    try:
        for line in lines:
            if line and not line.isspace():
                token, rank = line.split()
                vocab[display_bytes(a2b_base64(token, strict_mode=True))] = int(rank)
    except (Base64Error, ValueError):
        raise first_bad_line(lines) from None
    if not vocab:
        raise MalformedFile(where="ranks", what="found no token", remedy=LINE_RULE)
    ranks = set(vocab.values())
    if len(ranks) < sum(1 for line in lines if line and not line.isspace()) or not all(map(is_natural, ranks)):
        raise first_bad_line(lines)
    return vocab


def first_bad_line(lines: Sequence[bytes]) -> MalformedFile:
    """The error for the first line that is broken, or repeats a token or a rank."""
    tokens: set[bytes] = set()
    ranks: set[int] = set()
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            continue
        try:
            encoded, digits = line.split()
            token, rank = a2b_base64(encoded, strict_mode=True), int(digits)
        except (Base64Error, ValueError):
            return MalformedFile(where=f"line {number}", what=f"found {line[:40]!r}", remedy=LINE_RULE)
        if not is_natural(rank):
            return MalformedFile(where=f"line {number}", what=f"found rank {rank}", remedy="use ranks from 0 up")
        if token in tokens or rank in ranks:
            what = "the token" if token in tokens else f"rank {rank}"
            return MalformedFile(where=f"line {number}", what=f"{what} stood before", remedy="list each once")
        tokens.add(token)
        ranks.add(rank)
    raise AssertionError("no bad line found")
