"""Devices that are connected or lost during a meeting: offered, replaced, released."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from carillon.signaling import signaling_pb2 as wire
from Web.browser import (
    DESK,
    PATIENCE_MS,
    chromium,
    needs_chromium,
    new_page,
    overflow,
    picture,
    shares_browser,
    violations,
)
from Web.page_sound import microphone, until_the_meter_moves
from Web.scripted_site import ADDRESS, ScriptedSite
from Web.test_page import ROSTER, join, site

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

PLUGS = """(() => {
  const media = navigator.mediaDevices;
  const list = media.enumerateDevices.bind(media);
  const open = media.getUserMedia.bind(media);
  const gone = new Set();
  window.opened = [];
  media.enumerateDevices = async () => (await list()).filter(({ label }) => !gone.has(label));
  media.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    const lost = stream.getTracks().find(({ label }) => gone.has(label));
    // If a device is lost, a browser opens another, or fails if the page chose the lost device.
    if (lost && wanted[lost.kind].deviceId?.exact) {
      stream.getTracks().forEach((track) => track.stop());
      throw new DOMException("", "OverconstrainedError");
    }
    opened.push(...stream.getTracks());
    return stream;
  };
  const changed = () => media.dispatchEvent(new Event("devicechange"));
  window.plugIn = (label) => {
    gone.delete(label);
    changed();
  };
  window.unplug = (label) => {
    gone.add(label);
    for (const track of live().filter((each) => each.label === label)) {
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }
    changed();
  };
  window.live = () => opened.filter(({ readyState }) => readyState === "live");
})()"""
"""Adds `plugIn(label)` and `unplug(label)` to a page, which simulate that a user connects or
disconnects a device."""

HEADSET, OTHER = "Fake Audio Input 1", "Fake Audio Input 2"
TOAST = "#mute-notice"


def talkers() -> ScriptedSite:
    """Returns a site in which no attendee is muted."""
    made = ScriptedSite([{**each, "muted": False} for each in ROSTER])
    made.answers = site().answers
    return made


@asynccontextmanager
async def meeting(
    *,
    is_muted: bool = False,
    scripted: ScriptedSite | None = None,
    browser: Browser | None = None,
) -> AsyncIterator[Page]:
    """Opens a page that is in a meeting and uses a headset as its microphone."""
    if browser is None:
        async with (
            chromium() as made,
            meeting(is_muted=is_muted, scripted=scripted, browser=made) as page,
        ):
            yield page
        return
    page = await new_page(browser)
    await page.add_init_script(PLUGS)
    await (scripted or talkers()).serve(page)
    await page.goto(f"{ADDRESS}/#demo")
    await page.get_by_label("Microphone", exact=True).select_option(HEADSET)
    await until_the_meter_moves(page)
    if not is_muted:
        await page.get_by_label("Join muted").uncheck()
    await join(page)
    await expect(page.locator("#mute")).to_have_attribute("aria-pressed", f"{is_muted}".lower())
    yield page


@pytest.mark.parametrize("is_muted", [False, True])
async def test_another_microphone_replaces_a_lost_microphone_in_the_same_mute_state(
    is_muted: bool,
) -> None:
    async with meeting(is_muted=is_muted) as page:
        took = await page.evaluate(
            """async (label) => {
              const began = performance.now();
              unplug(label);
              while (!live().length) await new Promise((resolve) => setTimeout(resolve, 5));
              return performance.now() - began;
            }""",
            HEADSET,
        )
        print(f"fell back within {took:.0f} ms")
        assert took < 1000
        await expect(page.locator(TOAST)).to_contain_text(f"{HEADSET}\u2069 was unplugged")
        [enabled] = await page.evaluate("live().map(({ enabled }) => enabled)")
        assert enabled is not is_muted
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", f"{is_muted}".lower())
        await picture(page, "devices-fell-back")


async def test_a_new_microphone_is_offered_and_never_chosen_automatically() -> None:
    async with meeting() as page:
        await expect(page.locator(".notices")).to_be_attached()
        await page.evaluate("(label) => unplug(label)", OTHER)
        other = page.locator("#microphone option", has_text=OTHER)
        await expect(other).to_have_count(0)
        await page.wait_for_timeout(500)
        count = await page.evaluate("opened.length")
        await page.evaluate("(label) => plugIn(label)", OTHER)
        notice = page.locator(".notice-line")
        await expect(notice).to_contain_text(f"{OTHER}\u2069 was plugged in")
        for size in (DESK, {"width": 360, "height": 740}, {"width": 320, "height": 256}):
            await page.set_viewport_size(size)  # type: ignore[arg-type]
            await picture(page, f"devices-offer-{size['width']}x{size['height']}")
            assert await overflow(page) <= 0
        assert await violations(page) == []
        assert await page.evaluate("opened.length") == count
        await notice.get_by_role("button", name="Use it").click()
        await expect(notice).to_have_count(0)
        await expect(page.locator("#microphone option:checked")).to_have_text(OTHER)
        assert await page.evaluate("live().map(({ label }) => label)") == [OTHER]
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")


async def test_the_loss_of_the_last_microphone_shows_a_notice_with_a_button() -> None:
    async with meeting() as page:
        labels = await page.locator("#microphone option").all_text_contents()
        await page.evaluate(
            "(labels) => labels.filter((each) => each !== live()[0].label).forEach(unplug)",
            labels,
        )
        await page.evaluate("unplug(live()[0].label)")
        notice = page.locator(".notice-line")
        await expect(notice).to_contain_text("nobody hears you")
        await page.evaluate("(label) => plugIn(label)", HEADSET)
        await notice.filter(has_text="nobody").get_by_role("button", name="Look again").click()
        await expect(page.locator("#microphone option:checked")).to_have_text(HEADSET)


async def test_a_camera_that_is_switched_off_is_released_within_a_second() -> None:
    async with meeting() as page:
        await page.locator("#camera").click()
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "true")
        await page.locator("#camera").click()
        began = time.monotonic()
        while await page.evaluate("live().some(({ kind }) => kind === 'video')"):
            assert time.monotonic() - began < 1
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "false")


async def test_the_meter_shows_the_level_of_a_muted_user() -> None:
    async with meeting() as page:
        await page.locator("#mute").click()
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
        # The page has disabled the track that it sends. The meter measures an enabled clone, which
        # contains Chromium's beep.
        [enabled] = await page.evaluate("live().map(({ enabled }) => enabled)")
        assert enabled is False
        await page.wait_for_timeout(500)
        await until_the_meter_moves(page)


CONTROL = wire.SdkSignalFrame.AUDIO_CONTROL
TWO_CAMERAS = "--use-fake-device-for-media-stream=device-count=2"
SKIP = """(() => {
  const now = performance.now.bind(performance);
  window.skippedMs = 0;
  performance.now = () => now() + skippedMs;
  window.hints = [];
  addEventListener("DOMContentLoaded", () => {
    const toast = document.querySelector("#mute-notice");
    const shown = () => toast.textContent && hints.push(toast.textContent);
    const changes = { childList: true, characterData: true, subtree: true };
    new MutationObserver(shown).observe(toast, changes);
  });
})()"""
"""Lets a test advance a page's clock, and records the texts that the page's toast shows."""


async def no_unmute_was_sent(scripted: ScriptedSite) -> None:
    sent = [each.audio_control.muted for each in scripted.face.received if each.type == CONTROL]
    assert all(sent)


@pytest.mark.parametrize("way", ["offer", "settings"])
async def test_a_user_stays_muted_when_another_microphone_is_chosen(way: str) -> None:
    scripted = talkers()
    async with meeting(is_muted=True, scripted=scripted) as page:
        if way == "offer":
            await expect(page.locator(".notices")).to_be_attached()
            await page.evaluate("(label) => unplug(label)", OTHER)
            other = page.locator("#microphone option", has_text=OTHER)
            await expect(other).to_have_count(0)
            await page.wait_for_timeout(500)
            await page.evaluate("(label) => plugIn(label)", OTHER)
            await page.locator(".notice-line").get_by_role("button", name="Use it").click()
        else:
            await page.locator("#sound-toggle").click()
            await page.get_by_label("Microphone", exact=True).select_option(OTHER)
        await expect(page.locator("#microphone option:checked")).to_have_text(OTHER)
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while await page.evaluate("live().map(({ label }) => label)") != [OTHER]:
                await asyncio.sleep(0.02)
        assert await page.evaluate("live().map(({ enabled }) => enabled)") == [False]
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
        await no_unmute_was_sent(scripted)


async def test_the_systems_speaker_replaces_a_lost_speaker_and_the_page_says_so() -> None:
    async with meeting() as page:
        speaker = page.locator("#speaker")
        await page.locator("#sound-toggle").click()
        await speaker.select_option("Fake Audio Output 1")
        await expect(page.locator("#mix")).not_to_have_js_property("sinkId", "")
        await page.keyboard.press("Escape")
        await page.evaluate("unplug('Fake Audio Output 1')")
        await expect(page.locator(TOAST)).to_contain_text("You hear through the system's speaker")
        await expect(page.locator("#mix")).to_have_js_property("sinkId", "")
        await expect(speaker.locator("option:checked")).to_have_text("The system's speaker")
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")


async def test_another_camera_replaces_a_lost_camera_and_without_one_a_button_looks_again() -> None:
    async with chromium(TWO_CAMERAS) as browser, meeting(browser=browser) as page:
        camera = page.locator("#camera")
        await camera.click()
        await expect(camera).to_have_attribute("aria-pressed", "true")
        cameras = "live().filter(({ kind }) => kind === 'video').map(({ label }) => label)"
        [lost] = await page.evaluate(cameras)
        await page.evaluate("(label) => unplug(label)", lost)
        await expect(page.locator(TOAST)).to_contain_text(f"{lost}\u2069 was unplugged")
        [left] = await page.evaluate(cameras)
        assert left != lost
        await expect(page.locator(TOAST)).to_contain_text(f"{left}\u2069 shows you now")
        await expect(camera).to_have_attribute("aria-pressed", "true")
        await page.evaluate("(label) => unplug(label)", left)
        notice = page.locator(".notice-line")
        await expect(notice.get_by_role("button", name="Look again")).to_be_visible()
        await expect(camera).to_have_attribute("aria-pressed", "false")
        assert await violations(page) == []
        await page.evaluate("(label) => plugIn(label)", lost)
        await notice.get_by_role("button", name="Look again").click()
        await expect(camera).to_have_attribute("aria-pressed", "true")
        assert await page.evaluate(cameras) == [lost]


async def test_the_page_hints_at_speech_while_muted_at_most_once_a_minute(tmp_path: Path) -> None:
    tone = microphone(440, path=tmp_path / "voice.wav")
    async with chromium(*tone) as browser:
        page = await new_page(browser)
        await page.add_init_script(SKIP)
        await talkers().serve(page)
        await page.goto(f"{ADDRESS}/#demo")
        await page.get_by_label("Microphone", exact=True).select_option("Fake Default Audio Input")
        await until_the_meter_moves(page)
        await join(page)
        hint = "You are speaking, but you are muted."

        async def has_hints(count: int) -> None:
            async with asyncio.timeout(PATIENCE_MS / 1000):
                while (await page.evaluate("hints")).count(hint) < count:
                    await asyncio.sleep(0.05)

        await has_hints(1)
        await page.wait_for_timeout(1_500)
        await page.evaluate("skippedMs += 50_000")
        await page.wait_for_timeout(1_500)
        assert (await page.evaluate("hints")).count(hint) == 1
        await page.evaluate("skippedMs += 9_000")
        await has_hints(2)
        await page.locator("#mute").click()
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")
        await page.evaluate("skippedMs += 61_000")
        await page.wait_for_timeout(1_500)
        assert (await page.evaluate("hints")).count(hint) == 2
