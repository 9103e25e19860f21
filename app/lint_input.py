"""What a person sent to the stream lint: a log and the stop strings of its request, kept as typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from flask import Request
from werkzeug.datastructures import MultiDict

from app.errors import InvalidField, TextTooLong
from app.forms import check_text, read_form, read_query, shorten
from app.lint_samples import FIRST, SAMPLES
from app.settings import Settings

LINES_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class LintForm:
    """The two boxes of the page, or the name of a sample in their place.

    >>> LintForm("data: [DONE]", stops="END").to_query()
    'text=data%3A+%5BDONE%5D&stops=END'
    """

    text: str = ""
    stops: str = ""
    sample: str = ""

    @classmethod
    def from_request(cls, request: Request) -> Self:
        """From the query of a GET, else from the form that was posted. An address without a log shows a sample."""
        if request.method in ("GET", "HEAD"):
            return cls.from_args(read_query(request))
        return cls.from_args(read_form(request), default="")

    @classmethod
    def from_args(cls, args: MultiDict[str, str], default: str = FIRST.name) -> Self:
        """From decoded name-value pairs; `default` is the sample to show where there is no log.

        >>> LintForm.from_args(MultiDict([("sample", "clean")])).text.startswith("data: {")
        True
        """
        name = args.get("sample", default)
        if "text" in args or not name:
            return cls(_newlines(args.get("text", "")), _newlines(args.get("stops", "")))
        sample = SAMPLES.get(name)
        if sample is None:
            known = ", ".join(SAMPLES)
            raise InvalidField(where="sample", what=f"found {shorten(name)!r}", remedy=f"one of {known}")
        return cls(sample.text, sample.stops, sample.name)

    def checked(self, settings: Settings) -> Self:
        """Itself, if its boxes may be worked on; raises InvalidText (a lone surrogate) or TextTooLong."""
        check_text(self.text, settings, where="log")
        check_text(self.stops, settings, where="stops")
        lines = self.text.count("\n") + 1
        if lines > LINES_LIMIT:
            raise TextTooLong(
                where="log", what=f"{lines:,} lines; the limit is {LINES_LIMIT:,}", remedy="send it in parts"
            )
        return self

    def to_query(self) -> str:
        """The query of a link to this state."""
        pairs: Mapping[str, str] = {"text": self.text, "stops": self.stops}
        if self.sample:
            pairs = {} if self.sample == FIRST.name else {"sample": self.sample}
        return urlencode({name: value for name, value in pairs.items() if value})

    def link_query(self, settings: Settings) -> tuple[str, bool]:
        """The query of a link, and whether the log had to stay out of it (the stops stay in if short)."""
        query = self.to_query()
        if len(query) <= settings.link_limit_bytes:
            return query, False
        without = replace(self, text="").to_query()
        return without if len(without) <= settings.link_limit_bytes else "", True


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
