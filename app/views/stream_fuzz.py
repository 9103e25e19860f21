"""Many cuts of the same ids: a strip of cells a strategy, equal or different."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from app.views.stream_choices import strategy_title
from tokcore.cut_fuzzer import Cut, CutResult, FuzzReport
from tokcore.generation import STRATEGIES

OURS = next(iter(STRATEGIES))

KIND_TITLES = {
    "whole": "all at once",
    "one by one": "one by one",
    "even": "k tokens a delta",
    "two-way": "every cut in two",
    "random": "random cuts",
}
NAMED_DIFFERENCES = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """One cut: `value` is what replays it (strategy:cut:number)."""

    name: str
    value: str
    equal: bool

    @property
    def label(self) -> str:
        return f"{self.name}: {'equal' if self.equal else 'different'}"


@dataclass(frozen=True, slots=True)
class CellGroup:
    title: str
    cells: tuple[Cell, ...]

    @property
    def words(self) -> str:
        """
        >>> CellGroup("random cuts", (Cell("seed 0", "", True), Cell("seed 1", "", False))).words
        '1 of 2 differ'
        """
        different = sum(not cell.equal for cell in self.cells)
        return f"{different:,} of {len(self.cells):,} differ" if different else f"all {len(self.cells):,} equal"


@dataclass(frozen=True, slots=True)
class FuzzView:
    """A strategy's report; `next_strategy` is asked for after it, "" where it is the last."""

    strategy: str
    title: str
    all_equal: bool
    words: str
    groups: tuple[CellGroup, ...]
    differing: tuple[Cell, ...]
    more: int
    notes: tuple[str, ...]
    next_strategy: str

    @property
    def is_open(self) -> bool:
        """Whether the cells are unfolded: ours, and those that differ."""
        return self.strategy == OURS or not self.all_equal

    @property
    def total(self) -> int:
        return sum(len(group.cells) for group in self.groups)


def fuzz_view(report: FuzzReport, next_strategy: str, cut_at: int | None) -> FuzzView:
    """`cut_at`: how many ids were cut up, None for all."""
    cells = [(result.cut.kind, cell_of(report.strategy, result)) for result in report.cells]
    groups = tuple(
        CellGroup(KIND_TITLES.get(kind, kind), tuple(cell for _, cell in members))
        for kind, members in groupby(cells, key=lambda pair: pair[0])
    )
    different = [cell for _, cell in cells if not cell.equal]
    notes = []
    if report.left_out:
        notes.append(f"{report.left_out:,} of the cuts in two were left out, evenly spread.")
    if cut_at is not None:
        notes.append(f"Cut up are the first {cut_at:,} tokens.")
    return FuzzView(
        strategy=report.strategy,
        title=strategy_title(report.strategy),
        all_equal=not different,
        words=words(report),
        groups=groups,
        differing=tuple(different[:NAMED_DIFFERENCES]),
        more=max(0, len(different) - NAMED_DIFFERENCES),
        notes=tuple(notes),
        next_strategy=next_strategy,
    )


def words(report: FuzzReport) -> str:
    total, equal = len(report.cells), report.equal_count
    if equal == total:
        return f"{equal:,} of {total:,} cuts equal"
    return f"{total - equal:,} of {total:,} cuts differ"


def cell_of(strategy: str, result: CutResult) -> Cell:
    cut, n = form_of(result.cut)
    return Cell(result.cut.name, f"{strategy}:{cut}:{n}", result.equal)


def form_of(cut: Cut) -> tuple[str, str]:
    """The choice and number of the form that make this cut.

    >>> form_of(Cut("after 3", "two-way", (3, 4))), form_of(Cut("seed 7", "random", (1, 2)))
    (('after', '3'), ('random', '7'))
    """
    match cut.kind:
        case "whole":
            return "whole", ""
        case "one by one":
            return "one", ""
        case "even":
            return "even", str(cut.sizes[0])
        case "two-way":
            return "after", str(cut.sizes[0])
        case _:
            return "random", cut.name.removeprefix("seed ")
