"""Everything by keyboard: keys, the way through the chips, the help."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import OpenPage, chips, tokens_are


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.dataset.v ?? document.activeElement.id")


def test_arrows_walk_through_the_chips_and_the_card_follows(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.keyboard.press("/")
    assert focused(page) == "text"
    page.keyboard.press("Escape")
    walked = [focused(page)]
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
        walked.append(focused(page))
    assert walked == ["one", "Ġtwo", "Ġthree", "Ġthree", "Ġtwo", "one", "Ġthree"]
    expect(page.locator('[data-fact="token"]')).to_have_text("Ġthree")
    assert page.locator('.t[tabindex="0"]').count() == 1


def test_up_and_down_go_to_the_nearest_chip_of_the_next_line(open_page: OpenPage) -> None:
    page = open_page("/?text=aa+bb+cc%0Add+ee+ff%0Agg+hh+ii")
    chips(page).nth(1).focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Ġee"
    page.keyboard.press("ArrowDown")
    assert focused(page) == "Ġhh"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "Ġbb"


def test_keys_never_act_while_someone_types(page: Page) -> None:
    page.locator("#text").fill("")
    page.keyboard.type("p i l t c / ?")
    expect(page.locator("#text")).to_have_value("p i l t c / ?")
    assert page.locator("#help[open]").count() == 0
    assert page.evaluate("document.documentElement.hasAttribute('data-presenting')") is False


def test_i_shows_ids_and_l_the_pipeline(page: Page) -> None:
    page.keyboard.press("i")
    expect(page.locator("#result[data-ids]")).to_be_attached()
    content = page.evaluate("getComputedStyle(document.querySelector('#chips .t'), '::after').content")
    assert content.startswith('"10839"')
    page.keyboard.press("l")
    expect(page.locator(".stage h3").first).to_have_text("Text")
    page.keyboard.press("l")
    expect(page.locator(".stage").first).to_be_hidden()


def test_question_mark_lists_the_keys_which_can_be_switched_off(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.locator("#keys-enabled").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_presenter_shows_one_pane_until_escape(page: Page) -> None:
    page.keyboard.press("p")
    # An address that only this machine can reach is of no use to a class.
    expect(page.locator("#presenter-address")).to_be_hidden()
    for hidden in (".head", "#text", ".foot", ".outputs"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(chips(page).first).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "projector"
    page.keyboard.press("Escape")
    expect(page.locator(".head")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_the_theme_is_remembered_and_there_before_the_first_paint(page: Page) -> None:
    page.keyboard.press("t")
    assert page.locator("#theme").input_value() == "dark"
    page.reload(wait_until="commit")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_the_examples_menu_opens_walks_and_closes_by_keys(page: Page) -> None:
    menu = page.locator("#input details.menu")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "English"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    expect(menu.locator(".menu-list")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 360])
def test_presenter_shows_an_address_that_others_can_reach(open_page: OpenPage, address: str, width: int) -> None:
    port = address.rsplit(":", 1)[1]
    # Chromium warns that a policy is not applied to plain HTTP under a name.
    page = open_page(f"http://tokboard.test:{port}/", width=width, height=720, errors_expected=True)
    page.keyboard.press("p")
    shown = page.locator("#presenter-address")
    expect(shown).to_have_text(f"tokboard.test:{port}")
    size, height = shown.evaluate("(e) => [parseFloat(getComputedStyle(e).fontSize), e.getBoundingClientRect().height]")
    assert size >= (60 if width == 1280 else 18)
    assert height < 1.5 * size


def test_presenter_fits_a_phone(open_page: OpenPage) -> None:
    page = open_page("/?text=" + "12345+" * 300, width=360, height=740)
    page.keyboard.press("p")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    spilled = page.evaluate(
        """() => [...document.querySelectorAll(".presenter-bar *, .counts *")]
          .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > 360.5).map((e) => e.textContent)"""
    )
    assert spilled == []


def test_the_ids_switch_keeps_the_focused_token(page: Page) -> None:
    chips(page).nth(4).focus()
    page.keyboard.press("i")
    page.wait_for_url("**show_ids=1*")
    assert page.evaluate("[...document.querySelectorAll('#chips .t')].indexOf(document.activeElement)") == 4
    expect(page.locator("#result[data-ids]")).to_be_attached()
    page.keyboard.press("i")
    page.wait_for_url(lambda url: "show_ids" not in url)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("[...document.querySelectorAll('#chips .t')].indexOf(document.activeElement)") == 5


def test_the_focus_keeps_its_place_when_new_tokens_come(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.locator("#text").fill("uno dos tres cuatro")
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    tokens_are(page, 4)
    assert page.evaluate("[...document.querySelectorAll('#chips .t')].indexOf(document.activeElement)") == 1


def test_arrows_reach_the_lit_token_from_a_fresh_page(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "one"
    page.keyboard.press("ArrowRight")
    assert focused(page) == "Ġtwo"


def test_the_presenter_puts_the_focus_on_the_lit_token(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.keyboard.press("p")
    assert focused(page) == "one"
    expect(page.locator("#card")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    assert focused(page) == "Ġtwo"
    expect(page.locator("#card")).to_be_visible()


def test_escape_closes_the_card_before_it_leaves_the_presenter(open_page: OpenPage) -> None:
    page = open_page("/?text=one+two+three")
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#card")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()
    expect(page.locator(".head")).to_be_hidden()
    assert focused(page) == "Ġtwo"
    page.keyboard.press("Escape")
    expect(page.locator(".head")).to_be_visible()


def test_slash_leaves_the_presenter_for_the_text_box(page: Page) -> None:
    page.keyboard.press("p")
    page.keyboard.press("/")
    expect(page.locator(".head")).to_be_visible()
    assert focused(page) == "text"


def test_choosing_an_example_by_keyboard_keeps_the_focus(page: Page) -> None:
    page.locator("#input details.menu summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    tokens_are(page, 14)
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_t_says_which_theme_is_on(page: Page) -> None:
    page.keyboard.press("t")
    expect(page.locator("#announce")).to_have_text("Theme: Dark")
