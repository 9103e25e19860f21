"""Where a $ref leads."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import unquote

from tokcore.schema.errors import SchemaError
from tokcore.schema.nodes import escape_pointer


def resolve(root: object, reference: str, where: str) -> tuple[object, str]:
    """The schema that a reference means, and its JSON pointer.

    >>> resolve({"$defs": {"a/b": {"type": "null"}}}, "#/$defs/a~1b", "/$ref")
    ({'type': 'null'}, '/$defs/a~1b')
    """

    def refuse(what: str, remedy: str) -> NoReturn:
        raise SchemaError(where=where, what=what, remedy=remedy)

    if not reference.startswith("#"):
        refuse(f"a reference to another document, {reference!r}", "copy the schema into $defs and refer to #/$defs/…")
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        refuse(f"a reference to an anchor, {reference!r}", "refer to #/$defs/…")
    here, pointer = root, ""
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(here):
            here = here[int(name[:9])]
        else:
            refuse(f"{reference!r} leads nowhere: there is no {name!r} in {pointer or 'the document'}", "mend the path")
        pointer += "/" + escape_pointer(name)
    return here, pointer
