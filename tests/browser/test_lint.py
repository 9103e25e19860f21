"""The lint page in a browser: typing, the way to a line, keys, without script, axe, phones, the projector."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from app import create_app
from app.pages.lint import blueprint
from tests.browser.pages import OpenPage
from tests.browser.test_axe import findings
from tests.core.deltas.logs import text_stream
from tokcore.deltas import write_sse


@pytest.fixture(scope="session")
def address(chromium_path: str) -> Iterator[str]:
    """Where an app with the lint page listens."""
    app = create_app({"TESTING": True, "preload": False})
    if blueprint.name not in app.blueprints:
        app.register_blueprint(blueprint)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_typing_checks_the_log(open_page: OpenPage) -> None:
    page = open_page("/stream/lint?sample=clean")
    expect(page.locator("#verdict")).to_contain_text("No faults")
    page.locator("#text").fill(write_sse(text_stream("Yes.", "</think>")))
    expect(page.locator("#verdict")).to_have_text("1 warning in 9 lines, 1 answer")
    expect(page.locator(".lint-head code")).to_have_text(["markup-whole"])
    page.locator("#stops").fill("Yes")
    expect(page.locator(".lint-head code")).to_have_text(["text-after-stop", "markup-whole"])
    page.locator("#stops").fill("\\q")
    expect(page.locator("#problem-stops")).to_contain_text("has an escape that JSON does not know")
    page.locator("#stops").fill("")
    expect(page.locator("#problem-stops")).to_be_empty()


def test_a_finding_leads_to_its_line_and_the_address_keeps_its_log(open_page: OpenPage) -> None:
    page = open_page("/stream/lint")
    page.get_by_role("link", name="line 11").click()
    expect(page.locator("#L11")).to_be_focused()
    expect(page.locator("#L11")).to_be_in_viewport()
    assert "#L" not in page.url


def test_keys_walk_over_the_lines_with_findings(open_page: OpenPage) -> None:
    page = open_page("/stream/lint")
    for line in (5, 7, 11, 15, 5):
        page.keyboard.press("n")
        expect(page.locator(f"#L{line}")).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#L15")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="line 5")).to_be_focused()


def test_a_reload_brings_a_log_back(open_page: OpenPage) -> None:
    page = open_page("/stream/lint")
    log = write_sse(text_stream("Once", *(f" {number}" for number in range(20)), "<|im_end|>"))
    page.locator("#text").fill(log)
    page.locator("#stops").fill("Once")
    expect(page.locator(".lint-head code")).to_have_text(["text-after-stop", "markup-whole"])
    expect(page).to_have_url(re.compile(r"stops=Once&text=#z="))
    page.reload()
    expect(page.locator("#text")).to_have_value(log)
    expect(page.locator("#stops")).to_have_value("Once")
    expect(page.locator(".lint-head code")).to_have_text(["text-after-stop", "markup-whole"])


def test_the_copied_link_opens_the_same_log(open_page: OpenPage) -> None:
    page = open_page("/stream/lint")
    log = write_sse(text_stream(*(f"{number} " for number in range(40)), "</think>"))
    page.locator("#text").fill(log)
    expect(page.locator(".lint-head code")).to_have_text(["markup-whole"])
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link.partition(page.url.partition("/stream")[0])[2])
    expect(other.locator("#text")).to_have_value(log)
    expect(other.locator(".lint-head code")).to_have_text(["markup-whole"])


def test_without_script_the_form_and_the_lines_work(open_page: OpenPage) -> None:
    page = open_page("/stream/lint", script=False)
    page.locator("#text").fill(write_sse(text_stream("Yes.", "</think>")))
    page.get_by_role("button", name="Check the log").click()
    expect(page.locator(".lint-head code")).to_have_text(["markup-whole"])
    page.get_by_role("link", name="line 5").click()
    expect(page.locator("#L5:target")).to_be_visible()
    page.get_by_text("Samples").click()
    page.get_by_role("link", name="Text after a stop").click()
    expect(page.locator("#stops")).to_have_value("\\nUser:")


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("width", [1440, 360])
def test_axe_finds_nothing(open_page: OpenPage, width: int, theme: str) -> None:
    page = open_page("/stream/lint", width=width, theme=theme)
    page.get_by_text("As JSON").click()
    page.keyboard.press("n")
    assert findings(page, theme) == []
    page.locator("#stops").fill("\\q")
    expect(page.locator("#problem-stops")).to_contain_text("escape")
    assert findings(page, theme) == []


def test_axe_finds_nothing_while_presenting(open_page: OpenPage) -> None:
    page = open_page("/stream/lint")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert findings(page, "projector") == []


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("sample", ["faults", "clean", "repeated", "stops", "pieces", "broken"])
def test_a_phone_never_scrolls_sideways(open_page: OpenPage, sample: str, theme: str) -> None:
    page = open_page(f"/stream/lint?sample={sample}", width=360, height=740, theme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_projector_shows_nothing_smaller_than_28_pixels(open_page: OpenPage) -> None:
    page = open_page("/stream/lint?sample=pieces", width=1280, height=720, theme="projector")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .filter((e) => e.checkVisibility() && !e.closest(".vh, .vh *")
            && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
          .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 28


def test_touch_targets_are_44_pixels(open_page: OpenPage) -> None:
    page = open_page("/stream/lint", width=360, height=740)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".lint-line, .lint-json summary, .button, .box textarea")]
          .filter((e) => e.checkVisibility())
          .map((e) => [e.textContent.trim().slice(0, 30), e.getBoundingClientRect().height])"""
    )
    assert [box for box in boxes if box[1] < 44] == []
