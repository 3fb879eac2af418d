"""After a kill, browsers reconnect, others get the right reports, and sound returns in time.

These tests verify the table in `docs/browser-face.md`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from carillon import Dropped
from carillon.media import AudioReceiver
from installation import Process
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.page_sound import microphone
from Web.sdk_browser import SDKBrowser, sdk_browser
from Web.test_browser_sound import tone
from Web.test_library_sound import START, bot_of, speaking, until_bot_hears
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, pytest.mark.alone, pytest.mark.seconds(240)]

LIBRARY_SECONDS = 2.0
"""The longest time from a kill until a page with `carillon.js` hears again, in seconds."""
SDK_SECONDS = 1.5
"""The longest time from the end of the back-off until a client like the SDK hears again, in
seconds."""

NOTICE_SECONDS = 2.0
"""The longest time from the end of a dropped session's grace period until the drop is reported."""

BACK_OFF_SECONDS = 5.0
"""The longest back-off of both clients, in seconds."""
ROUNDS = 3
"""The number of attempts. A busy machine may delay all programs of a test; a defect fails each
attempt.
"""
DROP_AFTER_SECONDS = 5.0
DEFAULTS = ["--drop-after-seconds", "5", "--gateway-grace-seconds", "15"]
"""Flags of presence. On a busy machine a bot of this process may be silent for more than 2 s."""

WATCH = """() => {
  window.happened = [];
  const note = (name) => () => happened.push(name);
  session.addAudioVideoObserver({
    audioSessionDidDrop: note("drop"),
    audioSessionDidStart: note("start"),
    audioSessionDidStopWithStatus: note("stop"),
  });
}"""

HEARS_AGAIN = """async () => {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 });
  const samples = new Float32Array(analyser.fftSize);
  const element = document.querySelector("#library-mix");
  const former = element.srcObject;
  let mix = null;
  while (true) {
    if (element.srcObject && element.srcObject !== former && element.srcObject !== mix) {
      context.createMediaStreamSource((mix = element.srcObject)).connect(analyser);
    }
    analyser.getFloatTimeDomainData(samples);
    if (mix && Math.max(...samples) > 0.02) return Date.now() / 1000;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""
"""Returns the time when a page hears sound in a new mix."""


class Party:
    """A page with `carillon.js`, a client like the SDK, and a bot. All speak and hear."""

    def __init__(self, tea: LiveMeeting, page: Page, sam: SDKBrowser, bot: Attendee) -> None:
        self.tea, self.page, self.sam, self.bot = tea, page, sam, bot

    async def begin(self) -> None:
        """Makes the page join, and waits until all hear each other."""
        await self.page.goto(f"http://127.0.0.1:{self.tea.installation.rest_port}/")
        await self.page.evaluate(START, {"name": "ada", "withMicrophone": True})
        await self.page.evaluate(WATCH)
        await self.sam.hears()
        await self.bot.knows("ada", "sam", "bot")

    async def happened(self) -> list[str]:
        """Returns the notifications of the library since the page joined."""
        return [str(name) for name in await self.page.evaluate("happened")]

    async def survives(self, process: Process, code: int) -> int:
        """Kills a process again and again until both browsers recover in time. Returns the number
        of kills."""
        for number in range(1, ROUNDS + 1):
            is_soon = await self._is_back_soon(process, code)
            if is_soon:
                return number
        raise AssertionError(f"Sound was back too late, {ROUNDS} times after {process.name} died.")

    async def _is_back_soon(self, process: Process, code: int) -> bool:
        """Kills and restarts a process, and waits for sound."""
        begun = len(self.sam.outages)
        page_hears = asyncio.create_task(self.page.evaluate(HEARS_AGAIN))
        await self.page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        clock, now = time.time(), asyncio.get_running_loop().time()
        await process.kill()
        await process.start()
        # If a client tries to reconnect before the gateway is ready, the client backs off once
        # more. So the limit includes the time until the gateway is ready.
        await self.tea.installation.become_ready()
        ready = asyncio.get_running_loop().time() - now
        wait = ready + BACK_OFF_SECONDS if process is self.tea.installation.gateway else 0.0
        sam = await self.sam.hears(after=begun + 1) - now
        page = await page_hears - clock
        outage = self.sam.outages[begun]
        print(f"{process.name}: the page {page:.2f} s, the other {sam:.2f} s, {outage}")
        assert outage.code == code
        return page < wait + LIBRARY_SECONDS and sam < max(wait, outage.waited) + SDK_SECONDS


@asynccontextmanager
async def party(path: Path) -> AsyncIterator[tuple[Party, Browser, AudioReceiver]]:
    async with (
        live_meeting(gateway=FLAGS, presence=DEFAULTS) as tea,
        chromium(*microphone(440, path=path / "ada.wav")) as browser,
        sdk_browser(tea, "sam", tone(700, 120)) as sam,
    ):
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        async with speaking(connection):
            with AudioReceiver(connection) as receiver:
                made = Party(tea, await new_page(browser), sam, bot)
                await made.begin()
                yield made, browser, receiver


async def test_browsers_hear_again_in_time_after_media_or_the_gateway_was_killed(
    tmp_path: Path,
) -> None:
    async with party(tmp_path) as (made, _, receiver):
        installation = made.tea.installation
        await until_bot_hears(receiver, 440)
        count = await made.survives(installation.media, 4503)
        count += await made.survives(installation.gateway, 1006)
        assert await made.happened() == ["drop", "start"] * count
        await until_bot_hears(receiver, 440)
        assert all(roster >= {"ada", "bot", "sam"} for roster in made.sam.rosters[1:])
        # If presence reported wrong drops, it would report them before it reports that the sentinel
        # is lost.
        await made.tea.sentinel_is_lost(made.bot)
        await made.sam.is_told_gone("sentinel")
        assert made.bot.departures == [(Dropped, "sentinel")]
        assert made.sam.departures == [("sentinel", True)]


async def kill(browser: Browser) -> float:
    """Kills a browser with all its pages. Returns the event loop's time."""
    cdp = await browser.new_browser_cdp_session()
    found = (await cdp.send("SystemInfo.getProcessInfo"))["processInfo"]
    os.kill(next(each["id"] for each in found if each["type"] == "browser"), signal.SIGKILL)
    return asyncio.get_running_loop().time()


async def test_a_killed_browser_is_reported_to_others_as_dropped(tmp_path: Path) -> None:
    async with party(tmp_path) as (made, browser, receiver):
        await until_bot_hears(receiver, 440)
        began = await kill(browser)
        await made.bot.hears(Dropped, "ada")
        bot = asyncio.get_running_loop().time() - began
        sam = await made.sam.is_told_gone("ada") - began
        await until_bot_hears(receiver, 700)
        print(f"a killed browser: a bot is told after {bot:.2f} s, a browser after {sam:.2f} s")
        assert max(bot, sam) < DROP_AFTER_SECONDS + NOTICE_SECONDS
        assert made.bot.departures == [(Dropped, "ada")]
        assert made.sam.departures == [("ada", True)]
        assert made.sam.outages == []
