"""The zoo's tokenizers that work on bytes: GPT-2 and what came of it."""

from __future__ import annotations

from tests.zoo import Recipe
from tests.zoo_parts import (
    ADDED,
    BLOOM,
    BYTE_DECODER,
    BYTES,
    CLIP,
    END,
    FRAME,
    LLAMA3,
    O200K,
    ONE_FRAME,
    PLAIN_BYTES,
    QWEN2,
    UNKNOWN,
    byte_level,
    decoders,
    kind,
    normalizers,
    padding,
    pretokenizers,
    processors,
    replace,
    roberta_processing,
    split,
    template,
    truncation,
    unstrip,
)

BYTE_LEVEL = {
    "qwen": Recipe(
        *("BPE", kind("NFC"), pretokenizers(split(QWEN2), PLAIN_BYTES), byte_level(trim=False), BYTE_DECODER),
        added=ADDED,
        training=BYTES,
    ),
    "gpt2": Recipe("BPE", None, byte_level(), byte_level(trim=False), BYTE_DECODER, training=BYTES),
    "gpt2 with a prefix space": Recipe(
        *("BPE", None, byte_level(prefix=True), byte_level(prefix=True), BYTE_DECODER), added=ADDED, training=BYTES
    ),
    "llama3": Recipe(
        *("BPE", None, pretokenizers(split(LLAMA3), PLAIN_BYTES)),
        post_processor=processors(byte_level(trim=False), ONE_FRAME),
        decoder=BYTE_DECODER,
        changes={"ignore_merges": True},
        words=("Ġpatience", "ferryman", "Ġrivers", "ing", "Ġà¤", "1969"),
        training=BYTES,
    ),
    "gpt-neox": Recipe(
        *("BPE", kind("NFC"), byte_level(), template("$A </s>", "$A </s> $B </s>"), BYTE_DECODER),
        added=ADDED,
        padding=padding(multiple=8),
        training=BYTES,
    ),
    "roberta": Recipe(
        *("BPE", None, byte_level(prefix=True), roberta_processing(), BYTE_DECODER),
        padding=padding({"Fixed": 40}),
        training=BYTES,
    ),
    "bart without trimming": Recipe(
        *("BPE", None, byte_level(), roberta_processing(trim=False, prefix=False), BYTE_DECODER),
        truncation=truncation(24, stride=3),
        training=BYTES,
    ),
    "bloom": Recipe(
        *("BPE", None, pretokenizers(split(BLOOM), PLAIN_BYTES), byte_level(), BYTE_DECODER), training=BYTES
    ),
    "falcon": Recipe(
        "BPE",
        pre_tokenizer=pretokenizers(
            kind("Punctuation", behavior="Contiguous"),
            byte_level(),
            kind("Digits", individual_digits=False),
            split("[0-9][0-9][0-9]"),
        ),
        decoder=BYTE_DECODER,
        training=BYTES,
    ),
    "o200k": Recipe("BPE", None, pretokenizers(split(O200K), PLAIN_BYTES), None, BYTE_DECODER, ADDED, training=BYTES),
    "deepseek": Recipe(
        "BPE",
        normalizers(),
        pretokenizers(
            split(r"[\r\n]"),
            split(r"\s?\p{L}+"),
            split(r"\s?\p{P}+"),
            split("[一-龥ࠀ-一가-퟿]+"),
            kind("Digits", individual_digits=True),
            PLAIN_BYTES,
        ),
        post_processor=ONE_FRAME,
        decoder=BYTE_DECODER,
        training=BYTES,
    ),
    "starcoder": Recipe(
        *("BPE", None, pretokenizers(kind("Digits", individual_digits=True), byte_level()), None, BYTE_DECODER),
        training=BYTES,
    ),
    "clip": Recipe(
        *("BPE", normalizers(kind("NFC"), replace(r"\s+", " ", regex=True), kind("Lowercase"))),
        pretokenizers(split(CLIP, "Removed", invert=True), byte_level()),
        roberta_processing(prefix=False),
        BYTE_DECODER,
        ADDED,
        truncation=truncation(40, "OnlyFirst"),
        training={**BYTES, **END},
        changes={**END, "continuing_subword_prefix": "", **UNKNOWN},
    ),
    "bytes as a normalizer": Recipe(
        *("BPE", normalizers(kind("NFD"), kind("ByteLevel")), split("Ġ", "MergedWithNext", regex=False)),
        decoder=BYTE_DECODER,
        training=BYTES,
    ),
    "bytes as a normalizer, unsplit": Recipe("BPE", kind("ByteLevel"), None, FRAME, BYTE_DECODER, training=BYTES),
    "bytes behind a prefix": Recipe(
        *("BPE", normalizers(kind("Prepend", prepend=" "), kind("ByteLevel")), split("Ġ+", "MergedWithNext")),
        decoder=decoders(BYTE_DECODER, unstrip()),
        training=BYTES,
    ),
}
