"""A browser whose network fails: a temporary cut, and a changed address.

The browser runs in a network namespace, so that packets are really lost and sockets really lose
their address. These tests verify the table in `docs/browser-face.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Page

from carillon.media import AudioReceiver
from eventually import eventually
from installation import free_port
from test_end_to_end import Attendee, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.browser_network import Home, needs_networks
from Web.page_sound import listen, microphone, until_heard
from Web.scripted_site import WEB
from Web.test_library_sound import (
    BOT_HERTZ,
    KEEP_CONNECTION,
    START,
    bot_of,
    speaking,
    until_bot_hears,
    until_bot_hears_nothing,
)
from Web.test_sound_faults import DEFAULTS, HEARS_AGAIN, WATCH

pytestmark = [needs_chromium, needs_networks, pytest.mark.alone, pytest.mark.seconds(120)]

CUT_SECONDS = 5.0
BACK_SECONDS = 3.0
"""The longest time from the end of a cut until the page and the bot hear each other."""
MOVED_SECONDS = 12.0
"""The longest time from a new address to sound: 3 s of silence, 5 s for an answer, and a
reconnection.
"""

PACKETS = """async () => {
  const reports = [...(await connection.getStats()).values()];
  return reports.find(({ type }) => type === "inbound-rtp").packetsReceived;
}"""
"""Returns the number of mix packets that a page has received."""


async def is_open(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def at_home(path: Path) -> AsyncIterator[tuple[Home, Page, Attendee, AudioReceiver]]:
    """Runs a bot, and a page in its own namespace. The bot and the page hear each other."""
    # Clients on other machines join a running meeting by name.
    lobby = ["--web-lobby", "key", "--web-lobby-key-file", str(path / "lobby.key")]
    port = free_port()
    async with Home() as home, AsyncExitStack() as stack:
        url = f"http://{home.own_address}:{port}"
        tea = await stack.enter_async_context(
            live_meeting(
                gateway=["--web-root", str(WEB), *lobby, "--public-url", url],
                presence=DEFAULTS,
                media=["--public-address", home.own_address],
            )
        )
        await stack.enter_async_context(home.door(port, tea.installation.rest_port))
        await eventually("the door", partial(is_open, home.own_address, port))
        opening = chromium(
            *microphone(440, path=path / "ada.wav"),
            f"--unsafely-treat-insecure-origin-as-secure={url}",
            program=home.chromium(path),
        )
        browser = await stack.enter_async_context(opening)
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        page = await new_page(browser)
        await page.add_init_script(KEEP_CONNECTION)
        await page.goto(url)
        await page.evaluate(START, {"name": "ada", "withMicrophone": True})
        await page.evaluate(WATCH)
        await listen(page, "#library-mix")
        async with speaking(connection):
            with AudioReceiver(connection) as receiver:
                await until_heard(page, BOT_HERTZ)
                await until_bot_hears(receiver, 440)
                yield home, page, bot, receiver


async def test_a_network_outage_of_five_seconds_ends_no_connection(tmp_path: Path) -> None:
    async with at_home(tmp_path) as (home, page, bot, receiver):
        loop = asyncio.get_running_loop()
        await home.lose_all(is_cut=True)
        ends = loop.time() + CUT_SECONDS
        await until_bot_hears_nothing(receiver)
        packets = await page.evaluate(PACKETS)
        await asyncio.sleep(ends - loop.time())
        assert await page.evaluate(PACKETS) == packets
        await home.lose_all(is_cut=False)
        mended = loop.time()
        while await page.evaluate(PACKETS) < packets + 10:
            await asyncio.sleep(0.05)
        await until_bot_hears(receiver, 440)
        took = loop.time() - mended
        print(f"sound is back {took:.2f} s after a cut")
        assert took < BACK_SECONDS
        await until_heard(page, BOT_HERTZ)
        # The session still has the same connection, and called no observer.
        assert await page.evaluate("happened") == []
        assert bot.departures == []


async def test_a_browser_whose_address_changes_resumes_its_session(tmp_path: Path) -> None:
    async with at_home(tmp_path) as (home, page, bot, receiver):
        again = asyncio.create_task(page.evaluate(HEARS_AGAIN))
        await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        loop = asyncio.get_running_loop()
        await home.move()
        moved = loop.time()
        await again
        took = loop.time() - moved
        print(f"sound is back {took:.2f} s after the address changed")
        await until_bot_hears(receiver, 440)
        assert took < MOVED_SECONDS
        assert await page.evaluate("happened") == ["drop", "start"]
        assert bot.departures == []
