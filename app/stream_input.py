"""What a person sent to the stream lab: query or form → one frozen value, kept as it was typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Self
from urllib.parse import urlencode

from flask import Request
from werkzeug.datastructures import MultiDict

from app.errors import InvalidField
from app.forms import check_text, read_form, read_query, shorten, switch
from app.settings import Settings

NO_FORMAT = "none"
GIVEN = ("text", "ids")
CUTS = ("one", "even", "random", "bursts", "after", "whole")
# Fields that may be long: a link carries them in its fragment part where the query has no room.
LONG_FIELDS = ("text", "stops", "definitions")


@dataclass(frozen=True, slots=True)
class StreamForm:
    """The fields of the stream lab: its whole state, and all that a link to it holds.

    >>> StreamForm("qwen3", text="a b", stops="END", include_stop=True).to_query("qwen3")
    'text=a+b&stops=END&include_stop=1'

    Everything typed is kept as typed, numbers too: a value that cannot be used goes back into its field, with what is
    wrong beside it (`app.stream_request.read`). `given`: what `text` is, a model's output or token ids. `cut` and `n`:
    how the ids are cut into deltas, and its number (tokens a delta, a seed, or where the only cut is). `step` is the
    step shown, counted from 1, "" for the last.
    """

    tokenizer: str
    text: str = ""
    given: str = "text"
    stops: str = ""
    include_stop: bool = False
    stops_in_reasoning: bool = False
    min_tokens: str = ""
    max_tokens: str = ""
    format: str = "hermes"
    reasoning: bool = True
    starts_in_reasoning: bool = False
    keep_special: bool = False
    definitions: str = ""
    cut: str = "one"
    n: str = ""
    strategy: str = "bytes"
    step: str = ""

    @classmethod
    def from_request(cls, request: Request, default_tokenizer: str) -> StreamForm:
        """From the query of a GET, else from the form that was posted.

        Raises MalformedBody, and InvalidField for what no form of ours can send (a choice that is none).
        """
        read = read_query if request.method in ("GET", "HEAD") else read_form
        return cls.from_args(read(request), default_tokenizer).with_newlines()

    @classmethod
    def from_args(cls, args: MultiDict[str, str], default_tokenizer: str) -> StreamForm:
        """From decoded name-value pairs; names that belong to something else are passed over.

        >>> form = StreamForm.from_args(MultiDict([("cell", "window:after:3"), ("cut", "one")]), "qwen3")
        >>> form.strategy, form.cut, form.n
        ('window', 'after', '3')
        """
        values: dict[str, str | bool] = {"tokenizer": _last(args, "tokenizer") or default_tokenizer}
        for field in fields(cls):
            if field.type == "bool":
                values[field.name] = switch(args, field.name, default=bool(field.default))
            elif field.name != "tokenizer" and (value := _last(args, field.name)) is not None:
                values[field.name] = value
        form = cls(**values)  # type: ignore[arg-type]
        cell = _last(args, "cell")
        if cell is not None:
            strategy, cut, n = (*cell.split(":"), "", "")[:3]
            form = replace(form, strategy=strategy, cut=cut, n=n, step="")
        for name, known in (("given", GIVEN), ("cut", CUTS)):
            if getattr(form, name) not in known:
                raise InvalidField(
                    where=name, what=f"found {shorten(getattr(form, name))!r}", remedy=f"one of {', '.join(known)}"
                )
        return form

    def with_newlines(self) -> Self:
        """CRLF → LF in every box: browsers send CRLF where a box holds LF."""
        text, stops, definitions = (
            box.replace("\r\n", "\n").replace("\r", "\n") for box in (self.text, self.stops, self.definitions)
        )
        return replace(self, text=text, stops=stops, definitions=definitions)

    def checked(self, settings: Settings) -> Self:
        """Itself, if its boxes may be worked on; raises InvalidText (a lone surrogate) or TextTooLong."""
        for name in LONG_FIELDS:
            check_text(getattr(self, name), settings, where=name)
        return self

    def state(self, default_tokenizer: str) -> Mapping[str, str]:
        """Every field that differs from its default, as a form sends it."""
        pairs = {}
        for field in fields(self):
            value = getattr(self, field.name)
            default = default_tokenizer if field.name == "tokenizer" else field.default
            if value != default:
                pairs[field.name] = str(int(value)) if isinstance(value, bool) else value
        return pairs

    def to_query(self, default_tokenizer: str) -> str:
        """The query of a link to this state: only what differs from the default."""
        return urlencode(self.state(default_tokenizer))

    def link_query(self, default_tokenizer: str, settings: Settings) -> tuple[str, bool]:
        """The query of a link, and whether the long fields had to stay out of it."""
        query = self.to_query(default_tokenizer)
        if len(query) <= settings.link_limit_bytes:
            return query, False
        return replace(self, text="", stops="", definitions="").to_query(default_tokenizer), True


def _last(args: MultiDict[str, str], name: str) -> str | None:
    values = args.getlist(name)
    return values[-1] if values else None
