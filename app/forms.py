"""What a person sent: query or form → one frozen value, or an error that says which field and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Self, TypedDict
from urllib.parse import parse_qsl, urlencode

from flask import Request
from werkzeug.datastructures import MultiDict
from werkzeug.formparser import FormDataParser

from app.bodies import read_body
from app.errors import InvalidField, MalformedBody, TextTooLong, UnsupportedBody
from app.settings import Settings
from tokcore.errors import require_utf8

_SWITCH = {"1": True, "on": True, "true": True, "0": False, "off": False, "false": False}
_FIELDS_LIMIT = 100


class EncodeOptions(TypedDict):
    """How a text is encoded."""

    add_special_tokens: bool
    split_special_tokens: bool


@dataclass(frozen=True, slots=True)
class EncodeInput:
    """A text and how to encode it: the state of the Tokens page, and all that a link to it holds.

    >>> EncodeInput("qwen3", "a b", show_ids=True).to_query("qwen3")
    'text=a+b&show_ids=1'

    `tokenizer` is a catalogue name or a file's SHA-256. A switch in a form is a hidden `0` followed by a checkbox `1`
    of the same name: the last value counts, so that "unchecked" differs from "not in this form" (which is the default).
    """

    tokenizer: str
    text: str = ""
    add_special_tokens: bool = True
    split_special_tokens: bool = False
    show_ids: bool = False

    @classmethod
    def from_request(cls, request: Request, default_tokenizer: str) -> EncodeInput:
        """From the query of a GET, else from the form that was posted (urlencoded or multipart).

        Raises MalformedBody, InvalidField. What the text holds is not judged here: `checked` does that, so that a page
        can show a refused text again.
        """
        if request.method in ("GET", "HEAD"):
            return cls.from_args(read_query(request), default_tokenizer)
        form = read_form(request)
        return cls.from_args(form, default_tokenizer).with_newlines()

    @classmethod
    def from_args(cls, args: MultiDict[str, str], default_tokenizer: str) -> EncodeInput:
        """From decoded name-value pairs; names that belong to something else on the page are passed over."""
        return cls(
            tokenizer=_last(args, "tokenizer") or default_tokenizer,
            text=_last(args, "text") or "",
            add_special_tokens=switch(args, "add_special_tokens", default=True),
            split_special_tokens=switch(args, "split_special_tokens", default=False),
            show_ids=switch(args, "show_ids", default=False),
        )

    def with_newlines(self) -> Self:
        r"""CRLF → LF: a textarea holds LF only, and every browser sends CRLF in its place.

        >>> EncodeInput("qwen3", "a\r\nb").with_newlines().text
        'a\nb'
        """
        return replace(self, text=self.text.replace("\r\n", "\n").replace("\r", "\n"))

    def checked(self, settings: Settings) -> Self:
        """Itself, if the text may be encoded; raises InvalidText (a lone surrogate) or TextTooLong."""
        check_text(self.text, settings, where="text")
        return self

    @property
    def options(self) -> EncodeOptions:
        """The keyword arguments of Tokenizer.encode and .trace: `tokenizer.trace(form.text, **form.options)`."""
        return EncodeOptions(add_special_tokens=self.add_special_tokens, split_special_tokens=self.split_special_tokens)

    def to_query(self, default_tokenizer: str) -> str:
        """The query of a link to this state: only what differs from the default.

        >>> EncodeInput("qwen3", add_special_tokens=False).to_query("qwen3")
        'add_special_tokens=0'
        """
        pairs: list[tuple[str, str]] = []
        if self.tokenizer != default_tokenizer:
            pairs.append(("tokenizer", self.tokenizer))
        if self.text:
            pairs.append(("text", self.text))
        for name, default in (("add_special_tokens", True), ("split_special_tokens", False), ("show_ids", False)):
            value: bool = getattr(self, name)
            if value is not default:
                pairs.append((name, str(int(value))))
        return urlencode(pairs)

    def link_query(self, default_tokenizer: str, settings: Settings) -> str | None:
        """The query of a link, None where the text is too long for one (it then travels in the fragment part)."""
        query = self.to_query(default_tokenizer)
        return query if len(query) <= settings.link_limit_bytes else None


def check_text(text: str, settings: Settings, where: str) -> None:
    """Refuse a text with a lone surrogate (InvalidText) or above the limit (TextTooLong)."""
    require_utf8(text, where)
    size = len(text) if text.isascii() else len(text.encode())
    if size > settings.text_limit_bytes:
        raise TextTooLong(
            where=where,
            what=f"{size:,} bytes of UTF-8; the limit is {settings.text_limit_bytes:,}",
            remedy="shorten the text or send it in parts; nothing was stored or changed",
        )


def switch(args: MultiDict[str, str], name: str, *, default: bool) -> bool:
    """A checkbox with its hidden partner: the last value of that name, `default` where there is none."""
    value = _last(args, name)
    if value is None:
        return default
    if value not in _SWITCH:
        raise InvalidField(where=name, what=f"found {shorten(value)!r}", remedy="1 for on, 0 for off")
    return _SWITCH[value]


def count(args: MultiDict[str, str], name: str, *, default: int, limit: int) -> int:
    """A whole number from 0 to `limit`, such as where the next tokens start."""
    value = _last(args, name)
    if value is None or value == "":
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= 12 and int(value) <= limit):
        raise InvalidField(where=name, what=f"found {shorten(value)!r}", remedy=f"a whole number from 0 to {limit}")
    return int(value)


def shorten(text: str, limit: int = 60) -> str:
    """The beginning of what was found, for an error message."""
    return text if len(text) <= limit else text[:limit] + "…"


def read_query(request: Request) -> MultiDict[str, str]:
    """The query's pairs, strictly UTF-8 (Flask's own `request.args` keeps broken bytes as `%FF`)."""
    return _pairs(request.query_string, where="query")


def read_form(request: Request) -> MultiDict[str, str]:
    """The posted pairs, strictly UTF-8 (Flask's own `request.form` would replace broken bytes)."""
    if request.mimetype == "application/x-www-form-urlencoded":
        return _pairs(read_body(request), where="body")
    if request.mimetype == "multipart/form-data":
        return _parts(read_body(request), request.mimetype_params)
    if request.mimetype == "" and not read_body(request):
        return MultiDict()
    raise UnsupportedBody(
        where="Content-Type",
        what=f"found {shorten(request.mimetype)!r}",
        remedy="application/x-www-form-urlencoded or multipart/form-data; JSON goes to /api/v1/tokenize",
    )


def _pairs(raw: bytes, where: str) -> MultiDict[str, str]:
    text = _decode(raw, where)
    try:
        pairs: Sequence[tuple[str, str]] = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=_FIELDS_LIMIT
        )
    except UnicodeDecodeError as error:
        raise MalformedBody(
            where=where,
            what=f"percent-encoded byte {error.object[error.start]:02x} is not UTF-8",
            remedy="encode the text as UTF-8 before percent-encoding it",
        ) from None
    except ValueError:
        raise MalformedBody(
            where=where, what=f"more than {_FIELDS_LIMIT} fields", remedy="send the fields of the form only"
        ) from None
    return MultiDict(pairs)


def _parts(raw: bytes, params: dict[str, str]) -> MultiDict[str, str]:
    # Only fields are taken, no files: then all of the body is text, and the parser would replace what is not UTF-8.
    _decode(raw, where="body")
    parser = FormDataParser(max_form_parts=_FIELDS_LIMIT, silent=False)
    try:
        _, form, files = parser.parse(BytesIO(raw), "multipart/form-data", len(raw), params)
    except ValueError:
        raise MalformedBody(
            where="body", what="the parts of multipart/form-data cannot be told apart", remedy="check the boundary"
        ) from None
    for file in files.values():
        file.close()
    if files:
        raise InvalidField(where=next(iter(files)), what="found a file", remedy="send text fields only")
    return form


def _decode(raw: bytes, where: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise MalformedBody(
            where=where,
            what=f"byte {raw[error.start]:02x} at position {error.start} is not UTF-8",
            remedy="send UTF-8",
        ) from None


def _last(args: MultiDict[str, str], name: str) -> str | None:
    values = args.getlist(name)
    return values[-1] if values else None
