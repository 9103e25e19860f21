"""Normalizers as a file has them, in tokcore and in the reference: the text and the span of every character."""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tokenizers import Tokenizer

from tokcore.normalizers import build
from tokcore.normalizers.unplaced import BehindUnplaced, Unplacing
from tokcore.protocols import Normalizer, Step
from tokcore.spans import AlignedText

Config = dict[str, Any]


@cache
def scalar_values() -> tuple[str, ...]:
    return tuple(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


def steps(configs: Iterable[Config]) -> tuple[Step[Normalizer], ...]:
    return _steps(json.dumps(list(configs)))


@cache
def _steps(configs: str) -> tuple[Step[Normalizer], ...]:
    return build({"type": "Sequence", "normalizers": json.loads(configs)})


def normalized(text: AlignedText | str, *configs: Config) -> AlignedText:
    return run(steps(configs), text)


def run(chain: Iterable[Step[Normalizer]], text: AlignedText | str) -> AlignedText:
    aligned = AlignedText.whole(text) if isinstance(text, str) else text
    for step in chain:
        aligned = step.component.normalize(aligned)
    return aligned


def rewritten(text: str, *configs: Config) -> str:
    return rewrite(steps(configs), text)


def rewrite(chain: Sequence[Step[Normalizer]], text: str) -> str:
    """The text without alignment, where it does not depend on that."""
    result = text
    for step in chain:
        if isinstance(step.component, BehindUnplaced):
            return run(chain, text).text
        component = step.component.component if isinstance(step.component, Unplacing) else step.component
        result = component.rewrite(result)  # type: ignore[attr-defined]
    return result


def reference(*configs: Config) -> Tokenizer:
    """A tokenizer that knows no character: each one of the normalized text is a token with its own offsets."""
    return _reference(json.dumps(configs))


@cache
def _reference(configs: str) -> Tokenizer:
    file = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": json.loads(configs)},
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "vocab": {"?": 0}, "merges": [], "unk_token": "?"},
    }
    return Tokenizer.from_str(json.dumps(file))


def reference_text(text: str, *configs: Config) -> str:
    return str(reference(*configs).normalizer.normalize_str(text))  # type: ignore[union-attr]


def differing(strings: Sequence[str], *configs: Config) -> str:
    """How many of these strings come out with another text or other spans than in the reference, and five of them.

    What `rewrite` gives is compared too. No difference is the empty string.
    """
    chain, tokenizer = steps(configs), reference(*configs)
    theirs = tokenizer.normalizer
    assert theirs is not None
    found = []
    for text, encoding in zip(strings, tokenizer.encode_batch(list(strings)), strict=True):
        ours = run(chain, text)
        same_spans = list(map(tuple, ours.origins)) == encoding.offsets
        if not (same_spans and ours.text == theirs.normalize_str(text) == rewrite(chain, text)):
            found.append(text)
    return f"{len(found)} differ: {', '.join(map(ascii, found[:5]))}" if found else ""


def differing_characters(*configs: Config) -> str:
    """How many characters, each between two zeros, come out with another text, and five of them."""
    characters = [character for character in scalar_values() if character != "0"]
    text = "0".join(characters)
    ours, theirs = rewritten(text, *configs), reference_text(text, *configs)
    if ours == theirs:
        return ""
    rows = zip(characters, ours.split("0"), theirs.split("0"), strict=False)
    found = [f"{character!a} {our!a} {their!a}" for character, our, their in rows if our != their]
    return f"{len(found)} differ: {', '.join(found[:5])}"


def changing_characters(*configs: Config) -> list[str]:
    """The characters that do not come out as they are; of ideographs, syllables and all beyond every 97th."""
    chain = steps(configs)
    return [
        character
        for character in scalar_values()
        if (character < "\u3400" or "\ua000" <= character < "\uac00" or ord(character) % 97 == 0)
        and rewrite(chain, character) != character
    ]


def charsmap(rules: Mapping[bytes, str]) -> bytes:
    """A precompiled charsmap of these rules: a node with children has a block of 256 units, a last node one unit."""
    inner = sorted({key[:length] for key in rules for length in range(len(key))} | {b""})
    base = {node: 256 * number for number, node in enumerate(inner, 1)}
    last = sorted(rules.keys() - base.keys())
    base |= {node: 256 * (len(inner) + 1) + number for number, node in enumerate(last)}
    units = [0] * (256 * (len(inner) + 2 + len(last) // 256))
    units[0] = base[b""] << 10
    texts = b""
    for node, at_children in base.items():
        if node:
            at = base[node[:-1]] ^ node[-1]
            units[at] = (at ^ at_children) << 10 | (node in rules) << 8 | node[-1]
        if node in rules:
            units[at_children] = 1 << 31 | len(texts)
            texts += rules[node].encode() + b"\0"
    return struct.pack(f"<{len(units) + 1}I", 4 * len(units), *units) + texts


def precompiled(data: bytes) -> Config:
    return {"type": "Precompiled", "precompiled_charsmap": b64encode(data).decode()}
