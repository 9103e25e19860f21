"""The front page when something fails: nothing old looks current, nothing typed is lost, and it says what happened."""

import json
import re
from base64 import urlsafe_b64encode
from random import Random
from zlib import DEFLATED, compressobj

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.pages import OpenPage, chips, tokens_are

OWN = '<section class="problem" role="alert"><h2>T</h2><p class="problem-what">what happened</p></section>'


def incompressible(length: int) -> str:
    """A text too long for the address: every character is drawn from ten thousand."""
    return "".join(Random(1).choices([chr(code) for code in range(0x4E00, 0x7500)], k=length))


def looks_stale(page: Page) -> None:
    for part in ("#result", "#card"):
        expect(page.locator(f"{part}.stale")).to_be_attached()


def test_a_link_that_inflates_without_end_is_not_opened(open_page: OpenPage) -> None:
    packer = compressobj(9, DEFLATED, -15)
    packed = b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(200)), packer.flush()])
    page = open_page("/?text=#z=" + urlsafe_b64encode(packed).decode().rstrip("="))
    expect(page.locator("#problem")).to_contain_text("longer than this page takes")
    expect(page.locator("#text")).to_have_value("")


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (413, "", "too long for the server"),
        (500, "<html><h1>Internal</h1></html>", "failed (status 500)"),
        (502, "<html>nginx</html>", "cannot be reached"),
        (503, "", "too busy"),
        (200, "", "empty or not Tokboard's"),
        (200, "<html>log in</html>", "empty or not Tokboard's"),
        (503, OWN, "what happened"),
    ],
)
def test_a_failed_request_leaves_no_result_that_looks_current(
    open_page: OpenPage, status: int, body: str, says: str
) -> None:
    page = open_page("/?text=one+two", errors_expected=True)
    page.route("**/", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    page.locator("#text").fill("three four five")
    expect(page.get_by_role("alert")).to_contain_text(says)
    looks_stale(page)
    tokens_are(page, 2)
    # The link is of what stands in the box.
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.unroute("**/")
    page.goto(link)
    expect(page.locator("#text")).to_have_value("three four five")
    tokens_are(page, 3)


def test_a_good_result_ends_the_stale_look(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two", errors_expected=True)
    page.route("**/", lambda route: route.fulfill(status=502, body=""))
    page.locator("#text").fill("three")
    looks_stale(page)
    page.unroute("**/")
    page.locator("#text").fill("three four five")
    tokens_are(page, 3)
    expect(page.locator("#result:not(.stale)")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_server_that_is_silent_is_given_up(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two", errors_expected=True)
    assert page.evaluate("htmx.config.timeout") == 30_000
    page.evaluate("htmx.config.timeout = 300")
    page.route("**/", lambda route: None)
    page.locator("#text").fill("three")
    expect(page.get_by_role("alert")).to_contain_text("did not answer in time")
    looks_stale(page)


def test_a_copy_says_why_there_is_none(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two", errors_expected=True)
    page.route("**/tokens.json", lambda route: route.fulfill(status=413, body=""))
    page.get_by_role("button", name="Copy ids").click()
    expect(page.locator("#announce")).to_contain_text("Not copied: This text is too long")
    expect(page.get_by_role("alert")).to_contain_text("too long for the server")


def test_copies_ask_for_the_lists_only_and_say_that_they_take_a_while(page: Page) -> None:
    asked: list[str] = []
    held: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route.request.post_data or "")
        held.append(route)

    page.route("**/tokens.json", hold)
    button = page.locator('[data-copy="ids"]')
    button.click()
    expect(button).to_contain_text("Copying…")
    held[0].continue_()
    expect(button).to_contain_text("Copied")
    assert "rows=0" in asked[0]
    assert len(json.loads(page.evaluate("navigator.clipboard.readText()"))) == 33
    expect(button).to_contain_text("Copy ids")


@pytest.mark.parametrize("kind", ["CSV", "JSON"])
def test_a_refused_download_stays_on_the_page(open_page: OpenPage, kind: str) -> None:
    page = open_page("/?text=one", errors_expected=True)
    page.route("**/tokens.*", lambda route: route.fulfill(status=413, body=OWN, content_type="text/html"))
    page.locator("#text").fill("keep me")
    tokens_are(page, 2)
    page.wait_for_url("**/?text=keep+me")
    before = page.url
    page.get_by_role("button", name=kind).click()
    expect(page.get_by_role("alert")).to_contain_text("what happened")
    assert page.url == before
    expect(page.locator("#text")).to_have_value("keep me")


def test_a_text_that_no_address_holds_survives_leaving_and_reloading(page: Page) -> None:
    text = incompressible(30_000)
    page.locator("#text").fill(text)
    expect(page.locator("#not-kept")).to_be_visible()
    page.locator(".brand").click()
    tokens_are(page, 33)
    page.go_back()
    expect(page.locator("#text")).to_have_value(text)
    page.reload()
    expect(page.locator("#text")).to_have_value(text)
    page.locator("#text").fill("")
    tokens_are(page, 0)
    assert page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('tokboard'))") == []
    assert page.evaluate("Object.keys(localStorage)") == ["tokboard.theme"]


def test_a_text_that_was_just_typed_survives_the_brand_link(open_page: OpenPage) -> None:
    page = open_page("/?text=sent")
    page.evaluate("() => { document.addEventListener('htmx:beforeRequest', (event) => event.preventDefault()); }")
    page.locator("#text").fill("not yet sent")
    page.locator(".brand").click()
    expect(page.locator("#text")).not_to_have_value("not yet sent")
    page.go_back()
    expect(page.locator("#text")).to_have_value("not yet sent")
    tokens_are(page, 3)


@pytest.mark.parametrize("way", ["scroll", "click"])
def test_more_tokens_can_be_asked_for_again(open_page: OpenPage, way: str) -> None:
    page = open_page(errors_expected=True)
    page.locator("#text").fill("word by word\n" * 400)
    tokens_are(page, 1_600)
    page.route("**/tokens/more", lambda route: route.fulfill(status=502, body="<html>nginx</html>"))
    page.locator("#chips").hover()
    page.mouse.wheel(0, 20_000)
    expect(page.locator(".more")).to_contain_text("ask for these tokens again")
    expect(page.locator(".chunk")).to_have_count(1)
    page.unroute("**/tokens/more")
    if way == "click":
        page.locator(".more button").click()
    else:
        page.mouse.wheel(0, -300)
        page.mouse.wheel(0, 20_000)
    expect(page.locator(".chunk").nth(1)).to_be_attached()
    expect(page.locator(".more-failed")).to_have_count(0)


@pytest.mark.parametrize("place", ['input[name="split_special_tokens"]:checked', "#show-ids"])
def test_enter_on_a_choice_does_not_leave_the_page(page: Page, place: str) -> None:
    page.evaluate("window.same = true")
    page.locator(place).focus()
    page.keyboard.press("Enter")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    assert page.evaluate("window.same") is True


def test_a_token_is_described_as_the_card_does(open_page: OpenPage) -> None:
    page = open_page("/?text=a+%3C%7Cim_start%7C%3Eb")
    chips(page).nth(2).focus()
    expect(chips(page).nth(2)).to_have_accessible_description("id 151644, added token, special, piece 2")
    chips(page).nth(0).hover()
    expect(chips(page).nth(2)).to_have_accessible_description(re.compile("^id 151644"))
    expect(page.get_by_role("region", name="The token pointed at")).to_be_visible()
    page.keyboard.press("Home")
    expect(chips(page).nth(0)).to_have_accessible_description("id 64, piece 0")


def test_the_next_theme_does_not_take_the_projector_look(page: Page) -> None:
    page.keyboard.press("p")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "projector"
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
