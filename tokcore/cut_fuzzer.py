"""The same ids cut into deltas in many ways: does the answer stay the same?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokcore.deltas.assemble import join_deltas
from tokcore.generation import STRATEGIES, Strategy, Stream, StreamSettings, finish_reason, parts_of
from tokcore.pipeline import Tokenizer
from tokcore.streaming.cuts import even, seeded, two_way

LARGEST_EVEN = 8


@dataclass(frozen=True, slots=True)
class Cut:
    """One way to cut ids into deltas: `kind` is "whole", "one by one", "even", "two-way" or "random"."""

    name: str
    kind: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CutResult:
    """What a client has in the end for one cut, and whether it is what it should have."""

    cut: Cut
    equal: bool
    message: Mapping[str, Any]
    finish_reason: str


@dataclass(frozen=True, slots=True)
class FuzzReport:
    """All cuts of one text by one strategy; `expected` is our engine's answer to the whole in one delta.

    `left_out` counts the two-way cuts that were not tried, evenly spread over the text.
    """

    strategy: str
    expected: Mapping[str, Any]
    cells: tuple[CutResult, ...]
    left_out: int = 0

    @property
    def equal_count(self) -> int:
        return sum(cell.equal for cell in self.cells)


def cuts_of(count: int, random_cuts: int = 200, two_way_limit: int = 1_000) -> tuple[list[Cut], int]:
    """The cuts of so many ids, and how many two-way cuts were left out.

    >>> [cut.name for cut in cuts_of(3, random_cuts=1)[0]]
    ['whole', 'one by one', '2 a delta', 'after 1', 'after 2', 'seed 0']
    """
    cuts = [Cut("whole", "whole", (count,)), Cut("one by one", "one by one", even(count, 1))]
    cuts += [Cut(f"{k} a delta", "even", even(count, k)) for k in range(2, min(LARGEST_EVEN, count - 1) + 1)]
    pairs = list(two_way(count))
    step = -(-len(pairs) // two_way_limit) if pairs else 1
    cuts += [Cut(f"after {sizes[0]}", "two-way", sizes) for sizes in pairs[::step]]
    cuts += [Cut(f"seed {seed}", "random", seeded(count, seed)) for seed in range(random_cuts)]
    return cuts, len(pairs) - len(pairs[::step])


def fuzz(
    tokenizer: Tokenizer,
    ids: Sequence[int],
    settings: StreamSettings,
    strategy: Strategy = STRATEGIES["bytes"],
    random_cuts: int = 200,
    two_way_limit: int = 1_000,
) -> FuzzReport:
    """Replay the ids under every cut and compare with our answer to the whole.

    >>> from tokcore.pipeline import Tokenizer
    >>> model = {"vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}
    >>> tokenizer = Tokenizer.from_str('{"decoder": {"type": "Fuse"}, "model": %s}' % str(model).replace("'", '"'))
    >>> report = fuzz(tokenizer, [0, 1, 2, 0], StreamSettings(stops=("bc",)), random_cuts=3)
    >>> report.equal_count == len(report.cells), report.expected["content"]
    (True, 'a')
    """
    cuts, left_out = cuts_of(len(ids), random_cuts, two_way_limit)
    expected = answer(tokenizer, ids, settings, (len(ids),), STRATEGIES["bytes"])
    cells = []
    for cut in cuts:
        message, reason = found = answer(tokenizer, ids, settings, cut.sizes, strategy)
        cells.append(CutResult(cut, found == expected, message, reason))
    return FuzzReport(strategy.name, expected[0], tuple(cells), left_out)


def answer(
    tokenizer: Tokenizer, ids: Sequence[int], settings: StreamSettings, sizes: Sequence[int], strategy: Strategy
) -> tuple[Mapping[str, Any], str]:
    """The message a client has in the end, and the reason it ended: a replay without its steps."""
    cut_off = settings.max_tokens is not None and len(ids) > settings.max_tokens
    ids = ids[: settings.max_tokens] if cut_off else ids
    stream = Stream(tokenizer, settings, strategy)

    def deltas() -> Iterator[dict[str, Any]]:
        for _, part in parts_of(ids, sizes):
            yield from stream.deltas_of(stream.add(part))
            if stream.stopped is not None:
                break
        yield from stream.deltas_of(stream.finish())

    message = join_deltas(deltas())
    return message, finish_reason(stream, message, cut_off)
