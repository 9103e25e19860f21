"""What a template reads and which of Jinja it needs: found in its syntax tree, and by rendering with switches set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jinja2 import meta, nodes

from tokcore.chat.conversation import SPECIAL_TOKENS
from tokcore.chat.environment import ChatEnvironment
from tokcore.chat.errors import ChatError
from tokcore.chat.template import compile_template, render_chat

Role = Literal["conversation", "special token", "own"]
Needs = Literal["chat templates", "Python", "Jinja"]

# What every rendering gives a template, wanted or not.
CONVERSATION = ("messages", "tools", "documents", "add_generation_prompt")
UNSET: Any = object()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that a template reads.

    `role`: part of every conversation, a special token, or the template's own. `lines`: where it is read. `choices`:
    values that the template compares it with, or falls back to. `guarded`: the template asks whether it is defined.
    """

    name: str
    role: Role
    lines: tuple[int, ...]
    choices: tuple[Any, ...]
    guarded: bool


@dataclass(frozen=True, slots=True)
class Feature:
    """Something a template needs that not every engine has.

    `needs`: "chat templates" is what transformers adds to Jinja; "Python" are methods and operators of Python's own
    objects, which an engine in another language has to imitate; "Jinja" are its rarer statements.
    """

    name: str
    needs: Needs
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TemplateFacts:
    """What can be read off a template without running it."""

    variables: tuple[Variable, ...]
    features: tuple[Feature, ...]
    fields: tuple[str, ...]


def template_facts(source: str) -> TemplateFacts:
    """Variables, needed features, and the names of fields that a template looks up.

    >>> facts = template_facts("{{ 1 if think is defined and think == 'low' }}{{ messages[0].role.upper() }}")
    >>> [(variable.name, variable.role, variable.choices, variable.guarded) for variable in facts.variables]
    [('messages', 'conversation', (), False), ('think', 'own', ('low',), True)]
    >>> [(feature.name, feature.needs) for feature in facts.features], facts.fields
    ([('.upper()', 'Python')], ('role',))

    Raises TemplateSyntax where the template does not compile.
    """
    environment = ChatEnvironment()
    compile_template(environment, source)
    tree = environment.parse(source)
    # Looking for undeclared names rewrites the tree it looks at: it gets one of its own.
    undeclared = meta.find_undeclared_variables(environment.parse(source))
    read = (_variable(name, tree) for name in sorted(undeclared))
    # Jinja also names what is set in one branch and read after it. A template that wants such a name from outside asks
    # whether it is there.
    set_within = {node.name for node in tree.find_all(nodes.Name) if node.ctx == "store"}
    return TemplateFacts(
        variables=tuple(
            variable
            for variable in read
            if variable.role != "own" or variable.guarded or variable.name not in set_within
        ),
        features=tuple(Feature(name, needs, lines) for (name, needs), lines in sorted(_gathered(tree).items())),
        fields=tuple(sorted(set(_fields(tree)))),
    )


def _variable(name: str, tree: nodes.Template) -> Variable:
    role: Role = "conversation" if name in CONVERSATION else "special token" if name in SPECIAL_TOKENS else "own"
    lines = sorted({node.lineno for node in tree.find_all(nodes.Name) if node.name == name and node.ctx == "load"})
    choices = dict.fromkeys((type(value), value) for value in _choices(name, tree))
    tests = (node for node in tree.find_all(nodes.Test) if node.name in ("defined", "undefined"))
    guarded = any(isinstance(test.node, nodes.Name) and test.node.name == name for test in tests)
    return Variable(name, role, tuple(lines), tuple(value for _, value in choices), guarded)


def _choices(name: str, tree: nodes.Template) -> Iterator[Any]:
    """Constants that a template compares a variable with (`==`, `in`, `is true`), or takes in its place."""
    for node in tree.find_all(nodes.Node):
        match node:
            case nodes.Compare(expr=nodes.Name(name=subject), ops=operands) if subject == name:
                yield from _constants(operand.expr for operand in operands)
            case nodes.Test(node=nodes.Name(name=subject), name="true" | "false" as value) if subject == name:
                yield value == "true"
            case nodes.Test(node=nodes.Name(name=subject), name="eq" | "equalto" | "in", args=args) if subject == name:
                yield from _constants(args)
            case nodes.Filter(node=nodes.Name(name=subject), name="default" | "d", args=args) if subject == name:
                yield from _constants(args)
            case nodes.Assign(target=nodes.Name(name=subject), node=value) if subject == name:
                yield from _constants([value])


def _constants(expressions: Iterable[nodes.Node]) -> Iterator[Any]:
    for expression in expressions:
        if isinstance(expression, nodes.Const):
            yield expression.value
        elif isinstance(expression, nodes.List | nodes.Tuple):
            yield from _constants(expression.items)


def _fields(tree: nodes.Template) -> Iterator[str]:
    called = {id(call.node) for call in tree.find_all(nodes.Call)}
    for node in tree.find_all(nodes.Node):
        match node:
            case nodes.Getattr(node=nodes.Name(name="loop")):
                continue
            case nodes.Getattr(attr=name) if id(node) not in called:
                yield name
            case nodes.Getitem(arg=nodes.Const(value=str() as name)):
                yield name


def _gathered(tree: nodes.Template) -> dict[tuple[str, Needs], tuple[int, ...]]:
    lines: dict[tuple[str, Needs], set[int]] = {}
    for node in tree.find_all(nodes.Node):
        for feature in _features(node):
            lines.setdefault(feature, set()).add(node.lineno)
    return {feature: tuple(sorted(found)) for feature, found in lines.items()}


def _features(node: nodes.Node) -> Iterator[tuple[str, Needs]]:
    """What one node of the tree needs."""
    match node:
        case nodes.CallBlock(call=nodes.Call(node=nodes.ExtensionAttribute())):
            yield "{% generation %}", "chat templates"
        case nodes.CallBlock():
            yield "{% call %}", "Jinja"
        case nodes.Break():
            yield "{% break %}", "chat templates"
        case nodes.Continue():
            yield "{% continue %}", "chat templates"
        case nodes.Call(node=nodes.Name(name="strftime_now" | "raise_exception" as name)):
            yield f"{name}()", "chat templates"
        case nodes.Call(node=nodes.Name(name="namespace")):
            yield "namespace()", "Jinja"
        case nodes.Call(node=nodes.Getattr(attr=name)) if _is_python_method(name):
            yield f".{name}()", "Python"
        case nodes.Filter(name="tojson", args=args, kwargs=kwargs) if args or kwargs:
            yield "tojson with arguments", "chat templates"
        case nodes.Slice(step=step) if step is not None:
            yield "slices with a step", "Python"
        case nodes.Mod(left=nodes.Const(value=str())):
            yield "formatting with %", "Python"
        case nodes.For(recursive=True):
            yield "recursive loops", "Jinja"
        case nodes.Macro():
            yield "{% macro %}", "Jinja"
        case nodes.FilterBlock():
            yield "{% filter %}", "Jinja"
        case nodes.AssignBlock():
            yield "{% set %} with a body", "Jinja"
        case nodes.Block():
            yield "{% block %}", "Jinja"


def _is_python_method(name: str) -> bool:
    return any(callable(getattr(kind, name, None)) for kind in (str, dict, list))


@dataclass(frozen=True, slots=True)
class Probe:
    """The prompt with a switch left out, on, and off; None where the template refuses."""

    name: str
    unset: str | None
    on: str | None
    off: str | None

    @property
    def matters(self) -> bool:
        """Whether the switch changes anything in this conversation."""
        return len({self.unset, self.on, self.off}) > 1


def probe_switches(source: str, messages: Any, tools: Any = None, **options: Any) -> tuple[Probe, ...]:
    """Each of a template's own variables tried three ways on one conversation; `options` as for render_chat.

    >>> template = "{{ messages[0].content }}{% if thinking is defined and not thinking %}<off>{% endif %}{{ other }}"
    >>> [(probe.name, probe.unset, probe.off) for probe in probe_switches(template, [{"role": "user", "content": "Q"}])]
    [('other', 'Q', 'QFalse'), ('thinking', 'Q', 'Q<off>')]
    """
    names = [variable.name for variable in template_facts(source).variables if variable.role == "own"]

    def text(name: str, value: Any) -> str | None:
        given = {key: item for key, item in options.items() if key != name}
        switched: Mapping[str, Any] = given if value is UNSET else {**given, name: value}
        try:
            return render_chat(source, messages, tools, **switched)
        except ChatError:
            return None

    return tuple(Probe(name, text(name, UNSET), text(name, True), text(name, False)) for name in names)
