"""Templates in the chat lab: pasted, chosen by name, copied; failing with their line; hostile ones stopped."""

from __future__ import annotations

import json
import re
import time
from html import unescape

import pytest
from flask.testing import FlaskClient

from app import sandbox
from app.chat_samples import WEATHER
from app.sandbox import Sandbox
from tests.app.chat_pages import ECHO, area, chat, drawn_prompt, fields, plain_text, sentence, trouble, user
from tokcore.chat import CHATML_TEMPLATE

HOSTILE = {
    "nested loops": "{% for a in range(999) %}" * 3 + "{% endfor %}" * 3,
    "a long text": "{{ 'a' * 300000000 }}",
    "much output": "{% for a in range(100000) %}{{ 'b' * 1000 }}{% endfor %}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "too long a range": "{{ range(100001) | length }}",
    "internals": "{{ ''.__class__.__mro__ }}",
    "nested brackets": "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
}


def test_a_pasted_template_is_used_and_its_variables_are_offered(client: FlaskClient) -> None:
    template = ECHO + "{% if mode is defined and mode == 'low' %}<low>{% endif %}{{ strftime_now('%A') }}"
    sent = chat(user("Hi"), source="pasted", template=template, now="2031-02-03T04:05:06")
    html = client.post("/chat", data={**sent, "v.mode": "low"}).text
    assert drawn_prompt(html) == "[user]Hi<low>Monday"
    assert 'name="v.mode"' in html and '<option value="low">' in html
    assert "The template asks for the date" in html


@pytest.mark.parametrize("value", ["", "true", "false"])
def test_a_switch_has_three_states(client: FlaskClient, value: str) -> None:
    html = client.post("/chat", data={**chat(user("Hi")), "v.enable_thinking": value}).text
    chosen = re.search(r'name="v.enable_thinking">.*?<option value="(\w*)" selected>', html, re.S)
    assert chosen is not None and chosen[1] == value
    assert ("<think>" in drawn_prompt(html)) == (value == "false")


def test_several_templates_by_name_can_be_pasted_and_chosen(client: FlaskClient) -> None:
    named = json.dumps([{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}])
    sent = chat(user("Hi"), source="pasted", template=named)
    assert drawn_prompt(client.post("/chat", data=sent).text) == "D"
    assert drawn_prompt(client.post("/chat", data={**sent, "tools": json.dumps([WEATHER])}).text) == "T"
    assert drawn_prompt(client.post("/chat", data={**sent, "named": "tool_use"}).text) == "T"


def test_a_whole_configuration_can_be_pasted_with_its_special_tokens(client: FlaskClient) -> None:
    config = json.dumps({"bos_token": {"content": "<s>"}, "chat_template": "{{ bos_token }}!"})
    assert drawn_prompt(client.post("/chat", data=chat(user("Hi"), source="pasted", template=config)).text) == "<s>!"


def test_our_template_can_be_copied_and_edited(client: FlaskClient) -> None:
    html = client.post("/chat", data={**fields(client.get("/chat").text), "do": "copy-template"}).text
    assert area(html, "template").rstrip("\n") == CHATML_TEMPLATE.rstrip("\n")
    assert fields(html)["source"] == "pasted"
    assert sentence(html).startswith("12 of 29 tokens")


def test_a_failing_template_shows_its_line_the_variable_and_the_message(client: FlaskClient) -> None:
    template = "{% for m in messages %}\n{{ m.content }}\n{{ m.metadata.score }}\n{% endfor %}"
    answer = client.post(
        "/chat", data=chat({**user("a"), "metadata": {"score": 1}}, user("b"), source="pasted", template=template)
    )
    assert answer.status_code == 422
    words = plain_text(answer.text)
    assert "The template fails at line 3 , message 1" in words
    assert "The name looked up: metadata" in words or "metadata" in words
    shown = re.search(
        r'class="source-line fails"><span class="source-number num">3</span><code>(.*?)</code>', answer.text
    )
    assert shown is not None and unescape(shown[1]) == "{{ m.metadata.score }}"
    assert area(answer.text, "template") == template


def test_a_refusal_of_the_template_is_given_in_its_own_words(client: FlaskClient) -> None:
    html = client.post("/chat", data=chat({"role": "critic", "content": "no"})).text
    assert "The template refuses this conversation" in plain_text(html)
    assert "The roles are system, user, assistant and tool, not critic." in plain_text(html)
    assert 'href="#m-0"' in html


def test_a_template_that_does_not_compile_shows_where(client: FlaskClient) -> None:
    html = client.post("/chat", data=chat(user("a"), source="pasted", template="ok\n{% if x %}\n{{ }}\n")).text
    assert "at line 3" in plain_text(html)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_template_ends_in_an_error_in_place_and_the_server_goes_on(
    client: FlaskClient, hx: dict[str, str], name: str
) -> None:
    sent = chat(user("a"), source="pasted", template=HOSTILE[name])
    began = time.monotonic()
    answer = client.post("/chat", data=sent, headers=hx)
    assert time.monotonic() - began < 15
    assert answer.status_code == 200 and 'class="problem"' in answer.text
    assert "What to do:" in plain_text(answer.text) and "Traceback" not in answer.text
    assert sentence(client.get("/chat").text).startswith("12 of 29")


def test_a_busy_sandbox_is_503_with_words(
    client: FlaskClient, hx: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Sandbox(workers=1, waiting=0)
    assert full._places.acquire(blocking=False)
    monkeypatch.setattr(sandbox, "_sandbox", full)
    answer = client.post("/chat", data=chat(user("Hi")), headers=hx)
    assert answer.status_code == 503 and "try again in a few seconds" in answer.text
    page = client.post("/chat", data=chat(user("Hi")))
    assert page.status_code == 503 and "Hi" in area(page.text, "messages")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("now", "yesterday", "a date and time"),
        ("extra", "[1]", "no object"),
        ("extra", '{"messages": []}', "no name for a variable"),
        ("extra", '{"a": ', "Line 1, column 7"),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_field(client: FlaskClient, field: str, value: str, says: str) -> None:
    answer = client.post("/chat", data=chat(user("Hi"), **{field: value}))
    assert answer.status_code == 422 and says in trouble(answer.text, field)
    assert "Hi<|im_end|>" in drawn_prompt(answer.text)


def test_a_variable_may_have_any_name_but_the_renderers(client: FlaskClient) -> None:
    template = "{{ self_ }}{{ job }}{{ budget }}{{ kwargs }}{{ source }}{{ options }}"
    extra = json.dumps({"self_": 0, "job": 1, "budget": 2, "kwargs": 3, "source": 4, "options": 5})
    html = client.post("/chat", data=chat(user("Hi"), source="pasted", template=template, extra=extra)).text
    assert drawn_prompt(html) == "012345"
