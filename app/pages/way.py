"""The way around: six groups in the order of the story. A new page adds a row to its group.

A group without a page is not shown.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the header; `carries` says whether text and tokenizer go along to it."""

    title: str
    endpoint: str
    carries: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    places: tuple[Place, ...] = ()


WAY: tuple[Group, ...] = (
    Group("Text", (Place("Tokens", "tokens.page"),)),
    Group("Compare"),
    Group(
        "Prompt",
        (
            Place("Chat", "chat.page"),
            Place("Budget", "budget.page", carries=False),
        ),
    ),
    Group("Output", (Place("Stream", "stream.page"), Place("Lint", "lint.page", carries=False))),
    Group("Library"),
    Group("Learn"),
)


def shown_groups() -> tuple[Group, ...]:
    """The groups that have a page.

    >>> [group.name for group in shown_groups()][:1]
    ['Text']
    """
    return tuple(group for group in WAY if group.places)


def shown_endpoints() -> frozenset[str]:
    """The endpoints of the pages that the header leads to.

    >>> "tokens.page" in shown_endpoints()
    True
    """
    return frozenset(place.endpoint for group in WAY for place in group.places)
