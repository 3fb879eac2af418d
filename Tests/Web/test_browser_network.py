"""A browser whose address changes.

The browser is in a network namespace, so that its sockets really lose their address.
`docs/browser-face.md` has the table that this test holds.
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
    START,
    bot_of,
    speaking,
    until_bot_hears,
)
from Web.test_sound_faults import DEFAULTS, HEARS_AGAIN, WATCH

pytestmark = [needs_chromium, needs_networks, pytest.mark.alone, pytest.mark.seconds(120)]

MOVED_SECONDS = 12.0
"""From a new address until sound is back: 3 s of silence, 5 s for an answer, and the way back."""


async def is_open(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


@asynccontextmanager
async def at_home(path: Path) -> AsyncIterator[tuple[Home, Page, Attendee, AudioReceiver]]:
    """A page on a machine of its own and a bot, which hear each other."""
    # Whoever is on another machine joins a meeting that runs, by its name.
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
        await page.goto(url)
        await page.evaluate(START, {"name": "ada", "withMicrophone": True})
        await page.evaluate(WATCH)
        await listen(page, "#library-mix")
        async with speaking(connection):
            with AudioReceiver(connection) as receiver:
                await until_heard(page, BOT_HERTZ)
                await until_bot_hears(receiver, 440)
                yield home, page, bot, receiver


async def test_a_browser_whose_address_changes_comes_back_as_itself(tmp_path: Path) -> None:
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
