"""Every number a host may change, read once from the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tokcore.errors import TokcoreError

PREFIX = "TOKBOARD_"


class SettingsError(TokcoreError):
    """An environment variable, or a setting given to create_app, that cannot be used."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits and places this process works with; TOKBOARD_ and the upper-case name sets each.

    >>> Settings.from_env({"TOKBOARD_TEXT_LIMIT_BYTES": "1_000"}).text_limit_bytes
    1000

    Text and bodies: `text_limit_bytes` is what one text may measure in UTF-8, `body_limit_bytes` what a request may
    carry (form encoding can triple a text, JSON escapes make it six times as long), `ids_limit` how many ids one
    decode may name. What a refused body still sends is read and dropped up to `drain_limit_bytes` or
    `drain_limit_seconds`, so that the refusal reaches a client that sends first and listens later. A body may stall
    for `stall_seconds` and take `body_seconds` in all.
    Page: `first_screen_tokens` at once, then `more_tokens` each time; a link holds at most `link_limit_bytes`.
    Memory: encodings of long texts are kept, up to `encodings_limit_tokens` together (about 140 bytes a token) and
    `encodings_age_seconds` each.
    `tokenizers`: folder with more tokenizer files. `preload`: load the default tokenizer at start, before any fork.
    """

    text_limit_bytes: int = 2_000_000
    body_limit_bytes: int = 16_000_000
    ids_limit: int = 2_000_000
    drain_limit_bytes: int = 256_000_000
    drain_limit_seconds: int = 20
    stall_seconds: int = 10
    body_seconds: int = 120
    first_screen_tokens: int = 400
    more_tokens: int = 500
    link_limit_bytes: int = 1500
    encodings_limit_tokens: int = 1_000_000
    encodings_age_seconds: int = 600
    tokenizers: Path | None = None
    preload: bool = True

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Settings from TOKBOARD_* variables; an empty one counts as unset, an unknown one is refused."""
        given = {name: value for name, value in environ.items() if name.startswith(PREFIX) and value.strip()}
        parsers = {PREFIX + field.name.upper(): (field.name, _PARSERS[str(field.type)]) for field in fields(cls)}
        values: dict[str, Any] = {}
        for variable, text in sorted(given.items()):
            if variable not in parsers:
                raise SettingsError(where=variable, what="no such setting", remedy="known: " + ", ".join(parsers))
            name, parse = parsers[variable]
            values[name] = parse(variable, text.strip())
        return cls(**values)._checked()

    def replaced(self, values: Mapping[str, Any]) -> Settings:
        """A copy with other values, by field name."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in values:
            if name not in known:
                raise SettingsError(where=name, what="no such setting", remedy="known: " + ", ".join(known))
        return Settings(**{**known, **values})._checked()

    def _checked(self) -> Settings:
        if self.body_limit_bytes < self.text_limit_bytes:
            raise SettingsError(
                where=f"{PREFIX}BODY_LIMIT_BYTES",
                what=f"{self.body_limit_bytes} bytes cannot carry a text of TEXT_LIMIT_BYTES = {self.text_limit_bytes}",
                remedy="raise it to three times the text limit or more",
            )
        return self


def _count(variable: str, text: str) -> int:
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15 and int(digits) > 0):
        raise SettingsError(where=variable, what=f"found {text!r}", remedy="a whole number above 0, such as 2_000_000")
    return int(digits)


def _switch(variable: str, text: str) -> bool:
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in known:
        raise SettingsError(where=variable, what=f"found {text!r}", remedy="1 or 0")
    return known[text.lower()]


def _folder(variable: str, text: str) -> Path:
    folder = Path(text).expanduser()
    if not folder.is_dir():
        raise SettingsError(where=variable, what=f"{text!r} is not a folder", remedy="name an existing folder")
    return folder


# By the annotation of the field.
_PARSERS: dict[str, Callable[[str, str], Any]] = {"int": _count, "bool": _switch, "Path | None": _folder}
