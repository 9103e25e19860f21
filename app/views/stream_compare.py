"""The same ids under every strategy: what a client has in the end, and how long characters waited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from app.views.stream_choices import STRATEGY_WORDS, strategy_title
from app.views.visible import Run, visible_runs
from tokcore.generation import Replay
from tokcore.parsing import Kind

# SequenceMatcher's time grows with the square.
ALIGNED_CHARACTERS = 1_500
SHOWN_CHARACTERS = 600
VERBATIM = (Kind.REASONING, Kind.CONTENT, Kind.ARGUMENTS)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text; `differs`: ours has something else here (or nothing)."""

    runs: tuple[Run, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the message under a strategy; `missing`: ours has it and this has not."""

    title: str
    parts: tuple[Part, ...]
    missing: bool
    more: int


@dataclass(frozen=True, slots=True)
class Wait:
    """How many tokens later characters left than the token that completed them came; over `characters` of them."""

    mean: float
    longest: int
    characters: int

    @property
    def words(self) -> str:
        """The wait as it is said.

        >>> Wait(0.25, 3, 100).words, Wait(0.0, 0, 100).words
        ('a character waits 0.25 tokens, at most 3', 'every character leaves with its token')
        """
        if not self.characters:
            return "no character went out"
        if not self.longest:
            return "every character leaves with its token"
        return f"a character waits {self.mean:.2f} tokens, at most {self.longest:,}"


@dataclass(frozen=True, slots=True)
class StrategyRow:
    name: str
    title: str
    words: str
    same: bool
    fields: tuple[Field, ...]
    finish_reason: str
    reason_differs: bool
    wait: Wait


@dataclass(frozen=True, slots=True)
class CompareView:
    """One row a strategy, ours first; `cut_at`: how many ids were compared, None for all."""

    rows: tuple[StrategyRow, ...]
    cut_at: int | None


def compare_view(replays: Mapping[str, Replay], cut_at: int | None) -> CompareView:
    """Rows in the order given; the first is what the others are compared with."""
    names = list(replays)
    ours = replays[names[0]]
    completes = completing_tokens(ours)
    rows = []
    for name in names:
        replay = replays[name]
        fields = compared(texts_of(ours.message), texts_of(replay.message))
        rows.append(
            StrategyRow(
                name=name,
                title=strategy_title(name),
                words=STRATEGY_WORDS.get(name, ""),
                same=texts_of(ours.message) == texts_of(replay.message) and ours.finish_reason == replay.finish_reason,
                fields=fields,
                finish_reason=replay.finish_reason,
                reason_differs=replay.finish_reason != ours.finish_reason,
                wait=wait(replay, completes if replay.text == ours.text else completing_tokens(replay)),
            )
        )
    return CompareView(tuple(rows), cut_at)


def completing_tokens(replay: Replay) -> list[int]:
    """For each character of the decoded text, how many tokens had come when it was decoded."""
    tokens: list[int] = []
    for step in replay.steps:
        tokens += [step.start + len(step.ids)] * len(step.text)
    return tokens


def wait(replay: Replay, completes: Sequence[int]) -> Wait:
    """How long the characters that a client got verbatim had to wait; the end of the stream counts as one token."""
    total = longest = count = 0
    for step in replay.steps:
        left = step.start + len(step.ids) + (0 if step.ids else 1)
        for event in step.events:
            if event.kind in VERBATIM:
                for at in range(event.span.start, min(event.span.end, len(completes))):
                    late = max(0, left - completes[at])
                    total, longest, count = total + late, max(longest, late), count + 1
    return Wait(total / count if count else 0.0, longest, count)


def texts_of(message: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a message by their titles, ids left out.

    >>> texts_of({"content": "a", "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]})
    {'content': 'a', 'call 0': 'f({})'}
    """
    pairs = (("reasoning", message.get("reasoning_content")), ("content", message.get("content")))
    texts = {title: text for title, text in pairs if text}
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        texts[f"call {call.get('index')}"] = f"{function.get('name') or ''}({function.get('arguments') or ''})"
    return texts


def compared(ours: Mapping[str, str], theirs: Mapping[str, str]) -> tuple[Field, ...]:
    """Every field that either has, theirs drawn, with what differs marked."""
    titles = [*ours, *(title for title in theirs if title not in ours)]
    return tuple(
        Field(title, *differing(ours.get(title, ""), theirs[title]), more=max(0, len(theirs[title]) - SHOWN_CHARACTERS))
        if title in theirs
        else Field(title, (), missing=True, more=0)
        for title in titles
    )


def differing(ours: str, theirs: str) -> tuple[tuple[Part, ...], bool]:
    """Their text in parts, those that differ marked; a place where ours has more is marked on the character before it.

    >>> [("".join(run.text for run in part.runs), part.differs) for part in differing("abc", "aXc")[0]]
    [('a', False), ('X', True), ('c', False)]
    """
    marks = [False] * len(theirs)
    for start, stop in differences(ours, theirs):
        if start == stop:
            start = max(0, start - 1)
            stop = min(start + 1, len(theirs))
        marks[start:stop] = [True] * (stop - start)
    parts: list[Part] = []
    at = 0
    shown = min(len(theirs), SHOWN_CHARACTERS)
    while at < shown:
        end = at
        while end < shown and marks[end] == marks[at]:
            end += 1
        parts.append(Part(visible_runs(theirs[at:end]), marks[at]))
        at = end
    return tuple(parts), False


def differences(ours: str, theirs: str) -> list[tuple[int, int]]:
    """Stretches of `theirs` that are not in `ours`; an empty one is a place where something is missing."""
    if ours == theirs:
        return []
    if max(len(ours), len(theirs)) > ALIGNED_CHARACTERS:
        start = next(
            (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
        )
        return [(start, len(theirs))]
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    return [(b1, b2) for tag, _, _, b1, b2 in matcher.get_opcodes() if tag != "equal"]
