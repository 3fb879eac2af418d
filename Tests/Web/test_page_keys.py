"""Tests that use the page by keys alone, and compare the focused elements with reviewed files.

After an intended change of the page, review the differences, and copy the file with the same name
from Tests/Web/results to Tests/Web/walks.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from Web.browser import needs_chromium, shares_browser
from Web.key_walk import KeyWalk
from Web.test_page import ENTRY, LOG, MEETINGS, PEOPLE, messages, opened, said, site, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

WALKS = Path(__file__).parent / "walks"
CAPTIONS: dict[str, Any] = {"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})}
HOST: dict[str, Any] = {
    "POST /carillon/v1/web/join": (200, {**ENTRY, "HostToken": "secret-host-token"}),
    "GET /carillon/v1/host/meetings/m-1/knocks": (200, {"Knocks": []}),
}


def reviewed(walk: KeyWalk, name: str) -> None:
    """Compares a walk with its reviewed file."""
    file = WALKS / name
    assert walk.save(name) == (file.read_text() if file.exists() else "")


async def enter(page: Page, walk: KeyWalk) -> None:
    await walk.go_to("name")
    await page.keyboard.type("ada")
    await walk.press("Enter")
    await expect(page.locator("#connection")).to_have_text("Connected")
    await expect(page.locator("#room-title")).to_be_focused()


async def open_from(page: Page, walk: KeyWalk, opener: str, shown: str, title: str) -> None:
    """Opens a dialog, walks through it and closes it. The focus then returns to the opener."""
    await walk.go_to(opener)
    await walk.press("Enter")
    await expect(page.locator(shown)).to_be_visible()
    await walk.walk(title)
    await walk.press("Escape")
    await expect(page.locator(shown)).to_be_hidden()
    await walk.is_at(opener)


async def test_from_the_address_to_the_end_by_keys_alone() -> None:
    scripted = site(**CAPTIONS)
    async with opened(scripted) as page:
        walk = await KeyWalk.begin(page)
        await expect(page.locator("#name")).to_be_focused()
        await expect(page.locator("#open-devices")).to_be_visible()
        await walk.walk("lobby")
        await enter(page, walk)
        scripted.face.send(messages(written("Hello https://example.org", time.time_ns())))
        await expect(page.locator(".message-text a")).to_have_count(1)
        await walk.walk("room")
        await open_from(page, walk, "help-open", "#help", "keys, from the button Keys")
        await open_from(page, walk, "sound-toggle", "#speak-joins", "settings")
        await walk.go_to("react")
        await walk.press("Enter")
        reactions = page.get_by_role("group", name="Reactions")
        await expect(reactions.get_by_role("button").first).to_be_focused()
        await walk.press("Tab", "Enter")
        await expect(page.locator(".reaction")).to_have_count(1)
        await walk.press("Escape")
        await expect(reactions).to_be_hidden()
        await walk.is_at("react")
        await walk.go_to("hand")
        await walk.press("Space")
        await expect(page.locator("#hand")).to_have_attribute("aria-pressed", "true")
        await walk.go_to("captions-toggle")
        await walk.press("Enter")
        scripted.face.send(said("r", "the meeting begins", is_partial=False))
        await expect(page.locator(".caption-line")).to_have_count(1)
        await walk.go_to("people-toggle")
        await walk.press("Enter")
        await expect(page.locator("#people-search")).to_be_visible()
        await walk.walk("room with people and captions")
        await walk.go_to("people-close")
        await walk.press("Enter")
        await walk.is_at("people-toggle")
        # The page opens one panel at a time, so the chat is closed now.
        await walk.go_to("chat-toggle")
        await walk.press("Enter")
        await walk.go_to("chat-text")
        await page.keyboard.type("By keys")
        await walk.press("Enter")
        await expect(page.locator(".message.own")).to_have_count(1)
        await walk.go_to("chat-close")
        await walk.press("Enter")
        await walk.is_at("chat-toggle")
        await walk.go_to("leave")
        await walk.press("Enter")
        await expect(page.locator("#ended-title")).to_be_focused()
        await walk.walk("end")
        reviewed(walk, "meeting.txt")


async def test_a_hosts_dialogs_by_keys_alone() -> None:
    scripted = site(**HOST)
    async with opened(scripted) as page:
        walk = await KeyWalk.begin(page)
        await enter(page, walk)
        await expect(page.locator("#host")).to_be_visible()
        await open_from(page, walk, "host", "#host-close", "host")
        await walk.go_to("host")
        await walk.press("Enter")
        for deed in ("Remove", re.compile("^Make .* a host"), "End for all"):
            button = page.locator("dialog.host").get_by_role("button", name=deed).first
            await button.evaluate("(button) => (button.id ||= 'key-walk')")
            name = str(await button.get_attribute("id"))
            await walk.go_to(name)
            await walk.press("Enter")
            await expect(page.locator("#host-confirm")).to_be_visible()
            assert await walk.here() == 'button "Cancel"'
            await walk.walk(await page.locator("#host-confirm-title").text_content() or "")
            await walk.press("Escape")
            await expect(page.locator("#host-confirm")).to_be_hidden()
            await walk.is_at(name)
            await button.evaluate("(button) => button.id === 'key-walk' && (button.id = '')")
        reviewed(walk, "host.txt")


ASK_TWICE = """(button) => {
  button.click();
  document.querySelector("#host-confirm").close();
  button.click();
  return document.querySelectorAll("#host-confirm").length;
}"""


async def test_a_question_to_a_host_that_is_asked_again_at_once_is_one_dialog() -> None:
    async with opened(site(**HOST)) as page:
        walk = await KeyWalk.begin(page)
        await enter(page, walk)
        await page.locator("#host").click()
        button = page.locator("dialog.host").get_by_role("button", name="End for all")
        assert await button.evaluate(ASK_TWICE) == 1
        await expect(page.get_by_role("dialog", name="End the meeting for all?")).to_be_visible()


async def test_a_small_window_by_keys_alone() -> None:
    async with opened(site(), viewport={"width": 360, "height": 740}) as page:
        walk = await KeyWalk.begin(page)
        await enter(page, walk)
        await walk.walk("room")
        await open_from(page, walk, "more", "#more-sheet", "more")
        await walk.go_to("chat-toggle")
        await walk.press("Enter")
        await expect(page.locator("#chat")).to_be_visible()
        await walk.walk("chat")
        await walk.go_to("chat-close")
        await walk.press("Enter")
        await walk.is_at("chat-toggle")
        reviewed(walk, "small.txt")


async def test_the_operators_page_by_keys_alone() -> None:
    answers: dict[str, Any] = {
        "GET /carillon/v1/meetings": (200, MEETINGS),
        "GET /carillon/v1/meetings/m-1/roster": (200, PEOPLE),
        "GET /carillon/v1/meetings/m-1/messages": (200, LOG),
        "GET /carillon/v1/services": (200, {"Instances": [{"Instance": "a", "Ready": True}]}),
    }
    async with opened(site(**answers), "/operator", timezone_id="UTC") as page:
        walk = await KeyWalk.begin(page)
        await expect(page.get_by_role("button", name="demo")).to_be_visible()
        await page.get_by_role("button", name="demo").focus()
        await walk.press("Enter")
        await expect(page.locator("#roster tr")).to_have_count(2)
        await walk.walk("a meeting")
        for deed in ("Remove", "End"):
            button = page.get_by_role("button", name=deed).first
            await button.evaluate("(button) => (button.id ||= 'key-walk')")
            name = str(await button.get_attribute("id"))
            await walk.go_to(name)
            await walk.press("Enter")
            await expect(page.locator("#confirm")).to_be_visible()
            assert await walk.here() == 'button "Keep"'
            await walk.walk(deed)
            await walk.press("Escape")
            await walk.is_at(name)
        reviewed(walk, "operator.txt")
