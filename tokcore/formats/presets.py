"""Split patterns that are known by name: a rank file, a tekken.json's relatives and a GGUF file name them, no more.

Sources: gpt2, cl100k, o200k: tiktoken's `openai_public` module; llama3, qwen2, qwen3.5, deepseek-v3, tekken: the
tokenizer.json (or tekken.json) that the model's makers publish. Written in the reference's dialect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tokcore.errors import UnsupportedComponent

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r"\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = (rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+", rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*")

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# tiktoken gives a text's last white space to one piece, line breaks and all; the others here do not.
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s+\z|\s*[\r\n]|\s+(?!\S)|\s"
)
LLAMA3 = rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{TAIL}"
QWEN2 = rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{TAIL}"
QWEN35 = rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{TAIL}"
O200K = rf"{CASED[0]}{CONTRACTIONS}?|{CASED[1]}{CONTRACTIONS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{TAIL}"
TEKKEN = rf"{CASED[0]}|{CASED[1]}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{TAIL}"
DEEPSEEK3 = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{TAIL}",
)

# Llama 3.0: 256 special tokens behind 128,000 entries, most of them reserved.
LLAMA3_COUNT = 128_000
LLAMA3_NAMED = {0: "begin_of_text", 1: "end_of_text", 6: "start_header_id", 7: "end_header_id", 9: "eot_id"}


def llama3_special() -> Mapping[str, int]:
    """Llama 3's special tokens; the reserved ones are numbered in order."""
    names: list[str] = []
    for offset in range(256):
        reserved = f"reserved_special_token_{offset - sum(named < offset for named in LLAMA3_NAMED)}"
        names.append(LLAMA3_NAMED.get(offset, reserved))
    return {f"<|{name}|>": LLAMA3_COUNT + offset for offset, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Preset:
    """A pattern, and what else is fixed with it: the normalizer, special tokens of the published vocabulary."""

    pattern: str
    normalizer: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


PRESETS: Mapping[str, Preset] = {
    "gpt2": Preset(GPT2, special_tokens={"<|endoftext|>": 50256}),
    "cl100k": Preset(
        CL100K,
        special_tokens={
            **{"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259},
            **{"<|fim_suffix|>": 100260, "<|endofprompt|>": 100276},
        },
    ),
    "o200k": Preset(O200K, special_tokens={"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
    "llama3": Preset(LLAMA3, special_tokens=llama3_special()),
    "qwen2": Preset(QWEN2, "NFC", {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}),
    "qwen3.5": Preset(QWEN35, "NFC"),
    "tekken": Preset(TEKKEN),
}

# The stem of a published rank file's name → its preset.
FILE_NAMES = {
    **{"gpt2": "gpt2", "r50k_base": "gpt2", "p50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"},
    **{"qwen": "qwen2", "qwen3_6": "qwen3.5"},
}


def preset(name: str) -> Preset:
    """The preset of this name.

    >>> preset("gpt2").pattern[:8]
    "'s|'t|'r"
    """
    if name not in PRESETS:
        raise UnsupportedComponent(
            where="preset", what=f"no pattern is known as {name!r}", remedy="known: " + ", ".join(sorted(PRESETS))
        )
    return PRESETS[name]
