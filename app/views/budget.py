"""A budget as drawn: the verdict, what to cut, the bar, the table, the languages, the KV cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.budget_input import FIELDS, GROUPS, TEXTS, BudgetForm, Group
from app.budget_request import BudgetRequest
from app.budget_samples import MODELS, REFERENCE, SAMPLES, SENTENCES, Model
from app.catalogue import Catalogue
from app.errors import Problem
from app.settings import Settings
from app.views.budget_bar import Bar, bar
from app.views.budget_languages import Cache, LanguageRow, cache, documents_given, languages
from app.views.budget_words import (
    PART_TITLES,
    amount,
    cut_words,
    number,
    plan_words,
    room_words,
    shorter_words,
    signed,
    verdict,
)
from app.views.tokens_page import TokenizerOption, tokenizer_options
from tokcore.chat.budget import Budget, Cut, Part

# What one would sooner go without.
CUT_ORDER = ("documents", "history", "margin", "answer", "tools", "system", "template")


@dataclass(frozen=True, slots=True)
class Row:
    """One part: its name, how its tokens come about, and the tokens; "" where a field of it cannot be read."""

    name: str
    title: str
    how: str
    tokens: str
    share: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of a form. `state`: "fits", "over", or "" where that cannot be said."""

    state: str
    verdict: str
    meaning: str
    model: str
    missing: tuple[str, ...]
    cuts: tuple[str, ...]
    cuts_title: str
    figures: tuple[tuple[str, str, str], ...]
    bar: Bar
    rows: tuple[Row, ...]
    total: Row
    left: Row | None
    languages: tuple[LanguageRow, ...]
    with_documents: bool
    cache: Cache | None
    counted: Mapping[str, str]
    fields: tuple[str, ...]
    query: str
    link_is_long: bool
    carry: str
    problems: Mapping[str, Problem]


@dataclass(frozen=True, slots=True)
class SampleLink:
    title: str
    shows: str
    query: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page; `result` is None where the form was refused as a whole: `problem` says why."""

    form: BudgetForm
    groups: tuple[Group, ...]
    models: tuple[Model, ...]
    samples: tuple[SampleLink, ...]
    tokenizers: tuple[TokenizerOption, ...]
    languages: tuple[tuple[str, str], ...]
    widths: tuple[tuple[str, str], ...]
    text_limit_bytes: int
    result: ResultView | None
    problem: Problem | None

    @property
    def problems(self) -> Mapping[str, Problem]:
        return self.result.problems if self.result is not None else {}

    @property
    def counted(self) -> Mapping[str, str]:
        return self.result.counted if self.result is not None else dict.fromkeys(TEXTS, "")


def page_view(
    form: BudgetForm,
    catalogue: Catalogue,
    settings: Settings,
    result: ResultView | None,
    problem: Problem | None,
) -> PageView:
    return PageView(
        form=form,
        groups=GROUPS,
        models=tuple(MODELS.values()),
        samples=tuple(
            SampleLink(
                sample.title, sample.shows, BudgetForm(form.tokenizer, sample.values).to_query(catalogue.default)
            )
            for sample in SAMPLES
        ),
        tokenizers=tokenizer_options(catalogue, form.tokenizer),
        languages=tuple((name, sentence.title) for name, sentence in SENTENCES.items()),
        widths=(("2", "2: FP16, BF16"), ("1", "1: FP8, INT8"), ("4", "4: FP32")),
        text_limit_bytes=settings.text_limit_bytes,
        result=result,
        problem=problem,
    )


def result_view(form: BudgetForm, found: BudgetRequest, default_tokenizer: str, settings: Settings) -> ResultView:
    query, is_long = form.link_query(default_tokenizer, settings)
    budget, used = found.budget, sum(part.tokens for part in found.known)
    whole = found.context_tokens or max(used, 1)
    title, cuts = _cuts(budget, found)
    left = None if budget is None else _left(budget, whole)
    return ResultView(
        state="" if budget is None else "over" if budget.over_tokens else "" if found.unknown else "fits",
        verdict=verdict(budget, used, bool(found.unknown)),
        meaning=room_words(budget),
        model=_model(found),
        missing=tuple(PART_TITLES[name] for name in found.unknown),
        cuts=cuts,
        cuts_title=title,
        figures=tuple(_figures(budget, found)),
        bar=bar(found.context_tokens, found.known),
        rows=tuple(_row(name, part, form, found, whole) for name, part in found.parts.items()),
        total=Row("total", "Together", "", number(used), share(used, whole)),
        left=left,
        languages=tuple(languages(found)),
        with_documents=documents_given(found),
        cache=cache(found, used),
        counted=_counted(found),
        fields=("tokenizer", *FIELDS),
        query=query,
        link_is_long=is_long,
        carry=form.carried_query(default_tokenizer),
        problems=found.problems,
    )


def _left(budget: Budget, whole: int) -> Row:
    title = "Too many" if budget.over_tokens else "Left"
    return Row("left", title, "", number(abs(budget.left_tokens)), share(budget.left_tokens, whole))


def share(tokens: int, whole: int) -> str:
    """Of the whole, in per cent.

    >>> share(3_072, 32_768), share(1, 32_768), share(0, 5)
    ('9.4 %', '< 0.1 %', '0 %')
    """
    part = Fraction(100 * abs(tokens), whole)
    if part == 0:
        return "0 %"
    if part > 999:
        return "> 999 %"
    return "< 0.1 %" if part < Fraction(1, 10) else f"{float(part):.1f} %"


def _model(found: BudgetRequest) -> str:
    """The model that context and cache are those of, "" where there is none."""
    given = tuple(found.numbers.get(name) for name in ("context", "kv_layers", "kv_heads", "kv_dim"))
    of = {
        (model.context_tokens, model.layers, model.kv_heads, model.head_dim): model.title for model in MODELS.values()
    }
    return "" if found.numbers.get("kv_token") else next((of[key] for key in of if key == given), "")


def _figures(budget: Budget | None, found: BudgetRequest) -> Iterator[tuple[str, str, str]]:
    """(value, label, note) of the figures above the bar."""
    if budget is None:
        return
    yield number(budget.context_tokens), "context", "tokens, prompt and answer together"
    yield (
        signed(budget.room_tokens),
        "for the input",
        "context less answer and margin; the template is part of the input",
    )
    yield number(budget.input_tokens), "input", "system, tools, documents, history, template"
    yield number(budget.reserved_tokens), "kept free", "answer and margin"


def _cuts(budget: Budget | None, found: BudgetRequest) -> tuple[str, tuple[str, ...]]:
    """A title and a list: what to cut, or, where the request fits, what there is room for."""
    if budget is None:
        return "", ()
    if not budget.over_tokens:
        rooms = [room for name in ("documents", "history", "tools") if (room := _room(budget, found.parts[name]))]
        return ("What is left has room for one of these", tuple(rooms)) if rooms else ("", ())
    alone = budget.cuts()
    enough = [cut for cut in alone if cut.left_tokens >= 0]
    if enough:
        ordered = sorted(enough, key=lambda cut: CUT_ORDER.index(cut.part.name))
        words = [word for cut in ordered for word in _cut(cut, budget)]
        return ("This cut makes it fit" if len(words) == 1 else "One of these cuts makes it fit"), tuple(words)
    plan = budget.plan(CUT_ORDER)
    if not plan:
        return "", ()
    return "No single part is enough. Together these make it fit", tuple(plan_words(plan))


def _cut(cut: Cut, budget: Budget) -> Iterator[str]:
    """The words of a cut; of documents also how short all of them would do, so that none has to go."""
    largest = budget.largest("documents") if cut.part.name == "documents" else None
    if largest is None or cut.part.count > 1:
        yield cut_words(cut)
    if largest is not None:
        yield shorter_words(cut.part.count, largest)


def _room(budget: Budget, part: Part | None) -> str:
    if part is None or not part.count:
        return ""
    more = part.more(budget.left_tokens)
    return f"{number(more)} more {amount(part.name, more).partition(' ')[2]}" if more else ""


def _row(name: str, part: Part | None, form: BudgetForm, found: BudgetRequest, whole: int) -> Row:
    if part is None:
        return Row(name, PART_TITLES[name], "a field of it cannot be read", "", "")
    return Row(name, PART_TITLES[name], how(part, form, found), number(part.tokens), share(part.tokens, whole))


def how(part: Part, form: BudgetForm, found: BudgetRequest) -> str:
    """How the tokens of a part come about, as arithmetic."""
    if not part.tokens:
        return ""
    if part.name == "system":
        return "the text, counted" if "system_text" in found.counted else ""
    if part.name == "tools":
        further = f" + {number(part.count - 1)} × {number(part.each_tokens)}" if part.count > 1 else ""
        return number(part.first_tokens) + further if further else ""
    if part.name == "documents":
        size = number(part.each_tokens) + _times(found, found.docs_language, found.document_tokens)
        return f"{number(part.count)} × {size}" if part.count > 1 else size if found.docs_language != REFERENCE else ""
    if part.name == "history":
        framing = found.numbers["framing"]
        size = number(part.each_tokens - framing) + _times(found, found.history_language, found.numbers["turn_size"])
        return f"{number(part.count)} × ({size} + {number(framing)})" if framing else f"{number(part.count)} × {size}"
    return ""


def _times(found: BudgetRequest, language: str, tokens: int | None) -> str:
    if language == REFERENCE or tokens is None:
        return ""
    other, english = found.languages[language], found.languages[REFERENCE]
    return f" ({number(tokens)} × {other.tokens} ÷ {english.tokens}, rounded up)"


def _counted(found: BudgetRequest) -> dict[str, str]:
    """What is said beside each box with a text."""
    said = {name: f"Counted: {number(tokens)} tokens." for name, tokens in found.counted.items()}
    if "tool_text" in said and found.tool_next_tokens is not None:
        first, further = number(found.counted["tool_text"]), number(found.tool_next_tokens)
        said["tool_text"] = f"Counted: {first} tokens for the first, {further} for each further one."
    return {name: said.get(name, "") for name in TEXTS}
