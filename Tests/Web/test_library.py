"""The library as served by the gateway, on an application's page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, pytest.mark.seconds(240)]

START = """async ({ media, name }) => {
  const { MeetingSession, meetingSessionConfiguration } = await import("/js/carillon/carillon.js");
  const answer = await fetch("/carillon/v1/web/join", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Meeting: "tea", Name: name, Create: false }),
  });
  const { Meeting, Attendee } = await answer.json();
  const session = new MeetingSession(meetingSessionConfiguration(Meeting, Attendee), { media });
  const told = [];
  const began = performance.now();
  return new Promise((resolve) => {
    session.audioVideo.addAudioVideoObserver({
      mediaStateDidChange: (state) => told.push(state),
      audioSessionDidStart: () => resolve({ told, seconds: (performance.now() - began) / 1000 }),
      audioSessionDidStopWithStatus: ({ name }) => resolve({ told: [...told, name], seconds: -1 }),
    });
    session.audioVideo.start();
  });
}"""


async def start(page: Page, tea: LiveMeeting, media: str) -> Any:
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/example")
    return await page.evaluate(START, {"media": media, "name": f"media-{media}"})


async def test_the_example_joins_and_lists_the_attendees() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        page = await new_page(browser)
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/example")
        await expect(page.locator("#last")).to_have_text("You are in the meeting.")
        await expect(page.locator("#roster li")).to_have_text(["example"])


async def test_a_session_starts_when_ice_connects_or_immediately_without_media() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        page = await new_page(browser)
        for media, told in (
            ("required", ["connecting", "connected"]),
            ("optional", ["connecting", "connected"]),
            ("none", []),
        ):
            started = await start(page, tea, media)
            assert started["told"] == told, media
            print(f"{media}: {started['seconds']:.2f} s")
