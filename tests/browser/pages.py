"""What the browser tests ask of a page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

OpenPage = Callable[..., Page]


def chips(page: Page) -> Locator:
    return page.locator("#chips").get_by_role("option")


def tokens_are(page: Page, count: int) -> None:
    """Waits until the page says that there are so many tokens."""
    expect(page.locator(".count.first dd")).to_have_text(f"{count:,}")
