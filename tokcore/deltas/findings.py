"""The rules of the lint by id, and findings by them. docs/lint.md lists the same rules."""

from __future__ import annotations

from dataclasses import dataclass

from tokcore.deltas import rules_of_chunks, rules_of_texts
from tokcore.deltas.rule import Rule, Severity

RULES: dict[str, Rule] = {rule.id: rule for rule in (*rules_of_chunks.RULES, *rules_of_texts.RULES)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the line where it was seen first, and how many more times in the same answer.

    >>> Finding(3, "done-missing", "no [DONE] after line 3").severity
    <Severity.WARNING: 'warning'>
    """

    line: int
    rule: str
    what: str
    again: int = 0

    @property
    def severity(self) -> Severity:
        return RULES[self.rule].severity

    @property
    def remedy(self) -> str:
        return RULES[self.rule].remedy


class Findings:
    """Collects findings; the same rule about the same thing is one finding, counted.

    >>> findings = Findings()
    >>> findings.add(2, "role-repeated", "again", key=0)
    >>> findings.add(5, "role-repeated", "again", key=0)
    >>> findings.sorted()
    (Finding(line=2, rule='role-repeated', what='again', again=1),)
    """

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Finding] = {}

    def add(self, line: int, rule: str, what: str, key: object = None) -> None:
        """`key` None: a finding of its own; else that of the first with this rule and key."""
        assert rule in RULES, rule
        place = (rule, key) if key is not None else (rule, None, len(self._found))
        known = self._found.get(place)
        if known is None:
            self._found[place] = Finding(line, rule, what)
        else:
            self._found[place] = Finding(known.line, rule, known.what, known.again + 1)

    def sorted(self) -> tuple[Finding, ...]:
        """By line, in one line as found."""
        return tuple(sorted(self._found.values(), key=lambda finding: finding.line))
