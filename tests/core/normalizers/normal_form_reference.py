"""The reference library's normalization forms: text, and the span of every character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tokenizers import Tokenizer, models, normalizers

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


@cache
def reference(*forms: str) -> Tokenizer:
    """A tokenizer that knows no character: each one of the normalized text is a token with its own offsets."""
    tokenizer = Tokenizer(models.BPE(vocab={"?": 0}, merges=[], unk_token="?"))
    tokenizer.normalizer = normalizers.Sequence([getattr(normalizers, form)() for form in forms])
    return tokenizer


def reference_text(text: str, *forms: str) -> str:
    normalizer = reference(*forms).normalizer
    assert normalizer is not None
    return str(normalizer.normalize_str(text))


def reference_offsets(texts: Sequence[str], *forms: str) -> Iterator[list[tuple[int, int]]]:
    """For each text the (start, end) in it of every character of its normalized form."""
    for first in range(0, len(texts), 20_000):
        for encoding in reference(*forms).encode_batch(list(texts[first : first + 20_000])):
            yield encoding.offsets
