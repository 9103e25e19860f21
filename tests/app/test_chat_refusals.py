"""The replay endpoint on bad input: every refusal in OpenAI's shape, with the path of what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api import chat_completions
from tests.app.replay_requests import ADDRESS, HELLO, TOOLS, body, post, refused, small_app


@pytest.fixture(scope="module")
def tiny_app(tiny_file: Path) -> Flask:
    """One for all tests here: none of them changes it."""
    return small_app(tiny_file)


# ---- refusals

REFUSALS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"model": None}, "model", "missing_required_parameter"),
    ({"model": 5}, "model", "invalid_type"),
    ({"messages": None}, "messages", "missing_required_parameter"),
    ({"messages": []}, "messages", "invalid_value"),
    ({"messages": "Hi"}, "messages", "invalid_type"),
    ({"messages": ["Hi"]}, "messages[0]", "invalid_type"),
    ({"messages": [{"content": "Hi"}]}, "messages[0].role", "missing_required_parameter"),
    ({"messages": [*HELLO, {"role": "user", "content": 5}]}, "messages[1].content", "invalid_type"),
    ({"messages": [*HELLO, {"role": "user"}]}, "messages[1].content", "missing_required_parameter"),
    ({"messages": [{"role": "user", "content": None}]}, "messages[0].content", "invalid_type"),
    ({"messages": [{"role": "user", "content": [{}]}]}, "messages[0].content[0].type", "missing_required_parameter"),
    (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
        "messages[0].content[0].type",
        "unsupported_value",
    ),
    (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": 1}]}]},
        "messages[0].content[0].text",
        "invalid_type",
    ),
    ({"messages": [{"role": "assistant", "tool_calls": [1]}]}, "messages[0].tool_calls[0]", "invalid_type"),
    (
        {"messages": [{"role": "assistant", "tool_calls": [{}]}]},
        "messages[0].tool_calls[0].function",
        "missing_required_parameter",
    ),
    (
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}]},
        "messages[0].tool_calls[0].function.name",
        "missing_required_parameter",
    ),
    ({"messages": [{"role": "system", "content": "Hi"}]}, "messages", "invalid_value"),
    ({"messages": [{"role": "user", "content": "a\ud83d"}]}, "messages[0].content", "invalid_value"),
    ({"colour": 1}, "colour", "unknown_parameter"),
    ({"functions": [{"name": "f"}]}, "functions", "unsupported_parameter"),
    ({"function_call": "auto"}, "function_call", "unsupported_parameter"),
    ({"chat_template": "{{ 1 }}"}, "chat_template", "unsupported_parameter"),
    ({"audio": {}}, "audio", "unsupported_parameter"),
    ({"logprobs": True}, "logprobs", "unsupported_parameter"),
    ({"top_logprobs": 3}, "top_logprobs", "unsupported_parameter"),
    ({"response_format": {"type": "json_object"}}, "response_format.type", "unsupported_value"),
    ({"response_format": "text"}, "response_format", "invalid_type"),
    ({"modalities": ["text", "audio"]}, "modalities", "unsupported_value"),
    ({"n": 0}, "n", "invalid_value"),
    ({"n": 9}, "n", "invalid_value"),
    ({"n": True}, "n", "invalid_type"),
    ({"stream": "yes"}, "stream", "invalid_type"),
    ({"stream_options": {"include_usage": True}}, "stream_options", "invalid_value"),
    ({"stream": True, "stream_options": {"usage": True}}, "stream_options.usage", "unknown_parameter"),
    ({"stop": ""}, "stop", "invalid_value"),
    ({"stop": ["a", ""]}, "stop[1]", "invalid_value"),
    ({"stop": ["a", 5]}, "stop[1]", "invalid_type"),
    ({"stop": 5}, "stop", "invalid_type"),
    ({"stop": ["a"] * 1001}, "stop", "invalid_value"),
    ({"min_tokens": -1}, "min_tokens", "invalid_value"),
    ({"max_tokens": 0}, "max_tokens", "invalid_value"),
    ({"max_tokens": 1.5}, "max_tokens", "invalid_type"),
    ({"max_tokens": 1, "max_completion_tokens": 2}, "max_tokens", "invalid_value"),
    ({"tools": {}}, "tools", "invalid_type"),
    ({"tools": [{"type": "custom", "custom": {}}]}, "tools[0].type", "unsupported_value"),
    ({"tools": [{"type": "function"}]}, "tools[0].function", "missing_required_parameter"),
    ({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name", "missing_required_parameter"),
    ({"tools": [{"type": "function", "function": {"name": ""}}]}, "tools[0].function.name", "invalid_value"),
    (
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": []}}]},
        "tools[0].function.parameters",
        "invalid_type",
    ),
    ({"tool_choice": "required"}, "tool_choice", "invalid_value"),
    ({"tool_choice": "always", "tools": TOOLS}, "tool_choice", "invalid_value"),
    ({"tool_choice": {"type": "custom"}, "tools": TOOLS}, "tool_choice.type", "unsupported_value"),
    (
        {"tool_choice": {"type": "function", "function": {"name": "f"}}, "tools": TOOLS},
        "tool_choice.function.name",
        "invalid_value",
    ),
    ({"chat_template_kwargs": {"messages": []}}, "chat_template_kwargs.messages", "invalid_value"),
    ({"chat_template_kwargs": 1}, "chat_template_kwargs", "invalid_type"),
    ({"replay": "Hi"}, "replay", "invalid_type"),
    ({"replay": {"ouput": "Hi"}}, "replay.ouput", "unknown_parameter"),
    ({"replay": {"output": 5}}, "replay.output", "invalid_type"),
    ({"replay": {"output": "a", "ids": [1]}}, "replay.ids", "invalid_value"),
    ({"replay": {"ids": [1, "2"]}}, "replay.ids[1]", "invalid_type"),
    ({"replay": {"ids": [1, 261]}}, "replay.ids[1]", "invalid_value"),
    ({"replay": {"ids": [-1]}}, "replay.ids[0]", "invalid_value"),
    ({"replay": {"tokens_per_delta": 0}}, "replay.tokens_per_delta", "invalid_value"),
    ({"replay": {"tokens_per_delta": [1, 0]}}, "replay.tokens_per_delta[1]", "invalid_value"),
    ({"replay": {"tokens_per_delta": 2, "cut_seed": 1}}, "replay.cut_seed", "invalid_value"),
    ({"replay": {"bursts": True}}, "replay.bursts", "invalid_type"),
    ({"replay": {"delay_ms": 10_001}}, "replay.delay_ms", "invalid_value"),
    ({"replay": {"output": "x" * 200, "delay_ms": 1000}, "stream": True}, "replay.delay_ms", "invalid_value"),
    ({"replay": {"format": "herpes"}}, "replay.format", "invalid_value"),
    ({"replay": {"format": 1}}, "replay.format", "invalid_type"),
    ({"replay": {"reasoning": "thought"}}, "replay.reasoning", "invalid_value"),
    ({"replay": {"strategy": "best"}}, "replay.strategy", "invalid_value"),
    ({"replay": {"nasty": ["rude"]}}, "replay.nasty[0]", "invalid_value"),
    ({"replay": {"starts_in_reasoning": 1}}, "replay.starts_in_reasoning", "invalid_type"),
]


@pytest.mark.parametrize(("members", "param", "code"), REFUSALS, ids=lambda value: str(value)[:60])
def test_a_wrong_parameter_is_named_with_its_path(
    tiny: FlaskClient, caplog: pytest.LogCaptureFixture, members: dict[str, Any], param: str | None, code: str
) -> None:
    error = refused(tiny, {**body(), **members})
    assert (error["param"], error["code"]) == (param, code)
    assert param is not None and error["message"].startswith(param)
    assert caplog.records == []


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"", 400, "invalid_json"),
        (b'{"model": ', 400, "invalid_json"),
        (b'{"a": NaN}', 400, "invalid_json"),
        (b'{"n": 1, "n": 2}', 400, "invalid_json"),
        (b"\xff", 400, "invalid_json"),
        (b"[" * 7000, 400, "invalid_json"),
        (b'{"messages": ' + b"[" * 150 + b"]" * 150 + b"}", 400, "invalid_value"),
        (b"[]", 400, "invalid_type"),
        (b'{"a": "%s"}' % (b"x" * 9000), 413, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_body_that_cannot_be_read_is_refused(tiny: FlaskClient, raw: bytes, status: int, code: str | None) -> None:
    assert refused(tiny, raw, status)["code"] == code


def test_a_misspelt_parameter_gets_a_hint(tiny: FlaskClient) -> None:
    assert "perhaps output is meant" in refused(tiny, {**body(), "replay": {"ouput": "Hi"}})["message"]
    assert "known: output, ids" in refused(tiny, {**body(), "replay": {"colour": 1}})["message"]


def test_texts_and_prompts_have_limits(tiny: FlaskClient) -> None:
    assert refused(tiny, body("x" * 1001), 413)["param"] == "replay.output"
    assert refused(tiny, {**body(), "replay": {"ids": [65] * 101}}, 413)["param"] == "replay.ids"
    # The template is stopped before it has written more than a text may be long.
    assert "longer than 1,000 characters" in refused(tiny, body("x", messages=HELLO * 40))["message"]
    assert refused(tiny, body("x", messages=[{"role": "user", "content": "é" * 480}]), 413)["param"] == "messages"


def test_every_other_refusal_under_v1_has_the_same_shape(tiny: FlaskClient) -> None:
    for response, status in (
        (tiny.get("/v1/nothing"), 404),
        (tiny.get(ADDRESS), 405),
        (tiny.post(ADDRESS, data="{}", content_type="text/plain"), 415),
    ):
        error = response.get_json()["error"]
        assert (response.status_code, error["type"], error["param"]) == (status, "invalid_request_error", None)


def test_a_defect_is_500_in_openai_s_shape_and_logged_without_text(
    tiny: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("what the user typed")

    monkeypatch.setattr(chat_completions, "job_of", broken)
    response = post(tiny, body("Hi"))
    error = response.get_json()["error"]
    assert (response.status_code, error["type"]) == (500, "server_error")
    (record,) = caplog.records
    assert record.getMessage().split("reference ")[1][:8] in error["message"]
    assert "typed" not in record.getMessage() + response.text


NAMES = (
    "messages",
    "replay",
    "stream",
    "stream_options",
    "n",
    "stop",
    "min_tokens",
    "max_tokens",
    "tools",
    "tool_choice",
)
NAMES += ("parallel_tool_calls", "chat_template_kwargs", "add_generation_prompt", "model")
REPLAY_NAMES = ("output", "ids", "tokens_per_delta", "cut_seed", "bursts", "delay_ms", "format", "reasoning", "nasty")
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "text", "function", "role", "content", "type", "name", "none", ""]
)
SCALARS = st.none() | st.booleans() | st.integers(-2, 300) | st.floats(allow_nan=False) | WORDS | st.text(max_size=4)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))


@pytest.fixture
def fuzzed(tiny: FlaskClient) -> Callable[[dict[str, Any]], None]:
    def check(sent: dict[str, Any]) -> None:
        response = post(tiny, sent)
        assert response.status_code in (200, 400, 404, 413), response.text
        if response.status_code == 200:
            assert response.data
            assert b'"server_error"' not in response.data
        else:
            assert response.get_json()["error"]["message"]

    return check


def test_any_json_in_any_place_is_answered_or_refused(fuzzed: Callable[[dict[str, Any]], None]) -> None:
    @settings(max_examples=100, deadline=None, derandomize=True)
    @given(st.dictionaries(st.sampled_from(NAMES), VALUES, min_size=1, max_size=2), st.booleans())
    def anywhere(members: dict[str, Any], is_streamed: bool) -> None:
        fuzzed({**body("abc", stream=is_streamed), **members})

    @settings(max_examples=100, deadline=None, derandomize=True)
    @given(st.dictionaries(st.sampled_from(REPLAY_NAMES), VALUES, min_size=1, max_size=2), st.booleans())
    def in_replay(members: dict[str, Any], is_streamed: bool) -> None:
        fuzzed({**body(stream=is_streamed), "replay": members})

    anywhere()
    in_replay()
