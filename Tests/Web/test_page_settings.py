"""The settings, the sounds of news, and the view of a bad connection, in Chromium."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.async_api import Page, expect

from eventually import due
from test_end_to_end import live_meeting
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
from Web.test_meeting import FLAGS
from Web.test_page import crowd, join, messages, opened, said, site, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

ONLY_HOSTS = "While a host is present, only hosts start and stop captions."

COUNT_NOTES = """
window.notes = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.notes.push(Math.round(this.frequency.value));
  return start.apply(this, at);
};
"""

LOSE_SOUND = """
window.lossPercent = 0;
const counts = { packetsReceived: 0, packetsLost: 0 };
RTCPeerConnection.prototype.getStats = async function () {
  counts.packetsLost += window.lossPercent;
  counts.packetsReceived += 100 - window.lossPercent;
  return new Map([["in", { id: "in", type: "inbound-rtp", kind: "audio", ...counts }]]);
};
"""
"""Replaces the statistics of the browser, as if the browser lost a part of the sound."""


async def settings(page: Page) -> None:
    if await page.locator("#more").is_visible():
        await page.locator("#more").click()
    await page.get_by_role("button", name="Settings").click()
    await expect(page.locator("#pictures")).to_be_visible()


async def until_notes(page: Page, count: int) -> None:
    # `wait_for_function` evaluates strings, and the page's policy forbids this.
    async with due(f"{count} notes"):
        while await page.evaluate("notes.length") != count:
            await page.wait_for_timeout(50)


async def test_one_dialog_has_all_settings_and_fits_small_windows() -> None:
    async with opened(site(), viewport=PHONE) as page:
        await join(page)
        await settings(page)
        for label in ("Microphone", "Camera", "Own picture", "Size of captions"):
            await expect(page.get_by_role("combobox", name=label)).to_be_visible()
        assert await violations(page) == []
        for width, height in ((360, 740), (320, 256), (1280, 800)):
            await page.set_viewport_size({"width": width, "height": height})
            await picture(page, f"settings-{width}x{height}")
            assert await overflow(page) <= 0
            box = await page.locator("#sound-dialog").bounding_box()
            assert box is not None and box["height"] <= height
            await page.locator("#sound-close").scroll_into_view_if_needed()
        for line in await page.locator("#sound-dialog .check").all():
            size = await line.bounding_box()
            assert size is not None and size["height"] >= 24
        await page.locator("#settings-keys").uncheck()
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Keys").click()
        await expect(page.locator("#single-keys")).not_to_be_checked()
        await page.locator("#single-keys").check()
        await page.keyboard.press("Escape")
        await settings(page)
        await expect(page.locator("#settings-keys")).to_be_checked()


async def test_the_caption_size_is_kept_for_later_visits() -> None:
    scripted = site(**{"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})})
    async with opened(scripted) as page:
        await join(page)
        await settings(page)
        await page.get_by_label("Size of captions").select_option("Large")
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Captions", exact=True).click()
        scripted.face.send(said("r1", "hello", is_partial=False))
        line = page.locator(".caption-text")
        await expect(line).to_have_css("font-size", "25.6px")
        await page.locator("#leave").click()
        await page.locator("#rejoin").click()
        await expect(page.locator("#captions")).to_be_hidden()
        await page.get_by_role("button", name="Captions", exact=True).click()
        scripted.face.send(said("r2", "again", is_partial=False))
        await expect(line).to_have_css("font-size", "25.6px")


async def test_an_attendee_switches_captions_only_while_no_host_is_present() -> None:
    asked: list[str] = []
    may = {"MaySwitch": False}

    def change(body: Any) -> tuple[int, Any]:
        asked.append("change")
        return (200, {}) if may["MaySwitch"] else (403, {"Message": ONLY_HOSTS})

    path = "/carillon/v1/web/meetings/m-1/transcription"
    scripted = site(**{f"PUT {path}": change, f"GET {path}": lambda _: (200, may)})
    async with opened(scripted) as page:
        await page.clock.install()
        await join(page)
        await page.locator("#captions-toggle").click()
        why, stop = page.locator("#captions-why"), page.locator("#captions-stop")
        await expect(why).to_have_text(ONLY_HOSTS)
        await expect(stop).to_be_hidden()
        await expect(page.locator("#language")).to_be_hidden()
        assert asked == ["change"]
        assert await violations(page) == []
        await picture(page, "captions-only-hosts")
        may["MaySwitch"] = True
        await page.clock.run_for(16_000)
        await expect(stop).to_be_visible()
        await expect(why).to_be_hidden()


async def test_notifications_make_a_sound_until_their_kind_is_turned_off() -> None:
    scripted = site()
    async with chromium() as browser:
        page = await new_page(browser)
        await page.add_init_script(COUNT_NOTES)
        await scripted.serve(page)
        await page.goto(f"{ADDRESS}/#demo")
        await join(page)
        scripted.face.send(messages(written("one", time.time_ns())))
        await until_notes(page, 2)
        await settings(page)
        await page.locator("#sound-chat").uncheck()
        await page.keyboard.press("Escape")
        await page.wait_for_timeout(1_100)
        scripted.face.send(messages(written("two", time.time_ns())))
        await expect(page.locator(".message")).to_have_count(2)
        raised = written('{"raised":true}', time.time_ns(), topic="hand", sender="a-lin")
        scripted.face.send(messages(raised))
        await until_notes(page, 4)
        await settings(page)
        await page.locator("#speak-chat").uncheck()
        scripted.face.send(messages(written("three", time.time_ns())))
        await expect(page.locator(".message")).to_have_count(3)
        await page.wait_for_timeout(3_000)
        assert "three" not in (await page.locator("#announcer").text_content() or "")


async def test_the_users_own_mute_and_camera_are_announced_but_captions_only_if_chosen() -> None:
    scripted = site()
    # Otherwise the page would treat the server's mute state as a mute by the operator.
    scripted.roster = [{**each, "muted": False} for each in scripted.roster]
    async with opened(scripted) as page:
        await join(page)
        announced = page.locator("#announcer")
        await expect(announced).to_have_text("You are in the meeting.")
        await page.locator("#room-title").focus()
        for key, text in (
            ("m", "Your microphone is on."),
            ("Control+d", "Your microphone is off."),
            ("v", "Your camera is on."),
            ("Control+e", "Your camera is off."),
        ):
            await page.keyboard.press(key)
            await expect(announced).to_have_text(text)
        await page.wait_for_timeout(2_000)
        await page.keyboard.down("t")
        await expect(announced).to_have_text("Your microphone is on.")
        await page.keyboard.up("t")
        await expect(announced).to_have_text("Your microphone is off.")

        await page.get_by_role("button", name="Captions", exact=True).click()
        scripted.face.send(said("r1", "not read", is_partial=False))
        await expect(page.locator(".caption-text")).to_have_text(["not read"])
        await settings(page)
        for kind in ("devices", "connection"):
            await expect(page.locator(f"#speak-{kind}")).to_be_checked()
        await expect(page.locator("#speak-captions")).not_to_be_checked()
        await page.locator("#speak-captions").check()
        await page.locator("#speak-devices").uncheck()
        await page.keyboard.press("Escape")
        scripted.face.send(said("r2", "is re", is_partial=True))
        scripted.face.send(said("r2", "is read", is_partial=False))
        await expect(announced).to_have_text("\u2068Grace Hopper\u2069: \u2068is read\u2069")
        await page.locator("#room-title").focus()
        await page.keyboard.press("m")
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")
        await page.wait_for_timeout(3_000)
        await expect(announced).to_contain_text("is read")


async def test_a_join_makes_a_sound_among_few_people_and_no_sound_among_many() -> None:
    for people, expected in ((3, 2), (11, 0)):
        scripted = crowd(people)
        async with chromium() as browser:
            page = await new_page(browser)
            await page.add_init_script(COUNT_NOTES)
            await scripted.serve(page)
            await page.goto(f"{ADDRESS}/#demo")
            await join(page)
            await page.wait_for_timeout(500)
            late = {"audio_stream_id": 99, "attendee_id": "a-late", "external_user_id": "late"}
            scripted.face.send(scripted.face.presence([late]))
            await expect(page.locator("[data-attendee=a-late]")).to_have_count(1)
            if expected:
                # The first sound loads its script, which takes seconds on a busy machine.
                await until_notes(page, expected)
            else:
                await page.wait_for_timeout(1_000)
            assert await page.evaluate("notes.length") == expected


async def test_a_connection_that_is_bad_for_five_seconds_is_described_in_words() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        page = await new_page(browser)
        await page.add_init_script(LOSE_SOUND)
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
        await join(page)
        await page.wait_for_timeout(3_000)
        await expect(page.locator(".quality")).to_have_count(0)
        before = time.monotonic()
        await page.evaluate("lossPercent = 20")
        quality = page.locator(".quality")
        await expect(quality).to_be_visible()
        assert time.monotonic() - before >= 4.5
        await expect(quality.locator("summary")).to_have_text("You hear others badly.")
        await expect(quality.locator("p")).to_be_hidden()
        await quality.locator("summary").click()
        await expect(quality.locator("p")).to_contain_text(
            "20 % of the sound that you receive is lost."
        )
        assert await violations(page) == []
        await picture(page, "quality")
        await page.evaluate("lossPercent = 0")
        await expect(quality).to_be_hidden()


async def test_messages_from_before_the_join_make_no_sound_and_no_preview() -> None:
    scripted = site()
    async with chromium() as browser:
        page = await new_page(browser, viewport=PHONE)
        await page.add_init_script(COUNT_NOTES)
        await scripted.serve(page)
        await page.goto(f"{ADDRESS}/#demo")
        await join(page)
        before = time.time_ns() - 120 * 10**9
        scripted.face.send(messages(written("old", before), written("older", before - 1)))
        await expect(page.locator("#unread")).to_have_text("2")
        assert await page.evaluate("notes.length") == 0
        await expect(page.locator(".chat-preview")).to_have_count(0)
        scripted.face.send(messages(written("new", time.time_ns())))
        await until_notes(page, 2)
        await expect(page.locator(".chat-preview")).to_contain_text("new")
