"""From files to a Tokenizer: tokenizer.json, a model's folder, and by `tokcore.formats` the other formats."""

from __future__ import annotations

import gc
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tokcore import decoders, models, normalizers, postprocessors, pretokenizers
from tokcore.added_tokens import AddedToken
from tokcore.errors import InvalidText, MalformedFile, require_utf8
from tokcore.fields import Fields
from tokcore.padding import build_padding
from tokcore.pipeline import Tokenizer
from tokcore.protocols import Model, Step
from tokcore.truncation import build_truncation

COMPONENT_KEYS = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
KNOWN_KEYS = {"version", "added_tokens", "model", *COMPONENT_KEYS}
VERSION = "1.0"

# How much of a GGUF file is read at first, and how much if its head is longer: a large vocabulary takes 20 MB.
HEAD_SIZES = (32_000_000, 256_000_000)

# Two escapes of a pair become one character; one alone stays, and is no text that UTF-8 can write.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(json_text: str | bytes, **folder: Any) -> Tokenizer:
    """A Tokenizer from the text of a tokenizer.json.

    >>> load_json('{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}').encode("a").ids
    [0]

    `folder`: what a model's folder adds, passed on to the Tokenizer. Raises MalformedFile, UnsupportedComponent,
    PatternError, each with the JSON pointer of the place.
    """
    with no_collection():
        return assemble(*read_tokenizer_json(json_text), **folder)


@contextmanager
def no_collection() -> Iterator[None]:
    """Without garbage collection: a large file's lists are no garbage, and looking for some takes a third of the time.

    >>> with no_collection():
    ...     gc.isenabled()
    False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_tokenizer_json(json_text: str | bytes) -> tuple[dict[str, Any], Step[Model], list[AddedToken]]:
    """What `assemble` makes a Tokenizer of: the components' JSON, the model, the added tokens."""
    fields = Fields(parse_json(json_text), "")
    unknown = sorted(fields.value.keys() - KNOWN_KEYS)
    if unknown:
        raise MalformedFile(
            where=fields.at(unknown[0]), what="this key is not part of a tokenizer.json", remedy="remove it"
        )
    if fields.value.get("version", VERSION) != VERSION:
        raise fields.refuse("version", f"version {fields.string('version')!r} is not known", f"known: {VERSION}")
    added = list(fields.items("added_tokens")) if "added_tokens" in fields.value else []
    components = {key: fields.value.get(key) for key in COMPONENT_KEYS}
    model = models.build(fields.required("model"), "/model")
    return components, model, [AddedToken.from_json(value, pointer) for pointer, value in added]


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


def load_file(path: str | os.PathLike[str]) -> Tokenizer:
    """A Tokenizer from a tokenizer.json on disk, or from a file of another format that `tokcore.formats` knows."""
    from tokcore import formats

    place = Path(path)
    return formats.load(place.name, read_head(place) if place.suffix == ".gguf" else read(place))


def load_dir(folder: str | os.PathLike[str]) -> Tokenizer:
    """A Tokenizer from a model's folder.

    Looks for tokenizer.json first, then for the files of other formats (docs/formats.md has the order); honours
    tokenizer_config.json (kept as `config`), special_tokens_map.json, added_tokens.json and the chat template:
    chat_template.jinja before the one inside the config, as the `transformers` library does.
    """
    from tokcore.formats.folder import candidates, from_folder

    place = Path(folder)
    try:
        names = [entry.name for entry in place.iterdir() if entry.is_file()]
    except OSError as error:
        raise cannot_be_read(place, error) from None
    wanted = candidates(names)
    # Of a file with weights only the head is read.
    return from_folder({name: (read_head if name.endswith(".gguf") else read)(place / name) for name in wanted})


def read_head(path: Path) -> bytes:
    """The start of a GGUF file: as much as its keys and values take."""
    from tokcore.formats.gguf_header import Truncated, read_gguf_header

    data = b""
    try:
        with path.open("rb") as file:
            for size in HEAD_SIZES:
                data += file.read(size - len(data))
                try:
                    read_gguf_header(data, lambda key: False)
                    break
                except Truncated:
                    if len(data) < size:
                        break
    except OSError as error:
        raise cannot_be_read(path, error) from None
    return data


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise cannot_be_read(path, error) from None


def cannot_be_read(path: Path, error: OSError) -> MalformedFile:
    return MalformedFile(
        where=path.name, what=f"cannot be read: {error.strerror}", remedy="check the path and its permissions"
    )


def parse_json(json_text: str | bytes) -> Any:
    """The value of a JSON text.

    >>> parse_json('{"a": ')
    Traceback (most recent call last):
    tokcore.errors.MalformedFile: line 1 column 7: not JSON: Expecting value (the file may be cut off or not JSON)

    A string that is no Unicode text is refused here, so that every string of a file has its UTF-8 bytes.
    """
    try:
        text = json_text if isinstance(json_text, str) else json_text.decode("utf-8")
        value = json.loads(text, parse_constant=refuse_constant)
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
    except ValueError:
        # Python's own limit, against numbers that take long to read.
        raise MalformedFile(where="/", what="a number of thousands of digits", remedy="use a smaller one") from None
    except RecursionError:
        raise MalformedFile(where="/", what="nested too deep", remedy="flatten it") from None


def refuse_constant(name: str) -> Any:
    """NaN and the infinities, which Python reads as numbers."""
    raise MalformedFile(where="/", what=f"not JSON: {name}", remedy="use a finite number")
