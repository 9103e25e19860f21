"""What becomes of each keyword of a schema: the table of all of them, and the record of one schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from tokcore.schema.errors import SchemaError


class Verdict(Enum):
    """What is done about a keyword."""

    ENFORCED = "enforced"
    LIMITED = "enforced with limits"
    ANNOTATION = "annotation"
    REFUSED = "refused"
    WEAKENED = "weakened"


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """A keyword of a schema and what is done about it; `note` says what the limits are, or why it is weakened."""

    pointer: str
    keyword: str
    verdict: Verdict
    note: str = ""


_E, _L, _R = Verdict.ENFORCED, Verdict.LIMITED, Verdict.REFUSED

# docs/schema.md shows this table; for a refused keyword the note is the way out.
KEYWORDS: dict[str, tuple[Verdict, str]] = {
    "type": (_E, "integers are written with digits alone (no 1.0, no 1e2); exponents of numbers end at 299"),
    "enum": (_E, "each value in one spelling, the one of json.dumps"),
    "const": (_E, "in one spelling, the one of json.dumps"),
    "properties": (_L, "written in the order of the schema"),
    "required": (_E, "a name without a schema is written behind the listed properties, with any value"),
    "additionalProperties": (_L, "absent beside `properties`: no others are written; further ones come last"),
    "minProperties": (_L, "as far as the required properties fulfil it, or 1"),
    "maxProperties": (_L, "where only additional properties are written, or where all listed ones fit"),
    "items": (_E, ""),
    "prefixItems": (_E, ""),
    "minItems": (_E, ""),
    "maxItems": (_E, ""),
    "uniqueItems": (_L, "false, or where there is at most one element"),
    "minLength": (_E, "counts decoded code points"),
    "maxLength": (_E, "counts decoded code points"),
    "pattern": (_L, "ECMA 262 without references, look-around, word borders and \\p; one spelling per character"),
    "format": (_L, "see the table of formats; others are refused"),
    "minimum": (_L, "numbers are then written without exponent"),
    "maximum": (_L, "numbers are then written without exponent"),
    "exclusiveMinimum": (_L, "numbers are then written without exponent, with at most 15 digits"),
    "exclusiveMaximum": (_L, "numbers are then written without exponent, with at most 15 digits"),
    "multipleOf": (_L, "where the pattern stays short: 10, 5, 2, 3, 0.01, or few multiples between bounds"),
    "anyOf": (_E, ""),
    "oneOf": (_L, "where no value can be valid under two branches"),
    "allOf": (_E, "the schemas are merged"),
    "$ref": (_L, "inside the document; a recursion is followed as deep as the options say"),
    "nullable": (_E, "OpenAPI 3.0: null is valid too"),
    "not": (_R, "say what the value may be instead"),
    "if": (_R, "use anyOf with both cases written out"),
    "then": (_R, "use anyOf with both cases written out"),
    "else": (_R, "use anyOf with both cases written out"),
    "dependentRequired": (_R, "use anyOf with both cases written out"),
    "dependentSchemas": (_R, "use anyOf with both cases written out"),
    "dependencies": (_R, "use anyOf with both cases written out"),
    "patternProperties": (_R, "list the properties, or use additionalProperties"),
    "propertyNames": (_R, "list the properties"),
    "unevaluatedProperties": (_R, "use additionalProperties"),
    "unevaluatedItems": (_R, "use items"),
    "additionalItems": (_R, "use prefixItems and items"),
    "contains": (_R, "use prefixItems"),
    "minContains": (_R, "use prefixItems"),
    "maxContains": (_R, "use prefixItems"),
    "$dynamicRef": (_R, "use $ref"),
    "$dynamicAnchor": (_R, "use $defs and $ref"),
    "$recursiveRef": (_R, "use $ref"),
    "$recursiveAnchor": (_R, "use $defs and $ref"),
    "$anchor": (_R, "use $defs and $ref"),
    **dict.fromkeys(
        (
            *("title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"),
            *("$comment", "$schema", "$id", "$vocabulary", "$defs", "definitions"),
            *("contentEncoding", "contentMediaType", "contentSchema", "discriminator", "xml", "externalDocs"),
        ),
        (Verdict.ANNOTATION, ""),
    ),
}


@dataclass(slots=True)
class Ledger:
    """The record of one schema.

    >>> Ledger().refuse("/not", "not", "excludes values")
    Traceback (most recent call last):
    tokcore.schema.errors.SchemaError: /not: excludes values (say what the value may be instead)

    `weaken`: what cannot be enforced is noted as weakened and left out, where a pattern without it still makes sense.
    """

    weaken: bool = False
    uses: dict[str, KeywordUse] = field(default_factory=dict)

    def note(self, pointer: str, keyword: str) -> None:
        verdict, note = KEYWORDS[keyword]
        self.uses.setdefault(pointer, KeywordUse(pointer, keyword, verdict, note))

    def refuse(self, pointer: str, keyword: str, what: str, remedy: str = "") -> None:
        """Raise SchemaError, or note that the keyword is left out."""
        if not self.weaken:
            raise SchemaError(where=pointer, what=what, remedy=remedy or KEYWORDS[keyword][1])
        self.uses[pointer] = KeywordUse(pointer, keyword, Verdict.WEAKENED, what)

    @property
    def weakened(self) -> tuple[KeywordUse, ...]:
        return tuple(use for use in self.uses.values() if use.verdict is Verdict.WEAKENED)
