"""The Jinja dialect of chat templates: the sandbox, its filters and functions, and a count of what a template does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from types import CodeType
from typing import Any, NoReturn

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from tokcore.chat.errors import ClockMissing, LimitExceeded


class Refusal(TemplateError):
    """What raise_exception throws."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one rendering may do; None: as much as it likes.

    `steps`: bodies of loops, branches, macros entered. `output_characters`: length of the prompt.
    """

    steps: int | None = None
    output_characters: int | None = None


NO_LIMITS = Limits()


class CountingGenerator(CodeGenerator):
    """Jinja's code, with a call of `environment.step()` where a body begins: no loop and no recursion gets past it."""

    def blockvisit(self, nodes: Iterable[nodes.Node], frame: Frame) -> None:
        self.writeline("environment.step()")
        super().blockvisit(nodes, frame)


class GenerationTag(Extension):
    """`{% generation %}…{% endgeneration %}` marks what an assistant wrote; the text in it stays as it is."""

    tags = {"generation"}  # noqa: RUF012  (Jinja's own way to name them)

    def parse(self, parser: Parser) -> nodes.CallBlock:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        block = nodes.CallBlock(self.call_method("unchanged"), [], [], body)
        block.set_lineno(line)
        return block

    def unchanged(self, caller: Callable[[], str]) -> str:
        return caller()


class TemplateDict:
    """`dict` of a template: a call, and fromkeys."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict.fromkeys(*args, **kwargs)


def checked_name(name: object) -> None:
    """Refuse a namespace attribute that begins with an underscore."""
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace cannot hold {name!r}: the name begins with an underscore")


class TemplateNamespace(Namespace):
    """`namespace` of a template: attributes without a leading underscore."""

    # No argument of its own has a name, so that a template can store "self".
    def __init__(*args: Any, **kwargs: Any) -> None:
        self, *rest = args
        attributes = dict(*rest, **kwargs)
        for name in attributes:
            checked_name(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        checked_name(name)
        super().__setitem__(name, value)


def tojson(
    x: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON as Python writes it: non-ASCII, key order and `<>&'` are kept.

    >>> tojson({"b": "<é&'>", "a": 1})
    '{"b": "<é&\\'>", "a": 1}'
    """
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
# What strftime takes from the locale, spelled as the C locale spells it.
IN_ENGLISH: dict[str, Callable[[datetime], str]] = {
    "%a": lambda now: DAYS[now.weekday()][:3],
    "%A": lambda now: DAYS[now.weekday()],
    "%b": lambda now: MONTHS[now.month - 1][:3],
    "%B": lambda now: MONTHS[now.month - 1],
    "%h": lambda now: MONTHS[now.month - 1][:3],
    "%p": lambda now: "AM" if now.hour < 12 else "PM",
    "%c": lambda now: f"{DAYS[now.weekday()][:3]} {MONTHS[now.month - 1][:3]} {now.day:2} {now:%H:%M:%S} {now.year}",
    "%x": lambda now: f"{now:%m/%d/%y}",
    "%X": lambda now: f"{now:%H:%M:%S}",
    "%r": lambda now: f"{now:%I:%M:%S} {'AM' if now.hour < 12 else 'PM'}",
}


def strftime(now: datetime, pattern: str) -> str:
    """A local time written by a pattern, with English names whatever the process's locale.

    >>> strftime(datetime(2031, 2, 3, 4, 5, 6), "%A, %d %b %Y, %H:%M:%S %%a")
    'Monday, 03 Feb 2031, 04:05:06 %a'
    """
    english = re.sub(r"%.", lambda code: _english(code[0], now), pattern, flags=re.DOTALL)
    return now.replace(tzinfo=None).strftime(english)


def _english(code: str, now: datetime) -> str:
    return IN_ENGLISH[code](now) if code in IN_ENGLISH else code


def raise_exception(message: object) -> NoReturn:
    raise Refusal(str(message))


class ChatEnvironment(ImmutableSandboxedEnvironment):
    """The environment of one rendering, with its own clock and its own count of steps.

    Making one takes microseconds; what costs is compiling, and compiled code is shared.
    """

    code_generator_class = CountingGenerator

    def __init__(self, now: datetime | None = None, limits: Limits = NO_LIMITS) -> None:
        super().__init__(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
        self.now = now
        self.steps_left = float("inf") if limits.steps is None else limits.steps
        self.steps_allowed = limits.steps
        self.filters["tojson"] = tojson
        self.globals["raise_exception"] = raise_exception
        self.globals["strftime_now"] = self.strftime_now
        self.globals["dict"] = TemplateDict()
        self.globals["namespace"] = TemplateNamespace

    def strftime_now(self, format: str) -> str:
        """The template's function of that name."""
        if self.now is None:
            raise ClockMissing(
                where="template",
                what="the template asks for the date (strftime_now), and none was given",
                remedy="give one: now=datetime(2031, 2, 3), or datetime.now()",
                variable="strftime_now",
            )
        return strftime(self.now, format)

    def step(self) -> None:
        """One more body is entered."""
        self.steps_left -= 1
        if self.steps_left < 0:
            raise LimitExceeded(
                where="template",
                what=f"the template takes more than {self.steps_allowed:,} steps",
                remedy="look for nested loops, or give it a shorter conversation",
            )

    def template(self, source: str) -> Template:
        """The template that this environment runs; raises what Jinja's compiler raises."""
        return Template.from_code(self, self.code(source), self.make_globals(None))

    def code(self, source: str) -> CodeType:
        """Compiled code of a template: the same for every environment of a class."""
        return _compiled(type(self), source)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _compiled(kind: Callable[[], ChatEnvironment], source: str) -> CodeType:
    return kind().compile(source)
