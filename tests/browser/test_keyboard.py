"""Everything by keyboard: keys, the way through the chips, the help."""

from playwright.sync_api import Page, expect

from tests.browser.pages import OpenPage, chips


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


def test_presenter_shows_one_pane_and_the_address_until_escape(page: Page, address: str) -> None:
    page.keyboard.press("p")
    expect(page.locator("#presenter-address")).to_have_text(f"{address}/")
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
    menu = page.locator("details.menu")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == "English"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    expect(menu.locator(".menu-list")).to_be_hidden()
