"""Our own ChatML template: the format's facts, and its costs with the real vocabulary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.chat.conversations import ANSWER, CONVERSATIONS, SYSTEM, USER, WEATHER, call, calls, result
from tests.core.chat.test_reference import published
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.errors import TemplateRefused


def chatml(*messages: Any, tools: Any = None, **options: Any) -> str:
    return render_chat(CHATML_TEMPLATE, list(messages), tools, **options)


def test_a_turn_is_framed_by_its_role_and_an_end() -> None:
    assert chatml(SYSTEM, USER, add_generation_prompt=False) == (
        "<|im_start|>system\nYou are a terse assistant.<|im_end|>\n"
        "<|im_start|>user\nHow many tokens is this?<|im_end|>\n"
    )


@pytest.mark.parametrize(
    ("switch", "ending"),
    [
        ({}, "<|im_start|>assistant\n"),
        ({"enable_thinking": True}, "<|im_start|>assistant\n"),
        ({"enable_thinking": False}, "<|im_start|>assistant\n<think>\n\n</think>\n\n"),
    ],
)
def test_thinking_is_switched_off_by_an_empty_think_block(switch: dict[str, bool], ending: str) -> None:
    assert chatml(USER, **switch) == chatml(USER, add_generation_prompt=False) + ending


def test_tools_stand_in_the_system_turn_one_a_line() -> None:
    for messages, begins in (([SYSTEM, USER], "You are a terse assistant.\n\n# "), ([USER], "# ")):
        prompt = chatml(*messages, tools=[WEATHER, WEATHER])
        assert prompt.startswith("<|im_start|>system\n" + begins)
        section = prompt[prompt.index("<tools>\n") + 8 : prompt.index("</tools>")]
        assert [json.loads(line) for line in section.splitlines()] == [WEATHER, WEATHER]
        assert prompt.count("<|im_start|>system") == 1


def test_calls_and_results_go_between_their_tags() -> None:
    conversation = [
        *(USER, calls(call({"city": "Åre"}), call('{"city": "Oslo"}'), content="Let me see.")),
        *(result("-3 °C"), result("2 °C")),
    ]
    assert chatml(*conversation).partition("<|im_start|>assistant\n")[2] == (
        "<think>\n\n</think>\n\nLet me see."
        '\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Åre"}}\n</tool_call>'
        '\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\n-3 °C\n</tool_response>"
        "\n<tool_response>\n2 °C\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
    ).replace("<think>\n\n</think>\n\n", "")


def test_thoughts_are_kept_after_the_last_question_and_dropped_before_it() -> None:
    thinking = {"role": "assistant", "content": "<think>\nhmm\n</think>\n\nFour."}
    apart = {"role": "assistant", "content": "Four.", "reasoning_content": "hmm"}
    for message in (thinking, apart):
        assert "<think>\nhmm\n</think>\n\nFour.<|im_end|>" in chatml(USER, message)
        later = chatml(USER, message, USER)
        assert "hmm" not in later and "<|im_start|>assistant\nFour.<|im_end|>" in later


def test_an_unknown_role_is_refused_by_name() -> None:
    with pytest.raises(TemplateRefused, match="not critic"):
        chatml({"role": "critic", "content": "Hm."})


def test_a_content_in_parts_or_none_is_written_as_its_text() -> None:
    parts = [{"type": "text", "text": "What is "}, {"type": "image"}, {"type": "text", "text": "?"}]
    assert chatml({"role": "user", "content": parts}) == chatml({"role": "user", "content": "What is ?"})
    assert chatml({"role": "user", "content": None}) == chatml({"role": "user", "content": ""})


# The published template passes over an unknown role and refuses content that is no text.
NOT_COMPARED = (
    "an unknown role",
    "content in parts",
    "empty parts",
    "None as content",
    "no content",
    "numbers as content",
)


@pytest.mark.parametrize("name", [name for name in CONVERSATIONS if name not in NOT_COMPARED])
def test_every_other_turn_is_that_of_the_published_qwen3_template(name: str) -> None:
    template, tokens = published("qwen3")
    for tools in (None, [WEATHER]):
        for thinking in ({}, {"enable_thinking": False}):
            for prompt in (True, False):
                theirs = render_chat(template, CONVERSATIONS[name], tools, prompt, **tokens, **thinking)
                ours = render_chat(CHATML_TEMPLATE, CONVERSATIONS[name], tools, prompt, **thinking)
                if tools:
                    theirs, ours = (text.split("<|im_end|>\n", 1)[1] for text in (theirs, ours))
                assert ours == theirs


def test_a_final_answer_can_be_continued() -> None:
    assert chatml(USER, {"role": "assistant", "content": "Sure: "}, continue_final_message=True).endswith("\n\nSure: ")
    assert ANSWER["content"] in chatml(USER, ANSWER, continue_final_message=True)
