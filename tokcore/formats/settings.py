"""What a model's folder says besides its vocabulary: tokenizer_config.json and its older companions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.fields import Fields, kind_of, wrong_kind
from tokcore.formats.parts import Parts, around
from tokcore.loader import parse_json

CONFIG, SPECIAL_MAP, ADDED_TOKENS, TEMPLATE = (
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template.jinja"),
)
ROLES = tuple(f"{role}_token" for role in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
# The ids of a folder's added tokens are keys of an object.
ID = re.compile("[0-9]{1,10}")


@dataclass(frozen=True, slots=True)
class Settings:
    """A folder's settings, `added` by the id they claim; `roles`: such as bos_token → its token, as far as it is known.

    Law (transformers 5): special_tokens_map.json and added_tokens.json count only where tokenizer_config.json has no
    added_tokens_decoder.
    """

    config: Mapping[str, Any] = field(default_factory=dict)
    added: Mapping[int, AddedToken] = field(default_factory=dict)
    roles: Mapping[str, AddedToken] = field(default_factory=dict)
    extra: tuple[AddedToken, ...] = ()
    chat_template: str | None = None

    @property
    def class_name(self) -> str:
        """The tokenizer's class without "Fast", "" where none is named."""
        name = self.config.get("tokenizer_class")
        return name.removesuffix("Fast") if isinstance(name, str) else ""


def read_settings(files: Mapping[str, bytes]) -> Settings:
    """The settings in a folder's files.

    >>> settings = read_settings({"tokenizer_config.json": b'{"bos_token": "<s>"}'})
    >>> settings.roles["bos_token"].special
    True
    """
    config = Fields(parse_object(files, CONFIG), CONFIG)
    values: dict[str, Any] = dict(config.value)
    added: dict[int, AddedToken] = {}
    if values.get("added_tokens_decoder") is not None:
        for id, value in config.mapping("added_tokens_decoder").items():
            where = f"{CONFIG}/added_tokens_decoder/{id}"
            if ID.fullmatch(id) is None:
                raise MalformedFile(where=where, what=f"the key {id!r}", remedy="must be an id")
            if not isinstance(value, Mapping):
                raise wrong_kind(value, where, "an object")
            added[int(id)] = token_of(value, where)
    else:
        values |= parse_object(files, SPECIAL_MAP)
    extra, named = extra_tokens(values)
    roles = {key: token_of(values[key], f"{CONFIG}/{key}") for key in ROLES if values.get(key) is not None}
    roles |= {
        key: token_of(value, f"{CONFIG}/{key}")
        for key, value in values.items()
        if key.endswith("_token") and key not in ROLES and isinstance(value, str)
    }
    roles |= named
    if config.value.get("added_tokens_decoder") is None:
        added = legacy_added(parse_object(files, ADDED_TOKENS), {token.content for token in [*roles.values(), *extra]})
    known = {token.content: token for token in added.values()}
    roles = {key: known.get(token.content, token) for key, token in roles.items()}
    return Settings(config.value, added, roles, extra, chat_template(files, values))


def parse_object(files: Mapping[str, bytes], name: str) -> Mapping[str, Any]:
    """The JSON object in a file, empty where there is no such file."""
    if name not in files:
        return {}
    value = parse_json(files[name])
    if not isinstance(value, dict):
        raise wrong_kind(value, name, "an object")
    return value


def token_of(value: object, where: str) -> AddedToken:
    """A special token from its string or its object; the id is not known yet.

    >>> token_of({"content": "<mask>", "lstrip": True}, "/mask_token").lstrip
    True
    """
    if isinstance(value, str):
        return AddedToken(0, value, special=True)
    if not isinstance(value, Mapping):
        raise wrong_kind(value, where, "a string or an object with its content")
    fields = Fields(value, where)
    flags = {name: fields.boolean(name) for name in FLAGS if fields.value.get(name) is not None}
    flags.setdefault("normalized", not flags.get("special", False))
    return AddedToken(0, fields.string("content"), **flags)


def extra_tokens(values: Mapping[str, Any]) -> tuple[tuple[AddedToken, ...], dict[str, AddedToken]]:
    """Special tokens without a role of their own, and those to which the model gives one."""
    key = "extra_special_tokens" if values.get("extra_special_tokens") else "additional_special_tokens"
    found = values.get(key)
    where = f"{CONFIG}/{key}"
    if isinstance(found, Mapping):
        return (), {name: token_of(value, f"{where}/{name}") for name, value in found.items()}
    if found is not None and not isinstance(found, list):
        raise wrong_kind(found, where, "a list or an object")
    return tuple(token_of(value, f"{where}/{index}") for index, value in enumerate(found or [])), {}


def legacy_added(values: Mapping[str, Any], special: set[str]) -> dict[int, AddedToken]:
    """The tokens of added_tokens.json, string → id."""
    fields = Fields(values, ADDED_TOKENS)
    return {
        fields.natural(token): AddedToken(0, token, normalized=token not in special, special=token in special)
        for token in values
    }


def chat_template(files: Mapping[str, bytes], values: Mapping[str, Any]) -> str | None:
    """The chat template: chat_template.jinja before the one in the configuration; of several the one called default."""
    if TEMPLATE in files:
        return files[TEMPLATE].decode("utf-8", errors="replace")
    template = values.get("chat_template")
    if isinstance(template, list):
        named = {
            item.get("name"): item.get("template")
            for item in template
            if isinstance(item, Mapping) and isinstance(item.get("name"), str)
        }
        template = named.get("default", template)
    if template is not None and not isinstance(template, str):
        raise UnsupportedComponent(
            where=f"{CONFIG}/chat_template",
            what=f"found {kind_of(template)}",
            remedy="must be one template, a string, or a list with one named default",
        )
    return template


def with_settings(parts: Parts, settings: Settings, *, framed: bool) -> Parts:
    """The parts with a folder's added tokens and, unless they are `framed` already, its first and last token.

    Law (transformers 5): added tokens that the file does not have come first, by id, then the named special tokens,
    then the others; at the end each named one is made special.
    """
    known = {replace(token, id=0) for token in parts.added_tokens}
    # Of added_tokens.json and the file's own list the latter decides on an id, an added_tokens_decoder decides on all.
    taken = set() if decides_alone(settings) else {token.id for token in parts.added_tokens}
    tokens = [token for id, token in sorted(settings.added.items()) if token not in known and id not in taken]
    present = {token.content for token in [*parts.added_tokens, *tokens]}
    named = list(own_flags(parts, settings))
    tokens += [token for token in [*named, *settings.extra] if token.content not in present]
    tokens += [replace(token, special=True) for token in [*named, *settings.extra]]
    roles = {**parts.roles, **{key: token.content for key, token in settings.roles.items()}}
    parts = replace(parts, added_tokens=(*parts.added_tokens, *tokens), roles=roles)
    ends = {key: settings.config.get(key) for key in ("add_bos_token", "add_eos_token")}
    if framed or all(value is None for value in ends.values()):
        return parts
    tokenizer = parts.tokenizer()
    found = {
        key: (token, id)
        for key in ends
        if ends[key] and (token := roles.get(key.removeprefix("add_"))) is not None
        for id in [tokenizer.token_to_id(token)]
        if id is not None
    }
    before, after = ([found[key]] if key in found else [] for key in ends)
    return replace(parts, components={**parts.components, "post_processor": around(before, after)})


def decides_alone(settings: Settings) -> bool:
    """Whether the configuration lists the added tokens itself."""
    return settings.config.get("added_tokens_decoder") is not None


def own_flags(parts: Parts, settings: Settings) -> Iterator[AddedToken]:
    """The named special tokens, with the flags that the vocabulary's file gives them unless the settings do."""
    of_file = {} if decides_alone(settings) else {token.content: token for token in parts.added_tokens}
    for token in settings.roles.values():
        yield replace(of_file.get(token.content, token), id=0)
