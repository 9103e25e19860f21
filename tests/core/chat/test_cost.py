"""The bill: published figures with the real Qwen3 template where it is at hand, the same arithmetic with ours."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tests.core.chat.conversations import ANSWER, CONVERSATIONS, SYSTEM, TOOLS, USER, WEATHER
from tests.core.chat.reference import NOW
from tests.core.chat.templates import TEMPLATES
from tests.core.chat.test_reference import published
from tests.reference import bundled
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.cost import Bill, Other, Part, counted, render_variants, token_bill
from tokcore.chat.errors import ChatError

LETTER = {"role": "user", "content": "x"}
SEVEN_MORE = [WEATHER] * 7


def count_qwen3(text: str) -> int:
    return len(bundled("qwen3").encode_ids(text, add_special_tokens=False))


@pytest.fixture(params=["published", "ours"])
def qwen3_template(request: pytest.FixtureRequest) -> str:
    return published("qwen3")[0] if request.param == "published" else CHATML_TEMPLATE


def bill(template: str, *messages: Any, tools: Any = None, **options: Any) -> Bill:
    return token_bill(count_qwen3, template, list(messages), tools, **options)


def part(of: Bill, kind: str, index: int | None = None) -> Part:
    (found,) = (part for part in of.parts if (part.kind, part.index) == (kind, index))
    return found


def test_two_short_messages_cost_29_tokens_of_which_12_are_theirs(qwen3_template: str) -> None:
    off = bill(qwen3_template, SYSTEM, USER, enable_thinking=False)
    assert (off.total, off.own, off.added, off.residue) == (29, 12, 17, 0)
    assert bill(qwen3_template, SYSTEM, USER).total == 25
    assert bill(qwen3_template, SYSTEM, USER, enable_thinking=True).total == 25


def test_a_turn_is_framed_by_5_tokens_the_prompt_by_3_and_the_empty_think_block_is_4(qwen3_template: str) -> None:
    off = bill(qwen3_template, SYSTEM, USER, enable_thinking=False)
    assert [part(off, "message", index).frame for index in (0, 1)] == [5, 5]
    assert (part(off, "generation").tokens, part(off, "thinking").tokens) == (3, 4)


def test_a_letter_costs_13_tokens(qwen3_template: str) -> None:
    letter = bill(qwen3_template, LETTER, enable_thinking=False)
    assert (letter.total, part(letter, "message", 0).tokens, letter.residue) == (13, 6, 0)


def test_one_tool_costs_147_tokens_of_which_64_are_its_json() -> None:
    template = published("qwen3")[0]
    one = bill(template, LETTER, tools=[WEATHER], enable_thinking=False)
    tool = part(one, "tool", 0)
    assert (one.total, tool.tokens, tool.own, tool.frame, one.tools_section) == (160, 147, 64, 83, 147)
    assert one.residue == 0


def test_each_further_tool_costs_65_tokens(qwen3_template: str) -> None:
    one = bill(qwen3_template, LETTER, tools=[WEATHER], enable_thinking=False)
    eight = bill(qwen3_template, LETTER, tools=[WEATHER, *SEVEN_MORE], enable_thinking=False)
    assert [part(eight, "tool", index).tokens for index in range(8)] == [65] * 8
    assert eight.tools_section == one.tools_section + 7 * 65
    assert eight.total == one.total + 7 * 65
    assert eight.residue == 0


def test_our_tools_section_has_the_same_json_and_fewer_words() -> None:
    tool = part(bill(CHATML_TEMPLATE, LETTER, tools=[WEATHER]), "tool", 0)
    assert tool.own == 64
    assert tool.tokens == 64 + tool.frame and 0 < tool.frame <= 83


def test_a_message_that_cannot_go_is_repeated_or_emptied_and_the_bill_says_so() -> None:
    template = published("qwen3")[0]
    assert part(bill(template, LETTER), "message", 0).how == "repeated"
    alternating = bill(TEMPLATES["strict"], USER, ANSWER, USER)
    assert [part(alternating, "message", index).how for index in range(3)] == ["emptied", "emptied", "removed"]
    with_system = token_bill(len, TEMPLATES["strict"], [SYSTEM, USER])
    assert part(with_system, "message", 0).how == "removed"


def test_a_first_token_is_left_over_as_residue() -> None:
    template = "{{ bos_token }}" + TEMPLATES["lines"]
    made = token_bill(len, template, [USER, ANSWER], bos_token="<s>", add_generation_prompt=False)
    assert made.residue == len("<s>")


def test_a_continued_message_is_billed_as_far_as_it_goes() -> None:
    made = bill(CHATML_TEMPLATE, USER, {"role": "assistant", "content": "Sure: "}, continue_final_message=True)
    assert (part(made, "message", 1).how, made.total) == ("emptied", count_qwen3(made_prompt()))
    assert all(part.kind == "message" for part in made.parts)


def made_prompt() -> str:
    messages = [USER, {"role": "assistant", "content": "Sure: "}]
    return render_chat(CHATML_TEMPLATE, messages, continue_final_message=True)


@pytest.mark.parametrize("template", [*TEMPLATES.values(), CHATML_TEMPLATE], ids=[*TEMPLATES, "ours"])
def test_every_bill_adds_up_to_the_count_of_the_prompt(template: str) -> None:
    billed = 0
    for messages in CONVERSATIONS.values():
        for tools in TOOLS.values():
            options = {"now": NOW, "bos_token": "<s>", "enable_thinking": False}
            try:
                text = render_chat(template, messages, tools, **options)
            except ChatError:
                continue
            made = token_bill(len, template, messages, tools, **options)
            assert made.total == len(text)
            assert sum(part.tokens or 0 for part in made.parts) + made.residue == made.total
            assert len([part for part in made.parts if part.kind == "message"]) == len(messages)
            billed += 1
    assert billed


def test_prompts_can_be_counted_apart_from_where_they_were_rendered() -> None:
    variants = render_variants(CHATML_TEMPLATE, [SYSTEM, USER, ANSWER], [WEATHER], enable_thinking=False)
    again = pickle.loads(pickle.dumps(variants))
    at_once = bill(CHATML_TEMPLATE, SYSTEM, USER, ANSWER, tools=[WEATHER], enable_thinking=False)
    assert counted(again, count_qwen3) == at_once


@pytest.mark.parametrize(
    ("text", "other"), [("", ""), ("a", ""), ("", "a"), ("aaa", "aa"), ("aa", "aaa"), ("abc", "abc"), ("xabcx", "xbx")]
)
def test_a_prompt_is_found_again_by_what_differs(text: str, other: str) -> None:
    found = Other.of(text, other)
    assert found.whole(text) == other
    assert len(found.middle) + found.head + found.tail == len(other)
