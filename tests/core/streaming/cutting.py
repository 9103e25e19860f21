"""What streaming tests share: one list of ids or one text given in deltas, and the ways to cut it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, TypeVar

from tests.reference import byte_level_file
from tokcore import Tokenizer
from tokcore.bytemap import display_bytes
from tokcore.streaming.cuts import bursts, even, seeded, two_way
from tokcore.streaming.detokenizer import IncrementalDetokenizer

S = TypeVar("S", bound=Sequence[Any])


def parts_of(whole: S, sizes: Iterable[int]) -> list[S]:
    """A list or text as deltas of these sizes."""
    ends = list(accumulate(sizes))
    assert (ends[-1] if ends else 0) == len(whole)
    return [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def cuts_of(n: int, random_cuts: int = 10) -> Iterator[tuple[int, ...]]:
    """Whole, one by one, every two-way cut, by threes, random ones, and with empty deltas in between."""
    yield even(n, max(n, 1))
    yield even(n, 1)
    yield even(n, 3)
    yield from two_way(n)
    for seed in range(random_cuts):
        yield seeded(n, seed)
        yield bursts(n, seed)
    yield tuple(size for one in even(n, 2) for size in (0, one, 0))


def byte_tokens(*parts: bytes) -> tuple[Tokenizer, list[int]]:
    """A byte-level tokenizer with these parts as tokens, and their ids."""
    file = byte_level_file()
    vocab: dict[str, Any] = file["model"]["vocab"]
    for part in parts:
        vocab.setdefault(display_bytes(part), len(vocab))
    tokenizer = Tokenizer.from_str(json.dumps(file))
    return tokenizer, [vocab[display_bytes(part)] for part in parts]


def emitted(tokenizer: Any, ids: Sequence[int], sizes: Iterable[int], skip: bool = True) -> list[str]:
    """What each delta lets out, the flush last; `text` has grown by just that every time."""
    detokenizer = IncrementalDetokenizer(tokenizer, skip)
    steps: list[str] = []
    for part in parts_of(ids, sizes):
        steps.append(detokenizer.add(part))
        assert detokenizer.text == "".join(steps)
        assert (detokenizer.reason is None) == (not detokenizer.held)
    steps.append(detokenizer.flush())
    assert detokenizer.text == "".join(steps)
    assert (detokenizer.held, detokenizer.reason) == (b"", None)
    return steps


def is_early(tokenizer: Any, ids: Sequence[int], skip: bool = True) -> bool:
    detokenizer = IncrementalDetokenizer(tokenizer, skip)
    detokenizer.add(ids)
    detokenizer.flush()
    return detokenizer.early
