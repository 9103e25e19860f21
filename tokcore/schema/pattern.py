r"""A schema as a pattern, and the pattern taken apart by the places of the schema.

>>> json_schema_to_regex({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": ["n"]})
'\\{"n": ?(?:-?0|[1-9][0-9]*)\\}'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tokcore.schema.automaton import Automaton
from tokcore.schema.errors import SchemaError, SchemaTooLarge
from tokcore.schema.expr import LOOSE, NOTHING, Expr, Mark, Speller, fold, pieces, spelled, spelled_length
from tokcore.schema.layout import Layout
from tokcore.schema.ledger import KeywordUse, Ledger
from tokcore.schema.nodes import SchemaNode
from tokcore.schema.parse import RECURSION, parse
from tokcore.spans import Span

MAX_PATTERN = 1_000_000


@dataclass(frozen=True, slots=True)
class RegexPart:
    """A stretch of a pattern and the place of the schema that it comes from.

    >>> part = compile_schema({"items": {"type": "null"}, "type": "array", "minItems": 1, "maxItems": 1}).part
    >>> part.pattern, [(each.pattern, each.pointer) for each in part.children]
    ('\\\\[null\\\\]', [('null', '/items')])

    Law: `span.cut` of the whole pattern is `pattern`; children lie inside, in order, without overlap.
    """

    pattern: str
    pointer: str
    span: Span
    children: tuple[RegexPart, ...]


@dataclass(frozen=True, slots=True)
class SchemaPattern:
    """A schema made into a pattern.

    `text` is the pattern, to be matched against a whole output; `uses` says what became of each keyword; `expression`
    is what an Automaton is made of.
    """

    text: str
    node: SchemaNode | None
    expression: Expr = field(repr=False)
    uses: tuple[KeywordUse, ...]

    @property
    def part(self) -> RegexPart:
        """The pattern taken apart."""
        return parts_of(self.expression)

    @property
    def weakened(self) -> tuple[KeywordUse, ...]:
        """Keywords that are left out because they cannot be enforced; empty unless that was asked for."""
        return Ledger(uses={use.pointer: use for use in self.uses}).weakened

    def automaton(self) -> Automaton:
        return Automaton(self.expression)


def json_schema_to_regex(schema: object, *, recursion: int = RECURSION, weaken: bool = False) -> str:
    """The pattern of a schema: a text that it matches whole is a valid document.

    >>> json_schema_to_regex({"type": "string", "maxLength": 2, "pattern": "^[a-c]+$"})
    '"[a-c]{1,2}"'

    Options and errors: see `compile_schema`.
    """
    return compile_schema(schema, recursion=recursion, weaken=weaken).text


def compile_schema(
    schema: object, *, recursion: int = RECURSION, weaken: bool = False, pointer: str = ""
) -> SchemaPattern:
    """The pattern of a schema with all that is known about it.

    >>> [(use.pointer, use.verdict.value) for use in compile_schema({"type": "null", "title": "no"}).uses]
    [('/type', 'enforced'), ('/title', 'annotation')]

    `schema`: JSON as `json.loads` gives it. `recursion`: how many times a reference is followed inside itself;
    `weaken`: leave out what cannot be enforced, and say so, instead of refusing; `pointer` stands before all pointers.
    Raises SchemaError with the pointer of a keyword that is malformed or cannot be enforced, and where no value is
    valid; SchemaTooLarge past a budget.
    """
    ledger = Ledger(weaken)
    node = parse(schema, ledger, pointer=pointer, recursion=recursion)
    expression = Layout(ledger).of(node)
    if expression is NOTHING:
        raise SchemaError(where=pointer, what="no value is valid", remedy="look for bounds or types that contradict")
    return SchemaPattern(spelled_within_budget(expression, pointer), node, expression, tuple(ledger.uses.values()))


def spelled_within_budget(expression: Expr, pointer: str = "") -> str:
    length = spelled_length(expression)
    if length > MAX_PATTERN:
        raise SchemaTooLarge(
            where=pointer,
            what=f"the pattern has more than {MAX_PATTERN:,} characters",
            remedy="use a lower recursion, fewer optional properties or fewer levels of arrays",
        )
    return spelled(expression)


def parts_of(expression: Expr) -> RegexPart:
    """The whole pattern as a tree of marked stretches; a mark right inside one of the same place is not told apart."""
    speller = Speller()
    has_marks: dict[int, bool] = {}

    def found_marks(node: Expr, inner: tuple[bool, ...]) -> bool:
        has_marks[id(node)] = isinstance(node, Mark) or any(inner)
        return has_marks[id(node)]

    fold(expression, found_marks)

    def below(node: Expr, place: int, start: int, pointer: str) -> Iterator[RegexPart]:
        for piece in pieces(node, place):
            if isinstance(piece, str):
                start += len(piece)
                continue
            text = speller.text(*piece)
            inner, inner_place = piece
            if isinstance(inner, Mark) and inner.pointer != pointer:
                yield part(inner, inner_place, start)
            elif has_marks[id(inner)]:
                yield from below(inner, inner_place, start, pointer)
            start += len(text)

    def part(marked: Mark, place: int, start: int) -> RegexPart:
        text = speller.text(marked, place)
        children = tuple(below(marked, place, start, marked.pointer))
        return RegexPart(text, marked.pointer, Span(start, start + len(text)), children)

    whole = expression if isinstance(expression, Mark) else Mark("", expression)
    return part(whole, LOOSE, 0)
