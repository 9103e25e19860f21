"""Components of the zoo's tokenizers, as a tokenizer.json writes them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from tests.core.normalizers.normalizer_reference import charsmap

NAMES = ("<pad>", "<unk>", "<s>", "</s>", "<mask>")
BERT_NAMES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LLAMA3 = QWEN2.replace(r"\p{N}|", r"\p{N}{1,3}|")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def kind(type: str, **options: Any) -> dict[str, Any]:
    return {"type": type, **options}


def normalizers(*steps: Any) -> dict[str, Any]:
    return kind("Sequence", normalizers=list(steps))


def pretokenizers(*steps: Any) -> dict[str, Any]:
    return kind("Sequence", pretokenizers=list(steps))


def processors(*steps: Any) -> dict[str, Any]:
    return kind("Sequence", processors=list(steps))


def decoders(*steps: Any) -> dict[str, Any]:
    return kind("Sequence", decoders=list(steps))


def replace(pattern: str, content: str, regex: bool = False) -> dict[str, Any]:
    return kind("Replace", pattern={"Regex" if regex else "String": pattern}, content=content)


def split(pattern: str, behavior: str = "Isolated", invert: bool = False, regex: bool = True) -> dict[str, Any]:
    return kind("Split", pattern={"Regex" if regex else "String": pattern}, behavior=behavior, invert=invert)


def byte_level(prefix: bool = False, trim: bool = True, regex: bool = True) -> dict[str, Any]:
    return kind("ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=regex)


def metaspace(scheme: str = "always", split: bool = True, replacement: str = "▁") -> dict[str, Any]:
    return kind("Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)


def bert_normalizer(
    lowercase: bool = True, accents: bool | None = None, chinese: bool = True, clean: bool = True
) -> dict[str, Any]:
    flags = {"clean_text": clean, "handle_chinese_chars": chinese, "strip_accents": accents, "lowercase": lowercase}
    return kind("BertNormalizer", **flags)


def strip(left: bool = True, right: bool = True) -> dict[str, Any]:
    return kind("Strip", strip_left=left, strip_right=right)


def unstrip(start: int = 1, stop: int = 0, content: str = " ") -> dict[str, Any]:
    return kind("Strip", content=content, start=start, stop=stop)


def bert_processing(sep: str = "</s>", cls: str = "<s>") -> dict[str, Any]:
    return kind("BertProcessing", sep=[sep, 3], cls=[cls, 2])


def roberta_processing(trim: bool = True, prefix: bool = True) -> dict[str, Any]:
    return kind("RobertaProcessing", sep=["</s>", 3], cls=["<s>", 2], trim_offsets=trim, add_prefix_space=prefix)


def template(single: str, pair: str, names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    """A TemplateProcessing written as the reference's Python API has it: "<s> $A </s>", "$B:1"."""

    def piece(word: str) -> dict[str, Any]:
        name, _, type_id = word.partition(":")
        where = {"id": name.removeprefix("$"), "type_id": int(type_id or 0)}
        return {"Sequence" if name.startswith("$") else "SpecialToken": where}

    special = {name: {"id": name, "ids": [id], "tokens": [name]} for id, name in enumerate(names)}
    lists = {"single": list(map(piece, single.split())), "pair": list(map(piece, pair.split()))}
    return kind("TemplateProcessing", **lists, special_tokens=special)


def added(content: str, **flags: bool) -> dict[str, Any]:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"content": content, **dict.fromkeys(names, False), **flags}


def truncation(max_length: int, strategy: str = "LongestFirst", stride: int = 0, direction: str = "Right") -> Any:
    return {"max_length": max_length, "strategy": strategy, "stride": stride, "direction": direction}


def padding(strategy: Any = "BatchLongest", direction: str = "Right", multiple: int | None = None) -> Any:
    token = {"pad_id": 0, "pad_type_id": 0, "pad_token": "<pad>"}
    return {"strategy": strategy, "direction": direction, "pad_to_multiple_of": multiple, **token}


# Each flag alone, and together as published tokenizers have them.
ADDED = (
    added("cat", single_word=True),
    added("<lt>", lstrip=True),
    added("<rt>", rstrip=True),
    added("FERRY é", normalized=True),
    added("<sp>", special=True),
    added("<|im_start|>", special=True),
    added("<|im_end|>", special=True, normalized=True),
    added("<both>", lstrip=True, rstrip=True, special=True),
    added("river", single_word=True, normalized=True, lstrip=True),
    added(" \n", normalized=False),
)

# As SentencePiece's own charsmap has it, on a small scale: widths, ligatures, spaces, composed letters, removals.
CHARSMAP = {
    "\u3000": " ", "\u00a0": " ", "\u2003": " ", "\t": " ", "\n": " ", "\r": " ", "\u00ad": "", "\u200b": "",
    "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "…": "...", "½": "1/2", "²": "2", "Ⅷ": "VIII", "㎏": "kg", "ｶ": "カ", "ﾀ": "タ",
    "e\u0301": "é", "a\u0323\u0307": "ặ", "か\u3099": "が", "Å": "Å", "\u0007": "", "ẛ": "ṡ", "１": "1",
    "２": "2", "３": "3", "ﷺ": "صلى الله عليه وسلم", "\ufeff": "",
}  # fmt: skip
PRECOMPILED = kind(
    "Precompiled",
    precompiled_charsmap=b64encode(charsmap({key.encode(): new for key, new in CHARSMAP.items()})).decode(),
)

# Said in several recipes.
BYTES = {"bytes": True}
PLAIN_BYTES = byte_level(regex=False)
BYTE_DECODER = kind("ByteLevel", add_prefix_space=True, trim_offsets=True)
LLAMA_DECODER = decoders(replace("▁", " "), kind("ByteFallback"), kind("Fuse"), unstrip())
UNKNOWN = {"unk_token": "<unk>"}
ONE_FRAME = template("<s> $A", "<s> $A <s>:1 $B:1")
FRAME = template("<s> $A </s>", "<s> $A </s> $B:1 </s>:1")
BERT_FRAME = template("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", BERT_NAMES)
BERT_PLACES = bert_processing("[SEP]", "[CLS]")
WORDPIECE = kind("WordPiece", prefix="##", cleanup=True)
BERT = {"names": BERT_NAMES, "decoder": WORDPIECE}
END = {"end_of_word_suffix": "</w>"}
