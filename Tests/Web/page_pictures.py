"""Takes pictures of the page's states and judges them.

    PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.page_pictures [--only STATE ...]

Each state is shown at six sizes, light and dark, with a scripted server. The pictures go to
`Tests/Web/results/pictures`. A script judges each picture: overlapping, covered, clipped and small
controls, cut texts, and axe's rules, which include the contrast of texts. The script prints each
fault, and its exit status is 1 if it found a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect

from carillon.signaling import signaling_pb2 as wire
from Web.browser import chromium, new_page, picture, violations
from Web.page_judge import faults
from Web.page_video import RED, camera, until_seen
from Web.scripted_media import ScriptedMeeting
from Web.scripted_site import ScriptedSite, frame
from Web.test_page import LOG, MEETINGS, PEOPLE, crowd, join, messages, opened, said, site, written
from Web.test_page_green_room import SILENT, refusing, room_before
from Web.test_page_small import CAPTIONS
from Web.test_page_video_states import enter, video_of

SIZES = [(1440, 900), (820, 1180), (360, 740), (740, 360), (320, 256), (3840, 2160)]
SMALL = [(360, 740), (740, 360), (320, 256)]
THEMES = ["light", "dark"]
FOLDER = "pictures"

State = Callable[[Browser], AbstractAsyncContextManager[Page]]


@asynccontextmanager
async def green_room(browser: Browser, script: str = "", refusal: str = "") -> AsyncIterator[Page]:
    async with room_before(browser, script) as page:
        if refusal:
            await page.locator("#open-devices").click()
            problem = page.locator("#sound-problem")
            await expect(problem).to_have_attribute("data-refusal", refusal)
        yield page


@asynccontextmanager
async def insecure(browser: Browser) -> AsyncIterator[Page]:
    page = await new_page(browser)
    await site().serve(page)
    await page.goto("http://meet.example/#demo")
    await page.locator("#open-devices").click()
    await expect(page.locator("#sound-problem")).to_have_attribute("data-refusal", "insecure")
    yield page


@asynccontextmanager
async def meeting(browser: Browser, count: int) -> AsyncIterator[tuple[Page, ScriptedSite]]:
    scripted = crowd(count)
    scripted.answers = {**scripted.answers, **CAPTIONS}
    async with opened(scripted, browser=browser) as page:
        await join(page)
        await expect(page.locator("#tiles li")).to_have_count(count)
        await page.locator("#chat-close").click()
        yield page, scripted


@asynccontextmanager
async def people(browser: Browser, count: int) -> AsyncIterator[Page]:
    async with meeting(browser, count) as (page, scripted):
        loud = wire.SdkAudioAttendeeState(audio_stream_id=2, volume=14, signal_strength=2)
        states = wire.SdkAudioMetadataFrame(attendee_states=[loud])
        scripted.face.send(frame("AUDIO_METADATA", audio_metadata=states))
        hand = '{"raised":true}'
        scripted.face.send(messages(written(hand, time.time_ns(), topic="hand", sender="a-3")))
        yield page


@asynccontextmanager
async def speaker(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 9) as (page, _):
        await page.locator("#layout").click()
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "speaker")
        yield page


@asynccontextmanager
async def pin(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 9) as (page, _):
        tile = page.locator("#tiles li[data-attendee=a-3]")
        await tile.hover()
        await tile.get_by_role("button").click()
        await expect(tile.get_by_role("button")).to_have_attribute("aria-pressed", "true")
        yield page


@asynccontextmanager
async def panel(browser: Browser, name: str) -> AsyncIterator[Page]:
    """A panel with the focus in it stays open in a small window."""
    async with meeting(browser, 9) as (page, scripted):
        now = time.time_ns()
        scripted.face.send(messages(*(written(f"Message {n} " * n, now + n) for n in range(1, 9))))
        await page.locator("#room-title").focus()
        await page.keyboard.press(name[0])
        await expect(page.locator(f"#{name}")).to_be_visible()
        yield page


@asynccontextmanager
async def captions(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, scripted):
        await page.locator("#captions-toggle").click()
        for number in range(4):
            text = "The meeting begins, and everybody reads along as others speak."
            scripted.face.send(said(f"r{number}", text, is_partial=number == 3))
        await expect(page.locator(".caption-line")).to_have_count(4)
        yield page


@asynccontextmanager
async def dialog(browser: Browser, opener: str, shown: str) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, _):
        await page.locator(opener).click()
        await expect(page.locator(shown)).to_be_visible()
        yield page


@asynccontextmanager
async def more(browser: Browser) -> AsyncIterator[Page]:
    """Each change of the size closes the dialog, unless both sizes are small."""
    async with meeting(browser, 4) as (page, _):
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.locator("#more").click()
        await expect(page.locator("#more-sheet")).to_be_visible()
        yield page


@asynccontextmanager
async def offline(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, scripted):
        scripted.is_down = True
        await scripted.face.close(1011)
        await expect(page.locator("#connection")).not_to_have_text("Connected")
        yield page


@asynccontextmanager
async def ended(browser: Browser, status: int) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, scripted):
        over = wire.SdkAudioStatusFrame(audio_status=status)
        scripted.face.send(frame("AUDIO_STATUS", audio_status=over))
        await expect(page.locator("#ended")).to_be_visible()
        yield page


@asynccontextmanager
async def left(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, _):
        await page.locator("#leave").click()
        await expect(page.locator("#ended")).to_be_visible()
        yield page


@asynccontextmanager
async def cameras(browser: Browser, shares: bool) -> AsyncIterator[Page]:
    """Two people with cameras. One of them may share a screen."""
    scripted = await ScriptedMeeting.open(browser)
    ada, bea = [await enter(browser, scripted, name) for name in ("ada", "bea")]
    await bea.locator("#camera").click()
    await until_seen(video_of(ada, "bea"), RED)
    if shares:
        await bea.locator("#share-screen").click()
        await expect(bea.locator("#share-card")).to_be_visible()
    await ada.locator("#chat-close").click()
    yield bea if shares else ada


@asynccontextmanager
async def operator(browser: Browser) -> AsyncIterator[Page]:
    services = {"Instances": [{"Instance": "presence-a", "Ready": True}]}
    answers: dict[str, Any] = {
        "GET /carillon/v1/meetings": (200, MEETINGS),
        "GET /carillon/v1/meetings/m-1/roster": (200, PEOPLE),
        "GET /carillon/v1/meetings/m-1/messages": (200, LOG),
        "GET /carillon/v1/services": (200, services),
    }
    async with opened(site(**answers), "/operator", browser) as page:
        await page.get_by_role("button", name="demo").click()
        await expect(page.locator("#roster tr")).to_have_count(2)
        yield page


STATES: dict[str, State] = {
    "green-room": green_room,
    "refusal-waiting": partial(green_room, script=SILENT, refusal="waiting"),
    **{
        f"refusal-{refusal}": partial(green_room, script=refusing(error), refusal=refusal)
        for refusal, error in (
            ("blocked", "NotAllowedError"),
            ("busy", "NotReadableError"),
            ("missing", "NotFoundError"),
        )
    },
    "refusal-insecure": insecure,
    **{f"people-{count}": partial(people, count=count) for count in (1, 2, 4, 9, 25, 41)},
    "cameras": partial(cameras, shares=False),
    "share": partial(cameras, shares=True),
    "speaker": speaker,
    "pin": pin,
    "panel-chat": partial(panel, name="chat"),
    "panel-people": partial(panel, name="people"),
    "captions": captions,
    "settings": partial(dialog, opener="#sound-toggle", shown="#speak-joins"),
    "help": partial(dialog, opener="#help-open", shown="#help"),
    "more": more,
    "offline": offline,
    "left": left,
    **{f"ended-{status}": partial(ended, status=status) for status in (301, 409, 410, 411)},
    "operator": operator,
}


async def judged(page: Page, name: str, width: int, height: int) -> list[str]:
    """Takes a picture at one size and returns its faults."""
    await page.set_viewport_size({"width": width, "height": height})
    # Wait for two frames, because the stage follows the size in the first frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    problem = page.locator("#sound-problem")
    if await problem.is_visible():
        await problem.scroll_into_view_if_needed()
    await picture(page, f"{FOLDER}/{name}")
    found = [*await faults(page), *await violations(page)]
    # In the smallest window, a panel takes the place of the stage, which is the main landmark.
    covered = ("landmark-one-main", "page-has-heading-one") if (width, height) == SIZES[4] else ()
    return [fault for fault in found if not (covered and fault.startswith(covered))]


async def taken(browser: Browser, state: str) -> list[str]:
    """Takes all pictures of a state and returns its faults."""
    told = []
    async with STATES[state](browser) as page:
        for width, height in SMALL if state == "more" else SIZES:
            for theme in THEMES:
                await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                name = f"{state}-{width}x{height}-{theme}"
                told += [f"{name}: {fault}" for fault in await judged(page, name, width, height)]
    return told


async def main() -> int:
    parser = argparse.ArgumentParser(description="Takes pictures of the page and judges them.")
    parser.add_argument("--only", nargs="+", choices=STATES, default=list(STATES))
    states: list[str] = parser.parse_args().only
    told: list[str] = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        shows = camera(RED, folder / "red.y4m")
        browser = await stack.enter_async_context(chromium(*shows))
        for state in states:
            found = await taken(browser, state)
            print(f"{state}: {len(found)} faults", *found, sep="\n  ", flush=True)
            told += found
    print(f"{len(states)} states, {len(told)} faults")
    return 1 if told else 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
