"""The camera of an attendee of an audience, in Chromium: visible only during a promotion."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page

from carillon import Credentials
from carillon.control import Meeting
from eventually import eventually
from installation import Installation
from Web.browser import chromium, needs_chromium, new_page
from Web.library_video import VIEWS, send, send_pictures
from Web.page_video import GREEN, RED, camera, until_seen
from Web.test_library_sound import START
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, pytest.mark.seconds(240)]

LONGEST_SECONDS = 2.0
"""The longest time that a camera stays visible after the promotion has ended, in seconds."""

RECORD = """() => {
  window.happened = [];
  session.addAudioVideoObserver({
    cameraSendAvailabilityDidChange: (canSend) => happened.push(canSend ? "may send" : "refused"),
  });
}"""

PROMOTE = """({ attendeeId, externalUserId, joinToken }) => new Promise((resolve) => {
  session.promoteToPrimaryMeeting(
    { attendeeId, externalUserId, joinToken },
    {
      didPromoteToPrimaryMeeting: ({ name }) => resolve(name),
      didDemoteFromPrimaryMeeting: ({ name }) => happened.push(name),
    },
  );
})"""


async def enter(
    browser: Browser, installation: Installation, meeting: Meeting, who: Credentials
) -> Page:
    """Opens a page that joins a meeting with these credentials, and receives videos."""
    page = await new_page(browser)
    await page.goto(f"{installation.rest_url}/")
    attendee = {
        "AttendeeId": who.attendee_id,
        "ExternalUserId": who.external_user_id,
        "JoinToken": who.join_token,
    }
    responses = {"Meeting": meeting.json, "Attendee": attendee}
    await page.evaluate(START, {"responses": responses, "withMicrophone": False})
    await page.evaluate(VIEWS)
    await page.evaluate(RECORD)
    return page


async def promote(page: Page, who: Credentials) -> None:
    """Promotes the attendee of a page. The attendee of the primary is `who`."""
    fields = {
        "attendeeId": who.attendee_id,
        "externalUserId": who.external_user_id,
        "joinToken": who.join_token,
    }
    assert await page.evaluate(PROMOTE, fields) == "OK"


async def until_happened(page: Page, what: str) -> None:
    """Waits until the library has reported an event."""

    async def has_happened() -> bool:
        return what in await page.evaluate("happened.splice(0)")

    await eventually(what, has_happened)


def video_of(page: Page, who: Credentials) -> Locator:
    """Returns the element that shows an attendee."""
    return page.locator(f'video[title="{who.attendee_id}"]')


async def until_only(page: Page, *shown: Credentials) -> None:
    """Waits until a page shows the videos of these attendees, and no other videos."""
    ids = {each.attendee_id for each in shown}

    async def shows_only() -> bool:
        return set(await page.evaluate("[...views.keys()]")) == ids

    await eventually(f"videos of {ids} alone", shows_only)


async def test_the_camera_of_an_audience_is_visible_only_during_a_promotion(tmp_path: Path) -> None:
    async with (
        Installation(gateway=FLAGS) as installation,
        chromium(*camera(RED, tmp_path / "eve.y4m")) as browser,
    ):
        control = installation.control
        stage = await control.create_meeting("stage")
        hall = await control.create_meeting("hall", primary_meeting_id=stage.meeting_id)
        ada_is, gus_is = [await control.create_attendee(stage, name) for name in ("ada", "gus")]
        eve_is, liz_is = [await control.create_attendee(hall, name) for name in ("eve", "liz")]
        ada = await enter(browser, installation, stage, ada_is)
        eve, liz = [await enter(browser, installation, hall, who) for who in (eve_is, liz_is)]
        await send_pictures(ada)
        for page in (eve, liz):
            await until_seen(video_of(page, ada_is), GREEN)

        await send(eve, 320, 240)
        await until_happened(eve, "refused")
        await until_only(ada)
        for _ in range(2):
            await promote(eve, gus_is)
            await until_happened(eve, "may send")
            await send(eve, 320, 240)
            # The others see the camera under the id of the attendee of the primary.
            for page in (ada, liz):
                await until_seen(video_of(page, gus_is), RED)
            await until_only(ada, gus_is)
            await until_only(liz, ada_is, gus_is)
            await until_seen(video_of(eve, ada_is), GREEN)

            began = time.monotonic()
            await eve.evaluate("session.demoteFromPrimaryMeeting()")
            await until_only(ada)
            await until_only(liz, ada_is)
            assert time.monotonic() - began < LONGEST_SECONDS
            await until_happened(eve, "refused")
            await until_seen(video_of(eve, ada_is), GREEN)
            await until_seen(video_of(liz, ada_is), GREEN)
