"""What goes wrong between a schema and a forced output."""

from __future__ import annotations

from tokcore.errors import TokcoreError


class SchemaError(TokcoreError):
    """A schema that is malformed, or that says something which cannot be enforced.

    >>> str(SchemaError(where="/items/uniqueItems", what="true", remedy="leave it out"))
    '/items/uniqueItems: true (leave it out)'

    `where` is the JSON pointer of the keyword.
    """


class SchemaTooLarge(SchemaError):
    """A schema, its pattern or its automaton is past its budget."""


class NotAllowed(TokcoreError):
    """A token that the pattern does not let through at this place."""
