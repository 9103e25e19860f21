"""A chat completion request and its tokenizer → what there is to replay; refusals that only both together can tell."""

from __future__ import annotations

import hashlib
from datetime import datetime

from app.api.chat_chunks import Answer, Job
from app.api.chat_messages import for_template
from app.api.chat_replay import NOTHING
from app.api.chat_request import ChatRequest
from app.errors import InvalidParameter, TextTooLong
from app.forms import check_text
from app.settings import Settings
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.conversation import special_token_variables
from tokcore.chat.environment import Limits
from tokcore.errors import UnknownId
from tokcore.generation import STRATEGIES, StreamSettings, may_skip_special_tokens
from tokcore.parsing import FORMATS, starts_in_reasoning
from tokcore.pipeline import Tokenizer

TEMPLATE_STEPS = 1_000_000
DEFAULT_FORMAT = "hermes"


def job_of(chat: ChatRequest, tokenizer: Tokenizer, limits: Settings) -> Job:
    """What a request asks for; raises an error that names the parameter."""
    prompt = rendered_prompt(chat, tokenizer, limits)
    prompt_ids = tokenizer.text_ids(prompt)
    if chat.replay.ids is not None:
        ids = checked_ids(chat.replay.ids, tokenizer, limits)
    else:
        ids = tuple(tokenizer.text_ids(chat.answer_text))
    settings = stream_settings(chat, tokenizer, prompt)
    generated = len(ids) if chat.max_tokens is None else min(len(ids), chat.max_tokens)
    sizes = chat.replay.cut.sizes(generated)
    if chat.stream:
        check_time(len(sizes), chat.replay.delay_ms, limits)
    elif chat.replay.strategy == "bytes" and generated:
        # The same answer as from any cut, sooner.
        sizes = (generated,)
    # The same request has the same ids, the next turn of a conversation has others.
    known = hashlib.sha256(repr((prompt_ids, ids)).encode()).hexdigest()[:20]
    job = Job(
        tokenizer=tokenizer,
        ids=ids,
        settings=settings,
        sizes=sizes,
        strategy=STRATEGIES[chat.replay.strategy],
        prompt_tokens=len(prompt_ids),
        single_call=not chat.parallel_tool_calls,
        call_ids=f"call_{known}",
    )
    check_calls(chat, job)
    return job


def rendered_prompt(chat: ChatRequest, tokenizer: Tokenizer, limits: Settings) -> str:
    """The messages as the tokenizer's template writes them; the template is never the request's."""
    template = CHATML_TEMPLATE if tokenizer.chat_template is None else tokenizer.chat_template
    prompt = render_chat(
        template,
        for_template(chat.messages, template),
        list(chat.tools) or None,
        chat.add_generation_prompt,
        chat.continue_final_message,
        datetime.now(),
        parse_arguments=True,
        limits=Limits(TEMPLATE_STEPS, limits.text_limit_bytes),
        **{**special_token_variables(tokenizer.config), **chat.template_values},
    )
    check_text(prompt, limits, "/messages")
    return prompt


def stream_settings(chat: ChatRequest, tokenizer: Tokenizer, prompt: str) -> StreamSettings:
    """How the answer is read."""
    replay = chat.replay
    calls = chat.tool_choice.mode != "none" and replay.format != NOTHING
    tools = (replay.format or DEFAULT_FORMAT) if calls else None
    own = "think" if tools is None else FORMATS[tools].reasoning
    reasoning = None if replay.reasoning == NOTHING else replay.reasoning or own
    starts = replay.starts_in_reasoning
    if starts is None:
        starts = reasoning is not None and starts_in_reasoning(prompt, reasoning)
    skip = chat.skip_special_tokens
    if skip is None:
        skip = may_skip_special_tokens(tokenizer, tools)
    return StreamSettings(
        stops=chat.stops,
        include_stop=chat.include_stop,
        stops_in_reasoning=replay.stops_in_reasoning,
        min_tokens=chat.min_tokens,
        max_tokens=chat.max_tokens,
        reasoning=reasoning,
        tools=tools,
        starts_in_reasoning=starts,
        definitions=chat.tools if calls else (),
        skip_special_tokens=skip,
    )


def checked_ids(ids: tuple[int, ...], tokenizer: Tokenizer, limits: Settings) -> tuple[int, ...]:
    """Ids that all have a token, and together not too long a text."""
    sizes = {id: len(tokenizer.token_bytes(id)) for id in set(ids) if id >= 0 and tokenizer.id_to_token(id) is not None}
    for place, id in enumerate(ids):
        if id not in sizes:
            what, remedy = f"id {id} has no token", f"use ids from 0 to {tokenizer.id_limit - 1:,}"
            raise UnknownId(where=f"/replay/ids/{place}", what=what, remedy=remedy)
    size = sum(sizes[id] for id in ids)
    if size > limits.text_limit_bytes:
        what = f"these ids stand for {size:,} bytes; the limit is {limits.text_limit_bytes:,}"
        raise TextTooLong(where="/replay/ids", what=what, remedy="send fewer")
    return ids


def check_time(count: int, delay_ms: int, limits: Settings) -> None:
    """Refuse pauses that together last longer than a body may take: each stream keeps a thread."""
    seconds = max(0, count - 1) * delay_ms / 1000
    if seconds > limits.body_seconds:
        raise InvalidParameter(
            where="/replay/delay_ms",
            what=f"{count:,} deltas with pauses of {delay_ms:,} ms take {seconds:,.0f} seconds",
            remedy=f"at most {limits.body_seconds:,} in all: shorter pauses, or more tokens per delta",
        )


def check_calls(chat: ChatRequest, job: Job) -> None:
    """Where calls are forced, refuse an answer that a model so forced could not have given."""
    choice = chat.tool_choice
    if choice.mode not in ("required", "named"):
        return
    answer = Answer(job)
    for _ in answer.deltas():
        pass
    others = [name for name in answer.call_names if choice.name is not None and name != choice.name]
    if answer.call_names and not others:
        return
    wanted = "a tool" if choice.name is None else repr(choice.name)
    found = f"the answer to replay calls {others[0]!r}" if others else "the answer to replay calls nothing"
    raise InvalidParameter(
        where="/tool_choice",
        what=f"{found}, and a call of {wanted} is asked for",
        remedy="no model is here that could be forced: give replay.output with such a call, or tool_choice auto",
    )
