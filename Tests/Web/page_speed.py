"""How soon the lobby's form is usable on a slow line, and how much a visit loads.

Chromium has 1.6 Mbit/s, a round-trip time of 150 ms and a quarter of the processor's speed. The
time is measured from the navigation until the form is usable: the page's script has run, and knows
who may use the lobby.
"""

from __future__ import annotations

from typing import NamedTuple

from playwright.async_api import Browser, Page, expect

from eventually import due, eventually
from test_end_to_end import LiveMeeting
from Web.browser import new_page
from Web.test_delivery import NetworkLog, held_back
from Web.test_page import join

_LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 94_000,
}
_USABLE = """() => performance.getEntriesByType("resource")
  .find(({ name }) => new URL(name).pathname === "/carillon/v1/web")?.responseEnd || null"""


class Load(NamedTuple):
    """The number of requests and bytes of a first visit."""

    form_requests: int
    form_bytes: int
    all_bytes: int


async def _visit(page: Page, address: str) -> float:
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", _LINE)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    await page.goto(address)
    usable: float = await eventually("the usable form", lambda: page.evaluate(_USABLE))
    await page.wait_for_load_state("networkidle")
    return usable


async def visits(browser: Browser, address: str) -> tuple[float, float]:
    """Returns the milliseconds until the form is usable, in a new profile and at a later visit."""
    page = await new_page(browser)
    first = await _visit(page, address)
    later = await page.context.new_page()
    times = first, await _visit(later, address)
    await page.context.close()
    return times


async def load(tea: LiveMeeting, browser: Browser) -> Load:
    """Returns what a browser loads until the form is usable, and until the page is in the
    meeting."""
    page = await new_page(browser)
    log = NetworkLog()
    await log.follow(page)
    rest = await held_back(page)
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
    async with due("the request for the rest of the page"):
        route = await rest
    await expect(page.get_by_role("button", name="Join", exact=True)).to_be_enabled()
    form = [url for url in log.fetched if not url.endswith("/meeting.js")]
    await eventually("the end of the form", lambda: len(log.received) >= len(form) or None)
    form_bytes = log.bytes
    await route.continue_()
    await join(page)
    await eventually("the end of all requests", lambda: log.is_idle or None)
    found = Load(len(form), form_bytes, log.bytes)
    await page.context.close()
    return found
