"""TemplateProcessing: texts and special tokens in the order of a template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokcore.errors import MalformedFile, UnsupportedComponent
from tokcore.fields import Fields, is_natural, wrong_kind
from tokcore.postprocessors.placing import placed_token
from tokcore.tokens import Token
from tokcore.truncation import Part

SEQUENCES = ("A", "B")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """The place of a text in a template: number 0 is $A, 1 is $B."""

    number: int
    type_id: int = 0


@dataclass(frozen=True, slots=True)
class SpecialPiece:
    """The place of a special token, which may be several tokens, with their type ids."""

    tokens: tuple[Token, ...]


Template = tuple[TextPiece | SpecialPiece, ...]


@dataclass(frozen=True, slots=True)
class TemplateProcessing:
    """Lays out one text by `single`, two by `pair`; a text may come up several times or not at all.

    >>> template = TemplateProcessing(single=(SpecialPiece((placed_token("<s>", 1),)), TextPiece(0)), pair=())
    >>> [[token.value for token in part.tokens] for part in template.process([Part(())], add_special_tokens=True)]
    [['<s>'], []]

    Without special tokens the texts keep their places and types. `pointer`: where in the file it stands.
    """

    single: Template
    pair: Template
    pointer: str = "/post_processor"

    def added_count(self, pair: bool) -> int:
        template = self.pair if pair else self.single
        return sum(len(piece.tokens) for piece in template if isinstance(piece, SpecialPiece))

    def process(self, parts: Sequence[Part], add_special_tokens: bool) -> Sequence[Part]:
        """Law: what a text overflows by keeps its type ids; only the kept tokens take the template's.

        Behind another template each of that one's pieces counts as a text, so two pieces are laid out by `pair`.
        """
        if len(parts) not in (1, 2):
            raise UnsupportedComponent(
                where=self.pointer,
                what=f"a template for one or two texts is given {len(parts)} parts by the post-processor before it",
                remedy="use one TemplateProcessing in a Sequence",
            )
        laid_out: list[Part] = []
        for piece in self.pair if len(parts) == 2 else self.single:
            if isinstance(piece, TextPiece):
                tokens, overflowing = parts[piece.number]
                typed = [t if t.type_id == piece.type_id else t._replace(type_id=piece.type_id) for t in tokens]
                laid_out.append(Part(typed, overflowing))
            elif add_special_tokens:
                laid_out.append(Part(piece.tokens))
        return laid_out


def build_template(fields: Fields) -> TemplateProcessing:
    """{"type": "TemplateProcessing", "single": [piece…], "pair": [piece…], "special_tokens": {name: …}}.

    A piece is {"Sequence": {"id": "A" | "B", "type_id": …}} or {"SpecialToken": {"id": name, "type_id": …}}. What the
    reference takes and then crashes over is an UnsupportedComponent: no other kind of post-processor is tried.
    """
    special = {name: special_token(fields, name) for name in fields.mapping("special_tokens")}
    single = read_template(fields, "single", special)
    pair = read_template(fields, "pair", special)
    for index, piece in enumerate(single):
        if isinstance(piece, TextPiece) and piece.number == 1:
            raise UnsupportedComponent(
                where=f"{fields.at('single')}/{index}/Sequence/id",
                what="the template for one text uses B",
                remedy='use "A" here; B is the second text of a pair',
            )
    return TemplateProcessing(single, pair, fields.pointer)


def special_token(fields: Fields, name: str) -> list[tuple[int, str]]:
    """The ids and token strings that one name stands for."""
    place = Fields(fields.mapping("special_tokens"), fields.at("special_tokens"))
    entry = Fields(place.required(name), place.at(name))
    entry.string("id")
    ids, tokens = list(entry.items("ids")), list(entry.items("tokens"))
    for pointer, id in ids:
        if not is_natural(id):
            raise wrong_kind(id, pointer, "a whole number from 0 to 4294967295")
    for pointer, token in tokens:
        if not isinstance(token, str):
            raise wrong_kind(token, pointer, "a string")
    if len(ids) != len(tokens):
        raise UnsupportedComponent(
            where=entry.pointer,
            what=f"{len(ids)} ids for {len(tokens)} tokens",
            remedy="ids and tokens must be of the same length",
        )
    return [(id, token) for (_, id), (_, token) in zip(ids, tokens, strict=True)]


def read_template(fields: Fields, key: str, special: Mapping[str, list[tuple[int, str]]]) -> Template:
    """The pieces of one template."""
    pieces: list[TextPiece | SpecialPiece] = []
    for pointer, value in fields.items(key):
        place = Fields(value, pointer)
        if len(place.value) != 1 or not place.value.keys() <= {"Sequence", "SpecialToken"}:
            raise MalformedFile(
                where=pointer,
                what=f"found an object with the keys {', '.join(place.value) or '(none)'}",
                remedy='must have one key, "Sequence" or "SpecialToken"',
            )
        (kind,) = place.value
        piece = Fields(place.required(kind), place.at(kind))
        id, type_id = piece.string("id"), piece.natural("type_id")
        if kind == "Sequence":
            if id not in SEQUENCES:
                raise MalformedFile(where=piece.at("id"), what=f"found {id!r}", remedy='must be "A" or "B"')
            pieces.append(TextPiece(SEQUENCES.index(id), type_id))
            continue
        if id not in special:
            raise UnsupportedComponent(
                where=piece.at("id"),
                what=f"special token {id!r} is missing",
                remedy=f"add it to {fields.at('special_tokens')}",
            )
        pieces.append(SpecialPiece(tuple(placed_token(token, number, type_id) for number, token in special[id])))
    return tuple(pieces)
