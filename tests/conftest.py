"""What every test shares: no test reaches beyond this machine, and one reason where there is no browser."""

import ipaddress
import os
import shutil
import sys

import pytest

# Scripts that make tables: started by hand, some with packages of their own.
collect_ignore = ["tools"]

# The Makefile looks for the same names (test_setup compares them).
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = "browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path"

# Programs that tests start (pip among them) are told the same as the guard below tells this process.
os.environ.update(PIP_NO_INDEX="1", HF_HUB_OFFLINE="1")


class OutsideNetworkError(RuntimeError):
    """A test tried to reach another machine."""


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost")


def _refuse_other_machines(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: connections and name look-ups are for this machine only."""
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else ""  # a Unix socket has a path, no host
    elif event == "socket.getaddrinfo":
        host = arguments[0] or ""
    else:
        return
    if not _is_this_machine(host.decode() if isinstance(host, bytes) else str(host)):
        raise OutsideNetworkError(f"tests run without network, and this one wants {host!r}")


sys.addaudithook(_refuse_other_machines)


def find_chromium() -> str | None:
    """The path of a Chromium to drive: $CHROMIUM, else the first of BROWSERS that is installed."""
    names = (os.environ.get("CHROMIUM", ""), *BROWSERS)
    return next((path for path in map(shutil.which, names) if path is not None), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where there is no browser its tests are skipped from this one line, so that the report has one line too."""
    if item.get_closest_marker("browser") is not None and find_chromium() is None:
        if os.environ.get("CI"):
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Playwright's executable_path; tests that use it are marked `browser`."""
    path = find_chromium()
    assert path is not None, NO_BROWSER
    return path
