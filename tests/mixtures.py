"""Tokenizer files put together of others' components and of invented ones, from a seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

PATTERNS = (
    *({"String": text} for text in (" ", "a", "ab", "▁", "é", "\n", "", ".")),
    *(
        {"Regex": source}
        for source in (r"\s+", r"\w+", "^", "$", "a*", r"\p{L}+|\p{N}", r"\s+(?!\S)", "(?=[A-Z])", ".")
    ),
    *(
        {"Regex": source}
        for source in (r"[^\r\n]+", r"(?i:'s|'t)| ?\p{L}+", r"\b", r"(?<=\s)\S", r"[[:punct:]]", r"\X?")
    ),
)
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
CHILDREN = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def invented(random: Random, kind: str) -> dict[str, Any] | None:
    """A component with options drawn at random, None of kinds that have none worth it."""
    pattern, flip = random.choice(PATTERNS), random.random() < 0.5
    if kind == "normalizer":
        content = random.choice(("", "▁", " ", "ab", "é", "\u0301"))
        return random.choice(
            (
                {"type": "Replace", "pattern": pattern, "content": content},
                {"type": "Prepend", "prepend": random.choice(("", "▁", "é ", "\u0301"))},
                {"type": "Strip", "strip_left": flip, "strip_right": random.random() < 0.5},
                {
                    "type": random.choice(
                        ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel")
                    )
                },
            )
        )
    if kind == "pre_tokenizer":
        behavior = random.choice(BEHAVIORS)
        return random.choice(
            (
                {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": flip},
                {"type": "Punctuation", "behavior": behavior},
                {"type": "Digits", "individual_digits": flip},
                {"type": "FixedLength", "length": random.randint(1, 5)},
                {"type": "CharDelimiterSplit", "delimiter": random.choice(" a▁é")},
                {"type": random.choice(("UnicodeScripts", "Whitespace", "WhitespaceSplit", "BertPreTokenizer"))},
            )
        )
    if kind == "decoder":
        return {"type": "Replace", "pattern": pattern, "content": random.choice(("", " ", "é"))}
    return None


def mixed(sources: Sequence[str], seed: int) -> bytes:
    """A file put together of others' components and of invented ones, up to three of a kind in a row."""
    random = Random(seed)
    file = json.loads(random.choice(sources))
    for kind, children in CHILDREN.items():
        parts: list[Any] = []
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            part = json.loads(random.choice(sources))[kind] if random.random() < 0.6 else invented(random, kind)
            parts += [] if part is None else [part]
        file[kind] = parts[0] if len(parts) == 1 else {"type": "Sequence", children: parts} if parts else None
    if random.random() < 0.3:
        file["added_tokens"] += json.loads(random.choice(sources))["added_tokens"]
    if random.random() < 0.8:
        file["truncation"] = file["padding"] = None
    return json.dumps(file).encode()
