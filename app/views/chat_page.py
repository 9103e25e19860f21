"""What the chat lab shows: one view for the page, one for the part that changes with the input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from app.catalogue import Catalogue
from app.chat_input import ChatForm
from app.chat_json import written
from app.chat_samples import SAMPLES, TOOL_SETS
from app.chat_turns import Turn, fits_form, turn_of
from app.errors import InvalidField, Problem
from app.settings import Settings
from app.views.chat_bill import BillView
from app.views.chat_control import Finding
from app.views.chat_diff import DiffView
from app.views.chat_prompt import PromptView
from app.views.chat_template import Choice, FailureView, TemplateView
from app.views.tokens_page import TokenizerOption, tokenizer_options

ROLES = ("system", "user", "assistant", "tool")
SOURCE_TITLES = (
    ("", "the tokenizer’s own, or ours where it has none"),
    ("chatml", "ours: ChatML, the format of Qwen3"),
    ("pasted", "pasted"),
)
ENDING_OPTIONS = [("prompt", "begin an answer"), ("none", "end"), ("continue", "continue the last")]
# What names a field to a person where something in it was not used.
PROBLEM_FIELDS = ("tools", "template", "now", "extra")
# A prompt up to this length travels in the page for other pages to take.
CARRY_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class EditorView:
    """The messages as fields, or as JSON; `why` says why fields cannot be drawn, "" where they can.

    `packed`: the messages as JSON for a link, "" where what was typed is none.
    """

    view: str
    turns: tuple[Turn, ...]
    text: str
    why: str
    roles: tuple[str, ...] = ROLES

    @property
    def edited(self) -> str:
        return "json" if self.view == "json" else "form"


@dataclass(frozen=True, slots=True)
class ChoicesView:
    """Variables and names of templates to choose: what depends on the template. `key` names this very set."""

    key: str
    variables: tuple[Choice, ...]
    names: tuple[str, ...]
    name: str
    asks_for_date: bool


@dataclass(frozen=True, slots=True)
class ResultView:
    """A prompt of one input with everything about it, or `failure`: why there is none."""

    query: str
    link_is_long: bool
    carry: str
    focus: str
    template: TemplateView
    findings: tuple[Finding, ...]
    figures: tuple[tuple[str, str, str], ...] = ()
    meaning: str = ""
    prompt: PromptView | None = None
    bill: BillView | None = None
    no_bill: str = ""
    diff: DiffView | None = None
    failure: FailureView | None = None
    prompt_text: str = ""
    open_query: str = ""

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.level == "warning")

    @property
    def notes(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.level == "note")


@dataclass(frozen=True, slots=True)
class FragmentView:
    """What htmx is given: the result, what is wrong with single fields, and the parts of the input to draw anew."""

    result: ResultView
    problems: Mapping[str, Problem]
    form: ChatForm
    editor: EditorView | None = None
    messages: str | None = None
    choices: ChoicesView | None = None
    boxes: tuple[str, ...] = ()
    text_limit_bytes: int = 0


@dataclass(frozen=True, slots=True)
class SampleLink:
    title: str
    shows: str
    query: str


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page; `result` is None where nothing of the input could be used: `problem` says why."""

    form: ChatForm
    editor: EditorView
    choices: ChoicesView | None
    tokenizers: tuple[TokenizerOption, ...]
    samples: tuple[SampleLink, ...]
    tool_sets: tuple[tuple[str, str], ...]
    text_limit_bytes: int
    problems: Mapping[str, Problem]
    result: ResultView | None = None
    problem: Problem | None = None

    @property
    def tools_open(self) -> bool:
        return bool(self.form.tools) or "tools" in self.problems

    @property
    def template_open(self) -> bool:
        return self.form.source == "pasted" or "template" in self.problems

    @property
    def settings_open(self) -> bool:
        form, first = self.form, ChatForm("")
        named = ("now", "extra", "parse_arguments")
        return any(getattr(form, name) != getattr(first, name) for name in named) or bool(
            {"now", "extra"} & self.problems.keys()
        )


def editor_view(form: ChatForm) -> EditorView:
    """The messages in the view that was chosen; as JSON where fields cannot hold them or what was typed is broken."""
    if form.turns is not None and form.view == "form":
        return EditorView("form", form.turns, packed(form), "")
    try:
        messages = form.conversation()
    except InvalidField:
        if form.turns is not None:
            return EditorView("form", form.turns, form.messages, "")
        return EditorView("json", (), form.messages, "" if form.view == "json" else "the JSON is broken")
    why = fits_form(messages) if form.view == "form" else ""
    if form.view == "form" and not why:
        return EditorView("form", tuple(map(turn_of, messages)), written(messages), "")
    text = form.messages
    # JSON on one line comes from a link or from the fields: for reading it is laid out.
    if form.turns is not None or ("\n" not in text and text.strip()):
        text = written(messages, indent=2) if messages else ""
    return EditorView("json", (), text, why)


def packed(form: ChatForm) -> str:
    """The messages as a link carries them; of fields that hold broken JSON, what they were before."""
    try:
        messages = form.conversation()
    except InvalidField:
        return form.messages
    return written(messages) if messages else ""


def result_query(form: ChatForm, default_tokenizer: str, settings: Settings) -> tuple[str, bool]:
    """The query of a link to an input, its messages packed."""
    return replace(form, messages=packed(form), turns=None).link_query(default_tokenizer, settings)


def carried(form: ChatForm, prompt: str, default_tokenizer: str, settings: Settings) -> tuple[str, str]:
    """(query for the header's links, query that opens the prompt on another page); the prompt where it is short."""
    query = {} if form.tokenizer == default_tokenizer else {"tokenizer": form.tokenizer}
    opened = {**query, "add_special_tokens": "0"}
    if prompt and len(urlencode({"text": prompt})) <= settings.link_limit_bytes:
        return urlencode({**query, "text": prompt}), urlencode({**opened, "text": prompt})
    return urlencode(query), ""


def export_json(
    tokenizer: str, prompt: str, ids: list[int], tokens: list[str], offsets: list[tuple[int, int]], spans: list[object]
) -> str:
    """One object: the prompt, its ids, where each stands, and who wrote what. Offsets count code points."""
    body = {
        "tokenizer": tokenizer,
        "prompt": prompt,
        "prompt_token_ids": ids,
        "tokens": tokens,
        "offsets": offsets,
        "add_special_tokens": False,
        "spans": spans,
    }
    return json.dumps(body, ensure_ascii=False) + "\n"


def page_view(
    form: ChatForm,
    catalogue: Catalogue,
    settings: Settings,
    *,
    choices: ChoicesView | None,
    problems: Mapping[str, Problem],
    result: ResultView | None = None,
    problem: Problem | None = None,
) -> PageView:
    """The page around a result or a refusal."""
    return PageView(
        form=form,
        editor=editor_view(form),
        choices=choices,
        tokenizers=tokenizer_options(catalogue, form.tokenizer),
        samples=tuple(
            SampleLink(sample.title, sample.shows, urlencode({"sample": sample.name, "tokenizer": form.tokenizer}))
            for sample in SAMPLES
        ),
        tool_sets=tuple((name, title) for name, (title, _) in TOOL_SETS.items()),
        text_limit_bytes=settings.text_limit_bytes,
        problems=problems,
        result=result,
        problem=problem,
    )
