"""The front page in a real browser: typing, the lit token, switches, long text, links, copies."""

import csv
import io
import json
from random import Random

from playwright.sync_api import Page, expect

from app.examples import BY_NAME
from tests.browser.pages import OpenPage, chips, tokens_are

ENGLISH = "The quick brown fox jumps over the lazy dog near the river bank."


def lit_text(page: Page) -> str | None:
    """The part of the text that the highlight behind the text box covers."""
    return page.evaluate("[...(CSS.highlights.get('token') ?? [])].map(String).join('') || null")


def fact(page: Page, name: str) -> str:
    return page.locator(f'[data-fact="{name}"]').inner_text()


def test_typing_brings_tokens_counts_and_the_address(page: Page) -> None:
    page.locator("#text").fill(ENGLISH)
    tokens_are(page, 14)
    expect(page.locator(".meaning")).to_have_text("English is cheap here: most words are one token.")
    page.wait_for_url("**/?text=The+quick*")
    expect(page.locator("#announce")).to_have_text("14 tokens, 64 characters")


def test_fast_typing_ends_with_the_tokens_of_the_last_text(page: Page) -> None:
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially("1969 1969 1969", delay=45)
    tokens_are(page, 14)
    assert chips(page).count() == 14


def test_hover_shows_the_card_and_lights_the_text(open_page: OpenPage) -> None:
    page = open_page("/?text=A+raposa+pregui%C3%A7osa%3A+1969+%F0%9F%9A%80")
    chips(page).nth(5).hover()
    names = ("id", "token", "text", "raw", "characters", "bytes", "utf16", "index", "piece", "origin")
    assert [fact(page, name) for name in names] == [
        *("3131", "Ã§", "ç", "C3 A7", "15–16", "15–17", "15–16"),
        *("5", "2", "the model"),
    ]
    assert lit_text(page) == "ç"
    # The other tokens of the same piece are marked too.
    assert page.locator(".t.mate").count() == 3
    page.mouse.move(5, 5)


def test_three_tokens_inside_one_character_are_shown_as_its_parts(open_page: OpenPage) -> None:
    page = open_page("/?text=x+%F0%9F%9A%80")
    group = page.get_by_role("group", name="space 🚀: one stretch in 3 tokens")
    expect(group.get_by_role("option")).to_have_count(3)
    assert group.locator(".glyph").inner_text().strip() == "🚀"
    group.get_by_role("option").nth(1).hover()
    assert (fact(page, "id"), fact(page, "raw"), fact(page, "utf16")) == ("248", "9A", "2–4")
    assert fact(page, "text") == "part 2 of 3 of  🚀"
    assert lit_text(page) == "🚀"


def test_the_caret_lights_its_chip(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.locator("#text").focus()
    page.evaluate("document.getElementById('text').setSelectionRange(5, 5)")
    expect(page.locator(".t.on")).to_have_attribute("data-v", "Ġtwo")
    assert fact(page, "token") == "Ġtwo"


def test_the_highlight_scrolls_a_long_text_to_the_token(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#text").fill("line of words\n" * 80)
    tokens_are(page, 320)
    chips(page).last.focus()
    assert page.evaluate("document.getElementById('text').scrollTop") > 500
    assert page.evaluate("document.getElementById('mirror').scrollTop") > 500
    assert lit_text(page) == "\n"


def test_control_tokens_can_be_taken_as_plain_text(open_page: OpenPage) -> None:
    page = open_page("/?text=%3C%7Cim_start%7C%3Euser")
    tokens_are(page, 2)
    page.get_by_text("plain text").click()
    tokens_are(page, 7)
    page.wait_for_url("**split_special_tokens=1*")


def test_another_tokenizer_gives_other_tokens(open_page: OpenPage) -> None:
    page = open_page("/?text=1969")
    tokens_are(page, 4)
    page.locator("#tokenizer").select_option("deepseek-v4")
    tokens_are(page, 2)


def test_an_example_fills_the_box(page: Page) -> None:
    page.get_by_text("Examples").click()
    page.get_by_role("link", name="Portuguese").click()
    tokens_are(page, 25)
    expect(page.locator("#text")).to_have_value(BY_NAME["portuguese"].text)


def test_html_in_the_text_stays_text(page: Page) -> None:
    page.locator("#text").fill("<script>document.title='x'</script><b>bold</b>")
    expect(page.locator("#text")).to_be_visible()
    page.wait_for_url("**/?text=%3Cscript*")
    assert page.title() == "Tokens · Tokboard"
    assert page.locator("#chips b, #chips script").count() == 0


def test_a_refused_text_stays_and_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page(errors_expected=True)
    page.route("**/", lambda route: route.abort())
    page.locator("#text").fill("keep me")
    expect(page.get_by_role("alert")).to_contain_text("Your text is still here")
    expect(page.locator("#text")).to_have_value("keep me")
    page.unroute("**/")
    page.locator("#text").press_sequentially("!")
    tokens_are(page, 3)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_long_paste_shows_its_beginning_then_all_and_the_rest_on_scrolling(page: Page) -> None:
    text = "The quick brown fox, line by line.\n" * 6_000
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("#text").focus()
    # The beginning may be in sight for less time than a look at the page takes: the page itself takes note.
    page.evaluate(
        """() => new MutationObserver(() => {
            window.sawBeginning ||= document.querySelector(".pending") !== null;
        }).observe(document.body, {childList: true, subtree: true})"""
    )
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("ControlOrMeta+v")
    expect(page.locator(".count.first dd")).to_have_text("54,000")
    assert page.evaluate("window.sawBeginning")
    first = chips(page).count()
    assert 400 <= first < 1_000
    page.locator("#chips").hover()
    page.mouse.wheel(0, 20_000)
    expect(page.locator(".chunk").nth(1)).to_be_attached()
    page.mouse.wheel(0, 20_000)
    expect(page.locator(".chunk").nth(2)).to_be_attached()
    assert chips(page).count() > first
    # Too long for the query, short when packed.
    page.wait_for_url("**/?text=#z=*")


def test_a_link_to_a_long_text_carries_it_in_the_fragment_part(page: Page, open_page: OpenPage) -> None:
    text = "Długi tekst 🚀 numer\n" * 300
    page.locator("#text").fill(text)
    page.wait_for_url("**/?text=#z=*")
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "#z=" in link and len(link) < 500
    other = open_page(link)
    expect(other.locator("#text")).to_have_value(text)
    expect(other.locator(".count.first dd")).to_have_text(page.locator(".count.first dd").inner_text())


def test_a_damaged_link_says_so(open_page: OpenPage) -> None:
    page = open_page("/?text=#z=notreally")
    expect(page.locator("#problem")).to_contain_text("damaged")


def test_copies_are_json(open_page: OpenPage) -> None:
    page = open_page("/?text=the+%F0%9F%9A%80")
    for name, expected in (("ids", [1782, 11162, 248, 222]), ("tokens", ["the", "ĠðŁ", "ļ", "Ģ"])):
        page.locator(f'[data-copy="{name}"]').click()
        expect(page.locator("#announce")).to_have_text(f"All {name} copied as JSON")
        assert json.loads(page.evaluate("navigator.clipboard.readText()")) == expected
    chips(page).first.hover()
    page.locator("#copy-card").click()
    expect(page.locator("#announce")).to_have_text("Card copied as JSON")
    assert json.loads(page.evaluate("navigator.clipboard.readText()"))["id"] == 1782


def test_downloads_are_of_the_text_in_the_box(page: Page) -> None:
    page.locator("#text").fill('a,b\n"c"')
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_bytes().decode(), newline="")))
    assert "".join(row["text"] for row in rows) == 'a,b\n"c"'


def test_the_page_works_without_script(open_page: OpenPage) -> None:
    page = open_page("/", script=False)
    page.locator("#text").fill("the fox")
    page.get_by_role("button", name="Show the tokens").click()
    tokens_are(page, 2)
    expect(page.locator("#text")).to_have_value("the fox")
    page.locator("#pipeline summary").click()
    page.get_by_role("button", name="Show the stages").click()
    expect(page.locator(".stage").last).to_be_visible()
    expect(page.locator(".tools")).to_be_hidden()


def test_a_phone_has_the_picture_first_and_the_card_as_a_sheet(open_page: OpenPage) -> None:
    page = open_page("/", width=360, height=740)
    boxes = [page.locator(place).bounding_box() for place in (".counts", "#chips", "#text")]
    tops = [box["y"] for box in boxes]
    assert tops == sorted(tops)
    # The text box stays at the lower edge, so that nobody types without seeing what comes of it.
    assert boxes[-1]["y"] + boxes[-1]["height"] <= 740
    page.evaluate("document.querySelector('#pipeline').scrollIntoView()")
    expect(page.locator("#text")).to_be_in_viewport(ratio=1)
    expect(page.locator("#card")).to_be_hidden()
    chips(page).nth(1).tap()
    expect(page.locator("#card")).to_be_visible()
    page.locator("#close-card").tap()
    expect(page.locator("#card")).to_be_hidden()


def test_on_paper_there_are_the_text_and_its_tokens_only(page: Page) -> None:
    page.emulate_media(media="print")
    for hidden in (".tools", ".options", ".outputs", ".card", ".foot"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(chips(page).first).to_be_visible()


def stages(page: Page) -> str:
    return page.locator("#stages").inner_text()


def test_the_pipeline_never_shows_an_earlier_text(open_page: OpenPage) -> None:
    page = open_page("/?text=first")
    page.keyboard.press("l")
    expect(page.locator("#stages")).to_contain_text("Checked")
    page.keyboard.press("l")
    page.locator("#text").fill("something else")
    tokens_are(page, 2)
    # What opens now must not be the old stages, however slow the new ones are.
    page.route("**/tokens/pipeline", lambda route: None)
    page.locator("#pipeline > summary").click()
    assert "first" not in stages(page) and "Checked" not in stages(page)
    page.unroute("**/tokens/pipeline")
    page.locator("#pipeline > summary").click()
    page.locator("#pipeline > summary").click()
    expect(page.locator(".stage").first).to_contain_text("something else")
    expect(page.locator("#stages")).to_contain_text("Checked")


def test_stages_of_an_earlier_text_are_dimmed_while_the_panel_is_open(open_page: OpenPage) -> None:
    page = open_page("/?text=first")
    page.keyboard.press("l")
    expect(page.locator("#stages")).to_contain_text("Checked")
    page.route("**/tokens/pipeline", lambda route: None)
    page.locator("#text").fill("something else")
    tokens_are(page, 2)
    expect(page.locator("#stages.stale")).to_be_attached()


def test_a_reload_keeps_a_long_text(page: Page) -> None:
    text = "Długi tekst 🚀 numer\n" * 300
    page.locator("#text").fill(text)
    page.wait_for_url("**/?text=#z=*")
    page.reload()
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#not-kept")).to_be_hidden()
    # A short text needs no fragment part any more.
    page.locator("#text").fill("short")
    page.wait_for_url("**/?text=short")


def test_a_text_too_long_for_the_address_says_that_it_is_not_kept(page: Page) -> None:
    # Nothing to compress: every character is drawn from ten thousand.
    text = "".join(Random(1).choices([chr(code) for code in range(0x4E00, 0x7500)], k=30_000))
    page.locator("#text").fill(text)
    expect(page.locator("#not-kept")).to_be_visible()
    assert page.evaluate("location.href.length") < 100
    page.locator("#text").fill("short")
    expect(page.locator("#not-kept")).to_be_hidden()


def test_emptying_the_box_empties_the_card(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two")
    chips(page).nth(1).hover()
    assert fact(page, "token") == "Ġtwo"
    page.locator("#text").fill("")
    tokens_are(page, 0)
    assert {fact(page, name) for name in ("id", "token", "text", "raw")} == {"–"}
    assert page.locator("#card-chip .t").count() == 0
    expect(page.locator("#copy-card")).to_be_disabled()


def test_a_tokenizer_that_does_not_load_leaves_no_tokens_that_look_current(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two", errors_expected=True)
    page.keyboard.press("l")
    expect(page.locator(".stage").last).to_be_visible()
    page.locator("#tokenizer").select_option("broken")
    expect(page.get_by_role("alert")).to_contain_text("cannot be loaded")
    for part in ("#result", "#card", "#stages"):
        expect(page.locator(f"{part}.stale")).to_be_attached()
    page.locator("#tokenizer").select_option("qwen3")
    tokens_are(page, 2)
    for part in ("#result", "#card", "#stages"):
        expect(page.locator(f"{part}:not(.stale)")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_tokens_around_the_text_and_padding_are_drawn_and_can_be_left_out(open_page: OpenPage) -> None:
    page = open_page("/?tokenizer=tiny-bert&text=Unbelievable+so")
    drawn = ["[CLS]", "Un", "belie", "vable", "so", "[SEP]", "[PAD]", "[PAD]"]
    expect(chips(page)).to_have_text(drawn)
    styles = page.evaluate("[...document.querySelectorAll('#chips .t')].map((t) => getComputedStyle(t).outlineStyle)")
    assert [styles[at] for at in (5, 6, 7)] == ["dashed"] * 3
    chips(page).nth(5).hover()
    assert (fact(page, "id"), fact(page, "origin"), fact(page, "characters"), fact(page, "piece")) == (
        *("3", "placed by the post-processor", "none", "none"),
    )
    assert fact(page, "text") == "none, it was placed around the text"
    assert lit_text(page) is None
    chips(page).nth(6).hover()
    assert (fact(page, "origin"), fact(page, "text")) == ("padding", "none, it fills up to the length wanted")
    chips(page).nth(2).hover()
    assert (fact(page, "token"), fact(page, "text"), lit_text(page)) == ("##belie", "belie", "belie")
    expect(page.locator("#adds-none")).to_be_hidden()
    page.get_by_text("left out").click()
    expect(chips(page)).to_have_text(["Un", "belie", "vable", "so", "[PAD]", "[PAD]", "[PAD]", "[PAD]"])
    page.keyboard.press("l")
    expect(page.locator(".stage").last).to_be_visible()
    assert "Filled up with 4." in stages(page)


def test_the_card_stands_under_the_chips_and_above_the_fold(open_page: OpenPage) -> None:
    page = open_page(width=1280, height=720)
    chip, card, box = (page.locator(place).bounding_box() for place in ("#chips", "#card", "#text"))
    assert card["y"] > chip["y"] + chip["height"] - 1
    assert card["x"] > box["x"] + box["width"]
    assert card["y"] + card["height"] <= 720


def test_the_edges_of_the_buttons_are_those_of_the_fields(page: Page) -> None:
    for places in (["#tokenizer", ".box", "#input details.menu summary", ".options .strip"], [".facts", "#copy-card"]):
        right = page.evaluate(
            "(places) => places.map((place) => document.querySelector(place).getBoundingClientRect().right)", places
        )
        assert max(right) - min(right) < 1
    # An edge that cannot be seen is aligned with nothing.
    for place in ("#input details.menu summary", "#copy-card"):
        edge = page.locator(place).evaluate("(button) => getComputedStyle(button).borderTopColor")
        assert edge != "rgba(0, 0, 0, 0)"


def test_in_the_projector_theme_the_figures_take_one_line(open_page: OpenPage) -> None:
    page = open_page(width=1280, height=720, theme="projector")
    assert len(set(page.evaluate("[...document.querySelectorAll('.count')].map((c) => c.offsetTop)"))) == 1
    assert page.locator("#chips").bounding_box()["y"] < 300


def test_on_a_desk_the_figures_stand_in_a_grid(open_page: OpenPage) -> None:
    for width in (1280, 1440):
        page = open_page(width=width)
        assert len(set(page.evaluate("[...document.querySelectorAll('.count')].map((c) => c.offsetTop)"))) == 1
        widths = page.evaluate("[...document.querySelectorAll('.count')].map((c) => Math.round(c.offsetWidth))")
        assert max(widths) - min(widths) <= 1


def test_the_text_can_be_checked_against_the_reference(open_page: OpenPage) -> None:
    page = open_page("/?tokenizer=tiny-bert&text=Unbelievable+so")
    page.keyboard.press("l")
    page.get_by_role("button", name="Check against tokenizers 0.23.3").click()
    expect(page.locator(".check-result")).to_contain_text("Equal to tokenizers 0.23.3")
