"""`tekken.json`: Mistral's byte-level vocabulary, special tokens first."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64
from typing import Any

from tokcore.bytemap import display_bytes
from tokcore.errors import MalformedFile
from tokcore.fields import Fields, wrong_kind
from tokcore.formats.parts import Parts
from tokcore.formats.ranks import rank_parts
from tokcore.loader import parse_json

# What files older than version v11 do not list themselves; source: mistral-common.
OLD_SPECIAL_TOKENS = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]"),
    *("[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]"),
    *("[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"),
)
# Far more than any file has; a claim of billions would be filled up with that many names.
MOST_SPECIAL_TOKENS = 100_000
ROLES = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


def from_tekken(data: bytes) -> Parts:
    """The parts of a tekken.json.

    Ids: the special tokens have the first, an entry has its rank behind them. Only as many entries count as the file's
    default_vocab_size leaves room for.
    """
    fields = Fields(parse_json(data), "")
    config = Fields(fields.required("config"), "/config")
    special = special_tokens(fields, config)
    room = config.natural("default_vocab_size") - len(special)
    entries = list(fields.items("vocab"))
    if not 0 < room <= len(entries):
        raise MalformedFile(
            where="/config/default_vocab_size",
            what=f"room for {room} entries where {len(entries)} are listed",
            remedy="must be at most the number of special tokens and entries together",
        )
    vocab: dict[str, int] = {}
    for rank, (pointer, value) in enumerate(entries[:room]):
        entry = Fields(value, pointer)
        if entry.natural("rank") != rank:
            raise MalformedFile(
                where=entry.at("rank"), what=f"found rank {entry.value['rank']}", remedy=f"must be {rank}, its place"
            )
        vocab[display_bytes(token_bytes(entry))] = rank + len(special)
    if len(vocab) < room:
        raise MalformedFile(where="/vocab", what="a token is listed twice", remedy="list each once")
    parts = rank_parts(vocab, [config.string("pattern")], {token: id for id, token in enumerate(special)})
    roles = {role: token for role, token in ROLES.items() if token in special}
    return Parts(parts.components, parts.model, parts.added_tokens, roles)


def token_bytes(entry: Fields) -> bytes:
    try:
        return a2b_base64(entry.string("token_bytes"), strict_mode=True)
    except (Base64Error, ValueError):
        raise MalformedFile(
            where=entry.at("token_bytes"), what="not base64", remedy="must be the token's bytes in base64"
        ) from None


def special_tokens(fields: Fields, config: Fields) -> list[str]:
    """The strings of ids 0 up; ids without one are called <SPECIAL_7> and so on."""
    count = config.natural("default_num_special_tokens")
    listed = fields.value.get("special_tokens")
    entries = enumerate(OLD_SPECIAL_TOKENS) if listed is None else map(numbered, fields.items("special_tokens"))
    named = dict(entries)
    if count > MOST_SPECIAL_TOKENS or any(id >= count for id in named):
        raise MalformedFile(
            where="/config/default_num_special_tokens",
            what=f"found {count} for {len(named)} named ones",
            remedy=f"must be more than the highest special rank, at most {MOST_SPECIAL_TOKENS}",
        )
    tokens = [named.get(id, f"<SPECIAL_{id}>") for id in range(count)]
    if len(set(tokens)) < count or (listed is not None and len(named) < len(listed)):
        raise MalformedFile(where="/special_tokens", what="one is listed twice", remedy="list each once")
    return tokens


def numbered(item: tuple[str, Any]) -> tuple[int, str]:
    pointer, value = item
    entry = Fields(value, pointer)
    if not entry.string("token_str"):
        raise wrong_kind(None, entry.at("token_str"), "a string that is not empty")
    return entry.natural("rank"), entry.string("token_str")
