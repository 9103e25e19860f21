"""The body of POST /v1/chat/completions: JSON → one frozen request, or a refusal that names the parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.api.chat_fields import Members, missing, unsupported
from app.api.chat_messages import last_user_text, read_messages
from app.api.chat_replay import ReplayOptions, read_replay
from app.errors import InvalidParameter
from app.settings import Settings
from tokcore.fields import wrong_kind

CHOICES_LIMIT = 8
TOOLS_LIMIT = 128
STOPS_LIMIT = 1_000
STOPS_LIMIT_CHARACTERS = 100_000
NUMBER_LIMIT = 2**31 - 1

# What docs/replay-endpoint.md says of each: taken and passed over, since no model samples, bills or stores here.
IGNORED = (
    *("temperature", "top_p", "seed", "presence_penalty", "frequency_penalty", "logit_bias", "prediction"),
    *("user", "metadata", "store", "service_tier", "safety_identifier", "verbosity"),
    *("prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"),
    *("top_k", "min_p", "repetition_penalty", "length_penalty", "ignore_eos"),
)
HONOURED = (
    *("model", "messages", "replay", "stream", "stream_options", "n", "stop", "include_stop_str_in_output"),
    *("min_tokens", "max_tokens", "max_completion_tokens", "tools", "tool_choice", "parallel_tool_calls"),
    *("chat_template_kwargs", "add_generation_prompt", "continue_final_message", "reasoning_effort"),
    *("skip_special_tokens", "response_format", "modalities", "logprobs", "top_logprobs"),
)
# Known, and refused with the way out wherever they are given.
REFUSED = {
    "functions": 'send tools: [{"type": "function", "function": {…}}]',
    "function_call": "send tool_choice",
    "chat_template": "templates come with the tokenizer; chat_template_kwargs passes values to it",
    "audio": "leave it out: answers here are text",
    "web_search_options": "leave it out: nothing is searched here",
    "moderation": "leave it out: nothing is judged here",
}
# The names of render_chat's own parameters cannot be values for the template.
TEMPLATE_NAMES_TAKEN = (
    *("template", "messages", "tools", "add_generation_prompt", "continue_final_message"),
    *("now", "parse_arguments", "limits", "reasoning_effort"),
)


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """What may be called: `mode` is "none", "auto", "required" or "named" (then `name` says which tool)."""

    mode: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A whole request, checked as far as it can be without the tokenizer."""

    model: str
    messages: tuple[Mapping[str, Any], ...]
    replay: ReplayOptions
    stream: bool
    include_usage: bool
    n: int
    stops: tuple[str, ...]
    include_stop: bool
    min_tokens: int
    max_tokens: int | None
    tools: tuple[Mapping[str, Any], ...]
    tool_choice: ToolChoice
    parallel_tool_calls: bool
    template_values: Mapping[str, Any]
    add_generation_prompt: bool | None
    continue_final_message: bool
    skip_special_tokens: bool | None

    @property
    def answer_text(self) -> str:
        """What is answered where no ids are given: the output, or what the last user said."""
        if self.replay.output is not None:
            return self.replay.output
        echoed = last_user_text(self.messages)
        if echoed is None:
            raise InvalidParameter(
                where="/messages",
                what="there is no user message to echo, and no answer to replay",
                remedy='add a user message, or send {"replay": {"output": "…"}}',
            )
        return echoed


def read_request(body: Members, settings: Settings) -> ChatRequest:
    """The request of a body; raises an error that names the parameter."""
    for key, remedy in REFUSED.items():
        if body.given(key) is not None:
            raise unsupported(f"/{key}", "this is not supported here", remedy)
    body.only((*HONOURED, *IGNORED, *REFUSED))
    _refuse_what_needs_a_model(body)
    model, messages = body.text("model"), read_messages(body)
    replay = read_replay(body, settings)
    tools = _tools(body)
    stream, include_usage = _streaming(body)
    return ChatRequest(
        model=model,
        messages=messages,
        replay=replay,
        stream=stream,
        include_usage=include_usage,
        n=body.whole("n", 1, CHOICES_LIMIT) or 1,
        stops=_stops(body),
        include_stop=body.switch("include_stop_str_in_output"),
        min_tokens=body.whole("min_tokens", 0, NUMBER_LIMIT) or 0,
        max_tokens=_max_tokens(body),
        tools=tools,
        tool_choice=_tool_choice(body, tools, named_format=replay.format is not None),
        parallel_tool_calls=body.switch("parallel_tool_calls", default=True),
        template_values=_template_values(body),
        add_generation_prompt=body.optional_switch("add_generation_prompt"),
        continue_final_message=body.switch("continue_final_message"),
        skip_special_tokens=body.optional_switch("skip_special_tokens"),
    )


def _refuse_what_needs_a_model(body: Members) -> None:
    if body.switch("logprobs") or body.whole("top_logprobs", 0, 20):
        key = "logprobs" if body.switch("logprobs") else "top_logprobs"
        remedy = "leave it out: no model is behind this address, so no token has a probability"
        raise unsupported(f"/{key}", "log probabilities are not supported here", remedy)
    form = body.member("response_format")
    if form is not None and form.text("type") != "text":
        remedy = 'use {"type": "text"}; an output in the wanted form can be given as replay.output'
        raise unsupported(form.at("type"), f"found {form.text('type')!r}", remedy, "unsupported_value")
    if body.listed("modalities") not in (None, ["text"]):
        raise unsupported("/modalities", "answers here are text", 'use ["text"]', "unsupported_value")


def _streaming(body: Members) -> tuple[bool, bool]:
    stream, options = body.switch("stream"), body.member("stream_options")
    if options is None:
        return stream, False
    if not stream:
        raise InvalidParameter(
            where="/stream_options", what="given without streaming", remedy='add "stream": true, or leave it out'
        )
    options.only(("include_usage", "include_obfuscation"))
    options.switch("include_obfuscation")
    return stream, options.switch("include_usage")


def _stops(body: Members) -> tuple[str, ...]:
    given = body.given("stop")
    stops = [given] if isinstance(given, str) else body.listed("stop") or []
    if len(stops) > STOPS_LIMIT:
        raise InvalidParameter(where="/stop", what=f"{len(stops):,} strings", remedy=f"at most {STOPS_LIMIT:,}")
    for index, stop in enumerate(stops):
        where = "/stop" if isinstance(given, str) else f"/stop/{index}"
        if not isinstance(stop, str):
            raise wrong_kind(stop, where, "a string")
        if stop == "":
            remedy = "give at least one character: an empty text stands everywhere"
            raise InvalidParameter(where=where, what="an empty string", remedy=remedy)
    if sum(map(len, stops)) > STOPS_LIMIT_CHARACTERS:
        remedy = f"at most {STOPS_LIMIT_CHARACTERS:,} characters in all"
        raise InvalidParameter(where="/stop", what=f"{sum(map(len, stops)):,} characters", remedy=remedy)
    return tuple(stops)


def _max_tokens(body: Members) -> int | None:
    old, new = (body.whole(key, 1, NUMBER_LIMIT) for key in ("max_tokens", "max_completion_tokens"))
    if old is not None and new is not None and old != new:
        raise InvalidParameter(
            where="/max_tokens", what=f"{old} here and {new} in max_completion_tokens", remedy="send one of them"
        )
    return new if old is None else old


def _tools(body: Members) -> tuple[Mapping[str, Any], ...]:
    tools = body.listed("tools") or []
    if len(tools) > TOOLS_LIMIT:
        raise InvalidParameter(where="/tools", what=f"{len(tools)} tools", remedy=f"at most {TOOLS_LIMIT}")
    for index, value in enumerate(tools):
        tool = Members(value, f"/tools/{index}")
        if tool.text("type") != "function":
            what, remedy = f"found {tool.text('type')!r}", "only tools of type 'function' are known here"
            raise unsupported(tool.at("type"), what, remedy, "unsupported_value")
        function = tool.member("function")
        if function is None:
            raise missing(tool.at("function"))
        if function.text("name") == "":
            raise InvalidParameter(where=function.at("name"), what="an empty name", remedy="name the function")
        function.member("parameters")
    return tuple(tools)


def _tool_choice(body: Members, tools: tuple[Mapping[str, Any], ...], named_format: bool) -> ToolChoice:
    """Absent: "auto" where there is something to call (or a format was named), else "none"."""
    choice = body.given("tool_choice")
    if choice is None:
        return ToolChoice("auto" if tools or named_format else "none")
    if isinstance(choice, str):
        if choice not in ("none", "auto", "required"):
            remedy = "none, auto, required, or an object that names a function"
            raise InvalidParameter(where="/tool_choice", what=f"found {choice!r}", remedy=remedy)
        found = ToolChoice(choice)
    else:
        members = Members(choice, "/tool_choice")
        if members.text("type") != "function":
            what, remedy = f"found {members.text('type')!r}", "only 'function' is known here"
            raise unsupported(members.at("type"), what, remedy, "unsupported_value")
        function = members.member("function")
        if function is None:
            raise missing(members.at("function"))
        found = ToolChoice("named", function.text("name"))
    if found.mode in ("required", "named") and not tools:
        raise InvalidParameter(where="/tool_choice", what="there are no tools to choose from", remedy="send tools")
    names = [tool["function"]["name"] for tool in tools]
    if found.mode == "named" and found.name not in names:
        what, remedy = f"there is no tool {found.name!r}", "name one of " + ", ".join(names)
        raise InvalidParameter(where="/tool_choice/function/name", what=what, remedy=remedy)
    return found


def _template_values(body: Members) -> Mapping[str, Any]:
    values = body.member("chat_template_kwargs")
    given = {} if values is None else dict(values.value)
    for key in given:
        if key in TEMPLATE_NAMES_TAKEN:
            raise InvalidParameter(
                where=f"/chat_template_kwargs/{key}",
                what="this name is taken",
                remedy=f"send {key} beside it" if key in HONOURED else "leave it out",
            )
    effort = body.given("reasoning_effort")
    return given if effort is None else {**given, "reasoning_effort": body.string("reasoning_effort")}
