"""A chat form as the engine takes it: what cannot be used is left out, and said beside its field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from app.chat_input import CLOCK, ChatForm
from app.chat_json import check_surrogates, read_json
from app.errors import InvalidField, Problem, TextTooLong
from app.forms import shorten
from app.settings import Settings
from app.stream_request import Reader
from tokcore.chat import CHATML_TEMPLATE
from tokcore.chat.conversation import choose_template, special_token_variables
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer

TEMPLATE_LIMIT_BYTES = 200_000
TOOLS_LIMIT = 500
# Names that the renderer itself takes: no template variable can be passed under them.
TAKEN = frozenset(
    (
        *("messages", "tools", "template", "now", "limits", "add_generation_prompt", "allow_empty"),
        *("continue_final_message", "parse_arguments", "messages_billed", "tools_billed"),
    )
)


@dataclass(frozen=True, slots=True)
class TemplateChoice:
    """The template in use: its text, whose it is in words, and the names it was chosen among (and its own)."""

    source: str
    title: str
    names: tuple[str, ...] = ()
    name: str = ""
    special_tokens: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Everything one rendering needs. `problems` by the field that each belongs to.

    `special`: variables that come from the tokenizer's configuration; `given`: those that a person gave.
    """

    template: TemplateChoice
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None
    ending: str
    now: datetime
    parse_arguments: bool
    special: Mapping[str, Any]
    given: Mapping[str, Any]
    problems: Mapping[str, Problem] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, Any]:
        return {**self.special, **self.given}

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of render_chat, but for the template, messages and tools."""
        return {
            "add_generation_prompt": self.ending == "prompt",
            "continue_final_message": self.ending == "continue",
            "now": self.now,
            "parse_arguments": self.parse_arguments,
            **self.variables,
        }

    def with_given(self, name: str, value: Any) -> ChatRequest:
        """The same with one variable set, or left out where the value is None."""
        others = {key: item for key, item in self.given.items() if key != name}
        return replace(self, given=others if value is None else {**others, name: value})


def read(form: ChatForm, tokenizer: Tokenizer, title: str, settings: Settings) -> ChatRequest:
    """What a form asks for. Raises where there is nothing to render: the messages cannot be read, or no template."""
    messages = form.checked(settings).conversation()
    reader = Reader()
    template = template_of(form, tokenizer, title, reader)
    special = template.special_tokens or special_token_variables(tokenizer.config)
    return ChatRequest(
        template=template,
        messages=messages,
        tools=_tools(form, reader),
        ending=form.ending,
        now=_clock(form, reader),
        parse_arguments=form.parse_arguments,
        special=special,
        given=_variables(form, reader),
        problems=reader.problems,
    )


def template_of(form: ChatForm, tokenizer: Tokenizer, title: str, reader: Reader) -> TemplateChoice:
    """The template that a form chooses; a pasted text that cannot be used is refused."""
    if form.source == "pasted":
        if len(form.template.encode()) > TEMPLATE_LIMIT_BYTES:
            raise TextTooLong(
                where="template",
                what=f"longer than {TEMPLATE_LIMIT_BYTES:,} bytes",
                remedy="templates are far shorter; check what was pasted",
            )
        return _pasted(form, reader)
    if form.source == "chatml" or tokenizer.chat_template is None:
        whose = "Ours: ChatML, the format of Qwen3"
        if form.source == "":
            whose += f" ({title} comes without a template here)"
        return TemplateChoice(CHATML_TEMPLATE, whose)
    named = _named(tokenizer.config.get("chat_template"))
    if tokenizer.chat_template in named.values():
        return _choice(named, form, f"{title}’s own", reader)
    return TemplateChoice(tokenizer.chat_template, f"{title}’s own")


def _pasted(form: ChatForm, reader: Reader) -> TemplateChoice:
    """A template, several of them as JSON, or a whole tokenizer_config.json."""
    text = form.template
    if text.lstrip()[:1] in ("{", "[") and text.lstrip()[:2] not in ("{{", "{%", "{#"):
        try:
            value = read_json(text, "template")
        except InvalidField:
            value = None
        special = {}
        if isinstance(value, dict) and "chat_template" in value:
            special = special_token_variables(value)
            value = value["chat_template"]
        if isinstance(value, str):
            return TemplateChoice(value, "Pasted, from a configuration", special_tokens=special)
        if named := _named(value):
            return replace(_choice(named, form, "Pasted", reader), special_tokens=special)
    return TemplateChoice(text, "Pasted")


def _choice(named: Mapping[str, str], form: ChatForm, whose: str, reader: Reader) -> TemplateChoice:
    tools = True if form.tools.strip() else None
    try:
        source = choose_template(named, tools, form.named or None)
    except TokcoreError as error:
        reader.refuse(InvalidField(where="template", what=error.what, remedy=error.remedy))
        source = choose_template(named, tools) if "default" in named else next(iter(named.values()))
    name = next(name for name, text in named.items() if text == source)
    return TemplateChoice(source, f"{whose}: {name}", tuple(named), name)


def _named(value: Any) -> dict[str, str]:
    """Templates by name, as configurations have them; none of them where it is anything else."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(item.get("name"), item.get("template")) for item in value if isinstance(item, Mapping)]
    named = {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}
    return named if len(named) == len(pairs) else {}


def _tools(form: ChatForm, reader: Reader) -> list[dict[str, Any]] | None:
    if not form.tools.strip():
        return None
    remedy = "the prompt is rendered without tools until the list is mended"
    try:
        value = read_json(form.tools, "tools", remedy)
        if isinstance(value, dict):
            value = value["tools"] if isinstance(value.get("tools"), list) else [value]
        wrong = 0 if not isinstance(value, list) else _first_no_object(value)
        if wrong is not None:
            what = f"item {wrong} of the list is no object" if isinstance(value, list) else "the JSON is no list"
            raise InvalidField(where="tools", what=what, remedy=remedy)
        if len(value) > TOOLS_LIMIT:
            raise InvalidField(
                where="tools", what=f"{len(value):,} tools; the limit is {TOOLS_LIMIT}", remedy="take some out"
            )
    except InvalidField as error:
        reader.refuse(error)
        return None
    return list(value)


def _first_no_object(values: list[Any]) -> int | None:
    return next((at for at, value in enumerate(values) if not isinstance(value, dict)), None)


def _clock(form: ChatForm, reader: Reader) -> datetime:
    try:
        return datetime.fromisoformat(form.now.strip() or CLOCK).replace(tzinfo=None)
    except ValueError:
        what, remedy = f"found {shorten(form.now)!r}", f"write a date and time such as {CLOCK}"
        reader.refuse(InvalidField(where="now", what=what, remedy=remedy))
        return datetime.fromisoformat(CLOCK)


def _variables(form: ChatForm, reader: Reader) -> dict[str, Any]:
    """What was given for variables that were offered, and the free object; JSON where it is JSON, else a text."""
    given: dict[str, Any] = {}
    if form.extra.strip():
        try:
            value = read_json(form.extra, "extra", "they are left out until they are mended")
            if not isinstance(value, dict):
                raise InvalidField(where="extra", what="the JSON is no object", remedy='such as {"date_string": "…"}')
            given = value
        except InvalidField as error:
            reader.refuse(error)
    for name, typed in form.variables:
        given[name] = typed_value(typed)
    try:
        check_surrogates(given, "extra")
    except InvalidField as error:
        reader.refuse(error)
        given = {}
    for name in [name for name in given if name in TAKEN or not name.isidentifier()]:
        del given[name]
        what, remedy = f"{shorten(name)!r} is no name for a variable here", "it has a field of its own, or another name"
        reader.refuse(InvalidField(where="extra", what=what, remedy=remedy))
    return given


def typed_value(typed: str) -> Any:
    """What a person means by a value: JSON where it is JSON, else the text itself.

    >>> typed_value("false"), typed_value("low"), typed_value('"12"')
    (False, 'low', '12')
    """
    try:
        return read_json(typed, "extra")
    except InvalidField:
        return typed


def shown_value(value: Any) -> str:
    """A value as it would be typed.

    >>> shown_value("low"), shown_value(False), shown_value("12")
    ('low', 'false', '"12"')
    """
    if isinstance(value, str) and typed_value(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)
