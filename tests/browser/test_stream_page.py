"""The stream lab in a real browser: playing, stepping, scrubbing, held text, cuts replayed, links, no script, axe."""

import json

import pytest
from playwright.sync_api import Page, expect

from app.stream_samples import SAMPLES
from tests.browser.pages import OpenPage

STOPS = "/stream?" + SAMPLES[5].form.to_query("")
EMOJI = "/stream?" + SAMPLES[1].form.to_query("")


def sentence(page: Page) -> str:
    return page.locator("#sentence").inner_text()


def at(page: Page, step: int) -> None:
    """Waits until a step is the present one."""
    expect(page.locator("#sentence")).to_contain_text(f"Step {step:,} of ")


def total(page: Page) -> int:
    return int(page.locator("#window").get_attribute("data-total") or 0)


def content(page: Page) -> str:
    """What the client's content is, hidden characters left out."""
    return page.locator('[data-kind="content"] .part-text').inner_text()


def drawn(page: Page) -> str:
    """The client's message with its titles."""
    return page.locator("#message").evaluate("e => e.textContent.replace(/\\s+/g, '')")


def drawn_by_the_server(page: Page) -> str:
    """The same step's message as the page has it without script."""
    return page.evaluate(
        """async () => {
          const fields = new URLSearchParams(new FormData(document.getElementById("input")));
          const html = await (await fetch("/stream", {method: "POST", body: fields})).text();
          const page = new DOMParser().parseFromString(html, "text/html");
          return page.getElementById("message").textContent.replace(/\\s+/g, "");
        }"""
    )


def test_the_last_step_is_shown_first_and_the_lanes_from_their_beginning(open_page: OpenPage) -> None:
    page = open_page("/stream")
    at(page, 51)
    assert page.evaluate("document.getElementById('lanes').scrollLeft") == 0
    expect(page.locator("td.future")).to_have_count(0)


def test_keys_walk_through_the_stream_and_the_client_gets_each_delta(open_page: OpenPage) -> None:
    page = open_page(EMOJI)
    page.keyboard.press("Home")
    at(page, 1)
    assert content(page) == "a"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at(page, 3)
    expect(page.locator("#message")).to_contain_text("a")
    expect(page.locator("#announce")).to_contain_text("held: 3 of 4 bytes of a character")
    page.keyboard.press("ArrowRight")
    expect(page.locator("mark.fresh")).to_have_text("🧑")
    page.keyboard.press("ArrowLeft")
    at(page, 3)
    expect(page.locator("mark.fresh")).to_have_count(0)
    page.keyboard.press("End")
    at(page, total(page))


def test_held_text_is_seen_and_then_released(open_page: OpenPage) -> None:
    page = open_page(STOPS)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    held = page.locator("td.current .stretch.held")
    expect(held).to_have_text("</")
    expect(held).to_be_visible()
    assert "</" not in content(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("td.current .stretch.held")).to_have_count(0)
    assert content(page).endswith("</ansible")
    page.keyboard.press("End")
    assert "</answer" not in page.locator("#message").inner_text()
    assert "the stop “</answer>” is complete" in sentence(page)


def test_what_has_not_come_yet_is_not_to_be_seen(open_page: OpenPage) -> None:
    page = open_page(STOPS + "&step=2")
    expect(page.locator(".lane-out td").nth(1).locator(".cell")).to_be_visible()
    assert (
        page.locator(".lane-out td").nth(3).locator(".cell").evaluate("e => getComputedStyle(e).visibility") == "hidden"
    )
    expect(page.locator(".lane-tokens td").nth(3).locator(".cell")).to_be_visible()


def test_space_plays_and_pauses_and_playing_says_nothing_to_screen_readers(open_page: OpenPage) -> None:
    page = open_page(EMOJI)
    page.locator("#speed").select_option("30")
    page.locator("#lanes").focus()
    page.keyboard.press("Home")
    expect(page.locator("#announce")).to_contain_text("Step 1 of")
    page.keyboard.press(" ")
    expect(page.locator("#player")).to_have_attribute("data-playing", "")
    expect(page.locator("#play")).to_have_text("Pause")
    at(page, total(page))
    expect(page.locator("#player[data-playing]")).to_have_count(0)
    expect(page.locator("#announce")).to_contain_text("Step 1 of")
    # At the end it begins anew.
    page.locator("#speed").select_option("1")
    page.locator("#lanes").focus()
    page.keyboard.press(" ")
    at(page, 1)
    page.keyboard.press(" ")
    expect(page.locator("#player[data-playing]")).to_have_count(0)


def test_the_slider_scrubs_to_any_step_and_a_column_can_be_clicked(open_page: OpenPage) -> None:
    page = open_page("/stream")
    page.locator("#scrub").focus()
    page.keyboard.press("PageDown")
    reached = int(page.locator("#scrub").input_value())
    assert reached < 51
    at(page, reached)
    expect(page.locator("#scrub")).to_have_attribute("aria-valuetext", f"Step {reached} of 51")
    page.locator("button.step").nth(2).click()
    at(page, 3)
    expect(page.locator("th.current")).to_have_text("3")
    expect(page.locator("#words li[aria-current]")).to_have_attribute("data-step", "3")


def test_the_present_stays_beside_the_lanes_names(open_page: OpenPage) -> None:
    page = open_page("/stream")
    page.keyboard.press("Home")
    for step in range(2, 30):
        page.keyboard.press("ArrowRight")
        at(page, step)
    box, cell, name = (
        page.locator(selector).first.bounding_box() for selector in ("#lanes", "th.current", "tbody .lane")
    )
    assert box and cell and name
    assert cell["x"] >= name["x"] + name["width"] - 1
    assert cell["x"] + cell["width"] <= box["x"] + box["width"] + 1
    assert page.evaluate("scrollX") == 0


def test_typing_in_a_box_is_never_taken_for_a_step(open_page: OpenPage) -> None:
    page = open_page("/stream?text=one+two&format=none&step=1")
    page.locator("#text").focus()
    page.keyboard.press("End")
    page.keyboard.type(" three f s")
    expect(page.locator("#text")).to_have_value("one two three f s")
    expect(page.locator("#sentence")).to_contain_text(f"Step {6} of 6")
    assert page.locator("#fuzz[open]").count() == 0


def test_space_on_a_button_presses_that_button(open_page: OpenPage) -> None:
    page = open_page("/stream")
    page.locator("#to-first").focus()
    page.keyboard.press(" ")
    at(page, 1)
    expect(page.locator("#player[data-playing]")).to_have_count(0)


def test_another_strategy_keeps_the_step_and_shows_its_fault(open_page: OpenPage) -> None:
    page = open_page(EMOJI + "&step=3")
    page.locator("#strategy").select_option("per-delta")
    expect(page.locator("#message")).to_contain_text("�")
    at(page, 3)
    page.wait_for_url("**strategy=per-delta*")


def test_a_cell_of_the_fuzzer_is_replayed_in_the_lanes(open_page: OpenPage) -> None:
    page = open_page(EMOJI)
    page.keyboard.press("f")
    expect(page.locator(".fuzz-row")).to_have_count(5, timeout=60_000)
    expect(page.locator("#fuzz-bytes")).to_have_text("Ours: exact: 228 of 228 cuts equal")
    assert page.locator(".fuzz-row").first.locator(".differs").count() == 0
    wrong = page.locator(".fuzz-row").nth(1).locator(".cut.differs[value*=after]").first
    value = wrong.get_attribute("value") or ""
    wrong.click()
    expect(page.locator("#cut")).to_have_value("after")
    expect(page.locator("#n")).to_have_value(value.split(":")[2])
    expect(page.locator("#strategy")).to_have_value("per-delta")
    expect(page.locator("#window")).to_have_attribute("data-total", "3")
    assert "�" in content(page)
    # The strip is of the same ids and stays, the cell that is replayed marked.
    expect(page.locator(".cut[aria-current]")).to_have_attribute("value", value)
    expect(page.locator("#fuzzed.stale")).to_have_count(0)


def test_the_strip_is_one_stop_of_the_tab_key_with_arrows_inside(open_page: OpenPage) -> None:
    page = open_page("/stream?text=one+two+three&format=none")
    page.keyboard.press("f")
    expect(page.locator(".fuzz-row")).to_have_count(5, timeout=60_000)
    random = page.locator(".fuzz-row").first.locator(".cells").last
    random.locator(".cut").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(random.locator('.cut[tabindex="0"]')).to_have_attribute("title", "seed 2: equal")
    before = sentence(page)
    page.keyboard.press("End")
    assert sentence(page) == before
    page.keyboard.press("Enter")
    expect(page.locator("#n")).to_have_value("199")


def test_a_new_text_makes_the_strip_old(open_page: OpenPage) -> None:
    page = open_page("/stream?text=one+two&format=none")
    page.keyboard.press("f")
    expect(page.locator(".fuzz-row")).to_have_count(5, timeout=60_000)
    page.locator("#text").fill("three four five")
    expect(page.locator("#fuzzed.stale")).to_have_count(1)
    page.locator("#run-fuzz").click()
    expect(page.locator("#fuzzed.stale")).to_have_count(0)


def test_strategies_side_by_side_come_on_a_key_and_follow_the_text(open_page: OpenPage) -> None:
    page = open_page(EMOJI)
    page.keyboard.press("s")
    rows = page.locator(".strategies .stage")
    expect(rows).to_have_count(5)
    expect(rows.nth(1).locator(".verdict")).to_have_text("≠ another answer")
    page.locator("#text").fill("plain")
    expect(rows.nth(1).locator(".verdict")).to_have_text("same answer")


def test_the_address_brings_back_text_settings_and_step(open_page: OpenPage) -> None:
    page = open_page("/stream?text=one+two+three&format=none")
    page.locator("#stops").fill("three\n\\n")
    expect(page.locator("#state")).to_contain_text("Stops:")
    page.locator("#cut").select_option("even")
    page.locator("#n").fill("2")
    page.wait_for_url("**n=2*")
    page.keyboard.press("Escape")
    page.locator("#lanes").focus()
    page.keyboard.press("Home")
    page.wait_for_url("**step=1*")
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.locator(".way").get_by_role("link", name="Tokens").click()
    expect(page.locator("#input-title")).to_have_text("Text into tokens")
    expect(page.locator("#text")).to_have_value("one two three")
    page.go_back()
    for shown in (page, open_page(link[link.index("/stream") :])):
        at(shown, 1)
        expect(shown.locator("#stops")).to_have_value("three\n\\n")
        expect(shown.locator("#n")).to_have_value("2")
        assert content(shown) == "one two"


def test_long_boxes_travel_in_the_fragment_part(open_page: OpenPage) -> None:
    page = open_page("/stream")
    stops = "\n".join(f"stop number {number} ✿" for number in range(120))
    page.locator("#stops").evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); }", stops
    )
    page.wait_for_url("**#f=*")
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    text = page.locator("#text").input_value()
    for shown in (page, open_page(link[link.index("/stream") :])):
        if shown is page:
            shown.reload()
        expect(shown.locator("#stops")).to_have_value(stops)
        expect(shown.locator("#text")).to_have_value(text)
        expect(shown.locator("#state")).to_contain_text("and 108 more")


def test_a_sample_takes_the_chosen_tokenizer_along(open_page: OpenPage) -> None:
    page = open_page("/stream")
    page.locator("#tokenizer").select_option("deepseek-v4")
    page.wait_for_url("**tokenizer=deepseek-v4*")
    page.get_by_text("Samples").click()
    page.get_by_role("link", name="Two calls").click()
    expect(page.locator("#message")).to_contain_text("call 1: greet")
    expect(page.locator("#tokenizer")).to_have_value("deepseek-v4")


def test_what_is_wrong_with_a_field_stands_beside_it_and_goes_when_it_is_mended(open_page: OpenPage) -> None:
    page = open_page("/stream?text=a+b&format=none")
    page.locator("#stops").fill('""')
    expect(page.locator("#problem-stops")).to_contain_text("empty string stands everywhere")
    expect(page.locator("#stops")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#message")).to_contain_text("a b")
    page.locator("#stops").fill("b")
    expect(page.locator("#problem-stops")).to_be_empty()
    expect(page.locator("#stops[aria-invalid]")).to_have_count(0)
    assert content(page).strip() == "a"


def test_html_in_an_output_stays_text(open_page: OpenPage) -> None:
    page = open_page("/stream")
    page.locator("#text").fill("<b>bold</b><img src=x onerror=document.title='x'>")
    expect(page.locator("#message")).to_contain_text("<b>bold</b><img")
    page.keyboard.press("Escape")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#result b, #result img").count() == 0
    assert page.title() == "Stream · Tokboard"


def test_a_long_output_is_walked_window_by_window(open_page: OpenPage) -> None:
    page = open_page("/stream")
    text = "".join(f"line {number} of many 🧑\u200d🚀\n" for number in range(1_500))
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("#text").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("ControlOrMeta+v")
    expect(page.locator("#state .count.first dd")).not_to_have_text("50", timeout=60_000)
    last = total(page)
    assert last > 15_000
    page.locator("#lanes").focus()
    page.keyboard.press("Home")
    at(page, 1)
    page.locator("#scrub").evaluate("e => { e.value = 9000; e.dispatchEvent(new Event('input')); }")
    at(page, 9_000)
    start, stop = (int(page.locator("#window").get_attribute(f"data-{name}") or 0) for name in ("start", "stop"))
    assert start < 9_000 < stop and stop - start < 400
    for _ in range(stop - 9_000 + 2):
        page.keyboard.press("ArrowRight")
    at(page, stop + 2)
    assert "earlier characters" in page.locator("#message").inner_text()
    assert drawn(page) == drawn_by_the_server(page)


@pytest.mark.parametrize("number", [0, 2, 3, 9])
def test_the_client_puts_together_what_the_server_does_at_every_step(open_page: OpenPage, number: int) -> None:
    page = open_page("/stream?" + SAMPLES[number].form.to_query(""))
    for step in range(total(page) - 1, 0, -4):
        page.locator("button.step").nth(step - 1).click()
        at(page, step)
        assert drawn(page) == drawn_by_the_server(page)


def test_deltas_and_test_case_are_copied_and_saved(open_page: OpenPage) -> None:
    page = open_page(EMOJI)
    page.get_by_role("button", name="Copy deltas").click()
    expect(page.locator('[data-copy="deltas.sse"]')).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("data: [DONE]\n\n")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Test case", exact=True).click()
    assert saved.value.suggested_filename == "case.json"
    assert json.loads(saved.value.path().read_text("utf-8"))["expected"]["message"]["content"].startswith("a 🧑")


def test_without_script_the_form_the_steps_and_the_cells_work(open_page: OpenPage) -> None:
    page = open_page("/stream", script=False)
    expect(page.locator("#words li")).to_have_count(51)
    page.locator("#text").fill("a 🧑 b")
    page.locator("#format").select_option("none")
    page.get_by_role("button", name="Show the stream").click()
    expect(page.locator("#message")).to_contain_text("a 🧑 b")
    page.locator("button.step").nth(1).click()
    expect(page.locator("#sentence")).to_contain_text("Step 2 of 6")
    expect(page.locator("td.current .byte.held")).to_have_count(2)
    expect(page.locator("#text")).to_have_value("a 🧑 b")
    page.locator("#fuzz summary").first.click()
    page.get_by_role("button", name="Cut in every way").click()
    expect(page.locator(".fuzz-row")).to_have_count(5)
    page.locator(".fuzz-row").nth(1).locator(".cut.differs").first.click()
    expect(page.locator("#strategy")).to_have_value("per-delta")
    expect(page.locator("#message")).to_contain_text("�")


def test_presenting_keeps_the_present_in_sight(open_page: OpenPage) -> None:
    page = open_page("/stream?step=30", width=1280, height=720)
    page.keyboard.press("p")
    expect(page.locator("#input")).to_be_hidden()
    box, cell = (page.locator(selector).bounding_box() for selector in ("#lanes", "th.current"))
    assert box and cell and box["x"] < cell["x"] and cell["x"] + cell["width"] <= box["x"] + box["width"] + 1
    page.keyboard.press("ArrowRight")
    at(page, 31)
