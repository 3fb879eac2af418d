"""The preview of the chat, the wake lock and the keyboard of a phone, in Chromium."""

from __future__ import annotations

import time

import pytest
from playwright.async_api import expect

from Web.browser import (
    PHONE,
    chromium,
    needs_chromium,
    new_page,
    overflow,
    picture,
    shares_browser,
    violations,
)
from Web.scripted_site import ADDRESS
from Web.test_page import join, messages, opened, site, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

COUNT_LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => { locks += 1; return { release: async () => { locks -= 1; } }; },
} });
"""
KEYBOARD = """(height) => {
  Object.defineProperty(visualViewport, "height", { value: height, configurable: true });
  visualViewport.dispatchEvent(new Event("resize"));
}"""
"""Reports a keyboard that covers a part of the window, as on a phone."""


async def test_a_closed_chat_shows_a_preview_that_opens_the_message() -> None:
    scripted = site()
    async with opened(scripted, viewport=PHONE) as page:
        await join(page)
        text = "A long message, which does not fit into one line of a narrow window. " * 3
        scripted.face.send(messages(written(text, time.time_ns())))
        preview = page.locator(".chat-preview")
        await expect(preview).to_contain_text("Grace Hopper:")
        await picture(page, "chat-preview")
        assert await violations(page) == []
        assert await overflow(page) <= 0
        box = await preview.bounding_box()
        controls = await page.locator(".controls").bounding_box()
        assert box is not None and controls is not None
        assert box["height"] >= 24 and box["y"] + box["height"] <= controls["y"]
        await preview.click()
        await expect(page.locator("#chat-text")).to_be_focused()
        await expect(preview).to_be_hidden()
        scripted.face.send(messages(written("seen at once", time.time_ns())))
        await expect(page.locator(".message")).to_have_count(2)
        await expect(preview).to_be_hidden()
        await page.locator("#chat-close").click()
        scripted.face.send(messages(written("goes away", time.time_ns())))
        await expect(preview).to_be_visible()
        await expect(preview).to_be_hidden()


async def test_the_screen_stays_on_only_during_a_meeting() -> None:
    scripted = site()
    async with chromium() as browser:
        page = await new_page(browser)
        await page.add_init_script(COUNT_LOCKS)
        await scripted.serve(page)
        await page.goto(f"{ADDRESS}/#demo")
        assert await page.evaluate("locks") == 0
        await join(page)
        assert await page.evaluate("locks") == 1
        await page.locator("#leave").click()
        await expect(page.locator("#ended-title")).to_be_visible()
        assert await page.evaluate("locks") == 0


async def test_the_room_stays_above_the_keyboard_of_a_phone() -> None:
    async with opened(site(), viewport=PHONE) as page:
        await join(page)
        await page.locator("#chat-toggle").click()
        await page.evaluate(KEYBOARD, 400)
        for place in ("#chat-text", "#leave"):
            box = await page.locator(place).bounding_box()
            assert box is not None and box["y"] + box["height"] <= 400
        await picture(page, "keyboard")
        await page.evaluate(KEYBOARD, PHONE["height"])
        box = await page.locator("#room").bounding_box()
        assert box is not None and box["height"] == PHONE["height"]
