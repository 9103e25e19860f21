"""What a person sent to the chat lab: query or form → one frozen value, kept as it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from flask import Request

from app.bodies import read_body
from app.chat_json import check_surrogates, read_json, written
from app.chat_turns import Turn, message_of, read_turns
from app.errors import InvalidField, MalformedBody
from app.forms import check_text, read_form, shorten
from app.settings import Settings

FIELDS_LIMIT = 5_000
SOURCES = ("", "chatml", "pasted")
ENDINGS = ("prompt", "none", "continue")
VIEWS = ("form", "json")
# Boxes that may be long: a link carries them in its fragment part where the query has no room.
LONG_FIELDS = ("messages", "tools", "template", "extra")
MESSAGES_REMEDY = 'write a list such as [{"role": "user", "content": "Hi"}]'
# The clock that templates are given: always the same, so that a link shows the same prompt tomorrow.
CLOCK = "2026-01-15T12:00"
_SWITCH = {"1": True, "on": True, "true": True, "0": False, "off": False, "false": False}
_VARIABLE = re.compile(r"v\.([A-Za-z_][A-Za-z0-9_]{0,99})")


@dataclass(frozen=True, slots=True)
class ChatForm:
    """The fields of the chat lab: its whole state, and all that a link to it holds.

    >>> ChatForm("qwen3", tools="[]", variables=(("enable_thinking", "false"),)).to_query("qwen3")
    'tools=%5B%5D&v.enable_thinking=false'

    Everything typed is kept as typed. `messages` is JSON; where the message fields were edited, `turns` are what counts
    and `messages` what they were made of. `source`: whose template, "" the tokenizer's own where it has one. `named`:
    of several templates, the one to take. `ending`: what comes behind the last message. `variables`: name and value of
    each that the template was offered; `extra`: others, a JSON object. `view`: messages shown as fields or as JSON.
    `against`: what the prompt is compared with. `do`: a button that changes the input itself. `choices_key`: which set
    of variables the browser has on show.
    """

    tokenizer: str
    messages: str = ""
    tools: str = ""
    source: str = ""
    template: str = ""
    named: str = ""
    ending: str = "prompt"
    now: str = CLOCK
    parse_arguments: bool = False
    variables: tuple[tuple[str, str], ...] = ()
    extra: str = ""
    view: str = "form"
    show_tokens: bool = False
    against: str = ""
    turns: tuple[Turn, ...] | None = None
    do: str = ""
    choices_key: str = ""

    @classmethod
    def from_request(cls, request: Request, default_tokenizer: str) -> ChatForm:
        """From the query of a GET, else from the form that was posted.

        Raises MalformedBody, and InvalidField for what no form of ours can send (a choice that is none).
        """
        if request.method in ("GET", "HEAD"):
            pairs = _pairs(request.query_string, "query")
        elif request.mimetype == "application/x-www-form-urlencoded":
            pairs = _pairs(read_body(request), "body")
        else:
            pairs = list(read_form(request).items(multi=True))
        return cls.from_pairs(pairs, default_tokenizer)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], default_tokenizer: str) -> ChatForm:
        """From decoded name-value pairs; of two with one name the last counts, others are passed over.

        A `text` without `messages` is what another page brings along: one question.

        >>> ChatForm.from_pairs([("text", "Olá")], "qwen3").messages
        '[{"role":"user","content":"Olá"}]'
        """
        pairs = list(pairs)
        given = {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in pairs}
        values: dict[str, Any] = {"tokenizer": given.get("tokenizer") or default_tokenizer}
        for field in fields(cls):
            value = given.get(field.name)
            if value is None or field.name in ("tokenizer", "variables", "turns"):
                continue
            if field.type == "bool":
                if value not in _SWITCH:
                    raise InvalidField(where=field.name, what=f"found {shorten(value)!r}", remedy="1 for on, 0 for off")
                values[field.name] = _SWITCH[value]
            else:
                values[field.name] = value
        if "messages" not in given and given.get("text"):
            values["messages"] = written([{"role": "user", "content": given["text"]}])
        values["variables"] = tuple(
            (found[1], value) for name, value in given.items() if value != "" and (found := _VARIABLE.fullmatch(name))
        )
        if given.get("edited") == "form":
            values["turns"] = read_turns(pairs)
        form = cls(**values)
        for name, known in (("source", SOURCES), ("ending", ENDINGS), ("view", VIEWS)):
            if (value := getattr(form, name)) not in known:
                raise InvalidField(
                    where=name, what=f"found {shorten(value)!r}", remedy=f"one of {', '.join(filter(None, known))}"
                )
        return form

    def checked(self, settings: Settings) -> Self:
        """Itself, if its boxes may be worked on; raises InvalidText (a lone surrogate) or TextTooLong."""
        for name in LONG_FIELDS:
            check_text(getattr(self, name), settings, where=name)
        if self.turns is not None:
            check_text("".join(map(repr, self.turns)), settings, where="messages")
        return self

    def conversation(self) -> list[dict[str, Any]]:
        """The messages; raises InvalidField where they are no list of objects."""
        if self.turns is not None:
            messages = [message_of(turn, index) for index, turn in enumerate(self.turns)]
            check_surrogates(messages, "messages")
            return messages
        if not self.messages.strip():
            return []
        value = read_json(self.messages, "messages", MESSAGES_REMEDY)
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            value = value["messages"]
        if not isinstance(value, list):
            raise InvalidField(where="messages", what="the JSON is no list", remedy=MESSAGES_REMEDY)
        for index, message in enumerate(value):
            if not isinstance(message, dict):
                raise InvalidField(
                    where="messages", what=f"item {index} of the list is no object", remedy=MESSAGES_REMEDY
                )
        return value

    def settled(self) -> Self:
        """The same with the messages as JSON alone; of fields that hold broken JSON nothing is changed."""
        if self.turns is None:
            return self
        return replace(self, messages=written(self.conversation()), turns=None)

    def state(self, default_tokenizer: str) -> Mapping[str, str]:
        """Every field that differs from its default, as a form sends it."""
        return dict(self._pairs(default_tokenizer))

    def _pairs(self, default_tokenizer: str) -> Iterator[tuple[str, str]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("turns", "do", "choices_key"):
                continue
            if field.name == "variables":
                yield from ((f"v.{name}", typed) for name, typed in value)
            elif value != (default_tokenizer if field.name == "tokenizer" else field.default):
                yield field.name, str(int(value)) if isinstance(value, bool) else value

    def to_query(self, default_tokenizer: str) -> str:
        """The query of a link to this state: only what differs from the default."""
        return urlencode(self.state(default_tokenizer))

    def link_query(self, default_tokenizer: str, settings: Settings) -> tuple[str, bool]:
        """The query of a link, and whether the long fields had to stay out of it."""
        query = self.to_query(default_tokenizer)
        if len(query) <= settings.link_limit_bytes:
            return query, False
        return replace(self, messages="", tools="", template="", extra="").to_query(default_tokenizer), True


def _pairs(raw: bytes, where: str) -> list[tuple[str, str]]:
    """The pairs of a form with many messages: more of them than other pages take."""
    try:
        text = raw.decode()
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=FIELDS_LIMIT)
    except UnicodeDecodeError as error:
        raise MalformedBody(
            where=where, what=f"byte {error.object[error.start]:02x} is not UTF-8", remedy="send UTF-8"
        ) from None
    except ValueError:
        raise MalformedBody(
            where=where, what=f"more than {FIELDS_LIMIT:,} fields", remedy="edit the messages as JSON"
        ) from None
