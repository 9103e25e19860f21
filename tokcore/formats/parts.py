"""What every format is converted to: the parts of a tokenizer.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokcore.added_tokens import AddedToken
from tokcore.loader import assemble
from tokcore.pipeline import Tokenizer
from tokcore.protocols import Model, Step

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}


@dataclass(frozen=True, slots=True)
class Parts:
    """The model and the JSON of the other components, before a folder's settings are applied.

    >>> from tokcore.models import build
    >>> Parts({}, build({"type": "BPE", "vocab": {"a": 0}, "merges": []})).tokenizer().encode("a").ids
    [0]

    `roles`: what the file itself calls its special tokens, such as bos_token → "<s>". They stand in the Tokenizer's
    `config` too, where a chat template looks for them, unless the folder's own says otherwise.
    """

    components: Mapping[str, Any]
    model: Step[Model]
    added_tokens: tuple[AddedToken, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    chat_template: str | None = None

    def tokenizer(self, **folder: Any) -> Tokenizer:
        """The Tokenizer made of these parts. `folder`: passed on to it."""
        empty = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
        folder.setdefault("chat_template", self.chat_template)
        folder["config"] = {**self.roles, **folder.get("config", {})}
        return assemble({**empty, **self.components}, self.model, self.added_tokens, **folder)


def sequence(kind: str, steps: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Several components as one: none is null, one is itself.

    >>> sequence("normalizers", [{"type": "NFC"}])
    {'type': 'NFC'}
    """
    if len(steps) < 2:
        return steps[0] if steps else None
    return {"type": "Sequence", kind: list(steps)}


def split_on(pattern: str) -> dict[str, Any]:
    """A pre-tokenizer that makes every match of a pattern a piece of its own."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def byte_level(patterns: Iterable[str], normalizer: str | None = None, prefix_space: bool = False) -> dict[str, Any]:
    """The components of a byte-level BPE that cuts its text by one pattern after the other.

    `prefix_space`: whether every piece begins with a space; one is put there if need be.
    """
    alphabet = {**BYTE_LEVEL, "add_prefix_space": prefix_space}
    return {
        "normalizer": normalizer and {"type": normalizer},
        "pre_tokenizer": sequence("pretokenizers", [*map(split_on, patterns), alphabet]),
        "post_processor": BYTE_LEVEL,
        "decoder": BYTE_LEVEL,
    }


def around(
    before: Sequence[tuple[str, int]] = (), after: Sequence[tuple[str, int]] = (), before_pair: bool = True
) -> dict[str, Any]:
    """A post-processor that puts tokens, each with its id, around a text and around its pair.

    >>> around([("<s>", 1)])["single"]
    [{'SpecialToken': {'id': '<s>', 'type_id': 0}}, {'Sequence': {'id': 'A', 'type_id': 0}}]

    `before_pair`: whether the pair too has the tokens before it.
    """

    def part(name: str, type_id: int, opened: bool) -> list[dict[str, Any]]:
        placed = [{"SpecialToken": {"id": token, "type_id": type_id}} for token, _ in (before if opened else ())]
        closing = [{"SpecialToken": {"id": token, "type_id": type_id}} for token, _ in after]
        return [*placed, {"Sequence": {"id": name, "type_id": type_id}}, *closing]

    return {
        "type": "TemplateProcessing",
        "single": part("A", 0, True),
        "pair": part("A", 0, True) + part("B", 1, before_pair),
        "special_tokens": {
            token: {"id": token, "ids": [id], "tokens": [token]} for token, id in dict([*before, *after]).items()
        },
    }
