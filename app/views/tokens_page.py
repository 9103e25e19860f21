"""What the Tokens page shows: one view for the page, one for the part that changes while someone types."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from app.catalogue import Catalogue
from app.counts import Counts
from app.errors import Problem
from app.examples import BY_TEXT, EXAMPLES, Example
from app.forms import EncodeInput
from app.settings import Settings
from app.views.chips import Chunk, chunk
from app.views.figures import Figure, figures, meaning
from app.views.pipeline import PipelineView
from app.views.visible import has_right_to_left
from tokcore.tokens import Encoding

OWN_ORDER_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class TokenizerOption:
    """One row of the picker."""

    name: str
    title: str
    note: str
    available: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class ExampleLink:
    """One row of the examples menu: a link that works without script."""

    title: str
    query: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """Counts, sentence and first chips of one input; `pending`: only the beginning of a text, the whole comes next.

    `query` is that of a link to this state, without the text where it is too long for an address (`link_is_long`).
    `own_order`: the text itself where some of it runs right to left, else "".
    """

    key: str
    figures: tuple[Figure, ...]
    meaning: str
    chunk: Chunk
    query: str
    link_is_long: bool
    adds_tokens: bool
    own_order: str
    own_order_is_cut: bool
    pending: bool = False


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page; `result` is None where the input was refused: `problem` says why."""

    form: EncodeInput
    tokenizers: tuple[TokenizerOption, ...]
    examples: tuple[ExampleLink, ...]
    text_limit_bytes: int
    result: ResultView | None = None
    problem: Problem | None = None
    pipeline: PipelineView | None = None


def result_view(
    form: EncodeInput,
    key: str,
    encoding: Encoding,
    *,
    special_ids: Collection[int],
    adds_tokens: bool,
    default_tokenizer: str,
    settings: Settings,
    start: int = 0,
    pending: bool = False,
) -> ResultView:
    """The result of an input, its chips from token `start` on."""
    example = BY_TEXT.get(form.text)
    counts = Counts.of(form.text, len(encoding))
    query = form.link_query(default_tokenizer, settings)
    shown = form.text[:OWN_ORDER_CHARACTERS]
    return ResultView(
        key="" if pending else key,
        figures=figures(counts),
        meaning=meaning(counts, example.subject if example is not None else ""),
        chunk=chunk(encoding, start, settings.first_screen_tokens, special_ids),
        query=replace(form, text="").to_query(default_tokenizer) if query is None else query,
        link_is_long=query is None or pending,
        adds_tokens=adds_tokens,
        own_order=shown.replace("\0", "\u2400") if has_right_to_left(shown) else "",
        own_order_is_cut=len(form.text) > len(shown),
        pending=pending,
    )


def page_view(
    form: EncodeInput,
    catalogue: Catalogue,
    settings: Settings,
    *,
    result: ResultView | None = None,
    problem: Problem | None = None,
    pipeline: PipelineView | None = None,
) -> PageView:
    """The page around a result or a refusal."""
    return PageView(
        form=form,
        tokenizers=tokenizer_options(catalogue, form.tokenizer),
        examples=tuple(_example_link(example, form, catalogue.default) for example in EXAMPLES),
        text_limit_bytes=settings.text_limit_bytes,
        result=result,
        problem=problem,
        pipeline=pipeline,
    )


def tokenizer_options(catalogue: Catalogue, chosen: str) -> tuple[TokenizerOption, ...]:
    """The picker's rows; an absent tokenizer is listed with what to install."""
    return tuple(
        TokenizerOption(
            name=info.name,
            title=info.title,
            note="" if info.vocab_size is None else f"{info.vocab_size:,} entries",
            available=info.available,
            chosen=chosen in (info.name, info.sha256),
        )
        for info in catalogue.listing()
    )


def _example_link(example: Example, form: EncodeInput, default_tokenizer: str) -> ExampleLink:
    return ExampleLink(example.title, replace(form, text=example.text).to_query(default_tokenizer))
