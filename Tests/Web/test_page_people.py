"""The panel that lists the people of a meeting, in Chromium with a scripted server."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from playwright.async_api import Page, expect

from carillon.signaling import signaling_pb2 as wire
from eventually import due
from Web.browser import needs_chromium, overflow, picture, shares_browser, violations
from Web.scripted_site import ScriptedFace, frame
from Web.test_page import LISTEN, boxes, crowd, join, messages, opened, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

SIZES = [(1440, 900), (820, 1180), (360, 740), (740, 360), (320, 256), (3840, 2160)]


def hand(face: ScriptedFace, attendee: str, at_ns: int) -> None:
    face.send(messages(written('{"raised":true}', at_ns, topic="hand", sender=attendee)))


async def ids(page: Page) -> list[str]:
    found: list[str] = await page.locator("#people-list li").evaluate_all(
        "(rows) => rows.map((row) => row.dataset.person)"
    )
    return found


async def test_the_panel_lists_people_with_raised_hands_first_in_the_servers_order() -> None:
    scripted = crowd(9)
    async with opened(scripted) as page:
        await join(page)
        await page.locator("#room-title").focus()
        await page.keyboard.press("p")
        await expect(page.locator("#people-search")).to_be_focused()
        await expect(page.locator("#people-count")).to_have_text("9 people")
        assert (await ids(page))[:3] == ["a-ada", "a-2", "a-3"]

        now = time.time_ns()
        hand(scripted.face, "a-7", now)
        hand(scripted.face, "a-5", now - 10**9)
        await expect(page.locator("#people-list li").first).to_have_attribute("data-person", "a-5")
        assert (await ids(page))[:3] == ["a-5", "a-7", "a-ada"]
        await expect(page.locator("[data-person=a-7]")).to_contain_text("Hand raised, number 2")
        await expect(page.locator("[data-person=a-7]")).to_contain_text("Muted")

        loud = wire.SdkAudioAttendeeState(audio_stream_id=6, volume=14, signal_strength=2)
        states = wire.SdkAudioMetadataFrame(attendee_states=[loud])
        scripted.face.send(frame("AUDIO_METADATA", audio_metadata=states))
        await expect(page.locator("[data-person=a-6]")).to_contain_text("Speaking")

        await page.locator("#people-search").fill("łukasz")
        await expect(page.locator("#people-list li:visible")).to_have_count(2)
        await page.locator("#people-search").fill("nobody at all")
        await expect(page.locator("#people-none")).to_be_visible()
        assert await violations(page) == []
        await page.locator("#people-close").click()
        await expect(page.locator("#people-toggle")).to_be_focused()
        await expect(page.locator("#people")).to_be_hidden()


WATCH = """() => {
  globalThis.changes = 0;
  const count = (records) => (globalThis.changes += records.length);
  new MutationObserver(count).observe(document.getElementById("people-list"),
    { childList: true, subtree: true, attributes: true, characterData: true });
}"""


async def test_one_change_among_two_hundred_people_changes_few_nodes() -> None:
    scripted = crowd(200)
    async with opened(scripted) as page:
        await join(page)
        await page.locator("#people-toggle").click()
        await expect(page.locator("#people-list li")).to_have_count(200)
        await page.evaluate(WATCH)
        hand(scripted.face, "a-200", time.time_ns())
        first = page.locator("#people-list li").first
        await expect(first).to_have_attribute("data-person", "a-200")
        assert 0 < await page.evaluate("globalThis.changes") <= 8


TOASTS = """() => {
  window.toasts = [];
  const toast = document.getElementById("mute-notice");
  new MutationObserver(() => toast.textContent && toasts.push(toast.textContent))
    .observe(toast, { childList: true, subtree: true, characterData: true });
}"""


async def test_forty_joins_among_two_hundred_people_are_at_most_three_announcements() -> None:
    scripted = crowd(200)
    scripted.roster, late = scripted.roster[:160], scripted.roster[160:]
    async with opened(scripted) as page:
        await page.clock.install()
        await join(page)
        await page.clock.run_for(3_000)
        await expect(page.locator("#announcer")).to_have_text("You are in the meeting.")
        await page.evaluate(LISTEN)
        await page.evaluate(TOASTS)
        for at in range(0, 40, 4):
            scripted.face.send(scripted.face.presence(late[at : at + 4]))
            await expect(page.locator("#tiles li")).to_have_count(164 + at)
            await page.clock.run_for(1_000)
        await page.clock.run_for(12_000)
        spoken = await page.evaluate("spoken")
        assert 1 <= len(spoken) <= 3, spoken
        assert await page.evaluate("toasts") == []
        await expect(page.locator(".notice-line")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_panel_covers_no_control(width: int, height: int, scheme: str) -> None:
    scripted = crowd(41)
    looks: dict[str, Any] = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    async with opened(scripted, **looks) as page:
        await join(page)
        hand(scripted.face, "a-7", time.time_ns())
        await page.locator("#people-toggle").click()
        await expect(page.locator("#people-list li").first).to_be_visible()
        await picture(page, f"people-{width}x{height}-{scheme}")
        # In the smallest window, the panel takes the place of the stage, which is the main
        # landmark.
        most = 2 if (width, height) == (320, 256) else 0
        found = await violations(page)
        assert len(found) <= most, found
        assert all(each.startswith(("landmark-one-main", "page-has-heading-one")) for each in found)
        assert await overflow(page) <= 0
        places = await boxes(page, "#room :is(.control, .bar .button, #people input):visible")
        for at, (x, y, wide, tall) in enumerate(places):
            assert wide >= 24 and tall >= 24
            assert x >= 0 and y >= 0 and x + wide <= width and y + tall <= height
            for left, top, across, down in places[at + 1 :]:
                apart = x + wide <= left + 0.5 or left + across <= x + 0.5
                assert apart or y + tall <= top + 0.5 or top + down <= y + 0.5


async def test_the_back_button_closes_a_panel_on_a_phone_and_stays_in_the_meeting() -> None:
    async with opened(crowd(4), viewport={"width": 360, "height": 740}) as page:
        await join(page)
        for toggle, panel in (("#people-toggle", "#people"), ("#chat-toggle", "#chat")):
            await page.locator(toggle).click()
            await expect(page.locator(panel)).to_be_visible()
            await page.evaluate("history.back()")
            await expect(page.locator(panel)).to_be_hidden()
            await expect(page.locator(toggle)).to_be_focused()
        await page.locator("#people-toggle").click()
        await page.locator("#chat-toggle").click()
        await expect(page.locator("#people")).to_be_hidden()
        await page.evaluate("history.back()")
        await expect(page.locator("#chat")).to_be_hidden()
        await expect(page.locator("#connection")).to_have_text("Connected")


async def test_a_hand_that_the_page_sends_again_has_the_time_of_the_first_message() -> None:
    scripted = crowd(3)

    def hands() -> list[Any]:
        kind = wire.SdkSignalFrame.DATA_MESSAGE
        received = [each for face in scripted.faces for each in face.received]
        sent = [each for each in received if each.type == kind]
        return [json.loads(each.data_message.messages[0].data) for each in sent]

    async with opened(scripted) as page:
        await page.clock.install()
        await join(page)
        await page.locator("#hand").click()
        async with due("the hand"):
            while not hands():
                await page.wait_for_timeout(20)
        before = time.time() * 1000
        await page.clock.fast_forward(241_000)
        async with due("the hand again"):
            while len(hands()) < 2:
                await page.wait_for_timeout(20)
        first, again = hands()[:2]
        assert first == {"raised": True}
        assert again["raised"] is True and abs(again["sinceMs"] - before) < 30_000
