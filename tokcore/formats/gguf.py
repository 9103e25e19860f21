"""The tokenizer inside a GGUF file, as llama.cpp reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tokcore import models
from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.formats.gguf_header import read_gguf_header
from tokcore.formats.gguf_patterns import PRE_TOKENIZATIONS
from tokcore.formats.parts import Parts, around, byte_level
from tokcore.formats.sentencepiece import convert
from tokcore.formats.sentencepiece_file import (
    BPE,
    BYTE,
    CONTROL,
    NORMAL,
    UNIGRAM,
    USER_DEFINED,
    Piece,
    SentencePieceFile,
)
from tokcore.formats.wordpiece_vocab import wordpiece_parts

PREFIX = "tokenizer.ggml."
# A role → the key with its id, without the prefix. The third is spelt so in the format.
ROLE_KEYS = {
    **{"bos": "bos_token_id", "eos": "eos_token_id", "sep": "seperator_token_id", "unk": "unknown_token_id"},
    **{"pad": "padding_token_id", "mask": "mask_token_id", "cls": "cls_token_id"},
}
# Where the file names no id, llama.cpp assumes one.
ASSUMED: Mapping[str, Mapping[str, int]] = {
    "gpt2": {"bos": 11, "eos": 11},
    "llama": {"bos": 1, "eos": 2, "unk": 0},
    "t5": {"eos": 1, "unk": 2, "pad": 0},
    "bert": {"bos": 101, "sep": 102, "unk": 100, "pad": 0, "mask": 103},
}
SPACE = "▁"


def from_gguf(data: bytes) -> Parts:
    """The parts of the tokenizer in a GGUF file, of which the head is enough."""
    header = Header(read_gguf_header(data, lambda key: key.startswith("tokenizer.")))
    kind = header.text("model")
    if kind not in READERS:
        raise UnsupportedComponent(
            where=PREFIX + "model", what=f"found {kind!r}", remedy="supported: " + ", ".join(sorted(READERS))
        )
    parts = READERS[kind](header)
    template = header.values.get("tokenizer.chat_template")
    roles = {f"{role}_token": token for role, (token, _) in header.roles(kind).items()}
    return replace(parts, chat_template=template if isinstance(template, str) else None, roles=roles)


class Header:
    """The tokenizer's keys of a GGUF file; every value's type is checked."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.tokens: list[str] = self.array("tokens", str, "strings")
        if not self.tokens:
            raise MalformedFile(where=PREFIX + "tokens", what="found none", remedy="there must be a vocabulary")
        self.types: list[int] = self.array("token_type", int, "numbers", [NORMAL] * len(self.tokens))
        self.scores: list[float] = self.array("scores", float, "numbers", [0.0] * len(self.tokens))
        for key, found in (("token_type", self.types), ("scores", self.scores)):
            if len(found) != len(self.tokens):
                what = f"{len(found)} values for {len(self.tokens)} tokens"
                raise MalformedFile(where=PREFIX + key, what=what, remedy="there must be one each")

    def fetch(self, key: str, kind: type, name: str, default: Any = None) -> Any:
        value = self.values.get(PREFIX + key, default)
        if value is None:
            raise MalformedFile(where=PREFIX + key, what="the key is missing", remedy="convert the model again")
        if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
            raise MalformedFile(where=PREFIX + key, what=f"found {type(value).__name__}", remedy=f"must be {name}")
        return value

    def text(self, key: str) -> str:
        value: str = self.fetch(key, str, "a string")
        return value

    def flag(self, key: str, default: bool) -> bool:
        value: bool = self.fetch(key, bool, "a boolean", default)
        return value

    def array(self, key: str, kind: type, name: str, default: list[Any] | None = None) -> list[Any]:
        found: list[Any] = self.fetch(key, list, f"an array of {name}", default)
        # All values of an array have one type.
        if found and not isinstance(found[0], kind):
            raise MalformedFile(where=PREFIX + key, what="an array of others", remedy=f"must be an array of {name}")
        return found

    def roles(self, kind: str) -> dict[str, tuple[str, int]]:
        """Role → (token, id), those the file names and those llama.cpp assumes."""
        found: dict[str, tuple[str, int]] = {}
        for role, key in ROLE_KEYS.items():
            id = self.values.get(PREFIX + key, ASSUMED[kind].get(role))
            if isinstance(id, int) and not isinstance(id, bool) and 0 <= id < len(self.tokens):
                found[role] = (self.tokens[id], id)
        return found

    def added(self) -> tuple[AddedToken, ...]:
        """Control tokens are special; user-defined ones are added and stay in a decoded text."""
        return tuple(
            AddedToken(id, token, special=kind == CONTROL)
            for id, (token, kind) in enumerate(zip(self.tokens, self.types, strict=True))
            if kind in (CONTROL, USER_DEFINED)
        )

    def ends(self, kind: str, bos: bool, eos: bool) -> dict[str, Any] | None:
        """The post-processor that puts the first and last token."""
        roles = self.roles(kind)
        before = [roles["bos"]] if self.flag("add_bos_token", bos) and "bos" in roles else []
        after = [roles["eos"]] if self.flag("add_eos_token", eos) and "eos" in roles else []
        return around(before, after) if before or after else None


def from_gpt2(header: Header) -> Parts:
    """Byte-level BPE: the pattern is known by name only."""
    name = header.text("pre")
    known = PRE_TOKENIZATIONS.get(name)
    if known is None:
        raise UnsupportedComponent(
            where=PREFIX + "pre",
            what=f"no pattern is known for {name!r}",
            remedy="supported: " + ", ".join(sorted(PRE_TOKENIZATIONS)),
        )
    model = {
        "type": "BPE",
        "vocab": unique(header.tokens),
        "merges": [pair(merge) for merge in header.array("merges", str, "strings")],
        "ignore_merges": known.ignore_merges,
    }
    components = byte_level(known.patterns)
    framed = header.flag("add_sep_token", known.add_sep)
    ends = header.ends("gpt2", known.add_bos or framed, framed)
    return Parts({**components, **({"post_processor": ends} if ends else {})}, models.build(model), header.added())


def pair(merge: str) -> list[str]:
    """A merge's two tokens; the first character is none of the two's border, even if it is a space."""
    at = merge.find(" ", 1)
    return [merge[:at], merge[at + 1 :]] if at > 0 else [merge]


def unique(tokens: Sequence[str]) -> dict[str, int]:
    vocab: dict[str, int] = {}
    for id, token in enumerate(tokens):
        if vocab.setdefault(token, id) != id:
            raise MalformedFile(where=f"{PREFIX}tokens/{id}", what=f"{token!r} stood before", remedy="list each once")
    return vocab


def from_llama(header: Header) -> Parts:
    """SentencePiece BPE; llama.cpp normalizes nothing and puts a space before every stretch of text."""
    file = pieces(header, BPE, "llama")
    parts = convert(replace(file, remove_extra_whitespaces=False, charsmap=b""), symbols_are_added=True)
    return with_ends(parts, header.ends("llama", bos=True, eos=False))


def from_t5(header: Header) -> Parts:
    """SentencePiece Unigram with its normalization rules."""
    parts = convert(pieces(header, UNIGRAM, "t5"), symbols_are_added=True)
    return with_ends(parts, header.ends("t5", bos=False, eos=True))


def pieces(header: Header, model_type: int, kind: str) -> SentencePieceFile:
    roles = header.roles(kind)
    ids: dict[str, Any] = {
        f"{role}_id": roles[role][1] if role in roles else -1 for role in ("unk", "bos", "eos", "pad")
    }
    charsmap = header.values.get(PREFIX + "precompiled_charsmap", b"")
    return SentencePieceFile(
        pieces=tuple(map(Piece, header.tokens, header.scores, header.types)),
        model_type=model_type,
        byte_fallback=BYTE in header.types,
        add_dummy_prefix=header.flag("add_space_prefix", True),
        remove_extra_whitespaces=header.flag("remove_extra_whitespaces", False),
        charsmap=charsmap if isinstance(charsmap, bytes) else b"",
        **ids,
    )


def with_ends(parts: Parts, ends: Mapping[str, Any] | None) -> Parts:
    return replace(parts, components={**parts.components, "post_processor": ends})


def from_bert(header: Header) -> Parts:
    """WordPiece, whose tokens the format writes the other way round: a word's start has the mark, not its rest."""
    tokens = [as_in_vocab_txt(token) for token in header.tokens]
    roles = {f"{role}_token": tokens[id] for role, (_, id) in header.roles("bert").items()}
    roles.setdefault("cls_token", roles.pop("bos_token", "[CLS]"))
    # The file does not say whether the model's words keep their case; its vocabulary does.
    cased = any(token != token.lower() for token in tokens if not token.startswith("["))
    return wordpiece_parts(unique(tokens), {**roles, "do_lower_case": not cased})


def as_in_vocab_txt(token: str) -> str:
    """A token as BERT's own vocabulary writes it.

    >>> [as_in_vocab_txt(token) for token in ("▁hello", "s", "[CLS]")]
    ['hello', '##s', '[CLS]']
    """
    if token.startswith("[") and token.endswith("]"):
        return token
    return token.removeprefix(SPACE) if token.startswith(SPACE) else f"##{token}"


READERS = {"gpt2": from_gpt2, "llama": from_llama, "t5": from_t5, "bert": from_bert}
