"""The chat lab over HTTP: page and fragments, buttons, refusals beside their fields, templates that fail, exports."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.board import board
from app.chat_input import ChatForm
from app.chat_request import read
from app.chat_samples import SAMPLES, WEATHER, Sample
from tests.app.chat_pages import ECHO, area, chat, drawn_prompt, exported, fields, plain_text, sentence, trouble, user
from tests.core.chat.conversations import CONVERSATIONS
from tokcore.chat import render_chat
from tokcore.pipeline import Tokenizer


@pytest.fixture(scope="module")
def qwen3(app: Flask) -> Tokenizer:
    return board(app).catalogue.tokenizer("qwen3")


# ---- the page and its answers


def test_the_page_begins_with_a_conversation_of_29_tokens(client: FlaskClient) -> None:
    html = client.get("/chat").text
    assert "<!doctype html>" in html
    assert sentence(html) == "12 of 29 tokens are words of messages and tools; the template adds 17."


def test_the_header_leads_to_it_and_it_leads_on_with_the_prompt(client: FlaskClient) -> None:
    assert 'href="/chat" data-carry' in client.get("/").text
    html = client.get("/chat?sample=plain").text
    link = re.search(r'href="/\?([^"]*)">Open in Tokens', html)
    assert link is not None
    carried = dict(parse_qsl(unescape(link[1])))
    assert carried["text"] == drawn_prompt(html) and carried["add_special_tokens"] == "0"


def test_a_text_from_another_page_becomes_a_question(client: FlaskClient) -> None:
    html = client.get("/chat", query_string={"text": "[Olá]"}).text
    assert area(html, "m-0-content") == "[Olá]"
    assert "<|im_start|>user\n[Olá]<|im_end|>" in drawn_prompt(html)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_prompt_of_every_sample_is_the_renderers_and_its_ids_the_tokenizers(
    client: FlaskClient, qwen3: Tokenizer, sample: Sample, app: Flask
) -> None:
    form = sample.with_tokenizer("qwen3")
    asked = read(form, qwen3, "Qwen3", board(app).settings)
    expected = render_chat(asked.template.source, asked.messages, asked.tools, **asked.options)
    html = client.get(f"/chat?sample={sample.name}").text
    assert drawn_prompt(html) == expected
    body = exported(client, dict(form.state("qwen3")))
    assert body["prompt"] == expected
    assert body["prompt_token_ids"] == qwen3.encode_ids(expected, add_special_tokens=False)
    assert "".join(expected[span["start"] : span["end"]] for span in body["spans"]) == expected
    assert len(body["offsets"]) == len(body["tokens"]) == len(body["prompt_token_ids"])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_no_sample_gives_an_alarm_but_the_one_made_for_it(client: FlaskClient, sample: Sample) -> None:
    html = client.get(f"/chat?sample={sample.name}").text
    warned = re.findall(r'class="finding warning" data-rule="(.*?)"', html)
    assert warned == (["control"] if sample.name == "injection" else [])


def test_htmx_gets_the_fragment_and_the_page_includes_the_same(client: FlaskClient, hx: dict[str, str]) -> None:
    sent = chat(user("same <b>\n🚀 here"))
    fragment = client.post("/chat", data=sent, headers=hx)
    assert "<html" not in fragment.text and 'id="state"' in fragment.text
    assert "HX-Request" in fragment.headers["Vary"]
    outcome = fragment.text.split('<div class="trouble"')[0]
    assert "".join(outcome.split()) in "".join(client.post("/chat", data=sent).text.split())


def test_while_someone_types_the_fields_are_left_alone(client: FlaskClient, hx: dict[str, str]) -> None:
    sent = fields(client.get("/chat").text)
    html = client.post("/chat", data={**sent, "m.1.content": "Another?"}, headers=hx).text
    assert 'id="editor"' not in html and 'id="choices"' not in html
    assert "Another?" in area(html, "messages")
    assert client.post("/chat", data={**sent, "do": "add"}, headers=hx).text.count('id="editor"') == 1


def test_an_empty_conversation_is_no_error(client: FlaskClient) -> None:
    answer = client.get("/chat?text=")
    assert answer.status_code == 200 and "No prompt yet" in answer.text


def test_html_in_messages_stays_text(client: FlaskClient) -> None:
    html = client.post("/chat", data=chat(user("<script>x()</script>"), view="form")).text
    assert "<script>x()" not in html and "<script>x()</script>" in drawn_prompt(html)


# ---- both views of the messages


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_fields_and_json_hold_the_same_conversation(client: FlaskClient, name: str) -> None:
    messages = json.loads(json.dumps(CONVERSATIONS[name]))
    form = {"messages": json.dumps(messages), "template": ECHO, "source": "pasted"}
    as_fields = client.post("/chat", data={**form, "view": "form"}).text
    sent = fields(as_fields)
    as_json = client.post("/chat", data={**sent, "view": "json"}).text
    assert json.dumps(json.loads(area(as_json, "messages") or "[]")) == json.dumps(messages)


def test_buttons_add_move_and_remove_messages(client: FlaskClient) -> None:
    html = client.get("/chat?sample=plain").text

    def press(do: str) -> None:
        nonlocal html
        html = client.post("/chat", data={**fields(html), "do": do}).text

    press("add")
    sent = fields(html)
    assert sent["m.1.role"] == "assistant"
    html = client.post("/chat", data={**sent, "m.1.content": "Rayleigh."}).text
    press("call.1")
    html = client.post("/chat", data={**fields(html), "m.1.c.0.name": "f", "m.1.c.0.arguments": '{"a": 1}'}).text
    assert '{"name": "f", "arguments": {"a": 1}}' in drawn_prompt(html)
    press("uncall.1.0")
    assert "tool_call>" not in drawn_prompt(html)
    press("up.1")
    assert [fields(html)[f"m.{index}.role"] for index in (0, 1)] == ["assistant", "user"]
    press("remove.0")
    assert json.loads(area(html, "messages")) == [user("Why is the sky blue?")]
    press("remove.0")
    assert (
        "No prompt yet Add a message" in plain_text(html)
        and "problem" not in html.split('id="state"')[1].split("</div>")[0]
    )
    press("add")
    assert fields(html)["m.0.role"] == "user"


def test_a_button_goes_on_where_another_field_holds_broken_json(client: FlaskClient) -> None:
    sent = fields(client.get("/chat?sample=parts").text)
    broken = client.post("/chat", data={**sent, "m.0.content": "[{", "do": "add"})
    assert broken.status_code == 422
    again = fields(broken.text)
    assert again["m.0.content"] == "[{" and again["m.1.role"] == "assistant"
    assert "message 0, parts" in plain_text(broken.text)


def test_malformed_json_keeps_the_text_and_says_line_and_column(client: FlaskClient, hx: dict[str, str]) -> None:
    typed = '[\n  {"role": "user",\n   "content" "Hi"}\n]'
    answer = client.post("/chat", data={"messages": typed, "view": "json"})
    assert answer.status_code == 422 and area(answer.text, "messages") == typed
    assert "line 3, column 14: expected ':'" in plain_text(answer.text)
    assert client.post("/chat", data={"messages": typed}, headers=hx).status_code == 422


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("{}", "the JSON is no list"),
        ('["a"]', "item 0 of the list is no object"),
        ("[" * 500 + "]" * 500, "nested deeper than 100 levels"),
        ("[" * 200_000, "nested deeper than 100 levels"),
        ('[{"role": "user", "content": "\\ud800"}]', "half of a surrogate pair"),
        ('[{"role": "user", "content": NaN}]', "found NaN"),
        ('[{"n": ' + "9" * 5000 + "}]", "plain numbers"),
    ],
)
def test_what_is_no_conversation_is_refused(client: FlaskClient, typed: str, says: str) -> None:
    answer = client.post("/chat", data={"messages": typed, "view": "json"})
    assert answer.status_code == 422 and says in plain_text(answer.text)


def test_a_whole_request_may_be_pasted_as_json(client: FlaskClient) -> None:
    request = {"model": "x", "messages": [user("Hi there")], "stream": True}
    assert "Hi there" in drawn_prompt(client.post("/chat", data={"messages": json.dumps(request)}).text)


# ---- tools and the bill


def test_a_tool_is_taken_out_by_its_line_of_the_bill(client: FlaskClient) -> None:
    sent = fields(client.get("/chat?sample=parallel").text)
    assert len(json.loads(sent["tools"])) == 3
    html = client.post("/chat", data={**sent, "do": "drop-tool.1"}).text
    names = [tool["function"]["name"] for tool in json.loads(area(html, "tools"))]
    assert names == ["get_weather", "save_note"]
    assert "find_trains" not in drawn_prompt(html)


def test_what_the_button_says_is_what_it_saves(client: FlaskClient) -> None:
    html = client.get("/chat?sample=parallel").text
    count = int(re.findall(r"of (\d+) tokens", sentence(html))[0])
    for do, saved in re.findall(r'value="(drop-(?:tool|message)\.\d)" aria-label="Remove: −(\d+) tokens', html):
        after = client.post("/chat", data={**fields(html), "do": do}).text
        assert int(re.findall(r"of (\d+) tokens", sentence(after))[0]) == count - int(saved), do


def test_ready_tools_are_one_button_away(client: FlaskClient) -> None:
    html = client.post("/chat", data={**fields(client.get("/chat?sample=plain").text), "do": "tools.weather"}).text
    assert json.loads(area(html, "tools")) == [WEATHER]
    assert "get_weather" in drawn_prompt(html)


def test_broken_tools_are_said_beside_them_and_the_prompt_goes_without(client: FlaskClient) -> None:
    answer = client.post("/chat", data=chat(user("Hi"), tools='[{"type": }]'))
    assert answer.status_code == 422 and area(answer.text, "tools") == '[{"type": }]'
    assert "Line 1, column 11: expected a value" in trouble(answer.text, "tools")
    assert "<|im_start|>user\nHi<|im_end|>" in drawn_prompt(answer.text)


# ---- how the prompt ends


@pytest.mark.parametrize(
    ("template", "content", "ends"),
    [
        ("{% for m in messages %}{{ m.content | trim }}<e>{% endfor %}", "Sure: ", "Sure:"),
        ("{% for m in messages %}{{ m.content }}<e>{% endfor %}", "Sure: ", "Sure: "),
        ("{% for m in messages %}{{ m.content }}<e>{% endfor %}", "Ok\n", "Ok\n"),
    ],
)
def test_a_continued_message_ends_the_prompt_open(client: FlaskClient, template: str, content: str, ends: str) -> None:
    sent = chat(user("Q"), {"role": "assistant", "content": content}, source="pasted", template=template)
    assert exported(client, {**sent, "ending": "continue"})["prompt"] == f"Q<e>{ends}"
    assert exported(client, {**sent, "ending": "none"})["prompt"] == f"Q<e>{ends}<e>"


def test_nothing_to_continue_is_said_in_place(client: FlaskClient) -> None:
    answer = client.post("/chat", data=chat({"role": "assistant", "tool_calls": []}, ending="continue"))
    assert answer.status_code == 422 and "there is nothing to continue" in plain_text(answer.text).lower()


# ---- links, long conversations


def test_a_link_brings_back_the_whole_state(client: FlaskClient) -> None:
    form = ChatForm(
        "qwen3",
        messages='[{"role":"user","content":"ä & b"}]',
        tools='[{"type":"function","function":{"name":"f"}}]',
        ending="none",
        variables=(("enable_thinking", "false"),),
        view="json",
        show_tokens=True,
        against="ending.prompt",
    )
    html = client.get("/chat?" + form.to_query("qwen3")).text
    query = re.search(r'id="state" data-query="(.*?)" data-long="0"', html)
    assert query is not None
    assert dict(parse_qsl(unescape(query[1]))) == dict(form.state("qwen3"))
    assert client.get("/chat?" + unescape(query[1])).text == html


def test_a_long_conversation_keeps_out_of_the_query(client: FlaskClient) -> None:
    html = client.post("/chat", data=chat(user("long " * 1000))).text
    found = re.search(r'data-query="(.*?)" data-long="1"', html)
    assert found is not None and len(found[1]) < 100


@pytest.mark.parametrize("page", ["/", "/stream"])
def test_a_prompt_too_long_for_a_link_is_taken_to_other_pages_by_a_form(client: FlaskClient, page: str) -> None:
    html = client.post("/chat", data=chat(user("\nmany words " * 500))).text
    assert f'form="carry" formaction="{page}"' in html
    carried = re.search(r'<form id="carry".*?<textarea name="text".*?>\n(.*?)</textarea>', html, re.S)
    assert carried is not None and unescape(carried[1]) == exported(client, fields(html))["prompt"]
    arrived = client.post(page, data={"text": unescape(carried[1]), "tokenizer": "qwen3", "add_special_tokens": "0"})
    assert arrived.status_code == 200 and "many words" in area(arrived.text, "text")


@pytest.mark.parametrize("count", [2, 1500])
def test_a_conversation_of_a_megabyte_stays_usable(client: FlaskClient, hx: dict[str, str], count: int) -> None:
    words = "a few words of some conversation " * (1_000_000 // 33 // count)
    messages = [{"role": ("user", "assistant")[at % 2], "content": f"{at} {words}"} for at in range(count)]
    client.get("/chat")
    began = time.monotonic()
    answer = client.post("/chat", data={"messages": json.dumps(messages), "view": "form"}, headers=hx)
    assert answer.status_code == 200
    assert time.monotonic() - began < 30
    without_messages = answer.text.split('id="editor"')[0]
    assert len(without_messages) < 1_000_000
    assert "characters of this long prompt are not drawn" in plain_text(answer.text)
    assert '<table class="bill">' in answer.text
    if count > 60:
        assert "fields are drawn for up to 60" in answer.text


def test_a_conversation_above_the_limit_is_refused_with_the_limit(tiny: FlaskClient) -> None:
    answer = tiny.post("/chat", data=chat(user("x" * 2000)))
    assert answer.status_code == 413 and "the limit is 1,000" in plain_text(answer.text)
