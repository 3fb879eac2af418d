"""The memory of the page after rejoins, after attendees with cameras left, and with a long chat."""

from __future__ import annotations

import asyncio

import pytest

from Web.browser import PATIENCE_MS, chromium, needs_chromium
from Web.page_memory import (
    CAMERAS_AT_ONCE,
    after_cameras,
    census,
    joined,
    rejoin,
    with_messages,
)
from Web.test_page import site

pytestmark = [needs_chromium, pytest.mark.seconds(240)]


async def test_rejoins_leak_no_nodes_no_listeners_and_no_videos() -> None:
    async with chromium() as browser:
        page = await joined(browser, site())
        await rejoin(page)
        before = await census(page)
        for _ in range(10):
            await rejoin(page)
        after = await census(page)
        # The requests and sockets of the last rejoins close after a few seconds.
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not after.is_within(before):
                print(f"{before} became {after}")
                after = await census(page)


async def test_attendees_with_cameras_leave_nothing_behind_after_their_departure() -> None:
    async with chromium() as browser:
        before, after = await after_cameras(browser, 2 * CAMERAS_AT_ONCE)
        assert after.is_within(before), f"{before} became {after}"


async def test_the_chat_keeps_the_newest_thousand_messages() -> None:
    async with chromium() as browser:
        found = await with_messages(browser, 3_000)
        assert found.all_bytes < 60e6
