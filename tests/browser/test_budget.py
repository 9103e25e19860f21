"""The budget page in a browser: typing, models, keys, links, without script, axe, phones, the projector."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from app.budget_samples import FIRST
from tests.browser.pages import OpenPage
from tests.browser.test_axe import findings

FITS = "It fits: 22,646 of 32,768 tokens are left"
OVER = "/budget?" + urlencode({**FIRST.values, "context": "8192", "docs_language": "hindi"})
BAD = "/budget?" + urlencode({"context": "8192", "system": "-5", "docs": "x", "answer": "20000", "tool_text": "{"})


def verdict(page: Page, words: str) -> None:
    expect(page.locator("#verdict")).to_have_text(words)


def test_typing_works_it_out_and_the_address_follows(open_page: OpenPage) -> None:
    page = open_page("/budget")
    verdict(page, FITS)
    page.locator("#context").fill("8,192")
    verdict(page, "It does not fit: 1,930 of 10,122 tokens are too many")
    page.locator("#docs").fill("2")
    verdict(page, "It fits: 118 of 8,192 tokens are left")
    expect(page).to_have_url(re.compile(r"context=8%2C192.*docs=2&"))
    page.reload()
    verdict(page, "It fits: 118 of 8,192 tokens are left")
    expect(page.locator("#context")).to_have_value("8,192")


def test_a_bad_number_complains_at_its_field_until_it_is_mended(open_page: OpenPage) -> None:
    page = open_page("/budget")
    page.locator("#docs").fill("-6")
    expect(page.locator("#problem-docs")).to_contain_text("-6 is below zero")
    expect(page.locator("#docs")).to_have_attribute("aria-invalid", "true")
    verdict(page, "Not all is counted: so far 25,718 of 32,768 tokens are left")
    page.locator("#docs").fill("6")
    expect(page.locator("#problem-docs")).to_be_empty()
    expect(page.locator("#docs")).not_to_have_attribute("aria-invalid", "true")
    verdict(page, FITS)


def test_a_model_brings_its_numbers(open_page: OpenPage) -> None:
    page = open_page("/budget")
    page.get_by_text("A model's numbers").click()
    page.get_by_role("button", name="Llama 3 8B").click()
    verdict(page, "It does not fit: 1,930 of 10,122 tokens are too many")
    expect(page.locator("#context")).to_have_value("8192")
    expect(page.locator("#kv_layers")).to_have_value("32")
    expect(page.locator(".models")).not_to_have_attribute("open", "")


def test_keys_step_a_number_and_enter_changes_nothing_else(open_page: OpenPage) -> None:
    page = open_page("/budget")
    page.keyboard.press("/")
    expect(page.locator("#context")).to_be_focused()
    page.keyboard.press("ArrowDown")
    verdict(page, "It fits: 22,645 of 32,767 tokens are left")
    page.keyboard.press("Enter")
    page.locator("#margin").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#margin")).to_have_value("0")
    page.keyboard.press("Shift+ArrowUp")
    verdict(page, "It fits: 22,545 of 32,767 tokens are left")
    page.keyboard.press("Escape")
    expect(page.locator("#verdict")).to_be_focused()


def test_a_text_is_counted_beside_its_box_and_the_number_gives_way(open_page: OpenPage) -> None:
    page = open_page("/budget")
    page.get_by_text("Count a system text instead").click()
    page.locator("#system_text").fill("You are a terse assistant.")
    expect(page.locator("#counted-system_text")).to_have_text("Counted: 6 tokens.")
    expect(page.locator("#system")).to_have_class(re.compile("replaced"))
    verdict(page, "It fits: 22,940 of 32,768 tokens are left")
    page.locator("#system_text").fill("")
    verdict(page, FITS)
    expect(page.locator("#counted-system_text")).to_be_empty()


def test_a_long_text_travels_in_the_copied_link(open_page: OpenPage) -> None:
    page = open_page("/budget")
    long = "a b c d " * 500
    page.get_by_text("Count a document instead").click()
    page.locator("#text").fill(long)
    expect(page.locator("#counted-text")).to_contain_text("Counted: 2,0")
    page.locator("#context").fill("9000")
    expect(page.locator("#verdict")).to_contain_text("too many")
    said = page.locator("#verdict").inner_text()
    expect(page).to_have_url(re.compile("#f="))
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link.partition(page.url.partition("/budget")[0])[2])
    expect(other.locator("#text")).to_have_value(long)
    verdict(other, said)


def test_an_example_takes_the_tokenizer_along(open_page: OpenPage) -> None:
    page = open_page("/budget")
    names = page.locator("#tokenizer option:not([disabled])").evaluate_all("all => all.map((one) => one.value)")
    other = next(name for name in names if name not in ("qwen3", "broken"))
    page.locator("#tokenizer").select_option(other)
    page.get_by_text("Examples").click()
    page.get_by_role("link", name="What the input may take").click()
    verdict(page, "It fits: 3,072 of 4,096 tokens are left")
    expect(page.locator("#tokenizer")).to_have_value(other)


def test_the_json_is_that_of_the_fields(open_page: OpenPage) -> None:
    page = open_page("/budget")
    page.locator("#context").fill("8192")
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    assert json.loads(Path(download.value.path()).read_text())["left_tokens"] == -1_930
    assert download.value.suggested_filename == "budget.json"


def test_the_bar_is_drawn_in_proportion(open_page: OpenPage) -> None:
    page = open_page("/budget")
    parts = ("system", "tools", "documents", "history", "answer")
    boxes = [page.locator(f"#tank-{name}").bounding_box() for name in parts]
    whole = page.locator(".budget-tank").bounding_box()
    assert whole is not None
    for box, tokens in zip(boxes, (300, 602, 3_072, 4_100, 2_048), strict=True):
        assert box is not None
        assert box["width"] == pytest.approx(whole["width"] * tokens / 32_768, abs=0.5)
    for name, box in zip(parts, boxes, strict=True):
        lane = page.locator(f"#lane-{name}").bounding_box()
        assert lane is not None and box is not None
        assert (lane["x"], lane["width"]) == pytest.approx((box["x"], box["width"]), abs=0.5)


def test_without_script_the_form_the_models_and_the_link_work(open_page: OpenPage) -> None:
    page = open_page("/budget", script=False)
    page.locator("#docs").fill("7")
    page.locator("#docs").press("Enter")
    verdict(page, "It fits: 22,134 of 32,768 tokens are left")
    page.get_by_text("A model's numbers").click()
    page.get_by_role("button", name="Llama 3 8B").click()
    verdict(page, "It does not fit: 2,442 of 10,634 tokens are too many")
    page.get_by_role("link", name="Link to this budget").click()
    expect(page).to_have_url(re.compile("context=8192.*docs=7"))
    verdict(page, "It does not fit: 2,442 of 10,634 tokens are too many")


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(OVER, width=width, theme=theme)
    page.get_by_text("The sentences").click()
    page.get_by_text("A model's numbers").click()
    assert findings(page, theme) == []
    page.keyboard.press("Escape")
    page.get_by_text("Count a system text instead").click()
    page.locator("#docs").fill("-1")
    expect(page.locator("#problem-docs")).to_contain_text("below zero")
    assert findings(page, theme) == []


def test_axe_finds_nothing_while_presenting(open_page: OpenPage) -> None:
    page = open_page(OVER)
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert findings(page, "projector") == []


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("path", ["/budget", OVER, BAD, "/budget?context=1&docs=1000000&doc_size=1000000000"])
def test_a_phone_never_scrolls_sideways(open_page: OpenPage, path: str, theme: str) -> None:
    page = open_page(path, width=360, height=740, theme=theme, errors_expected=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("presenting", [False, True])
def test_the_projector_shows_nothing_smaller_than_28_pixels(open_page: OpenPage, presenting: bool) -> None:
    page = open_page(OVER, width=1280, height=720, theme="projector")
    if presenting:
        page.keyboard.press("p")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .filter((e) => e.checkVisibility() && !e.closest(".vh, .vh *")
            && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
          .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 28


def test_touch_targets_are_44_pixels(open_page: OpenPage) -> None:
    page = open_page("/budget", width=360, height=740)
    page.get_by_text("A model's numbers").click()
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".button, .select, .number, .fold > summary, .menu-button")]
          .filter((e) => e.checkVisibility())
          .map((e) => [e.id || e.textContent.trim().slice(0, 30), e.getBoundingClientRect().height])"""
    )
    assert [box for box in boxes if box[1] < 44] == []
