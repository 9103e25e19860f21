"""A trace as stages to read: what each component found, changed or cut, in words and in pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from app.views.changes import UNCHANGED, changes_in_words, compared, old_characters, text_of
from app.views.check import CheckView
from app.views.chips import ORIGIN_CSS
from app.views.stage_words import stage_words
from app.views.visible import Run, visible_runs
from tokcore.added_tokens import AddedMatch, Segment
from tokcore.tokens import Encoding, Token
from tokcore.trace import TextStage, TokenStage, Trace

SEGMENTS_SHOWN = 240
REFERENCE_VERSION = version("tokenizers") if find_spec("tokenizers") else ""
CHARACTERS_SHOWN = 1_500


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a stage's text. `state`: "" as before, "changed" by this stage, "gone" with this stage."""

    runs: tuple[Run, ...]
    state: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A segment, token or id of a stage; `css` marks added and placed ones."""

    parts: tuple[Part, ...]
    css: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """One row: what the component is called and where it stands, what happened, and the result.

    A stage that changed nothing has no pieces; `more` counts those that are not shown; `config` is the component as the
    file writes it.
    """

    name: str
    component: str
    pointer: str
    words: str
    outcome: str
    pieces: tuple[Piece, ...]
    more: int
    boxed: bool
    config: str = ""


@dataclass(frozen=True, slots=True)
class PipelineView:
    """All stages in order.

    `cut_at`: where a long text was cut for this view, None where it is whole. `agrees`: whether the last ids are those
    of the chips, None where they were not compared. `check`: what a comparison with the library `reference` gave.
    """

    stages: tuple[Stage, ...]
    cut_at: int | None = None
    agrees: bool | None = None
    check: CheckView | None = None
    reference: str = REFERENCE_VERSION


def pipeline_view(
    trace: Trace, components: Mapping[str, Any], cut_at: int | None = None, expected: Encoding | None = None
) -> PipelineView:
    """The stages of a trace; a stage that changes nothing is still a row, and says so.

    `expected`: what the page's chips show, to be compared with what the stages lead to.
    """
    rows: list[Stage] = []
    before: Sequence[Segment] = ()
    for stage in trace.text_stages:
        rows.append(_text_row(stage, before, components))
        before = stage.segments
    earlier: Sequence[Token] = ()
    for token_stage in trace.token_stages:
        rows.append(_token_row(token_stage, earlier, components))
        earlier = [token for sequence in token_stage.sequences for token in sequence]
    rows.append(_final_row(trace))
    agrees = None if expected is None else trace.encoding.ids == expected.ids
    return PipelineView(tuple(rows), cut_at, agrees)


def _text_row(stage: TextStage, before: Sequence[Segment], components: Mapping[str, Any]) -> Stage:
    matches = [segment for segment in stage.segments if isinstance(segment, AddedMatch)]
    words = stage_words(stage.component, stage.name)
    pieces: list[Piece] = []
    room = CHARACTERS_SHOWN
    old = old_characters(before) if stage.name == "normalizer" else None
    for segment in stage.segments[:SEGMENTS_SHOWN]:
        if room <= 0:
            break
        pieces.append(_piece(segment, old, room))
        room -= len(text_of(segment))
    count, changed = len(stage.segments), True
    if stage.name == "text":
        words, outcome = "What the tokenizer is given.", ""
    elif stage.name == "added tokens":
        new = len(matches) - sum(isinstance(segment, AddedMatch) for segment in before)
        words = "Control tokens are looked for before anything else reads the text."
        outcome, changed = (f"{new} found.", True) if new else ("None found.", False)
    elif stage.name == "normalizer":
        outcome = changes_in_words(stage.segments, before)
        changed = outcome != UNCHANGED
    else:
        cut = count - len(before)
        outcome = f"{count:,} {'piece' if count == 1 else 'pieces'}."
        if not cut:
            same = [text_of(segment) for segment in stage.segments] == [text_of(segment) for segment in before]
            outcome += " Nothing to cut." if same else " No new cut; other signs, same pieces."
    return Stage(
        name=stage.name,
        component=stage.component if stage.name not in ("text", "added tokens") else "",
        pointer=stage.pointer,
        words=words,
        outcome=outcome,
        pieces=tuple(pieces) if changed else (),
        more=count - len(pieces) if changed else 0,
        boxed=stage.name != "text",
        config=_config(components, stage.pointer),
    )


def _token_row(stage: TokenStage, before: Sequence[Token], components: Mapping[str, Any]) -> Stage:
    tokens = [token for sequence in stage.sequences for token in sequence]
    words = stage_words(stage.component, stage.name)
    changed = tokens != list(before)
    difference = len(tokens) - len(before)
    if stage.name == "post-processor":
        outcome = f"Placed {difference}." if difference else "No tokens placed."
    elif stage.name == "truncation":
        outcome = f"Cut off {-difference:,}." if difference else "Short enough: nothing cut off."
    elif stage.name == "padding":
        outcome = f"Filled up with {difference:,}." if difference else "Long enough: nothing filled up."
    else:
        outcome = f"{len(tokens):,} {'token' if len(tokens) == 1 else 'tokens'}."
    return Stage(
        name=stage.name,
        component=stage.component,
        pointer=stage.pointer,
        words=words,
        outcome=outcome,
        pieces=tuple(_token_piece(token) for token in tokens[:SEGMENTS_SHOWN]) if changed else (),
        more=max(0, len(tokens) - SEGMENTS_SHOWN) if changed else 0,
        boxed=True,
        config=_config(components, stage.pointer),
    )


def _final_row(trace: Trace) -> Stage:
    tokens = trace.encoding.entries
    ids = [Piece((Part(visible_runs(str(token.id))),), css=_css(token)) for token in tokens[:SEGMENTS_SHOWN]]
    outcome = f"{len(tokens):,} {'id' if len(tokens) == 1 else 'ids'}."
    more = max(0, len(tokens) - SEGMENTS_SHOWN)
    return Stage("ids", "", "", "What the model receives.", outcome, tuple(ids), more, boxed=True)


def _token_piece(token: Token) -> Piece:
    return Piece((Part(visible_runs(token.value)),), css=_css(token))


def _css(token: Token) -> str:
    return ORIGIN_CSS[token.origin]


def _piece(segment: Segment, old: Mapping[int, str] | None, room: int) -> Piece:
    if isinstance(segment, AddedMatch):
        return Piece((Part(visible_runs(segment.text)),), css="add")
    if old is None:
        return Piece((Part(visible_runs(segment.text[:room])),))
    parts = [
        Part(visible_runs(new or was), "" if was == new else "changed" if new else "gone")
        for was, new in compared(segment.slice(0, room), old)
    ]
    return Piece(tuple(_joined(parts)))


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Neighbours of one state as one part."""
    joined: list[Part] = []
    for part in parts:
        if joined and joined[-1].state == part.state == "":
            text = "".join(run.text for run in (*joined[-1].runs, *part.runs))
            joined[-1] = Part(visible_runs(text), part.state)
        else:
            joined.append(part)
    return joined


def _config(components: Mapping[str, Any], pointer: str) -> str:
    """The component as the file writes it; nothing for the long lists."""
    if not pointer or pointer.startswith(("/model", "/added_tokens")):
        return ""
    value: Any = components
    for key in pointer[1:].split("/"):
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return ""
    return json.dumps(value, ensure_ascii=False)
