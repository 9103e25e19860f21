"""Who wrote each character: the text never changes, every stretch has a writer, and nothing is guessed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.chat.conversations import ANSWER, CONVERSATIONS, SYSTEM, TOOLS, USER, WEATHER
from tests.core.chat.reference import NOW
from tests.core.chat.templates import TEMPLATES
from tests.core.chat.test_reference import published
from tests.reference import SHARED_FILES
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.conversation import prepare
from tokcore.chat.environment import ChatEnvironment
from tokcore.chat.errors import ChatError
from tokcore.chat.provenance import RenderedPrompt, render_with_provenance, trace, unreached
from tokcore.chat.template import run


def value_at(pointer: str, **roots: Any) -> Any:
    """What a JSON pointer points at; a pointer that ends in # gives the name."""
    name, *path = pointer.removesuffix("#").split("/")[1:]
    value = roots[name]
    for key in path:
        value = value[int(key)] if isinstance(value, list | tuple) else value[key.replace("~1", "/").replace("~0", "~")]
    return path[-1] if pointer.endswith("#") else value


def assert_lawful(prompt: RenderedPrompt, template: str, **roots: Any) -> None:
    """Spans are the text; whole fields are what their pointer points at, cuts are in it, words are in the template."""
    assert "".join(span.text for span in prompt.spans) == prompt.text
    assert [span.span.cut(prompt.text) for span in prompt.spans] == [span.text for span in prompt.spans]
    assert all(left.span.end == right.span.start for left, right in pairwise(prompt.spans))
    lines = template.splitlines()
    for span in prompt.spans:
        assert type(span.text) is str and span.text
        origin = span.origin
        if origin.kind in ("message", "tool", "variable"):
            value = str(value_at(origin.pointer, **roots))
            # Neighbours of one origin are one span: a field written twice is itself twice.
            if origin.change == "none":
                assert span.text == value * (len(span.text) // len(value))
            elif origin.change == "cut":
                assert set(span.text) <= set(value)
        elif origin.kind in ("template", "generation"):
            assert origin.line is not None and 1 <= origin.line <= len(lines) + 1


@pytest.mark.parametrize("template", [*TEMPLATES.values(), CHATML_TEMPLATE], ids=[*TEMPLATES, "ours"])
def test_the_traced_text_is_the_rendered_text(template: str) -> None:
    compared = 0
    for messages in CONVERSATIONS.values():
        for tools in TOOLS.values():
            for more in ({}, {"enable_thinking": False, "documents": [{"title": "t", "n": 1}]}):
                chat = prepare(template, messages, tools, bos_token="<s>", **more)
                try:
                    expected = run(ChatEnvironment(NOW), chat)
                except ChatError:
                    continue
                assert trace(chat, NOW) == expected
                given = {"bos_token": "<s>", **more}
                prompt = render_with_provenance(template, messages, tools, now=NOW, **given)
                assert prompt.text == expected
                assert_lawful(prompt, template, messages=chat.messages, tools=tools, **given)
                compared += 1
    assert compared > 4


@pytest.mark.parametrize("name", SHARED_FILES)
def test_the_traced_text_of_a_published_template_is_the_rendered_text(name: str) -> None:
    template, tokens = published(name)
    for messages in CONVERSATIONS.values():
        for tools in TOOLS.values():
            try:
                expected = render_chat(template, messages, tools, **tokens)
            except ChatError:
                continue
            prompt = render_with_provenance(template, messages, tools, **tokens)
            assert prompt.text == expected
            assert not [span for span in prompt.spans if span.origin.kind == "computed"]
            roots = {"messages": prepare(template, messages).messages, "tools": tools, **tokens}
            assert_lawful(prompt, template, **roots)


@given(
    st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": st.text()}),
        min_size=1,
    )
)
def test_whatever_the_messages_say_the_text_stays(messages: list[dict[str, str]]) -> None:
    for template in (CHATML_TEMPLATE, TEMPLATES["filters"], TEMPLATES["slices"], TEMPLATES["tojson"]):
        try:
            expected = render_chat(template, messages)
        except ChatError:
            continue
        prompt = render_with_provenance(template, messages)
        assert prompt.text == expected
        assert_lawful(prompt, template, messages=messages, tools=None)


def told(template: str, messages: Any, tools: Any = None, **options: Any) -> list[tuple[str, str, str]]:
    prompt = render_with_provenance(template, messages, tools, **options)
    return [(span.text, span.origin.pointer or span.origin.kind, span.origin.change) for span in prompt.spans]


def test_a_prompt_in_chatml_is_told_apart() -> None:
    assert told(CHATML_TEMPLATE, [SYSTEM, USER], enable_thinking=False) == [
        ("<|im_start|>system\n", "template", "none"),
        ("You are a terse assistant.", "/messages/0/content", "none"),
        ("<|im_end|>\n", "template", "none"),
        ("<|im_start|>", "template", "none"),
        ("user", "/messages/1/role", "none"),
        ("\n", "template", "none"),
        ("How many tokens is this?", "/messages/1/content", "none"),
        ("<|im_end|>\n", "template", "none"),
        ("<|im_start|>assistant\n", "generation", "none"),
        ("<think>\n\n</think>\n\n", "generation", "none"),
    ]


def test_words_of_the_template_say_their_line() -> None:
    template = "first\n{% for m in messages %}\n  second {{ m.role ~ '!' }}\n{% endfor %}\nthird"
    prompt = render_with_provenance(template, [USER])
    words = [(span.text, span.origin.line) for span in prompt.spans if span.origin.kind == "template"]
    assert words == [("first\n", 1), ("  second ", 3), ("!\n", 3), ("third", 5)]


OPENED = [("[", "computed", "none")]
BODY, ROLE = "/messages/0/content", "/messages/0/role"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("m.content", [(" Hi you ", "/messages/0/content", "none")]),
        ("m.content | trim", [("Hi you", "/messages/0/content", "cut")]),
        ("m.content.split(' ')[1]", [("Hi", "/messages/0/content", "cut")]),
        ("m.content[1:3]", [("Hi", "/messages/0/content", "cut")]),
        ("m.content | upper", [(" HI YOU ", "/messages/0/content", "changed")]),
        ("m.content | title", [(" Hi You ", "/messages/0/content", "changed")]),
        ("m.content | tojson", [('" Hi you "', "/messages/0/content", "changed")]),
        ("m.content | length", [("8", "computed", "none")]),
        ("m.content | replace('Hi', 'Ho')", [(" ", BODY, "cut"), ("Ho", "template", "none"), (" you ", BODY, "cut")]),
        ("m.content ~ m.role", [(" Hi you ", "/messages/0/content", "none"), ("user", "/messages/0/role", "none")]),
        ("[m.role, m.role] | join('+')", [("user", ROLE, "none"), ("+", "template", "none"), ("user", ROLE, "none")]),
        ("'%s: %s' % (m.role, m.content)", [("user:  Hi you ", "computed", "none")]),
        ("m.weight", [("0.5", "/messages/0/weight", "none")]),
        ("m.weight + 1", [("1.5", "computed", "none")]),
        ("tools[0] | tojson(indent=1) | length > 9", [("True", "computed", "none")]),
        ("tools[0].function.name", [("get_weather", "/tools/0/function/name", "none")]),
        ("(tools[0].function | list)[0]", [("name", "/tools/0/function/name#", "none")]),
        ("bos_token", [("<s>", "/bos_token", "none")]),
        ("strftime_now('%Y')", [("2031", "now", "none")]),
        ("m.content | e", [(" Hi you ", "computed", "none")]),
        ("m.content.swapcase().center(10)", [("  hI YOU  ", "/messages/0/content", "changed")]),
        ("[m.role, 1] | tojson", [*OPENED, ('"user"', ROLE, "changed"), (", 1]", "computed", "none")]),
        ("m | tojson", [('{"role": "user", "content": " Hi you ", "weight": 0.5}', "/messages/0", "changed")]),
        ("m | string | trim", [("{'role': 'user', 'content': ' Hi you ', 'weight': 0.5}", "/messages/0", "changed")]),
    ],
)
def test_what_a_template_does_to_a_field_is_told(expression: str, expected: list[tuple[str, str, str]]) -> None:
    template = "{% for m in messages %}{{ " + expression + " }}{% endfor %}"
    messages = [{"role": "user", "content": " Hi you ", "weight": 0.5}]
    assert told(template, messages, [WEATHER], now=NOW, bos_token="<s>") == expected


def test_json_of_a_tool_is_the_tool_s() -> None:
    (span,) = render_with_provenance("{{ tools[1] | tojson(indent=2) }}", [USER], [WEATHER, WEATHER]).spans
    assert (span.origin.kind, span.origin.index, span.origin.change) == ("tool", 1, "changed")


def test_thoughts_point_to_the_name_under_which_they_were_given() -> None:
    for field in ("reasoning_content", "thinking", "reasoning"):
        messages = [{"role": "assistant", "content": "", field: "hmm"}]
        for read in ("reasoning_content", "thinking"):
            assert told("{{ messages[0]." + read + " }}", messages) == [("hmm", f"/messages/0/{field}", "none")]


def test_only_what_the_prompt_adds_for_an_answer_is_the_generation_prompt() -> None:
    prompt = render_with_provenance(CHATML_TEMPLATE, [USER, ANSWER, USER])
    kinds = [(span.text, span.origin.kind) for span in prompt.spans if "assistant" in span.text]
    assert kinds == [("<|im_start|>assistant\n", "template"), ("<|im_start|>assistant\n", "generation")]
    assert "generation" not in {
        span.origin.kind for span in render_with_provenance(CHATML_TEMPLATE, [USER], None, False).spans
    }


def test_a_continued_message_ends_the_spans() -> None:
    messages = [USER, {"role": "assistant", "content": "Sure: "}]
    for shown, expected in (("m.content", ("Sure: ", "none")), ("m.content | trim", ("Sure:", "cut"))):
        template = "{% for m in messages %}{{ " + shown + " }}<e>{% endfor %}"
        spans = told(template, messages, continue_final_message=True)
        assert spans[-1] == (expected[0], "/messages/1/content", expected[1])


def test_a_template_that_draws_lots_is_computed_as_a_whole() -> None:
    prompt = render_with_provenance("{{ range(100000) | random }}-{{ range(100000) | random }}", [USER])
    (span,) = prompt.spans
    assert (span.text, span.origin.kind) == (prompt.text, "computed")


def test_an_empty_prompt_has_no_spans() -> None:
    assert render_with_provenance("", [USER]) == RenderedPrompt("", ())


def test_arguments_read_from_text_point_into_the_object() -> None:
    call = {"function": {"name": "f", "arguments": '{"city": "Oslo"}'}}
    messages = [{"role": "assistant", "tool_calls": [call]}]
    template = "{{ messages[0].tool_calls[0].function.arguments.city }}"
    pointer = "/messages/0/tool_calls/0/function/arguments/city"
    assert told(template, messages, parse_arguments=True) == [("Oslo", pointer, "none")]
    assert told(template, messages) == []


def test_fields_that_never_reached_the_prompt_are_named() -> None:
    messages = [SYSTEM, {"role": "user", "content": "Hi", "name": "Bo", "empty": "", "none": None}]
    prompt = render_with_provenance(TEMPLATES["trimmed"], messages, [WEATHER])
    missing = unreached(prompt, messages, [WEATHER])
    assert missing[0] == "/messages/1/name"
    assert missing[1:] and all(pointer.startswith("/tools/0/") for pointer in missing[1:])
    whole = render_with_provenance("{{ messages | tojson }}{{ tools[0] | tojson }}", messages, [WEATHER])
    assert unreached(whole, messages, [WEATHER]) == ()
