"""Reactions, in Chromium with a scripted server."""

from __future__ import annotations

import json
import time

import pytest
from playwright.async_api import expect

from carillon.signaling import signaling_pb2 as wire
from Web.browser import needs_chromium, overflow, picture, shares_browser, violations
from Web.scripted_site import ScriptedFace
from Web.test_page import crowd, join, messages, opened, site, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]


def reaction(face: ScriptedFace, sender: str, text: str = "👏") -> None:
    data = json.dumps({"reaction": text})
    face.send(messages(written(data, time.time_ns(), topic="reaction", sender=sender)))


async def test_a_user_can_send_a_reaction_every_two_seconds() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        react = page.get_by_role("button", name="React")
        await react.focus()
        await page.keyboard.press("Enter")
        thumb = page.get_by_role("button", name="Thumbs up")
        await expect(thumb).to_be_focused()
        await expect(react).to_have_attribute("aria-expanded", "true")
        assert await violations(page) == []
        for width, height in ((1280, 800), (360, 740), (320, 256)):
            await page.set_viewport_size({"width": width, "height": height})
            await picture(page, f"reactions-{width}x{height}")
            assert await overflow(page) <= 0
            for button in await page.locator(".controls button:visible").all():
                box = await button.bounding_box()
                assert box is not None and min(box["width"], box["height"]) >= 24
        await page.set_viewport_size({"width": 1280, "height": 800})
        for _ in range(5):
            # Without `force`, Playwright waits until the button is enabled again.
            await thumb.click(force=True)
        await expect(page.locator(".reaction")).to_have_text(["👍 You"])
        await page.wait_for_timeout(2_100)
        await thumb.click()
        await page.keyboard.press("Escape")
        await expect(thumb).to_be_hidden()
        await expect(react).to_be_focused()
        sent = [
            json.loads(message.data)
            for each in scripted.face.received
            if each.type == wire.SdkSignalFrame.DATA_MESSAGE
            for message in each.data_message.messages
            if message.topic == "reaction"
        ]
        assert sent == [{"reaction": "👍"}] * 2


async def test_the_stage_shows_at_most_twenty_reactions_for_four_seconds_each() -> None:
    scripted = crowd(30)
    async with opened(scripted) as page:
        await join(page)
        reaction(scripted.face, "a-2")
        await expect(page.locator(".reaction")).to_have_count(1)
        reaction(scripted.face, "a-2")
        reaction(scripted.face, "a-3", "<b>no reaction</b>")
        for number in range(4, 31):
            reaction(scripted.face, f"a-{number}")
        await expect(page.locator(".reaction")).to_have_count(20)
        await page.wait_for_timeout(500)
        await expect(page.locator(".reaction")).to_have_count(20)
        await expect(page.locator("#announcer")).to_contain_text("reacted.")
        await expect(page.locator(".reaction")).to_have_count(0)
