"""Devices before a join: one prompt, stored choices, and refusals with a cause."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Frame, Page, Route, expect

from Web.browser import (
    DESK,
    PATIENCE_MS,
    PHONE,
    chromium,
    needs_chromium,
    new_page,
    overflow,
    picture,
    shares_browser,
    violations,
)
from Web.page_sound import EARS, LOUD_DB, until_the_meter_moves
from Web.scripted_site import ADDRESS, WEB
from Web.test_page import join, opened, site
from Web.test_page_devices import talkers

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

SIZES = [DESK, {"width": 1440, "height": 900}, {"width": 360, "height": 740}]
SIZES += [{"width": 320, "height": 256}]

COUNT = """(() => {
  window.asked = [];
  const media = navigator.mediaDevices;
  const open = media.getUserMedia.bind(media);
  media.getUserMedia = (wanted) => {
    asked.push(Object.keys(wanted).sort().join());
    return open(wanted);
  };
})()"""
"""Records the device requests of a page."""


def refusing(name: str) -> str:
    """Returns a script that refuses every device with this browser error."""
    error = f'Promise.reject(new DOMException("", "{name}"))'
    return f"navigator.mediaDevices.getUserMedia = () => {error}"


SILENT = "navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined)"
"""A script that makes the browser leave all device requests unanswered."""


@asynccontextmanager
async def room_before(browser: Browser, script: str = "") -> AsyncIterator[Page]:
    """Opens the lobby after a script has changed the browser."""
    page = await new_page(browser)
    if script:
        await page.add_init_script(script)
    await talkers().serve(page)
    await page.goto(f"{ADDRESS}/#demo")
    await expect(page.locator("#open-devices")).to_be_visible()
    yield page


async def show(page: Page, name: str) -> None:
    """Saves screenshots of a state in each size and checks layout and accessibility."""
    for size in SIZES:
        await page.set_viewport_size(size)  # type: ignore[arg-type]
        await page.locator("#sound").scroll_into_view_if_needed()
        await picture(page, f"green-room-{name}-{size['width']}x{size['height']}")
        assert await overflow(page) <= 0, size
    assert await violations(page) == []
    await page.set_viewport_size(DESK)  # type: ignore[arg-type]


async def test_one_prompt_opens_both_devices_and_the_room_uses_the_same_tracks() -> None:
    async with chromium() as browser, room_before(browser, COUNT) as page:
        assert await page.evaluate("asked") == []
        await page.get_by_role("button", name="Use microphone and camera").click()
        await expect(page.locator("#camera-preview")).to_be_visible()
        await until_the_meter_moves(page)
        await expect(page.locator("#open-devices")).to_be_hidden()
        await show(page, "open")
        shown = "document.querySelector('#camera-preview').srcObject.getVideoTracks()[0].id"
        before = await page.evaluate(shown)
        await page.get_by_label("Join muted").uncheck()
        await join(page)
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "true")
        assert await page.evaluate(shown) == before
        assert await page.evaluate("asked") == ["audio,video"]


async def test_without_a_microphone_no_device_is_opened() -> None:
    async with chromium() as browser, room_before(browser, COUNT) as page:
        await page.get_by_label("Microphone", exact=True).select_option("No microphone")
        await join(page)
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "true")
        await expect(page.locator("#camera")).to_have_attribute("aria-pressed", "false")
        assert await page.evaluate("asked") == []


async def test_choices_persist_and_chosen_devices_open_at_once_if_the_browser_permits_it() -> None:
    async with chromium() as browser, room_before(browser, COUNT) as page:
        await page.get_by_label("Microphone", exact=True).select_option("Fake Audio Input 2")
        chosen = page.locator("#microphone option:checked")
        # While the browser opens the microphone, the page shows a note. The note moves the checkbox
        # to another place.
        await until_the_meter_moves(page)
        await page.get_by_label("Join muted").uncheck()
        await page.reload()
        await expect(chosen).to_have_text("Fake Audio Input 2")
        await until_the_meter_moves(page)
        await expect(page.get_by_label("Join muted")).not_to_be_checked()
        assert await page.evaluate("asked") == ["audio"]
        await page.get_by_label("Microphone", exact=True).select_option("No microphone")
        await page.reload()
        await expect(page.locator("#open-devices")).to_have_text("Use camera")
        await expect(chosen).to_have_text("No microphone")
        assert await page.evaluate("asked") == []


async def test_the_name_the_camera_and_the_speaker_of_the_last_visit_return() -> None:
    async with chromium() as browser, room_before(browser, COUNT) as page:
        await page.get_by_label("Your name").fill("Ada Łukasz 花子")
        await page.locator("#speaker").select_option("Fake Audio Output 1")
        await page.locator("#camera-device").select_option(index=1)
        await expect(page.locator("#camera-preview")).to_be_visible()
        label = await page.locator("#camera-device option:checked").text_content()
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(page.locator("#connection")).to_have_text("Connected")
        later = await page.context.new_page()
        await later.add_init_script(COUNT)
        await talkers().serve(later)
        await page.close()
        await later.goto(f"{ADDRESS}/#demo")
        await expect(later.get_by_label("Your name")).to_have_value("Ada Łukasz 花子")
        await expect(later.locator("#speaker option:checked")).to_have_text("Fake Audio Output 1")
        await expect(later.locator("#camera-preview")).to_be_visible()
        await expect(later.locator("#camera-device option:checked")).to_have_text(label or "")
        assert await later.locator("#mix").evaluate("(mix) => mix.sinkId") != ""
        assert await later.evaluate("asked") == ["video"]
        await later.locator("#camera-device").select_option(index=0)
        await later.reload()
        await expect(later.locator("#open-devices")).to_be_visible()
        await expect(later.locator("#camera-preview")).to_be_hidden()
        assert await later.evaluate("asked") == []


TEST_EARS = """(() => {
  const { prototype } = HTMLMediaElement;
  const play = prototype.play;
  prototype.play = function () {
    window.tested = { srcObject: this.srcObject };
    return play.call(this);
  };
})()"""


async def test_the_test_sound_is_played() -> None:
    async with chromium() as browser, room_before(browser, TEST_EARS) as page:
        button = page.get_by_role("button", name="Test sound")
        await button.click()
        played = "{ get srcObject() { return window.tested?.srcObject; } }"
        await page.evaluate(f"({EARS})({played})")
        levels = "Math.max(levelAt(659.26), levelAt(880))"
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while await page.evaluate(levels) < LOUD_DB:
                # The page plays the sound some time after the click. A busy machine can miss a
                # sound of half a second.
                if await button.is_enabled():
                    await button.click()
                await asyncio.sleep(0.05)
        await expect(button).to_be_enabled()
        assert await page.locator("#sound-problem").is_hidden()


@pytest.mark.parametrize(
    ("name", "script", "text", "step"),
    [
        ("waiting", SILENT, "Your browser asks whether", None),
        ("busy", refusing("NotReadableError"), "Another program may be using it", "Try again"),
        ("missing", refusing("NotFoundError"), "Plug one in", "Look again"),
    ],
)
async def test_a_refusal_names_its_cause_and_the_next_step(
    name: str, script: str, text: str, step: str | None
) -> None:
    async with chromium() as browser, room_before(browser, script) as page:
        await page.locator("#open-devices").click()
        await is_told(page, name, text, step)
        await show(page, name)


async def is_told(page: Page | Frame, name: str, text: str, step: str | None) -> None:
    problem = page.locator("#sound-problem")
    await expect(problem).to_have_attribute("data-refusal", name)
    await expect(problem).to_contain_text(text)
    if step:
        await expect(problem.get_by_role("button")).to_have_text(step)
    else:
        await expect(problem.get_by_role("button")).to_have_count(0)


async def test_the_focus_stays_beside_a_button_that_disappears() -> None:
    refuses_once = """
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      let refusals = 1;
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        if (refusals-- > 0) throw new DOMException("", "NotAllowedError");
        return open(wanted);
      };
    """
    async with chromium() as browser, room_before(browser, refuses_once) as page:
        await page.locator("#open-devices").press("Enter")
        again = page.get_by_role("button", name="Try again")
        await expect(page.locator("#open-devices")).to_be_focused()
        await again.press("Enter")
        await expect(page.locator("#camera-preview")).to_be_visible()
        await expect(again).to_have_count(0)
        await expect(page.locator("#microphone")).to_be_focused()
    async with chromium() as browser, room_before(browser) as page:
        await page.locator("#open-devices").press("Enter")
        await expect(page.locator("#open-devices")).to_be_hidden()
        await expect(page.locator("#microphone")).to_be_focused()


async def test_a_refused_join_is_visible_on_a_phone_and_the_button_keeps_the_focus() -> None:
    none = {"POST /carillon/v1/web/join": (404, {"Message": "There is none."})}
    async with opened(site(**none), viewport=PHONE) as page:
        problem = page.locator("#lobby-problem")
        # The key Enter of a phone's keyboard joins while the end of the form is out of sight.
        await page.locator("#name").fill("ada")
        await page.locator("#name").press("Enter")
        await expect(problem).to_be_in_viewport(ratio=1)
        await expect(page.locator("#name")).to_be_focused()
        await page.locator("#join").press("Enter")
        await expect(page.locator("#join")).to_be_enabled()
        await expect(page.locator("#join")).to_be_focused()


async def test_a_refusal_stays_visible_when_the_form_grows_until_the_user_acts() -> None:
    none = {"POST /carillon/v1/web/join": (404, {"Message": "There is none."})}
    async with chromium() as browser:
        page = await new_page(browser, viewport=PHONE)
        # The browser lists its devices late, and the form grows by a button above the refusal.
        await page.add_init_script(
            """
            const media = navigator.mediaDevices;
            const enumerate = media.enumerateDevices.bind(media);
            const asked = new Promise((resolve) => (window.listDevices = resolve));
            media.enumerateDevices = async () => (await asked, enumerate());
            """
        )
        await site(**none).serve(page)
        await page.goto(ADDRESS + "/#demo")
        problem = page.locator("#lobby-problem")
        await page.locator("#name").fill("ada")
        await page.locator("#name").press("Enter")
        await expect(problem).to_be_in_viewport(ratio=1)
        await page.evaluate(
            """() => new Promise((grown) => {
              const form = document.getElementById("lobby-form");
              const earlier = form.clientHeight;
              new ResizeObserver(() => form.clientHeight > earlier && grown()).observe(form);
              listDevices();
            })"""
        )
        await expect(problem).to_be_in_viewport(ratio=1)
        await page.mouse.wheel(0, -2000)
        await expect(page.locator("h1:visible")).to_be_in_viewport(ratio=1)
        await page.evaluate("document.getElementById('name').style.marginBottom = '20rem'")
        await expect(problem).not_to_be_in_viewport()


async def test_a_user_who_refuses_the_devices_reads_where_to_allow_them() -> None:
    async with chromium(permits=False) as browser, room_before(browser) as page:
        await page.locator("#open-devices").click()
        await is_told(page, "blocked", "beside the address", "Try again")
        await show(page, "blocked")


async def test_over_plain_http_the_page_requires_https() -> None:
    async with chromium() as browser:
        page = await new_page(browser)
        await site().serve(page)
        await page.goto("http://meet.example/#demo")
        await page.locator("#open-devices").click()
        await is_told(page, "insecure", "https://", None)
        await show(page, "insecure")


FRAME = '<!doctype html><title>Around</title><iframe src="{address}/#demo" width=1000 height=900>'


async def test_in_a_restricted_frame_the_page_offers_to_open_a_tab() -> None:
    scripted = site()
    async with chromium() as browser:
        page = await new_page(browser)
        await scripted.serve(page)
        await page.route("https://around.example/", around)
        await page.route(f"{ADDRESS}/", framed)
        await page.goto("https://around.example/")
        frame = page.frames[1]
        await frame.locator("#open-devices").click()
        await is_told(frame, "framed", "in a tab of its own", "Open in a tab")
        await picture(page, "green-room-framed")


async def around(route: Route) -> None:
    await route.fulfill(content_type="text/html", body=FRAME.format(address=ADDRESS))


async def framed(route: Route) -> None:
    """Serves the page without the policy that forbids frames."""
    body = (WEB / "index.html").read_text()
    await route.fulfill(content_type="text/html", body=body)


async def test_the_green_room_fits_a_phone() -> None:
    async with opened(site(), viewport={"width": 320, "height": 256}) as page:
        # The form starts close to the top.
        top = "document.querySelector('#meeting').getBoundingClientRect().top + scrollY"
        assert await page.evaluate(top) < 256
        await page.locator("#open-devices").click()
        await expect(page.locator("#camera-preview")).to_be_visible()
        assert await overflow(page) <= 0
