"""Debian's Chromium without a window, controlled by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Frame, Page, Playwright, async_playwright, expect

RESULTS = Path(__file__).parent / "results"
"""Screenshots of the tests; not committed."""
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
"""The whole browser. Tests control it when the browser denies permissions."""
SHELL = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or CHROMIUM
"""Chromium without toolbars and dialogs, with the same version, codecs and fonts as `CHROMIUM`.

The whole browser draws its toolbars even without a display, so it takes 1.6 times the processor
time.
"""
GRANTED = ["microphone", "camera", "clipboard-write", "screen-wake-lock"]
"""The permissions that the whole browser grants without a dialog. The shell grants the microphone
and the camera to pages that open them, but reports no permission as granted by itself.
"""
PATIENCE_MS = 45_000
"""The timeout for changes of a page, in milliseconds, on a slow and busy machine."""
expect.set_options(timeout=PATIENCE_MS)
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

IMPORT = "address => { void import(address); }"
"""Runs a module in a page. The page's policy forbids setting a script's URL from a string."""

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium; see setup.sh")


shares_browser = pytest.mark.shares_browser
"""Tests with this mark share one browser. `chromium()` with options still runs another browser."""


class SharedBrowser:
    """A browser, and Playwright's driver, that tests in one event loop use one after another.

    The driver is a process of Node. Its start takes more processor time than a start of the shell.
    """

    def __init__(self) -> None:
        self._exits = AsyncExitStack()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    async def get(self) -> Browser:
        """Returns the browser, and starts it if it does not run."""
        if self._browser is not None and not self._browser.is_connected():
            await self.close()
        if self._browser is None:
            launched = launch(await self.driver())
            self._browser = await self._exits.enter_async_context(launched)
        return self._browser

    async def driver(self) -> Playwright:
        """Returns the driver, and starts it if it does not run."""
        if self._driver is None:
            self._driver = await self._exits.enter_async_context(async_playwright())
        return self._driver

    async def close(self) -> None:
        self._driver, self._browser = None, None
        await self._exits.aclose()


_shared: SharedBrowser | None = None
_denying: WeakSet[Browser] = WeakSet()
"""The browsers that deny permission, so their pages do not get the permissions in `GRANTED`."""


@contextmanager
def sharing(browser: SharedBrowser) -> Iterator[None]:
    """Makes `chromium()` return this browser during the block."""
    global _shared  # noqa: PLW0603 - the hooks of pytest have no other way to reach the tests.
    _shared = browser
    try:
        yield
    finally:
        _shared = None


@asynccontextmanager
async def chromium(
    *arguments: str, permits: bool = True, program: str | Path | None = None
) -> AsyncIterator[Browser]:
    """Runs a browser, or yields the shared browser. Tests create isolated contexts in the browser.

    The browser has Chromium's fake microphone. Without `permits`, the browser denies permission
    immediately. `program` is the browser to run: by default `SHELL`. Without `permits`, the default
    is `CHROMIUM`, because the shell cannot deny permission.
    """
    if _shared is None or arguments or not permits or program is not None:
        async with own_chromium(*arguments, permits=permits, program=program) as own:
            yield own
        return
    browser = await _shared.get()
    earlier = set(browser.contexts)
    try:
        yield browser
    finally:
        for context in set(browser.contexts) - earlier:
            await context.close()


@asynccontextmanager
async def own_chromium(
    *arguments: str, permits: bool = True, program: str | Path | None = None
) -> AsyncIterator[Browser]:
    """Runs a browser that no other test uses."""
    async with AsyncExitStack() as stack:
        if _shared is not None:
            playwright = await _shared.driver()
        else:
            playwright = await stack.enter_async_context(async_playwright())
        launched = launch(playwright, *arguments, permits=permits, program=program)
        yield await stack.enter_async_context(launched)


@asynccontextmanager
async def launch(
    playwright: Playwright,
    *arguments: str,
    permits: bool = True,
    program: str | Path | None = None,
) -> AsyncIterator[Browser]:
    """Runs a browser with a driver of Playwright."""
    # A browser that runs as root in a container needs this flag. Without the sandbox, the browser
    # trusts all pages.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    # The shell accepts one language by default, and the whole browser accepts these two.
    fake = ["--use-fake-device-for-media-stream", "--accept-lang=en-US,en"]
    fake += ["--use-fake-ui-for-media-stream"] if permits else []
    default = SHELL if permits else CHROMIUM
    browser = await playwright.chromium.launch(
        executable_path=program or default, args=[*sandbox, *fake, *arguments]
    )
    if not permits:
        _denying.add(browser)
    try:
        yield browser
    finally:
        await browser.close()


async def new_page(browser: Browser, **options: Any) -> Page:
    """Opens a page in its own context. The page's errors are printed."""
    granted = {} if browser in _denying else {"permissions": GRANTED}
    context = await browser.new_context(**{"viewport": DESK, **granted, **options})
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    page.on("pageerror", lambda error: print(f"page error: {error}"))
    return page


async def picture(page: Page, name: str) -> None:
    """Saves a screenshot of a page if the environment has `PICTURES`. This takes half a second."""
    if not os.environ.get("PICTURES"):
        return
    RESULTS.mkdir(exist_ok=True)
    await page.screenshot(path=RESULTS / f"{name}.png")


async def violations(page: Page | Frame, *rules: str) -> list[str]:
    """Returns axe-core's violations of a page: rule, element and reason.

    With `rules`, only these rules apply.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    found = await Axe().run(page, options=options)
    return [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
        for violation in found.response["violations"]
        for node in violation["nodes"]
    ]


async def overflow(page: Page) -> int:
    """Returns by how many pixels a page is wider than its window."""
    return int(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
