"""Stop strings: the text up to the first that is complete, with as little held back as that takes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tokcore.errors import InvalidText, TokcoreError
from tokcore.streaming.detokenizer import StreamEnded, shortened


class MalformedStop(TokcoreError):
    """A stop that is empty or no string."""


class StopChecker:
    """Lets text through until a stop string is complete.

    >>> checker = StopChecker("</answer>")
    >>> checker.add("2.</ans"), checker.held, checker.candidate
    ('2.', '</ans', '</answer>')
    >>> checker.add("wer>"), checker.stopped, checker.match, checker.finish()
    ('', True, '</answer>', '')
    >>> checker = StopChecker("</answer>")
    >>> checker.add("2.</ans"), checker.add("ia"), checker.held
    ('2.', '</ansia', '')

    Laws, whatever the cuts: the stop that completes first wins; of several that complete at one character, the one that
    starts first. No character of it leaves (with `include_stop` it leaves whole), none behind it ever does. Held is the
    longest tail that begins a stop, and nothing else. A character costs the same with 1,000 stops as with one.
    """

    def __init__(self, stops: Iterable[str] | str, include_stop: bool = False) -> None:
        self._stops = checked_stops(stops)
        self._include_stop = include_stop
        self._tree = _tree_of(self._stops)
        self._node = 0
        self._ended = False
        self.match: str | None = None

    @property
    def stopped(self) -> bool:
        return self.match is not None

    @property
    def held(self) -> str:
        """The longest tail of the text that begins a stop."""
        return self._held(self._tree.depths[self._node])

    @property
    def candidate(self) -> str | None:
        """The stop that `held` may become, the first given of several; None where nothing is held."""
        return self._stops[self._tree.through[self._node]] if self._node else None

    def add(self, delta: str, armed: bool = True) -> str:
        """The text that this one lets through; nothing once stopped.

        Text that is not `armed` completes no stop; one that begins in it may be completed by what follows.
        """
        if self._ended:
            raise StreamEnded(where="delta", what="the text has been finished", remedy="begin a new checker")
        if not isinstance(delta, str):
            raise InvalidText(where="delta", what=f"found {shortened(delta)}", remedy="give a string, or nothing")
        if self.stopped:
            return ""
        tree, node = self._tree, self._node
        held, at = tree.depths[node], 0
        while at < len(delta):
            if not node:
                beginning = tree.beginnings.search(delta, at)
                if beginning is None:
                    break
                at = beginning.start()
            node = tree.step(node, delta[at])
            at += 1
            found = tree.complete[node]
            if found is not None and armed:
                self.match = self._stops[found]
                count = held + at - (0 if self._include_stop else len(self.match))
                text = self._held(min(count, held)) + delta[: max(0, count - held)]
                self._node = 0
                return text
            node = tree.open[node]
        count = held + len(delta) - tree.depths[node]
        text = self._held(min(count, held)) + delta[: max(0, count - held)]
        self._node = node
        return text

    def finish(self) -> str:
        """What was held: there is no more text. A second time there is nothing."""
        self._ended = True
        return self.release()

    def release(self) -> str:
        """What was held, because something else follows that no stop reaches across; the search starts afresh."""
        held, self._node = self.held, 0
        return held

    def _held(self, count: int) -> str:
        """The first so many characters of what is held, which is how the candidate begins."""
        return self._stops[self._tree.through[self._node]][:count] if self._node else ""


class _Tree:
    """Aho and Corasick's tree of the stops, node 0 the empty text. Per node, a text that begins a stop:

    `depths` its length; `through` the first stop that begins so and is longer (-1 where none is); `complete` the
    longest stop that ends it; `open` the longest of its tails, itself included, that some stop goes on from.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._children: list[dict[str, int]] = [{}]
        self.depths = [0]
        self.through = [-1]
        self.complete: list[int | None] = [None]
        for number, stop in enumerate(stops):
            self._grow(number, stop)
        # From the empty text the search leaps to a character that a stop begins with.
        self.beginnings = re.compile("|".join(map(re.escape, self._children[0])) or r"(?!)")
        self.open = [0] * len(self.depths)
        # Shorter texts first, so that a node's tails are done before it.
        self._tails = [0] * len(self.depths)
        queue = deque([0])
        while queue:
            node = queue.popleft()
            tail = self._tails[node]
            if self.complete[node] is None:
                self.complete[node] = self.complete[tail]
            self.open[node] = node if self._children[node] else self.open[tail]
            for character, child in self._children[node].items():
                self._tails[child] = self.step(tail, character) if node else 0
                queue.append(child)

    def step(self, node: int, character: str) -> int:
        """The longest tail of a node's text and one character more that begins a stop."""
        children = self._children
        while node and character not in children[node]:
            node = self._tails[node]
        return children[node].get(character, 0)

    def _grow(self, number: int, stop: str) -> None:
        node = 0
        for character in stop:
            if self.through[node] < 0:
                self.through[node] = number
            child = self._children[node].get(character)
            if child is None:
                child = self._children[node][character] = len(self.depths)
                self._children.append({})
                self.depths.append(self.depths[node] + 1)
                self.through.append(-1)
                self.complete.append(None)
            node = child
        if self.complete[node] is None:
            self.complete[node] = number


@lru_cache(maxsize=4)
def _tree_of(stops: tuple[str, ...]) -> _Tree:
    """Checkers of the same stops share their tree, which nothing changes: many cuts of one text build it once."""
    return _Tree(stops)


def checked_stops(stops: Iterable[str] | str) -> tuple[str, ...]:
    """The stops, one or several.

    >>> checked_stops(["###", ""])
    Traceback (most recent call last):
    tokcore.streaming.stops.MalformedStop: stops/1: found '' (a stop has at least one character)
    """
    try:
        stops = (stops,) if isinstance(stops, str) else tuple(stops)
    except TypeError:
        remedy = "give a string or a list of strings, an empty one for none"
        raise MalformedStop(where="stops", what=f"found {shortened(stops)}", remedy=remedy) from None
    for place, stop in enumerate(stops):
        if not isinstance(stop, str) or not stop:
            remedy = "a stop is a string" if not isinstance(stop, str) else "a stop has at least one character"
            raise MalformedStop(where=f"stops/{place}", what=f"found {shortened(stop)}", remedy=remedy)
    return stops
