"""Models by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

from tokcore.errors import MalformedFile
from tokcore.fields import Fields, as_name, unknown_component, wrong_kind
from tokcore.models.load_bpe import build_bpe
from tokcore.models.load_unigram import build_unigram
from tokcore.models.load_wordlevel import build_wordlevel
from tokcore.models.load_wordpiece import build_wordpiece
from tokcore.protocols import Model, Step

# In this order a file without "type" is tried.
TABLE: dict[str, Callable[[Fields], Model]] = {
    "BPE": build_bpe,
    "WordPiece": build_wordpiece,
    "WordLevel": build_wordlevel,
    "Unigram": build_unigram,
}


def build(value: object, pointer: str = "/model") -> Step[Model]:
    """The model of a file.

    >>> build({"type": "BPE", "vocab": {"a": 0}, "merges": []}).component.token_to_id("a")
    0
    >>> build({"vocab": {"a": 0}, "unk_token": "a"}).name
    'WordLevel'
    """
    fields = Fields(value, pointer)
    if "type" not in fields.value:
        return build_untyped(fields)
    name = as_name(fields.value["type"])
    if name is None:
        raise wrong_kind(fields.value["type"], fields.at("type"), "a string")
    if name not in TABLE:
        raise unknown_component("model", name, pointer, TABLE)
    return Step(name, pointer, TABLE[name](fields))


def build_untyped(fields: Fields) -> Step[Model]:
    """The model of an old file, which does not name it: the first in the table that the file is well formed for.

    Law: as in the reference, a file that is malformed for one model is tried as the next, so a BPE with a merge of an
    absent token is a WordLevel if it has an unk_token. What is only not supported is not tried any further.
    """
    errors: dict[str, MalformedFile] = {}
    for name, build_model in TABLE.items():
        try:
            return Step(name, fields.pointer, build_model(fields))
        except MalformedFile as error:
            errors[name] = error
    raise errors[likely_model(fields)] from None


def likely_model(fields: Fields) -> str:
    """What a malformed file without "type" was probably meant to be: its error says most."""
    if "merges" in fields.value:
        return "BPE"
    if isinstance(fields.value.get("vocab"), list):
        return "Unigram"
    if "continuing_subword_prefix" in fields.value or "max_input_chars_per_word" in fields.value:
        return "WordPiece"
    return "WordLevel" if "unk_token" in fields.value else "BPE"
