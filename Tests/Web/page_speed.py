"""Measures how soon the lobby's form is usable on a slow line and a slow machine.

CARILLON_BINARIES=RELEASE PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.page_speed

Chromium has 1.6 Mbit/s, a round-trip time of 150 ms and a quarter of the processor's speed. The
time is measured from the navigation until the form is usable: the page has run and knows who may
use the lobby. The program prints the median of first visits, each in a new browser profile, and the
median of later visits.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics

from playwright.async_api import Browser, Page

from eventually import eventually
from test_end_to_end import live_meeting
from Web.browser import chromium, new_page
from Web.test_meeting import FLAGS

BARS = {"first": 1_500, "later": 700}
"""The largest permitted median of each kind of visit, in milliseconds."""
_LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 94_000,
}
_USABLE = """() => performance.getEntriesByType("resource")
  .find(({ name }) => new URL(name).pathname === "/carillon/v1/web")?.responseEnd || null"""


async def _visit(page: Page, address: str) -> float:
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", _LINE)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    await page.goto(address)
    usable: float = await eventually("the usable form", lambda: page.evaluate(_USABLE))
    await page.wait_for_load_state("networkidle")
    return usable


async def _visits(browser: Browser, address: str) -> tuple[float, float]:
    page = await new_page(browser)
    first = await _visit(page, address)
    later = await page.context.new_page()
    times = first, await _visit(later, address)
    await page.context.close()
    return times


async def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the page on a slow line.")
    parser.add_argument("--rounds", type=int, default=5, help="visits of each kind")
    rounds = parser.parse_args().rounds
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        address = f"http://127.0.0.1:{tea.installation.rest_port}/#tea"
        times = [await _visits(browser, address) for _ in range(rounds)]
    failed = False
    for name, found in zip(BARS, zip(*times, strict=True), strict=True):
        median = statistics.median(found)
        failed |= median > BARS[name]
        each = " ".join(f"{time:.0f}" for time in found)
        print(f"page.form.{name}: {median:.0f} ms, at most {BARS[name]} ms ({each})")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
