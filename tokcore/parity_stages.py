"""Where a difference between tokcore and the reference library arises: stage after stage through both.

The reference shows only its results. To see what it has after some of its stages, a small reference tokenizer is made
of just these, with a model that gives every piece as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING, Any

from tokcore import trace as tracing
from tokcore.added_tokens import AddedMatch, Segment
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span
from tokcore.truncation import Part

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Reference

# What a comparison looks at in the tokens behind the model, and what it calls it.
TOKEN_FIELDS = ("ids", "tokens", "offsets", "type_ids", "word_ids", "special_tokens_mask", "attention_mask")
# Every piece is unknown to this model, and an unknown piece's value is the piece.
ECHO = {"type": "Unigram", "vocab": [["\U0010ffff", 0.0]], "unk_id": 0, "byte_fallback": False}
CHARACTERS = {"type": "Split", "pattern": {"Regex": "(?m:.)"}, "behavior": "Isolated", "invert": False}
CHILDREN = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
SHOWN_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Given:
    """What both are asked to encode."""

    text: str
    pair: str | None = None
    add_special_tokens: bool = True
    split_special_tokens: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """Two values that ought to be equal; of a decoded text also its ids, and whether special tokens were skipped.

    `is_crash`: the reference crashed, so there is no value of it.
    """

    field: str
    ours: object
    theirs: object
    ids: tuple[int, ...] = ()
    skip_special_tokens: bool = False
    is_crash: bool = False


@dataclass(frozen=True, slots=True)
class StageDifference:
    """The first stage behind which the two differ.

    `name` is the kind of step as in a trace ("added tokens", "normalizer", "pre-tokenizer", "model", "truncation",
    "post-processor", "padding", "tokens", "decoder"; "fast path" where only tokcore's own ways differ), `component`
    its name in the file, `pointer` its place there, `what` the part of its result that differs.
    """

    name: str
    component: str
    pointer: str
    what: str
    ours: str
    theirs: str


def find_stage(tokenizer: Tokenizer, reference: Reference, given: Given, found: Found) -> StageDifference | None:
    """The first stage that differs; None where one refuses the text and no single stage shows it."""
    if found.field in ("trace", "encode_ids"):
        return StageDifference("fast path", "", "", found.field, shown(found.ours), shown(found.theirs))
    if found.field == "decode":
        return decode_stage(tokenizer, reference, found)
    if found.field == "outcome":
        return None
    trace = tokenizer.trace(given.text, given.pair, given.add_special_tokens, given.split_special_tokens)
    probe = Probe(reference, given.split_special_tokens)
    for source, stages in ((given.text, trace.text_stages), (given.pair or "", trace.pair_stages)):
        difference = probe.text_stage(source, stages) or model_stage(tokenizer, reference, stages)
        if difference is not None:
            return difference
    return token_stage(tokenizer, reference, given, trace)


class Probe:
    """The reference's text stages, one more at a time."""

    def __init__(self, reference: Reference, split_special_tokens: bool) -> None:
        self._reference = type(reference)
        self._file = json.loads(reference.to_str())
        self._split_special_tokens = split_special_tokens

    def text_stage(self, source: str, stages: Sequence[tracing.TextStage]) -> StageDifference | None:
        """The first text stage that gives other pieces, or the same with other spans."""
        added: list[Any] = []
        steps: dict[str, list[Any]] = {"normalizer": [], "pre_tokenizer": []}
        for stage in stages[1:]:
            if stage.name == "added tokens":
                wanted = stage.component == "normalized"
                added += [token for token in self._file["added_tokens"] if token["normalized"] is wanted]
            else:
                steps[stage.pointer.split("/")[1]].append(at_pointer(self._file, stage.pointer))
            # Before any pre-tokenizer the text is one piece; cut into characters it shows the span of each.
            cut = steps["pre_tokenizer"] or [CHARACTERS]
            small = self._small(added, sequence("normalizer", steps["normalizer"]), sequence("pre_tokenizer", cut))
            encoding = small.encode(source, add_special_tokens=False)
            ours = segments_shown(stage.segments, whole=bool(steps["pre_tokenizer"]))
            theirs = list(zip(encoding.tokens, starmap(Span, encoding.offsets), strict=True))
            if ours != theirs:
                return differing(stage.name, stage.component, stage.pointer, "(piece, span)", ours, theirs)
        return None

    def _small(self, added: Sequence[Any], normalizer: Any, pre_tokenizer: Any) -> Reference:
        parts = {"added_tokens": added, "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "model": ECHO}
        small = self._reference.from_str(json.dumps({"version": "1.0", **parts}))
        small.encode_special_tokens = self._split_special_tokens
        return small


def segments_shown(segments: Sequence[Segment], whole: bool) -> list[tuple[str, Span]]:
    """What the small reference gives for these segments: pieces as they are, or characters one by one."""
    listed: list[tuple[str, Span]] = []
    for segment in segments:
        if isinstance(segment, AddedMatch):
            listed.append((segment.text, segment.span))
        elif whole:
            listed.append((segment.text, segment.span(0, len(segment.text))))
        else:
            listed += zip(segment.text, segment.origins, strict=True)
    return listed


def model_stage(
    tokenizer: Tokenizer, reference: Reference, stages: Sequence[tracing.TextStage]
) -> StageDifference | None:
    """The first piece of which the models make something else; an added token's id counts too."""
    step = tokenizer.model
    for segment in stages[-1].segments if stages else ():
        if isinstance(segment, AddedMatch):
            content, id = segment.token.content, segment.token.id
            if reference.token_to_id(content) != id:
                return differing(
                    "added tokens", "", "/added_tokens", f"id of {content!r}", id, reference.token_to_id(content)
                )
            continue
        ours = [(token.id, token.value, tuple(token.at)) for token in step.component.tokenize(segment.text)]
        theirs = [(token.id, token.value, tuple(token.offsets)) for token in reference.model.tokenize(segment.text)]
        if ours != theirs:
            what = f"(id, token, bytes) of the piece {segment.text!r}"
            return differing("model", step.name, step.pointer, what, ours, theirs)
    return None


def token_stage(
    tokenizer: Tokenizer, reference: Reference, given: Given, trace: tracing.Trace
) -> StageDifference | None:
    """The first stage behind the pieces that differs: placing the model's tokens, post-processors, truncation, padding.

    The post-processors are looked at without truncation and padding, which are taken to be at fault if they are not.
    """
    file = json.loads(reference.to_str())

    def against(parts: Sequence[Part], *stage: str, **changes: Any) -> StageDifference | None:
        other = type(reference).from_str(json.dumps({**file, **changes}))
        other.encode_special_tokens = given.split_special_tokens
        theirs = other.encode(given.text, given.pair, add_special_tokens=given.add_special_tokens)
        ours = tracing.encoding(given.text, given.pair, parts)
        name, component, pointer = stage
        for field in TOKEN_FIELDS:
            if getattr(ours, field) != getattr(theirs, field):
                return differing(name, component, pointer, field, getattr(ours, field), getattr(theirs, field))
        return None

    alone: dict[str, Any] = {"truncation": None, "padding": None}
    model = trace.token_stages[0]
    parts: Sequence[Part] = list(map(Part, model.sequences))
    difference = against(parts, "model", model.component, model.pointer, **alone, post_processor=None)
    used: list[Any] = []
    for step in tokenizer.post_processors:
        if difference is not None:
            return difference
        used.append(at_pointer(file, step.pointer))
        parts = step.component.process(parts, given.add_special_tokens)
        place = ("post-processor", step.name, step.pointer)
        difference = against(parts, *place, **alone, post_processor=sequence("post_processor", used))
    for name, changes in (("truncation", {"padding": None}), ("padding", {})):
        done = [stage for stage in trace.token_stages if name == "padding" or stage.name != "padding"][-1]
        if difference is None and file[name] is not None:
            difference = against(list(map(Part, done.sequences)), name, "", f"/{name}", **changes)
    return difference


def decode_stage(tokenizer: Tokenizer, reference: Reference, found: Found) -> StageDifference | None:
    """The first decoder that makes another text, or the tokens if their own strings differ."""
    stages = tokenizer.trace_decode(found.ids, found.skip_special_tokens).stages
    tokens = list(stages[0].tokens)
    file = json.loads(reference.to_str())
    without = type(reference).from_str(json.dumps({**file, "decoder": None}))
    theirs = without.decode(list(found.ids), found.skip_special_tokens)
    if theirs != " ".join(tokens):
        return differing("tokens", "", "", "joined by spaces", " ".join(tokens), theirs)
    used: list[Any] = []
    for stage in stages[1:]:
        used.append(at_pointer(file, stage.pointer))
        parts = {"decoder": sequence("decoder", used), "model": ECHO}
        decoder = type(reference).from_str(json.dumps({"version": "1.0", **parts})).decoder
        assert decoder is not None
        text = decoder.decode(tokens)
        if text != "".join(stage.tokens):
            return differing(stage.name, stage.component, stage.pointer, "joined", "".join(stage.tokens), text)
    return None


def sequence(kind: str, steps: Sequence[Any]) -> dict[str, Any] | None:
    """The JSON of several components of one kind; null for none."""
    return {"type": "Sequence", CHILDREN[kind]: list(steps)} if steps else None


def at_pointer(file: Mapping[str, Any], pointer: str) -> Any:
    """The JSON at a component's pointer; the reference's own file has the steps of tokcore's.

    >>> at_pointer({"normalizer": {"normalizers": [{"type": "NFC"}]}}, "/normalizer/normalizers/0")
    {'type': 'NFC'}
    """
    value: Any = file
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def differing(name: str, component: str, pointer: str, what: str, ours: Any, theirs: Any) -> StageDifference:
    at = first_index(ours, theirs)
    return StageDifference(name, component, pointer, what, shown(ours, at), shown(theirs, at))


def first_index(ours: object, theirs: object) -> int | None:
    """Where two lists first differ, None for what is no list.

    >>> first_index([1, 2], [1, 3]), first_index([1], [1, 2]), first_index("a", "b")
    (1, 1, None)
    """
    if not (isinstance(ours, list | tuple) and isinstance(theirs, list | tuple)):
        return None
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def shown(value: object, at: int | None = None) -> str:
    """A value for people: whole if it is short, else a list from the index that matters.

    >>> shown([1, 2]), shown(list(range(1000)), 998)
    ('[1, 2]', '[…, 998, 999]')
    """
    text = repr(value)
    if len(text) > SHOWN_LENGTH and at is not None and isinstance(value, list | tuple):
        text = "[…, " + repr(list(value[at : at + 5]))[1:]
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"
