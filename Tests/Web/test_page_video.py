"""Video between pages with real services: cameras from lobby and room, and a shared screen."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page, picture, shares_browser, violations
from Web.page_video import BLUE, FAKE_SCREEN, GREEN, RED, Colour, camera, until_seen
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]

CAMERA = "#camera"
ONLY_VIDEO = """() => {
  delete window.documentPictureInPicture;
  window.actions = new Map();
  navigator.mediaSession.setActionHandler = (name, act) => actions.set(name, act);
  HTMLVideoElement.prototype.requestPictureInPicture = async function () { window.small = this; };
}"""
"""Removes Document Picture-in-Picture, and records the video that enters picture-in-picture."""
LONGEST_SECONDS = 1.0
"""The longest time that a camera may stay visible after it is turned off, in seconds."""


@asynccontextmanager
async def browser_of(colour: Colour, directory: Path) -> AsyncIterator[Browser]:
    """Runs a browser whose camera shows a colour."""
    async with chromium(*camera(colour, directory / f"{'-'.join(map(str, colour))}.y4m")) as made:
        yield made


async def enter(page: Page, tea: LiveMeeting, name: str, *, with_camera: bool = False) -> None:
    """Joins from the lobby, optionally with the camera on."""
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
    await page.get_by_label("Your name").fill(name)
    if with_camera:
        await page.locator("#camera-device").select_option(index=1)
        await expect(page.locator("#camera-preview")).to_be_visible()
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.locator("#connection")).to_have_text("Connected")


def video_of(page: Page, name: str) -> Locator:
    """Returns the video in the tile of an attendee."""
    return page.locator("#tiles li", has_text=name).locator("video")


async def test_the_small_window_shows_the_speaker_and_changes_the_mute(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        browser_of(RED, tmp_path) as one,
        browser_of(BLUE, tmp_path) as other,
    ):
        ada, bea = await new_page(one), await new_page(other)
        await enter(ada, tea, "ada", with_camera=True)
        await enter(bea, tea, "bea")
        await until_seen(video_of(bea, "ada"), RED)
        opener = bea.locator("#pip")
        async with bea.context.expect_page() as opened:
            await opener.click()
        small = await opened.value
        await expect(opener).to_have_attribute("aria-pressed", "true")
        await until_seen(small.locator("video"), RED)
        await until_seen(video_of(bea, "ada"), RED)
        await expect(small.locator(".pip-name")).to_have_text("ada")
        assert await violations(small) == []
        await picture(small, "picture-in-picture")
        mute, own = small.locator("#pip-mute"), bea.locator("#mute")
        await expect(mute).to_have_attribute("aria-pressed", "true")
        await mute.click()
        await expect(own).to_have_attribute("aria-pressed", "false")
        await expect(mute).to_have_attribute("aria-pressed", "false")
        await own.click()
        await expect(mute).to_have_text("Muted")
        await ada.locator(CAMERA).click()
        await expect(small.locator("video")).to_be_hidden()
        await expect(small.locator(".avatar")).to_have_text("A")
        await opener.click()
        await expect(opener).to_have_attribute("aria-pressed", "false")
        assert small.is_closed()

        # A browser without Document Picture-in-Picture shows the speaker's video in the small
        # window. The browser itself adds a mute button to this window.
        await bea.evaluate(ONLY_VIDEO)
        await ada.locator(CAMERA).click()
        await until_seen(video_of(bea, "ada"), RED)
        await opener.click()
        await expect(opener).to_have_attribute("aria-pressed", "true")
        assert await bea.evaluate("small.srcObject.getVideoTracks().length") == 1
        await bea.evaluate("actions.get('togglemicrophone')()")
        await expect(own).to_have_attribute("aria-pressed", "false")
        await bea.evaluate("small.dispatchEvent(new Event('leavepictureinpicture'))")
        await expect(opener).to_have_attribute("aria-pressed", "false")


async def test_pages_see_each_other_until_a_camera_is_off(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        browser_of(RED, tmp_path) as one,
        browser_of(BLUE, tmp_path) as other,
    ):
        ada, bea = await new_page(one), await new_page(other)
        await enter(ada, tea, "ada", with_camera=True)
        await enter(bea, tea, "bea")
        await until_seen(video_of(ada, "ada"), RED)
        await until_seen(video_of(bea, "ada"), RED)
        await expect(video_of(ada, "bea")).to_be_hidden()
        await bea.locator(CAMERA).click()
        await expect(bea.locator(CAMERA)).to_have_attribute("aria-pressed", "true")
        await until_seen(video_of(ada, "bea"), BLUE)
        await picture(ada, "room-video")
        assert await violations(ada) == []
        # After the user turns a camera off, the page hides the camera's video, and still shows the
        # other camera.
        await ada.locator(CAMERA).click()
        began = time.monotonic()
        await expect(video_of(bea, "ada")).to_be_hidden()
        assert time.monotonic() - began < LONGEST_SECONDS
        await expect(ada.locator(CAMERA)).to_have_attribute("aria-pressed", "false")
        await until_seen(video_of(ada, "bea"), BLUE)
        # When the user turns the camera on again, the attendee has a new publication.
        await ada.locator(CAMERA).click()
        await until_seen(video_of(bea, "ada"), RED)


async def test_a_late_attendee_sees_the_others_and_the_others_see_a_reloaded_page_again(
    tmp_path: Path,
) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        browser_of(RED, tmp_path) as one,
        browser_of(BLUE, tmp_path) as other,
    ):
        ada, bea = await new_page(one), await new_page(other)
        await enter(ada, tea, "ada", with_camera=True)
        await enter(bea, tea, "bea", with_camera=True)
        await until_seen(video_of(bea, "ada"), RED)
        await until_seen(video_of(ada, "bea"), BLUE)
        late = await new_page(one)
        await enter(late, tea, "eve")
        await until_seen(video_of(late, "ada"), RED)
        await until_seen(video_of(late, "bea"), BLUE)
        await ada.reload()
        await expect(video_of(bea, "ada")).to_be_hidden()
        await ada.locator(CAMERA).click()
        await until_seen(video_of(bea, "ada"), RED)
        await until_seen(video_of(ada, "bea"), BLUE)


async def enlarge(page: Page) -> None:
    """Enlarges a shared screen by wheel and keys, moves the screen, and shows all of it again."""
    video, whole = page.locator("#share-video"), page.locator("#share-reset")
    await expect(whole).to_be_hidden()
    await video.hover()
    await page.mouse.wheel(0, -200)
    await expect(whole).to_be_visible()
    await expect(video).to_have_css("transform", re.compile(r"^matrix\(1\.25, 0, 0, 1\.25, "))
    await page.locator("#share-view").press("+")
    await page.locator("#share-view").press("ArrowLeft")
    await expect(video).to_have_css("transform", re.compile(r"^matrix\(1\.5625, .*, 60, "))
    await picture(page, "room-zoom")
    assert await violations(page) == []
    await page.mouse.down()
    await page.mouse.move(0, 300)
    await page.mouse.up()
    await expect(video).not_to_have_css("transform", re.compile(", 60, "))
    await whole.click()
    await expect(video).to_have_css("transform", "none")
    await expect(page.locator("#share-view")).to_be_focused()


async def test_a_shared_screen_is_larger_than_the_people_until_it_ends(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, browser_of(RED, tmp_path) as browser:
        ada, bea = await new_page(browser), await new_page(browser)
        await ada.add_init_script(FAKE_SCREEN)
        await enter(ada, tea, "ada", with_camera=True)
        await enter(bea, tea, "bea")
        share = bea.locator("#share")
        button = ada.locator("#share-screen")
        await button.click()
        await expect(share).to_be_visible()
        await expect(share).to_contain_text("The screen of ada")
        await until_seen(share.locator("video"), GREEN)
        await until_seen(video_of(bea, "ada"), RED)
        await picture(bea, "room-share")
        assert await violations(bea) == []
        await enlarge(bea)
        # The attendee who shares sees a card instead of the share.
        await expect(ada.locator("#share")).to_be_hidden()
        card = ada.get_by_role("region", name="Your screen")
        await expect(card).to_be_visible()
        await picture(ada, "room-sharer")
        assert await violations(ada) == []
        assert (await ada.evaluate("screenOptions"))["selfBrowserSurface"] == "exclude"
        await expect(bea.locator("#tiles li")).to_have_count(2)
        wide, tile = await asyncio.gather(share.bounding_box(), video_of(bea, "ada").bounding_box())
        assert wide and tile and wide["width"] > 1.5 * tile["width"]
        await card.get_by_role("button", name="Stop sharing").click()
        await expect(share).to_be_hidden()
        await expect(card).to_be_hidden()
        await expect(button).to_have_text("Share screen")
        await expect(button).to_be_focused()
        # The browser's own button also ends a share.
        await button.click()
        await until_seen(share.locator("video"), GREEN)
        await ada.evaluate("endScreen()")
        await expect(share).to_be_hidden()
        await expect(button).to_have_attribute("aria-pressed", "false")
