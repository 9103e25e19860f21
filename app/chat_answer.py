"""A chat form worked on: rendered, encoded, billed, searched for trouble, compared; what the page shows of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from app import chat_work
from app.board import board
from app.chat_input import ChatForm
from app.chat_jobs import Rendered
from app.chat_request import ChatRequest, read, template_of
from app.forms import EncodeInput
from app.sandbox import SandboxBusy
from app.stream_request import Reader
from app.views.chat_bill import BillView, bill_view
from app.views.chat_control import trusting
from app.views.chat_diff import DiffView, diff_view, options, other_request
from app.views.chat_page import CARRY_CHARACTERS, ChoicesView, ResultView, carried, result_query
from app.views.chat_prompt import prompt_view
from app.views.chat_template import NO_MESSAGES, choices, failure_view, template_view
from app.views.chat_warnings import findings
from tokcore.chat.provenance import RenderedPrompt
from tokcore.chat.safe import SafeEncoding, encode_safely
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer
from tokcore.tokens import Encoding

SAFE_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Chat:
    """A form that was worked on."""

    form: ChatForm
    tokenizer: Tokenizer
    request: ChatRequest
    rendered: Rendered
    encoding: Encoding | None

    def count_ids(self, text: str) -> int:
        if self.encoding is not None and text == self.encoding.source:
            return len(self.encoding)
        return len(self.tokenizer.text_ids(text))


def tokenizer_of(form: ChatForm) -> Tokenizer:
    return board().catalogue.tokenizer(form.tokenizer)


def title_of(form: ChatForm) -> str:
    return board().catalogue.entry(form.tokenizer).title


def worked(form: ChatForm) -> Chat:
    tokenizer = tokenizer_of(form)
    asked = read(form, tokenizer, title_of(form), board().settings)
    rendered = chat_work.render(asked)
    encoding = None if rendered.prompt is None else _encoding(form, rendered.prompt.text)
    return Chat(form, tokenizer, asked, rendered, encoding)


def _encoding(form: ChatForm, text: str) -> Encoding:
    """The tokens of a prompt: control tokens matched, nothing added."""
    shared = board()
    return shared.encodings.encode(shared.catalogue, EncodeInput(form.tokenizer, text, add_special_tokens=False))[1]


def template_text(form: ChatForm) -> str:
    return template_of(form, tokenizer_of(form), title_of(form), Reader()).source


def choices_view(chat: Chat) -> ChoicesView:
    facts, template = chat.rendered.facts, chat.request.template
    offered = choices(chat.request, dict(chat.form.variables), facts)
    # What is offered, not what was typed: a field that someone types in is not drawn anew.
    said = [(choice.name, choice.options, choice.known, choice.placeholder) for choice in offered]
    asks = facts is not None and any(feature.name == "strftime_now()" for feature in facts.features)
    digest = hashlib.sha256(repr((said, template.names, asks)).encode()).hexdigest()[:16]
    return ChoicesView(digest, offered, template.names, template.name, asks)


def result_of(chat: Chat, focus: str) -> ResultView:
    shared = board()
    form, rendered = chat.form, chat.rendered
    query, is_long = result_query(form, shared.catalogue.default, shared.settings)
    prompt, encoding = rendered.prompt, chat.encoding
    text = "" if prompt is None else prompt.text
    carry, open_query = carried(form, text, shared.catalogue.default, shared.settings)
    found = findings(
        chat.request,
        rendered,
        encoding,
        special_ids=_special_ids(chat.tokenizer),
        safely=lambda: _safely(chat),
        beginning=chat.tokenizer.encode,
    )
    if prompt is None or encoding is None:
        assert rendered.failure is not None
        return ResultView(
            query,
            is_long,
            carry,
            focus,
            template_view(chat.request, rendered.facts, None, (), chat.count_ids),
            found,
            failure=failure_view(rendered.failure, chat.request.template.source)
            if chat.request.messages
            else NO_MESSAGES,
        )
    billed = chat_work.bill(chat.request, prompt, chat.count_ids)
    bill: BillView | None = None
    if billed.bill is not None:
        bill = bill_view(billed.bill, chat.request.messages, chat.request.tools, billed.left_out)
    probes = chat_work.probes(chat.request, rendered.facts, prompt) if rendered.facts is not None else ()
    return ResultView(
        query=query,
        link_is_long=is_long,
        carry=carry,
        focus=focus,
        template=template_view(chat.request, rendered.facts, prompt, probes, chat.count_ids),
        findings=found,
        figures=_figures(chat, prompt, encoding, bill),
        meaning=bill.sentence if bill is not None else "",
        prompt=prompt_view(prompt, encoding, _special_ids(chat.tokenizer), form.show_tokens),
        bill=bill,
        no_bill="" if billed.failure is None else billed.failure.what,
        diff=_diff(chat, prompt, encoding),
        prompt_text=text if not open_query and len(text) <= CARRY_CHARACTERS else "",
        open_query=open_query,
    )


def _figures(
    chat: Chat, prompt: RenderedPrompt, encoding: Encoding, bill: BillView | None
) -> tuple[tuple[str, str, str], ...]:
    """(label, value, what it counts)."""
    found = [("tokens", f"{len(encoding):,}", "of the whole prompt")]
    if bill is not None:
        found += [
            ("own words", f"{bill.own:,}", "tokens of what messages and tools say, each stretch counted alone"),
            ("added", f"{bill.added:,}", "tokens that the template adds: turns, instructions, tags"),
        ]
    found += [
        ("messages", f"{len(chat.request.messages):,}", "in the conversation"),
        ("tools", f"{len(chat.request.tools or ()):,}", "definitions given"),
        ("characters", f"{len(prompt.text):,}", "of the prompt"),
    ]
    return tuple(found)


def _diff(chat: Chat, prompt: RenderedPrompt, encoding: Encoding) -> DiffView:
    """The prompt compared with what was chosen; what cannot be rendered is said in its place."""
    form, asked = chat.form, chat.request
    own = template_of(replace(form, source=""), chat.tokenizer, title_of(form), Reader())
    offered = options(form, asked, own, chat.rendered.facts)
    if form.against == "":
        return DiffView(offered, "")
    kind, _, rest = form.against.partition(".")
    chosen = form.against if any(against.value == form.against for against in offered) else ""
    template = None
    if kind == "template":
        other_form = replace(form, source={"own": "", "chatml": "chatml", "pasted": "pasted"}.get(rest, ""))
        template = template_of(other_form, chat.tokenizer, title_of(form), Reader())
    elif kind == "named" and rest in asked.template.names:
        template = template_of(replace(form, named=rest), chat.tokenizer, title_of(form), Reader())
    other = other_request(form.against, form, asked, template)
    if other is None:
        what = (
            "no answer of the model stands in the conversation yet"
            if kind == "previous"
            else "that cannot be chosen here"
        )
        return DiffView(offered, chosen, problem=f"Nothing to compare with: {what}.")
    try:
        there = chat_work.other_prompt(other)
    except SandboxBusy:
        raise
    except TokcoreError as error:
        return DiffView(offered, chosen, problem=f"The other prompt cannot be rendered: {error.what}.")
    return diff_view(offered, chosen or form.against, (prompt, encoding), (there, _encoding(form, there.text)))


def _special_ids(tokenizer: Tokenizer) -> frozenset[int]:
    return frozenset(id for id, token in tokenizer.added_tokens.items() if token.special)


def _safely(chat: Chat) -> SafeEncoding | None:
    prompt = chat.rendered.prompt
    if prompt is None or len(prompt.text) > SAFE_CHARACTERS:
        return None
    encode: Callable[[str], Encoding] = lambda text: chat.tokenizer.encode(text, add_special_tokens=False)  # noqa: E731
    return encode_safely(
        encode, _without_added(chat.tokenizer).encode, prompt.text, trusting(chat.request, prompt.spans)
    )


@lru_cache(maxsize=4)
def _without_added(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer without its added tokens, and with nothing placed around a text."""
    return Tokenizer(
        model=tokenizer.model,
        normalizers=tokenizer.normalizers,
        pre_tokenizers=tokenizer.pre_tokenizers,
        decoders=tokenizer.decoders,
    )
