"""From files to a Tokenizer: tokenizer.json and a model's folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tokcore import decoders, models, normalizers, postprocessors, pretokenizers
from tokcore.added_tokens import AddedToken
from tokcore.errors import InvalidText, MalformedFile, UnsupportedComponent, require_utf8
from tokcore.fields import Fields, kind_of, wrong_kind
from tokcore.padding import build_padding
from tokcore.pipeline import Tokenizer
from tokcore.protocols import Model, Step
from tokcore.truncation import build_truncation

COMPONENT_KEYS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
KNOWN_KEYS = {"version", "added_tokens", "model", *COMPONENT_KEYS}

# Two escapes of a pair become one character; one alone stays, and is no text that UTF-8 can write.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(json_text: str | bytes, **folder: Any) -> Tokenizer:
    """A Tokenizer from the text of a tokenizer.json.

    >>> load_json('{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}').encode("a").ids
    [0]

    `folder`: what a model's folder adds, passed on to the Tokenizer. Raises MalformedFile, UnsupportedComponent,
    PatternError, each with the JSON pointer of the place.
    """
    fields = Fields(parse_json(json_text), "")
    unknown = sorted(fields.value.keys() - KNOWN_KEYS)
    if unknown:
        raise MalformedFile(
            where=fields.at(unknown[0]), what="this key is not part of a tokenizer.json", remedy="remove it"
        )
    added = list(fields.items("added_tokens")) if fields.value.get("added_tokens") is not None else []
    components = {key: fields.value.get(key) for key in COMPONENT_KEYS}
    model = models.build(fields.required("model"), "/model")
    return assemble(components, model, [AddedToken.from_json(value, pointer) for pointer, value in added], **folder)


def assemble(
    components: Mapping[str, Any], model: Step[Model], added_tokens: Iterable[AddedToken], **folder: Any
) -> Tokenizer:
    """A Tokenizer from its model and the JSON of its other components, keyed as in the file."""
    return Tokenizer(
        normalizers=normalizers.build(components["normalizer"], "/normalizer"),
        pre_tokenizers=pretokenizers.build(components["pre_tokenizer"], "/pre_tokenizer"),
        model=model,
        post_processors=postprocessors.build(components["post_processor"], "/post_processor"),
        decoders=decoders.build(components["decoder"], "/decoder"),
        added_tokens=added_tokens,
        truncation=build_truncation(components.get("truncation")),
        padding=build_padding(components.get("padding")),
        components=components,
        **folder,
    )


def load_file(path: str | os.PathLike[str], **folder: Any) -> Tokenizer:
    """A Tokenizer from a tokenizer.json on disk."""
    return load_json(read(Path(path)), **folder)


def load_dir(folder: str | os.PathLike[str]) -> Tokenizer:
    """A Tokenizer from a model's folder.

    Reads tokenizer.json, and where they are there tokenizer_config.json (kept as `config`) and the chat template:
    chat_template.jinja before the one inside the config, as the `transformers` library does.
    """
    place = Path(folder)
    config: dict[str, Any] = {}
    if (place / "tokenizer_config.json").is_file():
        value = parse_json(read(place / "tokenizer_config.json"))
        if not isinstance(value, dict):
            raise wrong_kind(value, "tokenizer_config.json", "an object")
        config = value
    template = config.get("chat_template")
    if (place / "chat_template.jinja").is_file():
        template = read(place / "chat_template.jinja").decode("utf-8", errors="replace")
    if template is not None and not isinstance(template, str):
        raise UnsupportedComponent(
            where="tokenizer_config.json/chat_template",
            what=f"found {kind_of(template)}",
            remedy="must be one template, a string",
        )
    return load_file(place / "tokenizer.json", config=config, chat_template=template)


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MalformedFile(
            where=path.name, what=f"cannot be read: {error.strerror}", remedy="check the path and its permissions"
        ) from None


def parse_json(json_text: str | bytes) -> Any:
    """The value of a JSON text.

    >>> parse_json('{"a": ')
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: line 1 column 7: not JSON: Expecting value (the file may be cut off or not JSON)

    A string that is no Unicode text is refused here, so that every string of a file has its UTF-8 bytes.
    """
    try:
        text = json_text if isinstance(json_text, str) else json_text.decode("utf-8")
        value = json.loads(text)
        if _SURROGATE.search(text) is not None:
            require_utf8(json.dumps(value, ensure_ascii=False), "file")
        return value
    except InvalidText as error:
        raise MalformedFile(where="/", what=f"a string holds a {error.what}", remedy=error.remedy) from None
    except json.JSONDecodeError as error:
        raise MalformedFile(
            where=f"line {error.lineno} column {error.colno}",
            what=f"not JSON: {error.msg}",
            remedy="the file may be cut off or not JSON",
        ) from None
    except UnicodeDecodeError as error:
        raise MalformedFile(
            where=f"byte {error.start}", what="not UTF-8 text", remedy="save the file as UTF-8"
        ) from None
    except RecursionError:
        raise MalformedFile(where="/", what="nested too deep", remedy="flatten it") from None
