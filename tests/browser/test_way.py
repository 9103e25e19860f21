"""The way around: in the header where there is room, in its menu elsewhere."""

from __future__ import annotations

import pytest

from tests.browser.pages import OpenPage


@pytest.mark.parametrize(
    ("width", "theme", "in_menu"), [(1440, "light", False), (360, "light", True), (1280, "projector", True)]
)
def test_every_page_is_one_or_two_presses_away(open_page: OpenPage, width: int, theme: str, in_menu: bool) -> None:
    page = open_page("/budget", width=width, theme=theme)
    menu = page.locator(".way-menu > summary")
    assert menu.is_visible() is in_menu
    if in_menu:
        assert menu.inner_text().strip().endswith("Budget")
        menu.press("Enter")
    link = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Lint")
    link.press("Enter")
    page.wait_for_url("**/stream/lint*")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
