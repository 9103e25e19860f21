"""Every template with every conversation, beside transformers: equal text, or both refuse."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.core.chat.conversations import CONVERSATIONS, TOOLS
from tests.core.chat.reference import NOW, REFUSED, reference_render
from tests.core.chat.templates import BROKEN, TEMPLATES
from tests.reference import SHARED, SHARED_FILES
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.conversation import special_token_variables
from tokcore.chat.errors import ChatError

VARIABLES: dict[str, dict[str, Any]] = {
    "plain": {"bos_token": "<s>"},
    "thinking off": {"bos_token": "<s>", "enable_thinking": False, "documents": [{"title": "t", "text": "x"}]},
}


def ours(template: Any, messages: Any, tools: Any = None, **options: Any) -> str:
    before = deepcopy((messages, tools))
    try:
        return render_chat(template, messages, tools, now=NOW, **options)
    except ChatError:
        return REFUSED
    finally:
        assert (messages, tools) == before, "the caller's objects were changed"


def assert_same(template: Any, messages: Any, tools: Any, **options: Any) -> str:
    options.setdefault("add_generation_prompt", False)
    expected = reference_render(template, messages, tools, **options)
    assert ours(template, messages, tools, **options) == expected
    return expected


def published(name: str) -> tuple[str, dict[str, str]]:
    path = SHARED / "tokenizers" / name / "tokenizer_config.json"
    if not path.is_file():
        pytest.skip(f"the published template of {name} is not here")
    config = json.loads(path.read_text(encoding="utf-8"))
    return config["chat_template"], special_token_variables(config)


@pytest.mark.parametrize("template", [*TEMPLATES.values(), CHATML_TEMPLATE], ids=[*TEMPLATES, "ours"])
def test_a_template_renders_every_conversation_as_in_transformers(template: str) -> None:
    rendered = set()
    for messages in CONVERSATIONS.values():
        for tools in TOOLS.values():
            for variables in VARIABLES.values():
                for prompt in (True, False):
                    rendered.add(assert_same(template, messages, tools, add_generation_prompt=prompt, **variables))
    assert len(rendered - {REFUSED}) > 1, "the template renders hardly anything, so that nothing was compared"


@pytest.mark.parametrize("name", SHARED_FILES)
def test_a_published_template_renders_every_conversation_as_in_transformers(name: str) -> None:
    template, tokens = published(name)
    rendered = set()
    for messages in CONVERSATIONS.values():
        for tools in TOOLS.values():
            for thinking in ({}, {"enable_thinking": True}, {"enable_thinking": False}):
                for prompt in (True, False):
                    options = {**tokens, **thinking, "add_generation_prompt": prompt}
                    rendered.add(assert_same(template, messages, tools, **options))
    assert len(rendered - {REFUSED}) > 10


@pytest.mark.parametrize("template", BROKEN.values(), ids=BROKEN)
def test_what_transformers_refuses_is_refused(template: str) -> None:
    assert assert_same(template, CONVERSATIONS["one question"], None) == REFUSED


@pytest.mark.parametrize("field", [True, "content", "reasoning_content", "thinking", "role", "nothing"])
@pytest.mark.parametrize("template", [*TEMPLATES.values(), CHATML_TEMPLATE], ids=[*TEMPLATES, "ours"])
def test_a_message_is_continued_as_in_transformers(template: str, field: bool | str) -> None:
    endings = ["Sure: ", "Ok\n", "", " ", "a\u3000", "x CONTINUE_FINAL_MESSAGE_TAG y"]
    last = [{"role": "assistant", "content": ending, "reasoning_content": ending + "r "} for ending in endings]
    for messages in ([*CONVERSATIONS["one question"], message] for message in last):
        assert_same(template, messages, None, continue_final_message=field, bos_token="")
    for messages in CONVERSATIONS.values():
        assert_same(template, messages, TOOLS["tools"], continue_final_message=field, bos_token="")


@pytest.mark.parametrize(
    "messages",
    [
        [],
        (),
        ["text"],
        [None],
        [{"role": "user", "content": {"a": "b"}}],
        ({"role": "user", "content": "in a tuple"},),
        [{}],
        [{1: 2}],
        [{"role": "user", "content": object}],
    ],
    ids=repr,
)
@pytest.mark.parametrize("continued", [False, True])
def test_odd_conversations_are_taken_and_refused_as_in_transformers(messages: Any, continued: bool) -> None:
    for template in (TEMPLATES["tojson"], TEMPLATES["tests"], CHATML_TEMPLATE):
        assert_same(template, messages, None, continue_final_message=continued, add_generation_prompt=False)


@pytest.mark.parametrize(
    "last", [False, None, 7, "a text", "x", {"text": 5}, {"text": None}, {"type": "image"}, ["text"], [], {}], ids=repr
)
def test_the_part_to_continue_is_looked_for_as_in_transformers(last: Any) -> None:
    messages = [{"role": "assistant", "content": [{"text": "Sure: "}, last]}]
    for template in (TEMPLATES["parts"], CHATML_TEMPLATE, "{% for m in messages %}{{ m.content }}{% endfor %}"):
        assert_same(template, messages, None, continue_final_message=True)


@pytest.mark.parametrize("tools", [["text"], [{}], [{"a": ("b", 1.0, None)}], [7]], ids=repr)
def test_odd_tools_are_taken_and_refused_as_in_transformers(tools: Any) -> None:
    for template in TEMPLATES.values():
        assert_same(template, CONVERSATIONS["one question"], tools, bos_token="")


@pytest.mark.parametrize("value", [1, 1.5, None, True, "x", ["a"], {"b": "c"}, ("t",), type, {1}, b"y"], ids=repr)
def test_any_variable_reaches_the_template_as_in_transformers(value: Any) -> None:
    for template in ("{{ v }}|{{ v is string }}|{{ v is mapping }}|{{ v is iterable }}", "{{ v | tojson }}"):
        assert_same(template, CONVERSATIONS["one question"], None, v=value)


def test_variables_given_by_the_caller_win_and_documents_must_be_objects() -> None:
    for documents in (None, [], [{"title": "t"}], ["text"], [None]):
        assert_same("{{ documents }}", CONVERSATIONS["one question"], None, documents=documents)


@pytest.mark.parametrize(
    "templates",
    [
        {"default": "a{{ messages[0].role }}", "tool_use": "b{{ tools | length }}"},
        {"default": "a"},
        {"tool_use": "b"},
        {},
    ],
    ids=repr,
)
@pytest.mark.parametrize("tools", TOOLS.values(), ids=TOOLS)
def test_one_of_several_templates_is_chosen_as_in_transformers(templates: dict[str, str], tools: Any) -> None:
    import transformers

    from tests.core.chat.reference import reference_tokenizer

    tokenizer = deepcopy(reference_tokenizer())
    assert isinstance(tokenizer, transformers.PreTrainedTokenizerFast)
    tokenizer.chat_template = templates
    try:
        expected = tokenizer.apply_chat_template(CONVERSATIONS["one question"], tools=tools, tokenize=False)
    except ValueError:
        expected = REFUSED
    assert ours(templates, CONVERSATIONS["one question"], tools) == expected
    as_list = [{"name": name, "template": text} for name, text in templates.items()]
    assert ours(as_list, CONVERSATIONS["one question"], tools) == expected
