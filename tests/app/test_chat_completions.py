"""The replay endpoint: what it answers, whole and as a stream."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.api import chat_chunks
from app.board import board
from tests.app.replay_requests import (
    CALL,
    CUTS,
    HELLO,
    OTHER_CALL,
    TOOLS,
    ask,
    body,
    message,
    refused,
    small_app,
    streamed,
)
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.deltas import assemble
from tokcore.pipeline import Tokenizer


@pytest.fixture(scope="module")
def tiny_app(tiny_file: Path) -> Flask:
    """One for all tests here: none of them changes it."""
    return small_app(tiny_file)


# ---- models


def test_the_catalogue_is_the_list_of_models(tiny: FlaskClient) -> None:
    listed = tiny.get("/v1/models").get_json()
    assert (listed["object"], [model["id"] for model in listed["data"]]) == ("list", ["tiny"])
    assert tiny.get("/v1/models/tiny").get_json() == listed["data"][0]
    assert listed["data"][0]["created"] > 1_600_000_000


@pytest.mark.parametrize("name", ["gpt-9", "a/b", "a%2Fb", "é"])
def test_an_unknown_model_is_404_in_openai_s_shape(tiny: FlaskClient, name: str) -> None:
    response = tiny.get(f"/v1/models/{name}")
    error = response.get_json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (404, "model_not_found", "model")
    assert refused(tiny, {"model": "gpt-9", "messages": HELLO}, 404)["code"] == "model_not_found"


def test_a_model_can_be_named_by_the_sha256_of_its_file(tiny: FlaskClient) -> None:
    sha256 = tiny.get("/api/v1/tokenizers").get_json()["tokenizers"][0]["sha256"]
    assert ask(tiny, "Hi", model=sha256)["model"] == "tiny"


# ---- what is answered


def test_a_whole_answer_has_openai_s_members(tiny: FlaskClient) -> None:
    answer = ask(tiny, "abc é")
    assert answer.pop("id").startswith("chatcmpl-")
    assert abs(answer.pop("created") - time.time()) < 60
    prompt = render_chat(CHATML_TEMPLATE, HELLO, add_generation_prompt=True)
    assert answer == {
        "object": "chat.completion",
        "model": "tiny",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "abc é", "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        # Byte by byte but for "abc": of the prompt nothing else is joined.
        "usage": {
            "prompt_tokens": len(prompt.encode()) - prompt.count(" a"),
            "completion_tokens": 4,
            "total_tokens": len(prompt.encode()) - prompt.count(" a") + 4,
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    }


def test_without_an_answer_the_last_user_message_is_echoed(tiny: FlaskClient) -> None:
    parts = [{"type": "text", "text": "What "}, {"type": "text", "text": "now?"}]
    messages = [*HELLO, {"role": "user", "content": parts}, {"role": "assistant", "content": "Well"}]
    assert message(ask(tiny, messages=messages)) == {"content": "What now?"}
    assert message(assemble(streamed(tiny, messages=messages))) == {"content": "What now?"}


def test_ids_can_be_given_in_place_of_text(tiny: FlaskClient) -> None:
    answer = ask(tiny, replay={"ids": [257, 0xC3, 0xA9, 259]})
    assert (message(answer), answer["usage"]["completion_tokens"]) == ({"content": "abcé"}, 4)
    assert message(ask(tiny, replay={"ids": [257, 259]}, skip_special_tokens=False)) == {"content": "abc<s>"}


def test_chunks_come_in_openai_s_order(tiny: FlaskClient) -> None:
    chunks = streamed(tiny, "aé", stream_options={"include_usage": True})
    assert [chunk["choices"] and chunk["choices"][0]["delta"] for chunk in chunks] == [
        {"role": "assistant"},
        {"content": "a"},
        {"content": "é"},
        {},
        [],
    ]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks[:4]] == [None, None, None, "stop"]
    assert [chunk["usage"] for chunk in chunks[:4]] == [None] * 4
    assert chunks[4]["usage"] == ask(tiny, "aé")["usage"]
    assert len({(chunk["id"], chunk["created"], chunk["object"], chunk["model"]) for chunk in chunks}) == 1
    assert all("usage" not in chunk for chunk in streamed(tiny, "aé"))


def test_the_prompt_is_the_templates_and_counted_exactly(client: FlaskClient) -> None:
    tokenizer = board(client.application).catalogue.tokenizer("qwen3")
    messages = [{"role": "system", "content": "Sê breve."}, *HELLO]
    thoughtless = {"enable_thinking": False}
    answer = ask(client, "ok", model="qwen3", messages=messages, tools=TOOLS, chat_template_kwargs=thoughtless)
    prompt = render_chat(CHATML_TEMPLATE, messages, TOOLS, True, **thoughtless)
    assert "</think>" in prompt and "weather" in prompt
    assert answer["usage"]["prompt_tokens"] == len(tokenizer.encode_ids(prompt, add_special_tokens=False))
    developer = [{"role": "developer", "content": "Sê breve."}, *HELLO]
    again = ask(client, "ok", model="qwen3", messages=developer, tools=TOOLS, chat_template_kwargs=thoughtless)
    assert again["usage"] == answer["usage"]


def test_what_a_template_says_of_the_conversation_is_told(tiny: FlaskClient) -> None:
    error = refused(tiny, body("x", messages=[{"role": "wizard", "content": "?"}]))
    assert "the roles are system, user, assistant and tool, not wizard" in error["message"]


def test_arguments_of_earlier_calls_may_be_json_text(tiny: FlaskClient) -> None:
    def prompt_tokens(arguments: Any) -> int:
        call = {"id": "c", "type": "function", "function": {"name": "now", "arguments": arguments}}
        turns = [{"role": "assistant", "content": None, "tool_calls": [call]}]
        turns += [{"role": "tool", "content": "12:00", "tool_call_id": "c"}]
        used: int = ask(tiny, "ok", messages=[*HELLO, *turns])["usage"]["prompt_tokens"]
        return used

    assert prompt_tokens('{"a": "é"}') == prompt_tokens({"a": "é"})


# ---- stops and lengths


@pytest.mark.parametrize("cut", CUTS, ids=str)
@pytest.mark.parametrize(
    ("options", "content", "reason", "used"),
    [
        ({"stop": "STOP"}, "one ", "stop", 8),
        ({"stop": ["zzz", "TOP"], "include_stop_str_in_output": True}, "one STOP", "stop", 8),
        ({"stop": "STOP", "min_tokens": 9}, "one STOP two ", "stop", 17),
        ({"max_tokens": 3}, "one", "length", 3),
        ({"max_completion_tokens": 7, "stop": "STOP"}, "one STO", "length", 7),
        ({"max_tokens": 21}, "one STOP two STOP end", "stop", 21),
    ],
    ids=str,
)
def test_stops_and_lengths_are_the_same_at_every_cut(
    tiny: FlaskClient, options: dict[str, Any], content: str, reason: str, used: int, cut: dict[str, Any]
) -> None:
    output = "one STOP two STOP end"
    whole = ask(tiny, output, **options)
    chunks = streamed(tiny, output, replay=cut, stream_options={"include_usage": True}, **options)
    joined = assemble(chunks)
    for answer in (whole, joined):
        assert message(answer) == {"content": content}
        assert answer["choices"][0]["finish_reason"] == reason
        assert answer["usage"]["completion_tokens"] == used
        assert answer["usage"]["total_tokens"] == used + answer["usage"]["prompt_tokens"]


# ---- reasoning


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_reasoning_is_told_apart_and_its_ids_counted(tiny: FlaskClient, cut: dict[str, Any]) -> None:
    output = "<think>\nabc é\n</think>\n\nabc"
    chunks = streamed(tiny, output, replay=cut, stream_options={"include_usage": True})
    for answer in (ask(tiny, output), assemble(chunks)):
        assert message(answer) == {"reasoning_content": "abc é", "content": "abc"}
        # abc, space, two bytes; the tags and line breaks beside them carry no reasoning.
        assert answer["usage"]["completion_tokens_details"] == {"reasoning_tokens": 4}


def test_reasoning_begins_where_the_request_says(tiny: FlaskClient) -> None:
    output = "Hm</think>Hi"
    assert message(ask(tiny, output)) == {"content": output}
    assert message(ask(tiny, output, replay={"starts_in_reasoning": True})) == {
        "reasoning_content": "Hm",
        "content": "Hi",
    }
    assert message(ask(tiny, output, replay={"starts_in_reasoning": True, "reasoning": "none"})) == {"content": output}


TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ message.role }}: {{ message.content }};{% endfor %}"
    "{% if add_generation_prompt %}assistant: {{ '<think>\\n' if thinking | default(true) }}{% endif %}"
)


def test_a_tokenizers_own_template_writes_the_prompt_and_begins_the_reasoning(tiny_json: str, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(tiny_json, encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": "<s>"}', encoding="utf-8")
    (tmp_path / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    own = small_app(tmp_path / "tokenizer.json", lambda file: Tokenizer.from_dir(file.parent)).test_client()

    def prompt_tokens(**members: Any) -> tuple[int, bool]:
        answer = ask(own, "Hm</think>Hi", messages=[{"role": "user", "content": "Hi"}], **members)
        return answer["usage"]["prompt_tokens"], "reasoning_content" in message(answer)

    # <s> and <think> are tokens; every other character of these prompts is one of its own.
    assert prompt_tokens() == (1 + len("user: Hi;assistant: ") + 2, True)
    assert prompt_tokens(chat_template_kwargs={"thinking": False}) == (1 + len("user: Hi;assistant: "), False)
    assert prompt_tokens(add_generation_prompt=False) == (1 + len("user: Hi;"), False)


def test_stops_act_on_reasoning_only_where_asked(tiny: FlaskClient) -> None:
    output = "<think>a STOP b</think>c STOP d"
    assert message(ask(tiny, output, stop="STOP")) == {"reasoning_content": "a STOP b", "content": "c "}
    inside = ask(tiny, output, stop="STOP", replay={"stops_in_reasoning": True})
    assert message(inside) == {"reasoning_content": "a ", "content": ""}


def test_reasoning_tokens_are_left_out_where_an_id_carries_answer_too(tiny_app: Flask) -> None:
    vocabulary = {"a": 0, "b": 1, "b</think>c": 2, "<think>": 3}
    model = json.dumps({"vocab": vocabulary, "merges": []})
    tokenizer = Tokenizer.from_str(f'{{"decoder": {{"type": "Fuse"}}, "model": {model}}}')

    def counted(ids: list[int]) -> int | None:
        settings = chat_chunks.StreamSettings()
        strategy = chat_chunks.Strategy("bytes")
        answer = chat_chunks.Answer(chat_chunks.Job(tokenizer, tuple(ids), settings, (len(ids),), strategy, 5))
        list(answer.deltas())
        assert ("completion_tokens_details" in answer.usage) is (answer.reasoning_tokens is not None)
        return answer.reasoning_tokens

    assert (counted([3, 0, 1]), counted([3, 0, 2]), counted([0, 1])) == (2, None, 0)


# ---- calls


def call_of(answer: dict[str, Any]) -> list[tuple[str, str]]:
    calls = message(answer).get("tool_calls", ())
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_calls_come_as_openai_s_deltas_and_as_a_whole(tiny: FlaskClient, cut: dict[str, Any]) -> None:
    output = f"Olhe.\n{CALL}\n{OTHER_CALL}"
    whole = ask(tiny, output, tools=TOOLS)
    joined = assemble(streamed(tiny, output, tools=TOOLS, replay=cut))
    for answer in (whole, joined):
        assert call_of(answer) == [("weather", '{"city": "Évora"}'), ("now", "{}")]
        assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert [call.pop("index") for call in message(joined)["tool_calls"]] == [0, 1]
    assert message(joined) == message(whole)
    ids = [call["id"] for call in message(whole)["tool_calls"]]
    assert len(set(ids)) == 2 and all(id.startswith("call_") for id in ids)


def test_a_call_alone_has_no_content(tiny: FlaskClient) -> None:
    for answer in (ask(tiny, CALL, tools=TOOLS), assemble(streamed(tiny, CALL, tools=TOOLS))):
        assert answer["choices"][0]["message"].get("content") is None
    assert message(ask(tiny, "")) == message(assemble(streamed(tiny, ""))) == {"content": ""}


def test_ids_of_calls_differ_between_turns(tiny: FlaskClient) -> None:
    longer = [*HELLO, {"role": "assistant", "content": "?"}, *HELLO]
    first, again = (message(ask(tiny, CALL, tools=TOOLS))["tool_calls"][0]["id"] for _ in range(2))
    assert first == again
    assert message(ask(tiny, CALL, tools=TOOLS, messages=longer))["tool_calls"][0]["id"] != first


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="no-tools"),
        pytest.param({"tools": TOOLS, "tool_choice": "none"}, id="tool-choice-none"),
        pytest.param({"tools": TOOLS, "replay": {"format": "none"}}, id="format-none"),
        pytest.param({"tools": TOOLS, "replay": {"format": False}}, id="format-false"),
    ],
)
def test_calls_stay_text_where_nothing_may_be_called(tiny: FlaskClient, options: dict[str, Any]) -> None:
    assert message(ask(tiny, CALL, **options)) == {"content": CALL}


def test_naming_a_format_reads_calls_without_tools_too(tiny: FlaskClient) -> None:
    assert call_of(ask(tiny, CALL, replay={"format": "hermes"})) == [("weather", '{"city": "Évora"}')]


def test_a_forced_call_must_be_in_the_answer(tiny: FlaskClient) -> None:
    named = {"type": "function", "function": {"name": "weather"}}
    for choice in ("required", named):
        assert call_of(ask(tiny, CALL, tools=TOOLS, tool_choice=choice)) == [("weather", '{"city": "Évora"}')]
        error = refused(tiny, body("Olhe.", tools=TOOLS, tool_choice=choice, stream=True))
        assert error["param"] == "tool_choice"
        assert "the answer to replay calls nothing" in error["message"]
    error = refused(tiny, body(OTHER_CALL, tools=TOOLS, tool_choice=named))
    assert "calls 'now', and a call of 'weather' is asked for" in error["message"]


@pytest.mark.parametrize("cut", CUTS, ids=str)
@pytest.mark.parametrize("stop", [None, "</never>", "more"])
def test_without_parallel_calls_the_answer_ends_before_a_second_one(
    tiny: FlaskClient, cut: dict[str, Any], stop: str | None
) -> None:
    output = f"{CALL}\n{OTHER_CALL} and more"
    options: dict[str, Any] = {"tools": TOOLS, "parallel_tool_calls": False, "stop": stop}
    joined = assemble(streamed(tiny, output, replay=cut, stream_options={"include_usage": True}, **options))
    for answer in (ask(tiny, output, **options), joined):
        assert call_of(answer) == [("weather", '{"city": "Évora"}')]
        assert "content" not in message(answer)
        assert answer["choices"][0]["finish_reason"] == "tool_calls"
        # Up to the end of the arguments, the object's own brace included.
        assert answer["usage"]["completion_tokens"] == len(CALL.removesuffix("\n</tool_call>").encode())


def test_the_same_answer_can_be_had_several_times(tiny: FlaskClient) -> None:
    whole, chunks = ask(tiny, "abc", n=3), streamed(tiny, "abc", n=3, stream_options={"include_usage": True})
    joined = assemble(chunks)
    for answer in (whole, joined):
        assert [choice["index"] for choice in answer["choices"]] == [0, 1, 2]
        assert [choice["message"]["content"] for choice in answer["choices"]] == ["abc"] * 3
        assert answer["usage"]["completion_tokens"] == 3
        assert answer["usage"]["total_tokens"] == 3 + answer["usage"]["prompt_tokens"]
    assert [len(chunk["choices"]) for chunk in chunks] == [1] * 9 + [0]


@pytest.mark.parametrize("strategy", ["per-delta", "window", "fixed-hold", "per-delta-markers"])
def test_contrast_strategies_are_streamed_as_wrong_as_they_are(tiny: FlaskClient, strategy: str) -> None:
    output = "é <think>abc</think> STO"
    options: dict[str, Any] = {"replay": {"strategy": strategy, "tokens_per_delta": 1}, "stop": "STOP"}
    assert message(ask(tiny, output, **options)) == message(assemble(streamed(tiny, output, **options)))
    if strategy == "per-delta":
        assert "\ufffd" in message(ask(tiny, output, **options))["content"]
