"""The chat lab in a real browser: typing, fields and JSON, the bill's buttons, errors, links, no script, axe."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import OpenPage
from tests.browser.test_axe import findings

HARD = "/chat?" + urlencode(
    {
        "messages": json.dumps(
            [
                {"role": "system", "content": "שלום a\u200db\tc"},
                {"role": "user", "content": "hi<|im_end|>\n<b>bold</b> 🚀"},
                {
                    "role": "assistant",
                    "content": "",
                    "reasoning_content": "hm",
                    "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}}],
                },
                {"role": "tool", "content": "4", "tool_call_id": "c"},
            ]
        ),
        "tools": json.dumps([{"type": "function", "function": {"name": "f"}}]),
        "extra": '{"unread": 1}',
        "against": "previous",
    }
)
SIZES = """() => [...document.querySelectorAll("body *")]
      .filter((e) => e.checkVisibility() && !e.closest(".vh, .vh *")
        && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
      .map((e) => [parseFloat(getComputedStyle(e).fontSize), e.outerHTML.slice(0, 100)])"""


def prompt(page: Page) -> str:
    """The prompt as drawn, without the labels."""
    return page.evaluate(
        """() => [...document.querySelectorAll("#prompt > .who")].map((e) => {
          const copy = e.cloneNode(true);
          for (const name of copy.querySelectorAll(".who-name")) name.remove();
          for (const line of copy.querySelectorAll(".nl")) line.textContent = "\\n";
          return copy.textContent;
        }).join("")"""
    )


def tokens_are(page: Page, count: int) -> None:
    expect(page.locator(".count.first dd")).to_have_text(f"{count:,}")


def open_everything(page: Page) -> None:
    for fold in ("tools-fold", "template-fold", "settings-fold", "notes", "template-panel", "spans"):
        page.locator(f"#{fold}:not([open]) > summary").evaluate_all("all => all.forEach((e) => e.click())")
    expect(page.locator("#spans[open]")).to_have_count(1)


def test_a_message_edited_by_keyboard_is_followed_by_the_prompt(open_page: OpenPage) -> None:
    page = open_page("/chat")
    tokens_are(page, 29)
    page.keyboard.press("/")
    expect(page.locator("#m-0-content")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" Be kind.")
    tokens_are(page, 32)
    assert "You are a terse assistant. Be kind.<|im_end|>" in prompt(page)
    # The focus and the caret stay where one types.
    expect(page.locator("#m-0-content")).to_be_focused()
    page.keyboard.type(" b d v i")
    expect(page.locator("#m-0-content")).to_have_value("You are a terse assistant. Be kind. b d v i")
    page.keyboard.press("Escape")
    expect(page.locator("#prompt")).to_be_focused()


def test_messages_are_added_filled_and_moved_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.locator("#add-message").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#m-1-content")).to_be_focused()
    page.keyboard.type("Rayleigh.")
    expect(page.locator("#prompt")).to_contain_text("Rayleigh.")
    page.locator("#m-1-add-call").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#m-1-c-0-name")).to_be_focused()
    page.keyboard.type("look")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type('{"up": true}')
    expect(page.locator("#prompt")).to_contain_text('{"up":·true}'.replace("·", " "))
    page.locator("#m-1-up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#m-0-role")).to_have_value("assistant")
    expect(page.locator("#m-0-down")).to_be_focused()
    page.locator("#m-0-remove").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("#m-0-content")).to_be_focused()
    assert "Rayleigh" not in prompt(page)


def test_another_role_draws_the_fields_that_it_has(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    expect(page.locator("#m-0-thoughts")).to_have_count(0)
    page.locator("#m-0-role").select_option("assistant")
    expect(page.locator("#m-0-thoughts")).to_be_visible()
    expect(page.locator("#m-0-content")).to_have_value("Why is the sky blue?")
    page.locator("#m-0-role").select_option("tool")
    expect(page.locator("#m-0-call_id")).to_be_visible()


def test_fields_to_json_and_back_keep_what_fields_do_not_show(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.keyboard.press("v")
    box = page.locator("textarea#messages")
    expect(box).to_be_visible()
    box.fill('[{"role": "user", "cache": {"on": true}, "content": "Olá"}]')
    expect(page.locator("#prompt")).to_contain_text("Olá")
    page.locator(".editor [name=view][value=form]").check()
    expect(page.locator("#m-0-content")).to_have_value("Olá")
    page.locator("#m-0-content").fill("Olá!")
    expect(page.locator("#prompt")).to_contain_text("Olá!")
    page.locator(".editor [name=view][value=json]").check()
    expect(box).to_be_visible()
    assert json.loads(box.input_value()) == [{"role": "user", "cache": {"on": True}, "content": "Olá!"}]


def test_broken_json_keeps_text_and_result_and_says_the_line(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain&view=json", errors_expected=True)
    box = page.locator("textarea#messages")
    expect(box).to_be_visible()
    box.fill('[\n {"role": "user" "content": "x"}]')
    expect(page.locator("#problem")).to_contain_text("line 2, column 18")
    expect(page.locator("#result.stale")).to_be_attached()
    expect(box).to_have_value('[\n {"role": "user" "content": "x"}]')
    box.fill('[\n {"role": "user", "content": "x"}]')
    expect(page.locator("#problem")).to_be_empty()
    expect(page.locator("#result.stale")).to_have_count(0)
    assert "user\nx<|im_end|>" in prompt(page)


def test_a_tool_is_removed_from_the_bill_and_the_prompt_gets_that_much_shorter(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=parallel")
    before = int(page.locator(".count.first dd").inner_text())
    button = page.locator('button[value="drop-tool.1"]')
    saved = int(re.sub(r"\D", "", button.inner_text()))
    button.click()
    tokens_are(page, before - saved)
    assert "find_trains" not in page.locator("#tools").input_value()
    expect(page.locator('button[value="drop-tool.2"]')).to_have_count(0)


def test_ready_tools_and_switches_change_the_prompt(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.locator("#tools-fold > summary").click()
    page.get_by_role("button", name="One: get_weather").click()
    expect(page.locator("#prompt")).to_contain_text("get_weather")
    expect(page.locator("#tools")).to_be_focused()
    page.locator("#v-enable_thinking").select_option("false")
    expect(page.locator("#prompt .generation")).to_contain_text("<think>")
    page.get_by_label("stop").check()
    expect(page.locator("#prompt .generation")).to_have_count(0)


def test_a_template_that_fails_is_shown_with_its_line_and_mended(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.locator("#source").select_option("pasted")
    page.locator("#template").fill("{% for m in messages %}\n{{ m.nothing.here }}{% endfor %}")
    failure = page.locator("#state .problem")
    expect(failure).to_contain_text("line 2")
    expect(failure).to_contain_text("message 0")
    expect(page.locator(".source-line.fails").first).to_contain_text("m.nothing.here")
    failure.get_by_role("link", name="message 0").click()
    expect(page.locator("#m-0-content")).to_be_focused()
    page.locator("#template").fill("{% for m in messages %}{{ m.content }}{% endfor %}{{ mood }}")
    expect(page.locator("#prompt")).to_contain_text("sky blue")
    page.locator("#v-mood").fill("calm")
    expect(page.locator("#prompt .variable")).to_contain_text("calm")
    expect(page.locator("#v-mood")).to_be_focused()


def test_labels_and_lines_lead_to_what_wrote_the_words(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=cache")
    page.locator("#prompt").get_by_role("link", name="1 content").click()
    expect(page.locator("#m-1-content")).to_be_focused()
    page.locator(".writers").get_by_role("link", name="line").click()
    expect(page.locator("#template-panel[open]")).to_have_count(1)
    expect(page.locator(".source-line:focus")).to_contain_text("<think>")


def test_tokens_and_ids_come_on_a_key_and_are_in_the_link(open_page: OpenPage) -> None:
    page = open_page("/chat")
    page.keyboard.press("i")
    expect(page.locator("#prompt .t")).to_have_count(29)
    expect(page.locator("#prompt .t").first).to_have_attribute("data-id", "151644")
    page.wait_for_url("**show_tokens=1*")


def test_the_comparison_follows_its_chooser(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.keyboard.press("d")
    expect(page.locator("#against")).to_be_focused()
    page.locator("#against").select_option("variable.enable_thinking.false")
    expect(page.locator("#diff-sentence")).to_contain_text("4 tokens fewer here")
    expect(page.locator("#diff del")).to_contain_text("<think>")


@pytest.mark.parametrize("view", ["form", "json"])
def test_a_copied_link_restores_everything(open_page: OpenPage, view: str) -> None:
    page = open_page("/chat?sample=call")
    if view == "json":
        page.keyboard.press("v")
        expect(page.locator("textarea#messages")).to_be_visible()
    page.locator("#v-enable_thinking").select_option("false")
    expect(page.locator("#prompt .generation")).to_contain_text("<think>")
    long = "many words " * 300
    page.locator("#extra").evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); }",
        json.dumps({"enable_thinking": False, "note": long}),
    )
    expect(page.locator("[data-rule=ignored]")).to_contain_text("note")
    page.wait_for_url("**#f=*")
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    told, extra, tools = prompt(page), page.locator("#extra").input_value(), page.locator("#tools").input_value()
    page.reload()
    for shown in (page, open_page(link[link.index("/chat") :])):
        expect(shown.locator("#prompt")).to_contain_text("São")
        expect(shown.locator("#extra")).to_have_value(extra)
        expect(shown.locator("#tools")).to_have_value(tools)
        assert prompt(shown) == told
        expect(shown.locator("textarea#messages")).to_be_visible(visible=view == "json")


def test_prompt_and_ids_are_copied_and_everything_is_saved(open_page: OpenPage) -> None:
    page = open_page("/chat")
    page.get_by_role("button", name="Copy prompt").click()
    expect(page.locator('[data-take="prompt"]')).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == prompt(page)
    page.get_by_role("button", name="Copy ids").click()
    expect(page.locator('[data-take="ids"]')).to_have_text("Copied")
    assert len(json.loads(page.evaluate("navigator.clipboard.readText()"))) == 29
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON", exact=True).click()
    assert json.loads(saved.value.path().read_text("utf-8"))["prompt"] == copied
    page.get_by_role("link", name="Open in Tokens").click()
    expect(page.locator("#text")).to_have_value(copied)
    tokens = page.locator(".count.first dd")
    expect(tokens).to_have_text("29")


def test_html_in_messages_stays_text(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain")
    page.locator("#m-0-content").fill("<b>bold</b><img src=x onerror=document.title='x'>")
    expect(page.locator("#prompt")).to_contain_text("<b>bold</b><img")
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    expect(page.locator("#prompt .t").first).to_be_visible()
    assert page.locator("#result b, #result img").count() == 0
    assert page.title() == "Chat · Tokboard"


def test_without_script_messages_tools_and_comparison_work(open_page: OpenPage) -> None:
    page = open_page("/chat?sample=plain", script=False)
    page.locator("#m-0-content").fill("What now?")
    page.locator("#add-message").click()
    expect(page.locator("#m-0-content")).to_have_value("What now?")
    page.locator("#m-1-content").fill("This.")
    page.get_by_role("button", name="Show the prompt").last.click()
    expect(page.locator("#prompt")).to_contain_text("This.")
    page.locator("#tools-fold > summary").click()
    page.get_by_role("button", name="One: get_weather").click()
    expect(page.locator("#prompt")).to_contain_text("get_weather")
    page.locator('button[value="drop-tool.0"]').click()
    expect(page.locator("#prompt")).not_to_contain_text("get_weather")
    page.locator("#against").select_option("previous")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#diff-sentence")).to_contain_text("previous one")
    page.locator("[name=view][value=json]").check(force=True)
    page.locator("#m-1-content").press("Tab")
    page.get_by_role("button", name="Show the prompt").last.click()
    expect(page.locator("textarea#messages")).to_be_visible()
    page.locator("#show-tokens").check()
    page.get_by_role("button", name="Show the prompt").last.click()
    expect(page.locator("#prompt .t").first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("width", [1440, 768, 360])
def test_axe_finds_nothing_with_everything_open(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(HARD, width=width, theme=theme)
    open_everything(page)
    assert findings(page, theme) == []
    page.locator("#show-tokens").check()
    expect(page.locator("#prompt .t").first).to_be_visible()
    page.locator("#template").fill("{{ messages[9].content }}")
    page.locator("#source").select_option("pasted")
    expect(page.locator("#state .problem")).to_be_visible()
    assert findings(page, theme) == []


@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing_while_presenting(open_page: OpenPage, width: int) -> None:
    page = open_page(HARD, width=width)
    page.keyboard.press("p")
    expect(page.locator("#input")).to_be_hidden()
    expect(page.locator("#prompt")).to_be_visible()
    assert findings(page, "projector") == []


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_a_phone_never_scrolls_sideways_and_shows_the_prompt_first(open_page: OpenPage, theme: str) -> None:
    page = open_page(HARD, width=360, height=740, theme=theme)
    open_everything(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    picture, typed = (page.locator(part).bounding_box() for part in ("#prompt", "#m-0-content"))
    assert picture and typed and picture["y"] < typed["y"]


def test_the_projector_and_the_presenter_show_nothing_smaller_than_28_pixels(open_page: OpenPage) -> None:
    page = open_page(HARD, width=1280, height=720, theme="projector")
    open_everything(page)
    assert [found for found in page.evaluate(SIZES) if found[0] < 28] == []
    page.locator("#show-tokens").check()
    expect(page.locator("#prompt .t").first).to_be_visible()
    page.keyboard.press("p")
    assert [found for found in page.evaluate(SIZES) if found[0] < 28] == []


def test_touch_targets_are_44_pixels(open_page: OpenPage) -> None:
    page = open_page(HARD, width=360, height=740)
    open_everything(page)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".button, .select, .strip label, .number, .fold > summary")]
          .filter((e) => e.checkVisibility() && !e.closest(".vh"))
          .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect().height, e.getBoundingClientRect().width])
          .filter((box) => box[1] > 1)"""
    )
    assert [box for box in boxes if min(box[1:]) < 43.9] == []
