"""The chat lab's figures, warnings and comparisons: with published templates where they are at hand, and with ours."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from app.catalogue import Catalogue
from app.chat_samples import WEATHER
from app.entries import CatalogueEntry
from tests.app.chat_pages import chat, drawn_prompt, plain_text, user
from tests.reference import SHARED, shared_tokenizer_json
from tokcore.pipeline import Tokenizer

SYSTEM = {"role": "system", "content": "You are a terse assistant."}
QUESTION = user("How many tokens is this?")
OFF = {"v.enable_thinking": "false"}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An app with Qwen3's own folder."""
    text = shared_tokenizer_json("qwen3")
    if text is None:
        pytest.skip("the published qwen3 folder is not beside the checkout")
    folder = tmp_path_factory.mktemp("published")
    (folder / "qwen3-published").mkdir()
    (folder / "qwen3-published" / "tokenizer.json").write_bytes(text)
    config = (SHARED / "tokenizers" / "qwen3" / "tokenizer_config.json").read_bytes()
    (folder / "qwen3-published" / "tokenizer_config.json").write_bytes(config)
    return create_app({"TESTING": True, "preload": False, "tokenizers": folder})


@pytest.fixture(params=["ours", "published"])
def qwen(request: pytest.FixtureRequest, client: FlaskClient) -> tuple[FlaskClient, dict[str, str]]:
    """A client and the fields that choose Qwen3's tokenizer with a template of its format."""
    if request.param == "ours":
        return client, {"tokenizer": "qwen3"}
    app: Flask = request.getfixturevalue("published")
    return app.test_client(), {"tokenizer": "qwen3-published"}


def bill(html: str) -> dict[str, tuple[int, ...]]:
    """Title → (tokens, own, frame) of each line of the bill; own and frame are left out where the line has none."""
    found = {}
    for row in re.findall(r"<tr>\s*<th scope=\"row\">(.*?)</tr>", html.split('<table class="bill">')[1], re.S):
        title = plain_text(re.sub(r'<span class="bill-note.*?</span>', "", row.split("</th>")[0]))
        cells = re.findall(r'<td class="num(?: strong)?">([^<]*)</td>', row)
        found[title] = tuple(int(cell.replace(",", "")) for cell in cells if cell)
        if title == "Prompt":
            break
    return found


def findings(html: str, level: str = "warning") -> dict[str, str]:
    """Rule → title and words of the findings of one level."""
    pattern = rf'<li class="finding {level}" data-rule="(.*?)">(.*?)</li>'
    return {rule: plain_text(words) for rule, words in re.findall(pattern, html, re.S)}


def compared(html: str) -> str:
    return plain_text(html.split('id="diff"')[1].split("</section>")[0])


def posted(client: FlaskClient, sent: dict[str, str]) -> str:
    return client.post("/chat", data=sent).text


# ---- the figures of the course


def test_two_short_messages_cost_29_tokens_of_which_12_are_theirs(qwen: tuple[FlaskClient, dict[str, str]]) -> None:
    client, chosen = qwen
    off = bill(posted(client, chat(SYSTEM, QUESTION, **chosen, **OFF)))
    assert off["Prompt"] == (29, 12, 17)
    assert off["Message 0, system"] == off["Message 1, user"] == (11, 6, 5)
    assert (off["Generation prompt"], off["Thinking switch"], off["Residue"]) == ((3,), (4,), (0,))
    assert bill(posted(client, chat(SYSTEM, QUESTION, **chosen)))["Prompt"][0] == 25


def test_a_letter_costs_13_tokens(qwen: tuple[FlaskClient, dict[str, str]]) -> None:
    client, chosen = qwen
    assert bill(posted(client, chat(user("x"), **chosen, **OFF)))["Prompt"][0] == 13


def test_one_tool_costs_147_tokens_and_its_button_says_so(published: Flask) -> None:
    client = published.test_client()
    chosen = {"tokenizer": "qwen3-published", "tools": json.dumps([WEATHER])}
    html = posted(client, chat(user("x"), **chosen, **OFF))
    lines = bill(html)
    assert lines["Prompt"][0] == 160
    assert lines["Tool 0 get_weather"] == (147, 64, 83)
    assert 'value="drop-tool.0" aria-label="Remove: −147 tokens, Tool 0"' in html
    assert bill(posted(client, chat(user("x"), do="drop-tool.0", **chosen, **OFF)))["Prompt"][0] == 13


def test_each_further_tool_costs_65_tokens(qwen: tuple[FlaskClient, dict[str, str]]) -> None:
    client, chosen = qwen
    one, eight = (
        bill(posted(client, chat(user("x"), tools=json.dumps([WEATHER] * count), **chosen, **OFF))) for count in (1, 8)
    )
    assert all(eight[f"Tool {index} get_weather"][0] == 65 for index in range(8))
    assert eight["Prompt"][0] == one["Prompt"][0] + 7 * 65


def test_a_tokenizer_with_a_template_of_its_own_uses_it(published: Flask) -> None:
    html = posted(published.test_client(), chat(user("x"), tools=json.dumps([WEATHER]), tokenizer="qwen3-published"))
    assert "You may call one or more functions" in drawn_prompt(html).replace("\n", " ")
    assert "qwen3-published’s own" in html


def test_the_lines_of_every_bill_add_up(client: FlaskClient) -> None:
    for name in ("system", "call", "parallel", "thinking", "cache", "injection", "parts", "languages"):
        lines = bill(client.get(f"/chat?sample={name}").text)
        total = lines.pop("Prompt")[0]
        assert sum(line[0] for line in lines.values()) == total, name


# ---- warnings


def test_control_tokens_of_a_user_are_shown_matched_and_split(client: FlaskClient) -> None:
    html = client.get("/chat?sample=injection").text
    words = findings(html)["control"]
    assert "2 control tokens in message 1, content" in words
    assert "Matched, these words are 10 tokens" in words and "did not write, 19" in words
    matched, split = html.split('class="colouring"')[1:3]
    assert 'data-id="151645"' in matched and 'data-id="151644"' in matched
    assert 'data-id="15164' not in split.split("</section>")[0]


@pytest.mark.parametrize(
    ("messages", "level"),
    [
        ([user("a <think> b")], "warning"),
        ([user([{"type": "text", "text": "<|im_end|>"}])], "warning"),
        ([{"role": "system", "content": "<tool_call>"}, user("Hi")], "warning"),
        ([user("Hi"), {"role": "assistant", "content": "<tool_call>"}, user("x")], "note"),
    ],
)
def test_added_tokens_count_as_control_tokens_wherever_they_are_typed(
    client: FlaskClient, messages: list[Any], level: str
) -> None:
    html = posted(client, chat(*messages))
    assert "control" in findings(html, level)
    assert level == "warning" or "control" not in findings(html)


def test_text_that_the_template_changed_is_searched_too(client: FlaskClient) -> None:
    template = "<s>{{ messages[0].content | upper | lower }}"
    found = findings(posted(client, chat(user("<|IM_END|>"), source="pasted", template=template)))
    assert "message 0, content, changed by the template" in found["control"]


@pytest.fixture
def starting(tiny_json: str, tmp_path: Path) -> FlaskClient:
    """A client whose tokenizer places <s> before every text, and whose configuration names it as BOS."""
    data = json.loads(tiny_json)
    data["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [259], "tokens": ["<s>"]}},
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(data), encoding="utf-8")
    config = {"bos_token": "<s>", "chat_template": "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}!"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    entry = CatalogueEntry(
        "start", "Start", "for tests", tmp_path / "tokenizer.json", lambda file: Tokenizer.from_dir(file.parent)
    )
    return create_app({"TESTING": True, "preload": False}, catalogue=Catalogue([entry])).test_client()


def test_two_starts_are_found_and_the_tokenizers_own_start_is_no_strangers(starting: FlaskClient) -> None:
    html = posted(starting, chat(user("abc"), ending="none"))
    assert drawn_prompt(html) == "<s>abc!"
    found = findings(html)
    assert "Two <s> at the start" in found["double-start"]
    assert "add_special_tokens=False" in found["double-start"]
    assert set(found) == {"double-start"}


def test_a_start_that_only_the_tokenizer_adds_is_no_alarm(starting: FlaskClient) -> None:
    html = posted(starting, chat(user("abc"), ending="none", source="pasted", template="{{ messages[0].content }}"))
    assert findings(html) == {}


def test_what_never_reached_the_prompt_is_named(client: FlaskClient) -> None:
    template = (
        "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}{{ '>' if add_generation_prompt }}"
    )
    message = {"role": "assistant", "content": "lost"}
    sent = chat(user("Hi"), message, {**user("Ho"), "name": "Bo"}, source="pasted", template=template)
    html = posted(client, {**sent, "tools": json.dumps([WEATHER])})
    words = " ".join(re.findall(r'data-rule="unreached">(.*?)</li>', html, re.S))
    said = plain_text(words)
    assert "No tool reached the prompt" in said and "get_weather" in said
    assert "Message 1 never reached the prompt" in said
    assert "A field never reached the prompt" in said and "/messages/2/name" in said
    assert "Message 0" not in said and "/messages/0" not in said


def test_dropped_thoughts_are_a_note_and_no_alarm(client: FlaskClient) -> None:
    thought = {"role": "assistant", "content": "4", "reasoning_content": "two and two"}
    html = posted(client, chat(user("2+2?"), thought, user("Sure?")))
    assert "two and two" not in drawn_prompt(html)
    assert findings(html) == {} and "thoughts of message 1" in findings(html, "note")["thoughts"]


def test_a_variable_that_is_not_read_is_named_with_the_one_that_may_be_meant(client: FlaskClient) -> None:
    found = findings(posted(client, chat(user("Hi"), extra='{"enable_thinkin": false}')))
    assert "enable_thinkin is given and not read" in found["ignored"]
    assert "It reads enable_thinking" in found["ignored"]


def test_a_generation_prompt_that_does_not_come_is_missed(client: FlaskClient) -> None:
    html = posted(client, chat(user("Hi"), source="pasted", template="{{ messages[0].content }}"))
    assert "No generation prompt" in findings(html)["generation"]
    assert "generation" in findings(posted(client, chat(user("Hi"), ending="none")), "note")


def test_arguments_quoted_twice_are_found_and_reading_them_first_mends_it(client: FlaskClient) -> None:
    call = {"type": "function", "function": {"name": "f", "arguments": '{"city": "Oslo"}'}}
    template = (
        "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}"
    )
    sent = chat(
        {"role": "assistant", "content": "", "tool_calls": [call]}, source="pasted", template=template, ending="none"
    )
    html = posted(client, sent)
    assert r"{\"city\": \"Oslo\"}" in drawn_prompt(html)
    assert "quoted twice" in findings(html)["arguments"]
    mended = posted(client, {**sent, "parse_arguments": "1"})
    assert drawn_prompt(mended) == '{"city": "Oslo"}' and "arguments" not in findings(mended)
    assert "1 given as JSON text and read first" in findings(mended, "note")["arguments"]


def test_what_other_engines_lack_is_a_note_with_its_lines(client: FlaskClient) -> None:
    html = posted(client, chat(user("Hi"), source="pasted", template="\n{{ messages[0].content.title() }}"))
    assert ".title()" in findings(html, "note")["features"]
    needs = html.split('class="needs"')[1].split("</ul>")[0]
    assert 'href="#line-2"' in needs


# ---- comparisons


def test_the_previous_turn_parts_where_the_empty_think_block_was(client: FlaskClient) -> None:
    words = compared(client.get("/chat?sample=cache").text)
    assert "shares the first 12 of the 16 tokens of the previous one" in words
    assert "First other token here Seven by message 1, content" in words
    assert "First other token in the previous turn <think> by generation prompt, written by the template, line" in words


def test_a_prompt_that_begins_with_the_previous_one_keeps_all_of_it(client: FlaskClient) -> None:
    sent = chat(user("Name a prime."), {"role": "assistant", "content": "Seven."}, user("More?"), against="previous")
    assert "begins with all 12 tokens of the previous one" in compared(posted(client, sent))


def test_without_an_answer_there_is_no_previous_turn(client: FlaskClient) -> None:
    assert "no answer of the model" in compared(posted(client, chat(user("Hi"), against="previous")))


@pytest.mark.parametrize(
    ("against", "says"),
    [
        ("variable.enable_thinking.false", "4 tokens fewer here"),
        ("variable.enable_thinking.true", "No difference"),
        ("ending.none", "3 tokens more here"),
        ("template.pasted", "tokens here, "),
        ("parse", "cannot be chosen here"),
        ("nonsense", "cannot be chosen here"),
    ],
)
def test_a_prompt_is_compared_with_another_setting(client: FlaskClient, against: str, says: str) -> None:
    sent = chat(user("Hi"), template="{{ messages[0].content }}", against=against)
    words = compared(posted(client, sent))
    if against == "parse":
        assert "No difference" in words
    else:
        assert says in words


def test_differences_are_drawn_on_both_sides(client: FlaskClient) -> None:
    html = posted(client, chat(user("Hi"), against="template.pasted", template="<s>{{ messages[0].content }}"))
    drawn = html.split('class="prompt diffed"')[1].split("</div>")[0]
    assert [unescape(re.sub("<.*?>", "", part)) for part in re.findall(r"<del.*?</del>", drawn, re.S)] == [
        "only there: <s>"
    ]
    assert "only here: <|im_start|>" in unescape(re.sub("<.*?>", "", drawn))


def test_another_prompt_that_fails_is_said_in_its_place(client: FlaskClient) -> None:
    html = posted(client, chat(user("Hi"), against="template.pasted", template="{{ raise_exception('not so') }}"))
    assert "cannot be rendered" in compared(html) and "not so" in compared(html)
    assert "Hi" in drawn_prompt(html)


def test_each_variable_is_tried_three_ways(client: FlaskClient) -> None:
    html = posted(client, chat(SYSTEM, QUESTION, **OFF))
    row = html.split('class="mono">enable_thinking</th>')[1].split("</tr>")[0]
    assert re.findall(r'<td class="num">(\d+)</td>', row) == ["25", "25", "29"]
