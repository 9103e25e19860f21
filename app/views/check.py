"""A text put through tokcore and the reference library, said in words."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.parity import Report


@dataclass(frozen=True, slots=True)
class CheckView:
    """What came of a comparison; `equal` is None where there was nothing to compare with.

    `rows`: the first difference as (label, value), with the shortest text that shows it.
    """

    equal: bool | None
    words: str
    rows: tuple[tuple[str, str], ...] = ()


def check_view(report: Report, version: str, cut_at: int | None = None) -> CheckView:
    """A report in words; `cut_at`: how many characters of the text were compared, None for all of them.

    >>> check_view(Report(texts=1, comparisons=3), "0.23.3").words
    'Equal to tokenizers 0.23.3: ids, tokens, spans and decoded text, compared in 3 ways.'
    """
    found = report.difference
    if report.crashes and found is None:
        return CheckView(None, f"tokenizers {version} fails on this text, so there is nothing to compare with.")
    if found is None:
        ways = "1 way" if report.comparisons == 1 else f"{report.comparisons} ways"
        words = f"Equal to tokenizers {version}: ids, tokens, spans and decoded text, compared in {ways}."
        part = "" if cut_at is None else f" Compared were the first {cut_at:,} characters."
        return CheckView(True, words + part)
    where = "" if found.at is None else f" at {found.at}"
    rows = [("Text", repr(found.given.text)), (f"{found.field}{where}, here", found.ours), ("There", found.theirs)]
    if found.stage is not None:
        rows.append(("Stage", found.stage.name))
    return CheckView(
        False, f"Not equal to tokenizers {version}. This is a fault of Tokboard: please report it.", tuple(rows)
    )


def unloadable(version: str) -> CheckView:
    """The reference refuses the tokenizer itself."""
    return CheckView(None, f"tokenizers {version} cannot load this tokenizer, so there is nothing to compare with.")
