"""axe finds nothing, at both widths, in every theme, with everything open."""

from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.pages import OpenPage

HARD = "/?" + urlencode({"show_ids": 1, "text": "cafe\u0301 שלום a\u200db\tc\n<|im_start|>u<think> 🚀"})
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def findings(page, theme: str) -> list[str]:
    options = {"runOnly": TAGS, "rules": {"color-contrast-enhanced": {"enabled": theme == "projector"}}}
    violations = Axe().run(page, options=options).response["violations"]
    return [f"{violation['id']}: {node['html'][:120]}" for violation in violations for node in violation["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page(HARD, width=width, theme=theme)
    page.keyboard.press("l")
    expect(page.locator(".stage").last).to_be_visible()
    page.locator(".t").nth(3).focus()
    assert findings(page, theme) == []
    page.keyboard.press("?")
    assert findings(page, theme) == []


@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing_while_presenting(open_page: OpenPage, width: int) -> None:
    page = open_page(HARD, width=width)
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert findings(page, "projector") == []


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("path", ["/", HARD])
def test_a_phone_never_scrolls_sideways(open_page: OpenPage, path: str, theme: str) -> None:
    page = open_page(path, width=360, height=740, theme=theme)
    page.keyboard.press("l")
    expect(page.locator(".stage").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_projector_shows_nothing_smaller_than_28_pixels(open_page: OpenPage) -> None:
    page = open_page(HARD, width=1280, height=720, theme="projector")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .filter((e) => e.checkVisibility() && !e.closest(".vh, .vh *")
            && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
          .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 28


def test_touch_targets_are_44_pixels(open_page: OpenPage) -> None:
    page = open_page("/", width=360, height=740)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".button, .select, .strip label, .way a, .brand")]
          .filter((e) => e.checkVisibility())
          .map((e) => [e.textContent.trim(), e.getBoundingClientRect().height])"""
    )
    assert [box for box in boxes if box[1] < 44] == []
