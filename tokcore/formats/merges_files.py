"""`vocab.json` with `merges.txt`: GPT-2, RoBERTa, CLIP and Qwen2 kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tokcore import models
from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.fields import Fields
from tokcore.formats.parts import BYTE_LEVEL, Parts, byte_level
from tokcore.formats.presets import QWEN2
from tokcore.loader import parse_json
from tokcore.models.load_bpe import VERSION_LINE
from tokcore.models.load_vocab import read_vocab

CLIP_PATTERN = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
# A kind's class name in tokenizer_config.json → the kind.
CLASSES = {"GPT2Tokenizer": "gpt2", "RobertaTokenizer": "roberta", "CLIPTokenizer": "clip", "Qwen2Tokenizer": "qwen2"}
END_OF_TEXT = "<|endoftext|>"
ROLES: Mapping[str, Mapping[str, str]] = {
    "gpt2": dict.fromkeys(("unk_token", "bos_token", "eos_token"), END_OF_TEXT),
    "roberta": {
        **{"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "sep_token": "</s>"},
        **{"pad_token": "<pad>", "cls_token": "<s>", "mask_token": "<mask>"},
    },
    "clip": {"bos_token": "<|startoftext|>", **dict.fromkeys(("unk_token", "eos_token", "pad_token"), END_OF_TEXT)},
    "qwen2": dict.fromkeys(("unk_token", "eos_token", "pad_token"), END_OF_TEXT),
}


def from_vocab_and_merges(
    vocab_json: bytes, merges_txt: bytes, *, kind: str | None = None, settings: Mapping[str, Any] | None = None
) -> Parts:
    r"""The parts of a vocabulary and its list of merges.

    >>> from_vocab_and_merges(b'{"a": 0, "b": 1, "ab": 2}', b"#version: 0.2\na b\n").tokenizer().encode("abb").tokens
    ['ab', 'b']

    `kind`: "gpt2", "roberta", "clip" or "qwen2"; None: what the vocabulary looks like. `settings`: the content of
    tokenizer_config.json: its add_prefix_space, trim_offsets and special tokens.
    """
    settings = settings or {}
    vocab = read_vocab(Fields({"vocab": parse_json(vocab_json)}, "vocab.json"))
    kind = kind or CLASSES.get(str(settings.get("tokenizer_class", "")).removesuffix("Fast")) or likely_kind(vocab)
    if kind not in ROLES:
        raise UnsupportedComponent(where="kind", what=f"found {kind!r}", remedy="known: " + ", ".join(sorted(ROLES)))
    roles = {**ROLES[kind], **named_tokens(settings)}
    description: dict[str, Any] = {
        "type": "BPE",
        "vocab": vocab,
        "merges": read_merges_txt(merges_txt),
        "unk_token": roles["unk_token"] if kind == "clip" and roles["unk_token"] in vocab else None,
        "end_of_word_suffix": "</w>" if kind == "clip" else "",
    }
    components = COMPONENTS[kind](vocab, roles, settings)
    return Parts(components, models.build(description), special(vocab, roles), roles)


def likely_kind(vocab: Mapping[str, int]) -> str:
    """What a vocabulary looks like.

    >>> likely_kind({"<s>": 0, "</s>": 2, "<mask>": 9}), likely_kind({"a": 0, "a</w>": 1})
    ('roberta', 'clip')
    """
    if any(token.endswith("</w>") for token in vocab):
        return "clip"
    return "roberta" if {"<s>", "</s>", "<mask>"} <= vocab.keys() else "gpt2"


def read_merges_txt(data: bytes) -> list[list[str]]:
    r"""The pairs of a merges.txt.

    >>> read_merges_txt(b"#version: 0.2\na b\n")
    [['a', 'b']]

    Law: a line that begins with "#version" is none, wherever it stands, as in the reference.
    """
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        where = f"merges.txt: byte {error.start}"
        raise MalformedFile(where=where, what="not UTF-8 text", remedy="save the file as UTF-8") from None
    pairs: list[list[str]] = []
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not line or line.startswith(VERSION_LINE):
            continue
        pair = line.split(" ")
        if len(pair) != 2:
            raise MalformedFile(
                where=f"merges.txt: line {number}", what=f"found {line[:40]!r}", remedy="must be two tokens and a space"
            )
        pairs.append(pair)
    return pairs


def named_tokens(settings: Mapping[str, Any]) -> dict[str, str]:
    """The special tokens that a configuration names, each a string or an object with its content."""
    found: dict[str, str] = {}
    for key, value in settings.items():
        if re.fullmatch("(bos|eos|unk|sep|pad|cls|mask)_token", key):
            content = value.get("content") if isinstance(value, Mapping) else value
            if isinstance(content, str):
                found[key] = content
    return found


def special(vocab: Mapping[str, int], roles: Mapping[str, str]) -> tuple[AddedToken, ...]:
    """The special tokens that the vocabulary holds."""
    tokens = {token for token in roles.values() if token in vocab}
    return tuple(AddedToken(vocab[token], token, special=True) for token in sorted(tokens, key=vocab.__getitem__))


def flag(settings: Mapping[str, Any], key: str, default: bool) -> bool:
    value = settings.get(key)
    return value if isinstance(value, bool) else default


def gpt2(vocab: Mapping[str, int], roles: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    prefix = flag(settings, "add_prefix_space", False)
    return {
        "pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": prefix, "trim_offsets": True, "use_regex": True},
        "post_processor": BYTE_LEVEL,
        "decoder": BYTE_LEVEL,
    }


def roberta(vocab: Mapping[str, int], roles: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    options = {
        "trim_offsets": flag(settings, "trim_offsets", True),
        "add_prefix_space": flag(settings, "add_prefix_space", False),
    }
    return {**gpt2(vocab, roles, settings), "post_processor": framed(vocab, roles, "sep_token", "cls_token", options)}


def clip(vocab: Mapping[str, int], roles: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    spaces = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    words = {"type": "Split", "pattern": {"Regex": CLIP_PATTERN}, "behavior": "Removed", "invert": True}
    options = {"trim_offsets": False, "add_prefix_space": False}
    return {
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, spaces, {"type": "Lowercase"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [words, {**BYTE_LEVEL, "use_regex": True}]},
        "post_processor": framed(vocab, roles, "eos_token", "bos_token", options),
        # The suffix becomes a space, spaces at the ends go, as in transformers' own decoding.
        "decoder": {
            "type": "Sequence",
            "decoders": [
                BYTE_LEVEL,
                # Not Strip: the reference's panics on a text without tokens.
                {"type": "Replace", "pattern": {"Regex": r"\A(\s|</w>)+|(\s|</w>)+\z"}, "content": ""},
                {"type": "Replace", "pattern": {"String": "</w>"}, "content": " "},
            ],
        },
    }


def qwen2(vocab: Mapping[str, int], roles: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    return byte_level([QWEN2], "NFC", flag(settings, "add_prefix_space", False))


def framed(
    vocab: Mapping[str, int], roles: Mapping[str, str], last: str, first: str, options: Mapping[str, bool]
) -> dict[str, Any]:
    """RobertaProcessing around a text, or what is left of it where the vocabulary lacks one of the two tokens."""
    if not {roles[last], roles[first]} <= vocab.keys():
        return BYTE_LEVEL
    ends = {key: [roles[role], vocab[roles[role]]] for key, role in (("sep", last), ("cls", first))}
    return {"type": "RobertaProcessing", **ends, **options}


COMPONENTS = {"gpt2": gpt2, "roberta": roberta, "clip": clip, "qwen2": qwen2}
