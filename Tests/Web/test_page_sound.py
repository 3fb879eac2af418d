"""The page's microphone: chosen in the lobby, opened by an unmute, refused, heard by a bot."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from carillon.media import AudioReceiver
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page, shares_browser, violations
from Web.page_sound import REFUSE_ONCE, microphone, until_the_meter_moves
from Web.test_library_sound import bot_of, until_bot_hears, until_bot_hears_nothing
from Web.test_meeting import FLAGS
from Web.test_page import ROSTER, join, opened, site

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]


async def lobby(page: Page, tea: LiveMeeting) -> None:
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")


async def test_a_bot_hears_a_microphone_chosen_in_the_lobby_until_a_mute(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        chromium(*microphone(440, path=tmp_path / "ada.wav")) as browser,
    ):
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        page = await new_page(browser)
        await lobby(page, tea)
        await page.get_by_label("Microphone", exact=True).select_option("Fake Default Audio Input")
        await until_the_meter_moves(page)
        await page.get_by_label("Join muted").uncheck()
        await join(page)
        with AudioReceiver(connection) as receiver:
            await until_bot_hears(receiver, 440)
            await page.locator("#mute").click()
            await until_bot_hears_nothing(receiver)


async def test_an_unmute_opens_a_microphone_and_the_dialog_changes_the_microphone() -> None:
    async with opened(site()) as page:
        await join(page)
        mute = page.locator("#mute")
        await expect(mute).to_have_attribute("aria-pressed", "true")
        await mute.click()
        await expect(mute).to_have_attribute("aria-pressed", "false")
        await page.get_by_role("button", name="Settings").click()
        chosen = page.locator("#microphone option:checked")
        await expect(chosen).to_have_text("Fake Default Audio Input")
        assert await violations(page) == []
        await page.get_by_label("Microphone", exact=True).select_option("Fake Audio Input 2")
        await expect(chosen).to_have_text("Fake Audio Input 2")
        speaker = page.get_by_label("Speaker", exact=True)
        await speaker.select_option("Fake Audio Output 1")
        await speaker.select_option("The system's speaker")
        await expect(chosen).to_have_text("Fake Audio Input 2")
        assert await page.locator("#mix").evaluate("(mix) => mix.sinkId") == ""
        await page.get_by_label("Microphone", exact=True).select_option("No microphone")
        await expect(chosen).to_have_text("No microphone")
        await expect(page.locator("#level")).to_have_js_property("value", 0)
        await page.keyboard.press("Escape")
        await expect(page.locator("#sound-dialog")).to_be_hidden()


async def test_a_user_who_refuses_the_microphone_reads_a_notice_and_stays_muted() -> None:
    async with chromium(permits=False) as browser, opened(site(), browser=browser) as page:
        await join(page)
        await page.locator("#mute").click()
        problem = page.get_by_role("alert")
        await expect(problem).to_contain_text("This page may not use your microphone.")
        await expect(problem.get_by_role("button")).to_have_text("Try again")
        await page.locator("#sound-close").click()
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")


async def test_blocked_playback_shows_a_sentence_and_a_button() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        page = await new_page(browser)
        await page.add_init_script(REFUSE_ONCE)
        await lobby(page, tea)
        await join(page)
        notice = page.locator(".notice-line")
        await expect(notice).to_contain_text("waits for your permission to play sound")
        # The notice does not block the meeting: no dialog is open.
        await expect(page.locator("dialog[open]")).to_have_count(0)
        await expect(notice.get_by_role("button")).to_have_count(1)
        await notice.get_by_role("button", name="Play sound").click()
        await expect(notice).to_have_count(0)
        await expect(page.locator("#mix")).to_have_js_property("paused", False)


@pytest.mark.parametrize("way", ["rejoin", "reload"])
async def test_an_open_microphone_is_open_again_after_a_rejoin(way: str) -> None:
    # A gateway reports no mute before the page has sent its mute state.
    scripted = site()
    scripted.roster = [{**each, "muted": False} for each in ROSTER]
    async with opened(scripted) as page:
        await join(page)
        mute = page.locator("#mute")

        async def again() -> None:
            if way == "reload":
                await page.reload()
            else:
                await page.locator("#leave").click()
                await page.locator("#rejoin").click()
            await expect(page.locator("#connection")).to_have_text("Connected")

        await again()
        await expect(mute).to_have_attribute("aria-pressed", "true")
        await mute.click()
        await expect(mute).to_have_attribute("aria-pressed", "false")
        await again()
        await expect(mute).to_have_attribute("aria-pressed", "false")
        await expect(page.locator("#microphone option:checked")).not_to_have_text("No microphone")
        await mute.click()
        await again()
        await page.wait_for_timeout(1_000)
        await expect(mute).to_have_attribute("aria-pressed", "true")
