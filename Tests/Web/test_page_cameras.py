"""A page with the largest number of cameras, from bots over ZeroMQ."""

from __future__ import annotations

import asyncio
from itertools import count

import av
import numpy as np
import pytest
from playwright.async_api import expect

from carillon import SessionOptions, VideoLayer
from carillon.media import VideoSender
from test_end_to_end import Attendee, live_meeting
from Web.browser import chromium, needs_chromium, new_page, picture, shares_browser
from Web.page_video import BITS, FRAMES, HEIGHT, STRIP, WIDTH, Colour, until_seen
from Web.test_meeting import FLAGS
from Web.test_page import join

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(400)]

CAMERAS = 25
PER_SECOND = 4


def colour_of(number: int) -> Colour:
    """Returns one of 25 colours that a codec does not confuse."""
    return 30 + 45 * (number % 5), 30 + 45 * (number // 5), 120


def frame_of(colour: Colour, number: int) -> av.VideoFrame:
    """Returns a picture with its number at the bottom, as `look` of a page reads it."""
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = colour
    for bit in range(BITS):
        block = slice(bit * WIDTH // BITS, (bit + 1) * WIDTH // BITS)
        pixels[HEIGHT - STRIP :, block] = 255 if number >> bit & 1 else 0
    return av.VideoFrame.from_ndarray(pixels, format="rgb24")


async def show(bot: Attendee, colour: Colour) -> None:
    """Publishes a camera of numbered pictures until cancelled."""
    layer = VideoLayer(WIDTH, HEIGHT, PER_SECOND, 150_000)
    published = await bot.session.video.publish([layer])
    with VideoSender(await bot.session.media.open(), published) as sender:
        for number in count():
            await sender.send(frame_of(colour, number % FRAMES))
            await asyncio.sleep(1 / PER_SECOND)


async def test_a_page_shows_25_cameras_as_moving_pictures() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        gateway = f"ipc://{tea.installation.client_socket}"
        async with asyncio.TaskGroup() as group:
            bots = [
                await tea.enter(f"bot-{number:02}", SessionOptions(gateway_url=gateway))
                for number in range(CAMERAS)
            ]
            shows = [
                group.create_task(show(bot, colour_of(number))) for number, bot in enumerate(bots)
            ]
            page = await new_page(browser)
            await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
            await join(page)
            await expect(page.locator("#tiles li.has-video")).to_have_count(CAMERAS)
            for number, bot in enumerate(bots):
                tile = page.locator("#tiles li:visible", has_text=bot.name)
                await until_seen(tile.locator("video"), colour_of(number), pictures=3)
            await picture(page, "room-25-cameras")
            for task in shows:
                task.cancel()
