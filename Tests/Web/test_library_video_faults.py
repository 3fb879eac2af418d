"""Videos of pages with `carillon.js` after services were killed.

The test verifies the limits for videos in the section "When something fails" of
`docs/browser-face.md`.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest
from playwright.async_api import Page

from eventually import eventually
from installation import Process
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium
from Web.library_video import enter, longest_gap, send_pictures, tiles, until_shown
from Web.test_meeting import FLAGS
from Web.test_sound_faults import BACK_OFF_SECONDS, DEFAULTS, ROUNDS, WATCH

pytestmark = [needs_chromium, pytest.mark.alone, pytest.mark.seconds(240)]

LONGEST_SECONDS = 2.0
"""The longest time without a picture after a kill, in seconds."""

JUDGED = 30
"""The number of pictures that the test judges after a kill. A page sends 10 a second."""

TILES = "session.videoTiles.map(({ tileId, attendeeId }) => [tileId, attendeeId])"


class Friends:
    """Two pages that see each other."""

    def __init__(self, tea: LiveMeeting, pages: list[Page]) -> None:
        self.tea, self.pages = tea, pages

    async def begin(self) -> None:
        """Turns the cameras on, and waits until each page shows the other page's camera."""
        for page in self.pages:
            await page.evaluate(WATCH)
            await send_pictures(page)
        self._senders = [
            await eventually("a source", partial(page.evaluate, "[...sources.keys()][0]"))
            for page in self.pages
        ]
        await self._until_shown(10)

    async def tile_ids(self) -> tuple[set[tuple[int, str]], list[list[tuple[int, str]]]]:
        """Returns the tiles that `carillon tiles` shows, and the tiles of each page."""
        rows = {(row["tile_id"], row["attendee_id"]) for row in await tiles(self.tea)}
        return rows, [await page.evaluate(TILES) for page in self.pages]

    async def survive(self, process: Process, *, rejoins: bool, waits: float = 0.0) -> None:
        """Kills a process until the pictures are back in time.

        - Parameter rejoins: Whether the pages join again.
        - Parameter waits: How long the pages may wait after the process is ready, in seconds.
        """
        gaps = []
        for _ in range(ROUNDS):
            before = await self.tile_ids()
            began = time.time()
            await process.kill()
            await process.start()
            await self.tea.installation.become_ready()
            ready = time.time() - began
            if rejoins:
                await asyncio.gather(*map(self._until_rejoined, self.pages))
            await self._until_shown(JUDGED)
            # If the pages join again, they publish their cameras again, with the same ids.
            assert await self.tile_ids() == before
            watched = zip(self.pages, self._senders, strict=True)
            gaps.append(max([await longest_gap(page, whom, began) for page, whom in watched]))
            print(f"{process.name}: ready after {ready:.2f} s, no picture for {gaps[-1]:.2f} s")
            if gaps[-1] < LONGEST_SECONDS + (ready + waits if waits else 0):
                return
        raise AssertionError(f"{process.name}: no pictures for {gaps} s")

    async def _until_rejoined(self, page: Page) -> None:
        """Waits until a page has lost its session and has joined again."""

        async def has_rejoined() -> bool:
            happened = await page.evaluate("happened")
            return "drop" in happened and happened[-1] == "start"

        await eventually("a rejoin", has_rejoined)
        await page.evaluate("happened.length = 0")

    async def _until_shown(self, count: int) -> None:
        watched = zip(self.pages, self._senders, strict=True)
        await asyncio.gather(*(until_shown(page, whom, count) for page, whom in watched))


async def test_pictures_are_back_in_time_after_a_kill() -> None:
    async with live_meeting(gateway=FLAGS, presence=DEFAULTS) as tea, chromium() as browser:
        friends = Friends(tea, [await enter(browser, tea, name) for name in ("ada", "bea")])
        await friends.begin()
        installation = tea.installation
        await friends.survive(installation.video_tiles, rejoins=False)
        await friends.survive(installation.media, rejoins=True)
        await friends.survive(installation.gateway, rejoins=True, waits=BACK_OFF_SECONDS)
