"""The stream lab at every width, in every theme: axe, sideways scrolling, sizes for a room and for fingers."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.pages import OpenPage
from tests.browser.test_axe import findings

HARD = "/stream?" + urlencode(
    {"text": "<think>a\u200db</think>שלום 🧑\u200d🚀\t</ans\n<tool_call>", "stops": "</answer>", "step": "7"}
)


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("width", [1440, 768, 360])
def test_axe_finds_nothing_with_everything_open(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(HARD, width=width, theme=theme)
    for summary in ("#words summary", "#more-settings summary"):
        page.locator(summary).click()
    page.locator("#stops").fill('</answer>\n""')
    expect(page.locator("#problem-stops")).not_to_be_empty()
    page.locator("#compare summary").click()
    expect(page.locator(".strategies .stage")).to_have_count(5)
    page.locator("#fuzz summary").first.click()
    page.locator("#run-fuzz").click()
    expect(page.locator(".fuzz-row")).to_have_count(5, timeout=60_000)
    expect(page.locator("#fuzz .differs").first).to_be_visible()
    assert findings(page, theme) == []


@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing_while_presenting(open_page: OpenPage, width: int) -> None:
    page = open_page(HARD, width=width)
    page.keyboard.press("p")
    expect(page.locator("#lanes")).to_be_visible()
    expect(page.locator("#input")).to_be_hidden()
    assert findings(page, "projector") == []


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_a_phone_never_scrolls_sideways(open_page: OpenPage, theme: str) -> None:
    page = open_page(HARD, width=360, height=740, theme=theme)
    page.locator("#compare summary").click()
    expect(page.locator(".strategies .stage")).to_have_count(5)
    page.locator("#fuzz summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    picture, typed = (page.locator(part).bounding_box() for part in ("#lanes", "#text"))
    assert picture and typed and picture["y"] < typed["y"]


def test_the_projector_and_the_presenter_show_nothing_smaller_than_28_pixels(open_page: OpenPage) -> None:
    page = open_page(HARD, width=1280, height=720, theme="projector")
    page.locator("#words summary").click()
    page.locator("#compare summary").click()
    expect(page.locator(".strategies .stage")).to_have_count(5)
    page.locator("#fuzz summary").first.click()
    page.locator("#run-fuzz").click()
    expect(page.locator(".fuzz-row")).to_have_count(5, timeout=60_000)
    sizes = """() => [...document.querySelectorAll("body *")]
          .filter((e) => e.checkVisibility() && !e.closest(".vh, .vh *")
            && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
          .map((e) => [parseFloat(getComputedStyle(e).fontSize), e.outerHTML.slice(0, 80)])"""
    assert [found for found in page.evaluate(sizes) if found[0] < 28] == []
    page.keyboard.press("p")
    assert [found for found in page.evaluate(sizes) if found[0] < 28] == []


def test_touch_targets_are_44_pixels(open_page: OpenPage) -> None:
    page = open_page("/stream", width=360, height=740)
    page.locator("#more-settings summary").click()
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".button, .select, .strip label, .step, .number, .fold > summary")]
          .filter((e) => e.checkVisibility())
          .map((e) => [e, e.getBoundingClientRect()])
          .map(([e, box]) => [e.textContent.trim() || e.id, box.height, box.width])"""
    )
    assert [box for box in boxes if min(box[1:]) < 43.9] == []
