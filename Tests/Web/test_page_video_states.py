"""The states of the page's videos, with a scripted server that forwards cameras."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Dialog, Locator, Page, Route, expect

import documents
from carillon.signaling import signaling_pb2 as wire
from eventually import due, eventually
from Web.browser import (
    DESK,
    IMPORT,
    PHONE,
    chromium,
    needs_chromium,
    new_page,
    overflow,
    picture,
    shares_browser,
    violations,
)
from Web.page_sound import REFUSE_ONCE, until_the_meter_moves
from Web.page_video import FAKE_SCREEN, GREEN, RED, camera, until_seen
from Web.scripted_media import ScriptedMeeting, VideoSite
from Web.scripted_site import ADDRESS, frame
from Web.test_page import ENTRY, LOBBY, TOKEN, join, said

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

PEOPLE: list[dict[str, Any]] = [
    {"audio_stream_id": 1, "attendee_id": "a-ada", "external_user_id": "ada", "muted": True},
    {"audio_stream_id": 2, "attendee_id": "a-bea", "external_user_id": "bea"},
]
README = "Clients/Web/README.md"
TINY = {"width": 320, "height": 256}


@asynccontextmanager
async def scene(directory: Path, *options: str) -> AsyncIterator[tuple[Browser, ScriptedMeeting]]:
    async with chromium(*camera(RED, directory / "red.y4m"), *options) as browser:
        yield browser, await ScriptedMeeting.open(browser)


def site_of(meeting: ScriptedMeeting, name: str) -> VideoSite:
    """Returns the site of a user who will join."""
    site = VideoSite(meeting, PEOPLE)
    attendee = {"AttendeeId": f"a-{name}", "ExternalUserId": name, "JoinToken": TOKEN}
    site.answers = {
        "GET /carillon/v1/web": (200, LOBBY),
        "POST /carillon/v1/web/join": (200, {**ENTRY, "Attendee": attendee}),
    }
    return site


async def enter(browser: Browser, meeting: ScriptedMeeting, name: str, **options: Any) -> Page:
    """Opens a page, and joins the meeting with the page."""
    site = site_of(meeting, name)
    page = await new_page(browser, **options)
    await page.add_init_script(FAKE_SCREEN)
    await site.serve(page)
    await page.goto(f"{ADDRESS}/#demo")
    await join(page)
    return page


def video_of(page: Page, name: str) -> Locator:
    return page.locator(f'#tiles [data-attendee="a-{name}"] video')


async def test_both_pages_see_a_camera_until_its_source_ends(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada, bea = [await enter(browser, meeting, name) for name in ("ada", "bea")]
        await bea.locator("#camera").click()
        await until_seen(video_of(bea, "bea"), RED)
        await until_seen(video_of(ada, "bea"), RED)
        await expect(video_of(ada, "ada")).to_be_hidden()
        assert await violations(ada) == []
        await ada.locator("#camera").click()
        await until_seen(video_of(bea, "ada"), RED)
        first, *others = meeting.face_of("a-ada").subscribes
        assert (first.duplex, list(first.receive_stream_ids)) == (wire.RX, [0])
        assert [list(each.receive_stream_ids) for each in others] == [[0, 1_001], [0, 1_001]]
        assert [each.duplex for each in others] == [wire.RX, wire.DUPLEX]
        await bea.locator("#camera").click()
        await expect(video_of(ada, "bea")).to_be_hidden()
        await expect(bea.locator("#camera")).to_have_attribute("aria-pressed", "false")
        await until_seen(video_of(bea, "ada"), RED)
        # The new publication reuses the section of the old publication.
        await bea.locator("#camera").click()
        await until_seen(video_of(ada, "bea"), RED)
        assert list(meeting.face_of("a-ada").subscribes[-1].receive_stream_ids) == [0, 1_003]


async def settings_of(page: Page) -> None:
    await page.locator("#sound-toggle").click()
    await expect(page.locator("#pictures")).to_be_visible()


async def test_a_user_who_turns_pictures_off_receives_none(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada, bea = [await enter(browser, meeting, name) for name in ("ada", "bea")]
        await bea.locator("#camera").click()
        await until_seen(video_of(ada, "bea"), RED)
        await settings_of(ada)
        await ada.locator("#pictures").uncheck()

        def asked() -> list[int]:
            return list(meeting.face_of("a-ada").subscribes[-1].receive_stream_ids)

        await eventually("no video is asked for", lambda: 1_001 not in asked())
        await ada.keyboard.press("Escape")
        await expect(video_of(ada, "bea")).to_be_hidden()
        await expect(ada.locator("#tiles [data-attendee=a-bea] .avatar")).to_be_visible()
        # The choice also holds at the next visit. It does not hide Ada's own camera from others.
        await ada.reload()
        await expect(ada.locator("#connection")).to_have_text("Connected")
        await ada.locator("#camera").click()
        await until_seen(video_of(bea, "ada"), RED)
        assert 1_001 not in asked()
        await settings_of(ada)
        await ada.locator("#pictures").check()
        await ada.keyboard.press("Escape")
        await until_seen(video_of(ada, "bea"), RED)


async def test_the_own_picture_is_a_tile_or_small_or_hidden(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada, bea = [await enter(browser, meeting, name) for name in ("ada", "bea")]
        await ada.locator("#camera").click()
        await until_seen(video_of(bea, "ada"), RED)
        own, other = (ada.locator(f"#tiles [data-attendee={each}]") for each in ("a-ada", "a-bea"))

        async def width(tile: Locator) -> float:
            box = await tile.bounding_box()
            return box["width"] if box else 0

        async def choose(choice: str) -> None:
            await ada.locator("#sound-toggle").click()
            await ada.get_by_label("Own picture").select_option(choice)
            await ada.keyboard.press("Escape")

        before = await width(other)
        assert abs(await width(own) - before) <= 1
        await choose("Small, in the corner")
        async with due("a small own picture"):
            while not 0 < await width(own) < await width(other) / 2:
                await ada.wait_for_timeout(50)
        await expect(video_of(ada, "ada")).to_be_visible()
        assert await width(other) > before
        assert await violations(ada) == []
        await choose("Hidden from me")
        await expect(own).to_be_hidden()
        await until_seen(video_of(bea, "ada"), RED)
        await ada.reload()
        await expect(ada.locator("#connection")).to_have_text("Connected")
        await expect(other).to_be_visible()
        await expect(own).to_be_hidden()
        await choose("A tile like others")
        await expect(own).to_be_visible()
        async with due("a tile like others"):
            while abs(await width(own) - await width(other)) > 1:
                await ada.wait_for_timeout(50)


async def test_while_playback_is_refused_meters_and_captions_run(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        meeting.has_sound = True
        site = site_of(meeting, "ada")
        ada = await new_page(browser)
        await ada.add_init_script(REFUSE_ONCE)
        await site.serve(ada)
        await ada.goto(f"{ADDRESS}/#demo")
        await ada.get_by_label("Microphone", exact=True).select_option("Fake Default Audio Input")
        await until_the_meter_moves(ada)
        await join(ada)
        notice = ada.locator(".notice-line")
        await expect(notice.get_by_role("button", name="Play sound")).to_be_visible()
        await until_the_meter_moves(ada)
        loud = wire.SdkAudioAttendeeState(audio_stream_id=2, volume=14, signal_strength=2)
        levels = wire.SdkAudioMetadataFrame(attendee_states=[loud])
        meeting.face_of("a-ada").send(frame("AUDIO_METADATA", audio_metadata=levels))
        bea = ada.locator("#tiles [data-attendee=a-bea]")
        await expect(bea).to_contain_text("speaking")
        site.answers["PUT /carillon/v1/web/meetings/m-1/transcription"] = (200, {})
        await ada.locator("#captions-toggle").click()
        meeting.face_of("a-ada").send(said("r", "the meeting begins", is_partial=False))
        await expect(ada.locator(".caption-text")).to_contain_text("the meeting begins")
        await expect(notice.get_by_role("button", name="Play sound")).to_be_visible()
        await notice.get_by_role("button", name="Play sound").click()
        await expect(ada.locator("#mix")).to_have_js_property("paused", False)


async def test_only_a_tab_that_shares_a_screen_asks_before_it_closes(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada = await enter(browser, meeting, "ada")
        asked: list[str] = []

        async def stay(dialog: Dialog) -> None:
            asked.append(dialog.type)
            await dialog.dismiss()

        ada.on("dialog", stay)
        share = ada.locator("#share-screen")
        await share.click()
        await expect(share).to_have_attribute("aria-pressed", "true")
        await ada.close(run_before_unload=True)
        await eventually("the browser's question", lambda: asked or None)
        await share.click()
        await expect(share).to_have_attribute("aria-pressed", "false")
        await ada.close(run_before_unload=True)
        await eventually("the end of the tab", lambda: ada.is_closed() or None)
        assert asked == ["beforeunload"]


async def test_a_tile_shows_why_it_is_paused(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada, bea = [await enter(browser, meeting, name) for name in ("ada", "bea")]
        await bea.locator("#camera").click()
        await until_seen(video_of(ada, "bea"), RED)
        face, groups = meeting.face_of("a-ada"), wire.SdkPauseResumeFrame(group_ids=[1])
        paused = ada.locator(".tile-paused:visible")
        face.send(frame("PAUSE", pause=groups))
        await expect(paused).to_have_text("Paused: your connection is slow")
        await picture(ada, "room-video-paused")
        assert await violations(ada) == []
        face.send(frame("RESUME", pause=groups))
        await expect(paused).to_have_count(0)


async def test_a_camera_beyond_the_limit_is_closed_with_a_notice(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada = await enter(browser, meeting, "ada")
        meeting.has_room = False
        await ada.locator("#camera").click()
        await expect(ada.locator("#mute-notice")).to_contain_text("no room for another camera")
        await expect(ada.locator("#camera")).to_have_attribute("aria-pressed", "false")
        await expect(video_of(ada, "ada")).to_be_hidden()
        await expect(ada.locator("#connection")).to_have_text("Connected")
        meeting.has_room = True
        await ada.locator("#camera").click()
        await until_seen(video_of(ada, "ada"), RED)


async def test_a_screen_share_has_a_separate_attendee(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        ada, bea = [await enter(browser, meeting, name) for name in ("ada", "bea")]
        button, share = bea.locator("#share-screen"), ada.locator("#share")
        await button.click()
        await until_seen(share.locator("video"), GREEN)
        await expect(share).to_contain_text("The screen of bea")
        await expect(bea.locator("#share")).to_be_hidden()
        await picture(ada, "room-share-alone")
        content = meeting.face_of("a-bea#content").subscribes
        assert [each.duplex for each in content] == [wire.RX, wire.DUPLEX]
        await ada.locator("#chat-toggle").click()
        for size in (TINY, PHONE):
            await ada.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert await overflow(ada) <= 0, size
            await expect(share).to_be_in_viewport(ratio=1)
            await picture(ada, f"room-share-{size['width']}")
        assert await violations(ada) == []
        await bea.evaluate("endScreen()")
        await expect(share).to_be_hidden()
        await expect(button).to_have_attribute("aria-pressed", "false")


async def test_a_camera_that_the_lobby_shows_stays_on_in_the_room(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        site = site_of(meeting, "ada")
        page = await new_page(browser)
        await site.serve(page)
        await page.goto(f"{ADDRESS}/#demo")
        chosen, preview = page.locator("#camera-device"), page.locator("#camera-preview")
        await chosen.select_option(index=1)
        await until_seen(preview, RED)
        await picture(page, "lobby-camera")
        assert await violations(page) == []
        await page.set_viewport_size({"width": TINY["width"], "height": TINY["height"]})
        assert await overflow(page) <= 0
        await page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})
        await chosen.select_option("No camera")
        await expect(preview).to_be_hidden()
        await chosen.select_option(index=1)
        await until_seen(preview, RED)
        await join(page)
        await until_seen(video_of(page, "ada"), RED)
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "true")
        # The user can turn the camera off in the room's dialog.
        await page.get_by_role("button", name="Settings").click()
        await page.locator("#camera-device").select_option("No camera")
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "false")
        await page.keyboard.press("Escape")
        await page.locator("#leave").click()
        await page.get_by_role("button", name="Back to the lobby").click()
        await expect(page.locator("#camera-preview")).to_be_hidden()
        assert site.policy_breaches == []


async def test_the_video_program_of_the_readme_shows_the_visible_attendees(tmp_path: Path) -> None:
    begin, _ = (block.text for block in documents.blocks(README, "js"))
    programs = (block.text for block in documents.blocks(README, "javascript"))
    (video,) = (text for text in programs if "addVideoTileObserver" in text)
    program = begin.partition("audioVideo.addAudioVideoObserver")[0] + video
    async with scene(tmp_path) as (browser, meeting):
        bea = await enter(browser, meeting, "bea")
        site = site_of(meeting, "ada")
        page = await new_page(browser)
        await site.serve(page)

        async def serve(route: Route) -> None:
            await route.fulfill(content_type="text/javascript", body=program)

        await page.route("**/documented.js", serve)
        await page.goto(f"{ADDRESS}/operator")
        await page.evaluate(IMPORT, f"{ADDRESS}/documented.js")
        await until_seen(page.locator('video[title="a-ada"]'), RED)
        await bea.locator("#camera").click()
        await until_seen(page.locator('video[title="a-bea"]'), RED)
        await bea.locator("#camera").click()
        await expect(page.locator("video")).to_have_count(1)
        assert site.policy_breaches == []


async def test_a_user_who_refuses_the_camera_reads_a_notice(tmp_path: Path) -> None:
    async with chromium(permits=False) as browser:
        page = await enter(browser, await ScriptedMeeting.open(browser), "ada")
        await page.locator("#camera").click()
        await expect(page.get_by_role("alert")).to_contain_text("may not use your camera")
        await page.locator("#sound-close").click()
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "false")


async def test_the_room_fits_a_small_window(tmp_path: Path) -> None:
    async with scene(tmp_path) as (browser, meeting):
        page = await enter(browser, meeting, "ada", viewport=TINY)
        await page.locator("#camera").click()
        await until_seen(video_of(page, "ada"), RED)
        assert await overflow(page) <= 0
        for control in ("mute", "camera", "hand", "chat-toggle", "more", "leave"):
            await expect(page.locator(f"#{control}")).to_be_in_viewport(ratio=1)
        await expect(video_of(page, "ada")).to_be_in_viewport()
        await picture(page, "room-video-tiny")
        assert await violations(page) == []
