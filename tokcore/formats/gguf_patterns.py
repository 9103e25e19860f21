"""How llama.cpp cuts a text, by the name in `tokenizer.ggml.pre`.

Source: `llama_vocab::impl::load` and `llm_tokenizer_bpe` in llama.cpp's src/llama-vocab.cpp. Where that file gives the
pattern of the model's tokenizer.json beside a rewriting for its own engine, the former stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokcore.formats.presets import DEEPSEEK3, GPT2, LLAMA3, O200K, QWEN2, QWEN35, TAIL, TEKKEN

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
WORDS = " ?[^(\\s|.,!?…。，、।۔،)]+"


@dataclass(frozen=True, slots=True)
class PreTokenization:
    """The patterns, applied one after the other, and what llama.cpp takes for granted with the name."""

    patterns: tuple[str, ...]
    ignore_merges: bool = False
    add_bos: bool = False
    add_sep: bool = False


LLAMA_BPE = PreTokenization((LLAMA3,), ignore_merges=True, add_bos=True)
GPT_2 = PreTokenization((GPT2,))
GPT_2_FRAMED = PreTokenization((GPT2,), add_sep=True)
DIGITS_FIRST = PreTokenization((r"\p{N}", GPT2))
QWEN = PreTokenization((QWEN2,))
BAILING = PreTokenization(
    (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]|\s+(?!\S)|\s+",
    )
)
SEED = PreTokenization((rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{TAIL}",))

GROUPS: tuple[tuple[PreTokenization, tuple[str, ...]], ...] = (
    (LLAMA_BPE, ("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2")),
    (PreTokenization((LLAMA3,)), ("dbrx", "smaug-bpe", "glm4", "chatglm-bpe")),
    (GPT_2, ("gpt-2", "phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum")),
    (GPT_2, ("mpt", "olmo", "jais", "exaone4", "trillion", "granite-docling")),
    (GPT_2_FRAMED, ("jina-v1-en", "jina-v2-code", "roberta-bpe")),
    (DIGITS_FIRST, ("starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b")),
    (QWEN, ("qwen2", "deepseek-r1-qwen", "kormo", "megrez", "stablelm2", "hunyuan", "grok-2")),
    (PreTokenization((QWEN35,)), ("qwen35",)),
    (PreTokenization(DEEPSEEK3), ("deepseek-v3", "hunyuan-dense")),
    (PreTokenization((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-퟿]+", r"\p{N}")), ("deepseek-coder",)),
    (PreTokenization((r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]")), ("falcon",)),
    (PreTokenization((r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]")), ("default",)),
    (PreTokenization((TEKKEN,), ignore_merges=True, add_bos=True), ("tekken",)),
    (PreTokenization((O200K,)), ("gpt-4o", "llama4", "minimax-m2")),
    (BAILING, ("bailingmoe", "bailingmoe2", "llada-moe")),
    (SEED, ("seed-coder",)),
    (PreTokenization((WORDS,)), ("poro-chat", "bloom", "gpt3-finnish")),
    (PreTokenization((WORDS, r"\p{N}")), ("viking",)),
)
PRE_TOKENIZATIONS: Mapping[str, PreTokenization] = {name: value for value, names in GROUPS for name in names}
