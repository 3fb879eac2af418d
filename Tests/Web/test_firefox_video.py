"""Video of the page in Firefox: cameras and shared screens in both directions, real services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from playwright.async_api import expect

from carillon import VideoLayer
from carillon.media import VideoReceiver, VideoSender
from eventually import eventually
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.browser import needs_chromium, new_page
from Web.firefox import FirefoxPage, firefox, needs_firefox
from Web.page_video import (
    BLUE,
    FAKE_SCREEN,
    GREEN,
    HEIGHT,
    LOOK,
    RED,
    WIDTH,
    Colour,
    numbered_picture,
    until_seen,
    until_sights,
)
from Web.test_library_sound import bot_of
from Web.test_meeting import FLAGS
from Web.test_page_video import browser_of, enter, video_of

pytestmark = [needs_firefox, needs_chromium, pytest.mark.seconds(300)]

PER_SECOND = 15
CHANGES = 5
"""The number of different colours that a bot must see of Firefox's fake camera. The camera changes
its colour with each picture."""

TILE = f"""(name) => {{
  const tiles = [...document.querySelectorAll("#tiles li")];
  const tile = tiles.find((each) => each.textContent.includes(name));
  return ({LOOK})(tile?.querySelector("video"));
}}"""
"""Looks at the video in the tile of an attendee."""

SHARE = f"""() => ({LOOK})(document.querySelector("#share:not([hidden]) video"))"""
"""Looks at a shared screen."""

VISIBLE = "(selector) => document.querySelector(selector)?.checkVisibility() === true"


async def until_visible(page: FirefoxPage, selector: str, wanted: bool = True) -> None:
    """Waits until an element is visible, or until it is not."""

    async def is_so() -> bool:
        return bool(await page.evaluate(VISIBLE, selector)) == wanted

    await eventually(f"{selector} with visibility {wanted}", is_so)


async def click(page: FirefoxPage, selector: str) -> None:
    await page.evaluate("(selector) => document.querySelector(selector).click()", selector)


async def join(page: FirefoxPage, tea: LiveMeeting, name: str) -> None:
    """Joins from the lobby."""
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
    await until_visible(page, "#join")
    await page.evaluate("(name) => { document.querySelector('#name').value = name }", name)
    await click(page, "#join")
    await until_visible(page, "#connection[data-state=connected]")


async def until_tile(page: FirefoxPage, name: str, colour: Colour) -> None:
    """Waits until the tile of an attendee shows moving pictures of a colour."""
    await until_sights(lambda: page.evaluate(TILE, name), colour)


@asynccontextmanager
async def bot_with_camera(tea: LiveMeeting, colour: Colour) -> AsyncIterator[Attendee]:
    """Runs a bot whose camera sends numbered pictures of one colour as VP8."""
    bot = await bot_of(tea)
    published = await bot.session.video.publish([VideoLayer(WIDTH, HEIGHT, PER_SECOND, 400_000)])

    async def show() -> None:
        with VideoSender(await bot.session.media.open(), published) as sender:
            for number in count():
                await sender.send(frame_of(colour, number))
                await asyncio.sleep(1 / PER_SECOND)

    showing = asyncio.create_task(show())
    try:
        yield bot
    finally:
        showing.cancel()
        await asyncio.wait([showing])


def frame_of(colour: Colour, number: int) -> av.VideoFrame:
    """Returns a numbered picture of one colour."""
    planes = [plane.ravel() for plane in numbered_picture(colour, number)]
    rows = np.concatenate(planes).reshape(HEIGHT * 3 // 2, WIDTH)
    return av.VideoFrame.from_ndarray(rows, format="yuv420p")


async def until_bot_sees_changes(bot: Attendee, name: str) -> None:
    """Waits until a bot has decoded pictures of an attendee in several different colours."""
    await bot.session.video.start_remote_video()
    sources = bot.session.video.sources

    def source() -> Any:
        ids = [each.attendee_id for each in bot.session.roster.values() if each.name == name]
        return next((sources[each] for each in ids if each in sources), None)

    found = await eventually(f"the camera of {name}", source)
    colours: set[tuple[int, ...]] = set()
    with VideoReceiver(await bot.session.media.open(), found.track_ssrc) as receiver:
        async with asyncio.timeout(60):
            async for frame in receiver:
                middle = frame.to_ndarray(format="rgb24")[frame.height // 2, frame.width // 2]
                # Steps of 16 distinguish colours in spite of the encoder's errors.
                colours.add(tuple(int(channel) // 16 for channel in middle))
                if len(colours) >= CHANGES:
                    return


async def test_a_page_in_firefox_shows_cameras_and_sends_its_own(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        firefox(tmp_path) as page,
        bot_with_camera(tea, BLUE) as bot,
    ):
        await join(page, tea, "bea")
        await until_tile(page, "bot", BLUE)
        await click(page, "#camera")
        await until_visible(page, "#camera[aria-pressed=true]")
        await until_bot_sees_changes(bot, "bea")
        # The video of the bot continues in the connection that Firefox has changed.
        await until_tile(page, "bot", BLUE)
        await bot.session.video.unpublish()
        await until_visible(page, "#tiles li:not(.is-own) video", False)


async def test_firefox_and_chromium_show_each_others_cameras_and_screens(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        firefox(tmp_path / "firefox") as bea,
        browser_of(RED, tmp_path) as browser,
    ):
        ada = await new_page(browser)
        await ada.add_init_script(FAKE_SCREEN)
        await bea.preload(f"() => {{ {FAKE_SCREEN}; }}")
        await join(bea, tea, "bea")
        await enter(ada, tea, "ada", with_camera=True)
        await until_tile(bea, "ada", RED)

        await ada.locator("#share-screen").click()
        await until_sights(lambda: bea.evaluate(SHARE), GREEN)
        await until_tile(bea, "ada", RED)
        await ada.evaluate("endScreen()")
        await until_visible(bea, "#share", False)
        await until_tile(bea, "ada", RED)

        await click(bea, "#share-screen")
        await until_seen(ada.locator("#share video"), GREEN)
        await click(bea, "#camera")
        await expect(video_of(ada, "bea")).to_be_visible()
        await until_seen(ada.locator("#share video"), GREEN)
        # `endScreen` has no effect here: in Firefox, the listeners of tracks get no events that
        # scripts have made.
        await click(bea, "#share-stop")
        await expect(ada.locator("#share")).to_be_hidden()
        await until_tile(bea, "ada", RED)
