"""A real server on a free port and a real Chromium, one of each for all browser tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from werkzeug.serving import make_server

from app import create_app
from tests.browser.pages import TINY_BERT, OpenPage

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
    # A name for this machine that is not a loopback address, as a class would see one.
    "--host-resolver-rules=MAP tokboard.test 127.0.0.1",
)
# A machine that tests in parallel may be slow.
expect.set_options(timeout=10_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def address(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app listens."""
    folder = tmp_path_factory.mktemp("tokenizers")
    (folder / "tiny-bert.json").write_text(json.dumps(TINY_BERT), encoding="utf-8")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    app = create_app({"TESTING": True, "first_screen_tokens": 400, "more_tokens": 500, "tokenizers": folder})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(address: str, browser: Browser) -> Iterator[OpenPage]:
    """Opens a path at a width, with a remembered theme; any console error or policy violation fails the test."""
    complaints: list[str] = []
    contexts = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def open_(
        path: str = "/",
        width: int = 1440,
        height: int = 900,
        theme: str = "light",
        script: bool = True,
        errors_expected: bool = False,
    ) -> Page:
        remembered = [{"name": "tokboard.theme", "value": theme}]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=width < 500,
            is_mobile=width < 500,
            storage_state={"cookies": [], "origins": [{"origin": address, "localStorage": remembered}]},
            java_script_enabled=script,
            base_url=address,
            reduced_motion="reduce",
            accept_downloads=True,
        )
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        page = context.new_page()
        if not errors_expected:
            page.on("console", listen)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        page.wait_for_load_state("networkidle")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The front page on a desk."""
    return open_page()
