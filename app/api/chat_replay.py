"""The `replay` object of a chat completion request: what is answered, how it is cut into deltas, how it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from app.api.chat_fields import Members, whole
from app.api.chat_nasty import NASTY
from app.errors import InvalidParameter, TextTooLong
from app.forms import check_text, shorten
from app.settings import Settings
from tokcore.fields import wrong_kind
from tokcore.generation import STRATEGIES
from tokcore.parsing import FORMATS, REASONING
from tokcore.streaming.cuts import bursts, even, seeded

NOTHING = "none"
CUTS = ("tokens_per_delta", "cut_seed", "bursts")
NUMBER_LIMIT = 2**31 - 1
CUT_WORDS_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Cut:
    """How ids are cut into deltas: `value` is the number or the sizes that came under the name `kind`.

    >>> Cut("tokens_per_delta", (3, 1)).sizes(6), Cut("tokens_per_delta", 4).sizes(6)
    ((3, 1, 2), (4, 2))
    """

    kind: str
    value: int | tuple[int, ...]

    def sizes(self, count: int) -> tuple[int, ...]:
        """Ids in each delta; what a list of sizes leaves over is the last."""
        if isinstance(self.value, tuple):
            taken: list[int] = []
            for size in self.value:
                if count:
                    taken.append(min(size, count))
                    count -= taken[-1]
            return (*taken, count) if count else tuple(taken)
        make = {"tokens_per_delta": even, "cut_seed": seeded, "bursts": bursts}[self.kind]
        return make(count, self.value)


def cut_words(sizes: tuple[int, ...]) -> str:
    """Sizes for a header, repetitions counted; a long list ends in an ellipsis.

    >>> cut_words((1, 1, 1, 4, 2))
    '1x3,4,2'
    """
    words = ",".join(f"{size}x{count}" if count > 1 else str(size) for size, count in _runs(sizes))
    return words if len(words) <= CUT_WORDS_LIMIT else words[:CUT_WORDS_LIMIT].rpartition(",")[0] + ",..."


def _runs(sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(size, sum(1 for _ in run)) for size, run in groupby(sizes)]


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """Everything of `replay`; what was not said is None where only the whole request tells.

    `format`: a tool-call format's name or "none". `reasoning`: a name of reasoning tags or "none".
    """

    output: str | None = None
    ids: tuple[int, ...] | None = None
    cut: Cut = Cut("tokens_per_delta", 1)
    delay_ms: int = 0
    format: str | None = None
    reasoning: str | None = None
    starts_in_reasoning: bool | None = None
    stops_in_reasoning: bool = False
    strategy: str = "bytes"
    nasty: frozenset[str] = frozenset()


KNOWN = (
    *("output", "ids", *CUTS, "delay_ms", "format", "reasoning"),
    *("starts_in_reasoning", "stops_in_reasoning", "strategy", "nasty"),
)


def read_replay(body: Members, settings: Settings) -> ReplayOptions:
    """The `replay` of a request, the defaults where there is none; raises an error that names the member."""
    replay = body.member("replay")
    if replay is None:
        return ReplayOptions()
    replay.only(KNOWN)
    output, ids = replay.optional_string("output"), _ids(replay, settings)
    if output is not None:
        if ids is not None:
            raise InvalidParameter(where="/replay/ids", what="given beside output", remedy="send one of the two")
        check_text(output, settings, "/replay/output")
    return ReplayOptions(
        output=output,
        ids=ids,
        cut=_cut(replay),
        # No longer than a client may leave us waiting.
        delay_ms=replay.whole("delay_ms", 0, settings.stall_seconds * 1000) or 0,
        format=_choice(replay, "format", (*FORMATS, NOTHING)),
        reasoning=_choice(replay, "reasoning", (*REASONING, NOTHING)),
        starts_in_reasoning=replay.optional_switch("starts_in_reasoning"),
        stops_in_reasoning=replay.switch("stops_in_reasoning"),
        strategy=_choice(replay, "strategy", tuple(STRATEGIES)) or "bytes",
        nasty=_nasty(replay),
    )


def _ids(replay: Members, settings: Settings) -> tuple[int, ...] | None:
    ids = replay.listed("ids")
    if ids is None:
        return None
    where = replay.at("ids")
    if len(ids) > settings.ids_limit:
        what, remedy = f"{len(ids):,} ids; the limit is {settings.ids_limit:,}", "send fewer"
        raise TextTooLong(where=where, what=what, remedy=remedy)
    for index, id in enumerate(ids):
        if type(id) is not int:
            raise wrong_kind(id, f"{where}/{index}", "a whole number")
    return tuple(ids)


def _cut(replay: Members) -> Cut:
    given = [name for name in CUTS if replay.given(name) is not None]
    if len(given) > 1:
        what, remedy = f"given beside {given[0]}", "one way to cut is enough"
        raise InvalidParameter(where=replay.at(given[1]), what=what, remedy=remedy)
    if not given:
        return ReplayOptions().cut
    (kind,) = given
    value, where = replay.given(kind), replay.at(kind)
    least = 1 if kind == "tokens_per_delta" else 0
    if kind == "tokens_per_delta" and isinstance(value, list):
        return Cut(kind, tuple(whole(size, f"{where}/{place}", 1, NUMBER_LIMIT) for place, size in enumerate(value)))
    return Cut(kind, whole(value, where, least, NUMBER_LIMIT))


def _choice(replay: Members, key: str, known: tuple[str, ...]) -> str | None:
    """One of some names; false is as good as "none" where that is one."""
    value: Any = replay.given(key)
    if value is False and NOTHING in known:
        return NOTHING
    if value is None:
        return None
    if not isinstance(value, str):
        raise wrong_kind(value, replay.at(key), "a name: " + ", ".join(known))
    if value not in known:
        what, remedy = f"there is no {shorten(value)!r} here", "choose one of " + ", ".join(known)
        raise InvalidParameter(where=replay.at(key), what=what, remedy=remedy)
    return value


def _nasty(replay: Members) -> frozenset[str]:
    names = replay.listed("nasty") or []
    for place, name in enumerate(names):
        if not isinstance(name, str) or name not in NASTY:
            found = repr(shorten(name)) if isinstance(name, str) else "no name"
            remedy = "choose from " + ", ".join(NASTY)
            raise InvalidParameter(where=f"{replay.at('nasty')}/{place}", what=f"found {found}", remedy=remedy)
    return frozenset(names)
