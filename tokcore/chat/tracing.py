"""Chat templates run so that every character remembers its origin: the same code, on texts that know their writers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any, NoReturn

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context

from tokcore.chat.conversation import CONTINUE_MARK
from tokcore.chat.environment import NO_LIMITS, ChatEnvironment, CountingGenerator, Limits, tojson
from tokcore.chat.origins import Kind, Origin, Traced, TracedFloat, TracedInt, changed
from tokcore.fields import escape_pointer


class TracingGenerator(CountingGenerator):
    """Jinja's code, in which every literal knows its line and everything that is written is traced."""

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:
        if isinstance(node.value, str):
            self._literal(node.value, node.lineno)
        else:
            super().visit_Const(node, frame)

    def visit_TemplateData(self, node: nodes.TemplateData, frame: Frame) -> None:
        self._literal(node.data, node.lineno)

    def _literal(self, text: str, line: int) -> None:
        self.write(f"environment.literal({text!r}, {line})")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.concat((")
        for part in node.nodes:
            self.write("environment.written(")
            self.visit(part, frame)
            self.write("), ")
        self.write("))")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> NoReturn:
        raise nodes.Impossible  # nothing is worked out beforehand

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.written(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")


class TracingEnvironment(ChatEnvironment):
    """The environment of one traced rendering."""

    code_generator_class = TracingGenerator
    concat = staticmethod(Traced.concat)

    def __init__(self, now: datetime | None = None, limits: Limits = NO_LIMITS) -> None:
        super().__init__(now, limits)
        self.optimized = False
        # Containers of the conversation, alive as long as this: id → origin.
        self.containers: dict[int, Origin] = {}
        self.literals: dict[tuple[str, int], Traced] = {}
        exact: dict[str, Callable[..., Any]] = {"join": self._joined, "tojson": self._tojson}
        for name, function in self.filters.items():
            self.filters[name] = exact.get(name) or self._following(function)

    # ---- what goes in

    def traced(
        self, value: Any, kind: Kind, pointer: str, renamed: Mapping[str, str] | None = None, marked: str | None = None
    ) -> Any:
        """A plain value as one that remembers its place.

        `renamed`: fields that came under another name. `marked`: a text that CONTINUE_MARK has been put behind.
        """
        origin = Origin(kind, pointer)
        match value:
            case None | bool():
                return value
            case str():
                if marked is not None and value == marked + CONTINUE_MARK:
                    return Traced.concat((Traced.of(marked, origin), CONTINUE_MARK))
                return Traced.of(value, origin)
            case int():
                whole = TracedInt(value)
                whole.origin = origin
                return whole
            case float():
                number = TracedFloat(value)
                number.origin = origin
                return number
            case dict():
                made: Any = {}
                for key, item in value.items():
                    came_as = (renamed or {}).get(key, key)
                    at = f"{pointer}/{escape_pointer(str(came_as))}"
                    name = self.traced(key, kind, at + "#") if came_as == key else key
                    made[name] = self.traced(item, kind, at, marked=marked)
            case list() | tuple():
                items = (self.traced(item, kind, f"{pointer}/{at}", marked=marked) for at, item in enumerate(value))
                made = type(value)(items)
            case _:
                raise AssertionError(f"{type(value).__name__} is not plain")
        self.containers[id(made)] = origin
        return made

    # ---- what the template's code calls

    def literal(self, text: str, line: int) -> Traced:
        """A stretch of the template's own text."""
        found = self.literals.get((text, line))
        if found is None:
            found = self.literals[text, line] = Traced.of(text, Origin("template", line=line))
        return found

    def written(self, value: Any) -> str:
        """A value as text."""
        text = str(value)
        return text if isinstance(text, Traced) else self._made_of(text, (value,))

    def _made_of(self, text: str, values: Iterable[Any]) -> Traced:
        """A text made of values, a whole object or list of the conversation counting as one thing."""
        known = ((self.containers.get(id(value)), value) for value in values)
        return changed(text, *(value if origin is None else Traced.of("-", origin) for origin, value in known))

    def _followed(self, result: Any, values: tuple[Any, ...]) -> Any:
        """A plain text, or the plain texts in a list, with the origins of what they were made of."""
        if type(result) is str:
            return self._made_of(result, values)
        if type(result) is list and any(type(item) is str for item in result):
            return [self._followed(item, values) for item in result]
        return result

    def _following(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A filter whose result, where it has lost its origins, is made of its arguments."""

        @wraps(function)
        def filter(*args: Any, **kwargs: Any) -> Any:
            return self._followed(function(*args, **kwargs), (*args, *kwargs.values()))

        return filter

    def call(self, context: Context, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """A call in the template; a text that comes back without origins is made of what went in."""
        result = super().call(context, function, *args, **kwargs)
        return self._followed(result, (getattr(function, "__self__", None), *args, *kwargs.values()))

    def strftime_now(self, format: str) -> str:
        return Traced.of(super().strftime_now(format), Origin("clock", "now"))

    # ---- filters that know more than "made of"

    def _joined(self, value: Iterable[Any], d: str = "", attribute: Any = None) -> str:
        if attribute is not None:
            value = map(make_attrgetter(self, attribute), value)
        return Traced(d).join(map(self.written, value))

    def _tojson(self, x: Any, *args: Any, **kwargs: Any) -> str:
        text = tojson(x, *args, **kwargs)
        pieces = None if args or kwargs else self._json_pieces(x)
        if pieces is not None and "".join(pieces) == text:
            return Traced.concat(pieces)
        return self._made_of(text, (x,))

    def _json_pieces(self, value: Any) -> list[str] | None:
        """JSON in pieces: a value of the conversation is one, an object or a list that the template made is several."""
        known = self.containers.get(id(value))
        if known is not None:
            return [Traced.of(tojson(value), known.as_changed())]
        pieces: list[str] = []
        if isinstance(value, Mapping):
            for key, item in value.items():
                pieces += [", " if pieces else "{", *(self._json_pieces(key) or ()), ": "]
                pieces += self._json_pieces(item) or ()
            return [*pieces, "}"] if pieces else ["{}"]
        if isinstance(value, list | tuple):
            for item in value:
                pieces += [", " if pieces else "[", *(self._json_pieces(item) or ())]
            return [*pieces, "]"] if pieces else ["[]"]
        return [changed(json.dumps(value, ensure_ascii=False), value)]
