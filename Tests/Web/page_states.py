"""The named states of the page, for pictures. Each state is an open page with a scripted server."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any, cast

from playwright.async_api import Browser, BrowserContext, Frame, Page, expect

from carillon.signaling import signaling_pb2 as wire
from Web.browser import new_page
from Web.page_video import FAKE_SCREEN
from Web.painted_people import painted_meeting, until_pictures
from Web.scripted_media import FIRST_GROUP_OF_PAINTED, VideoSite
from Web.scripted_site import ADDRESS, APPLICATION, Answer, ScriptedSite, frame
from Web.test_page import (
    ENTRY,
    LOG,
    MEETINGS,
    PEOPLE,
    crowd,
    messages,
    opened,
    said,
    site,
    transcript,
    written,
)
from Web.test_page_green_room import SILENT, refusing, room_before
from Web.test_page_settings import ONLY_HOSTS
from Web.test_page_small import CAPTIONS

State = Callable[[Browser], AbstractAsyncContextManager[Page]]
MOST_CAMERAS = 25
NO_ANSWERS: Mapping[str, Answer] = {}
FRAMED = (
    'Object.defineProperty(document, "featurePolicy", { value: { allowsFeature: () => false } });'
)
"""Gives a page the policy of a frame that may not use devices."""
SMALL = {"width": 360, "height": 740}

SPEAK = """(language) => {
  const address = new URL(location.href);
  if (!address.protocol.startsWith("http") || address.searchParams.has("lang")) return;
  address.searchParams.set("lang", language);
  history.replaceState(null, "", address);
}"""
"""Writes a language into the address of a page, before the page's own scripts run."""

FRAME = f"""<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>An application</title>
<style>html, body, iframe {{ block-size: 100%; inline-size: 100%; margin: 0; border: 0 }}
iframe {{ display: block }}</style>
<iframe title="Meeting" src="{ADDRESS}/embed?origin={APPLICATION}#demo"
  allow="autoplay; camera; display-capture; fullscreen; microphone"></iframe>
<script>
  addEventListener("message", ({{ data, source, origin }}) => {{
    if (data.event !== "ready") return;
    const join = {{ carillon: 1, id: 1, command: "join", meeting: "demo", name: "ada" }};
    source.postMessage(join, origin);
  }});
</script>"""
"""A page that shows a meeting in a frame, and joins as soon as the frame is ready."""


class InLanguage:
    """A browser whose pages have the language that the parameter `lang` of the address names."""

    def __init__(self, browser: Browser, language: str) -> None:
        self._browser = browser
        self._language = language

    async def new_context(self, **options: Any) -> BrowserContext:
        context = await self._browser.new_context(**options)
        await context.add_init_script(f"({SPEAK})({json.dumps(self._language)})")
        return context


def in_language(browser: Browser, language: str) -> Browser:
    """Returns the browser for pages in a language."""
    return browser if language == "en" else cast(Browser, InLanguage(browser, language))


def teller(state: str) -> str | None:
    """Returns the selector of the element whose text tells about a state, if there is one."""
    group = f"{state.partition('-')[0]}-"
    return TELLS.get(state) or TELLS.get(group)


def shown_meeting(page: Page) -> Page | Frame:
    """Returns the frame in which a page shows the meeting; the page itself if there is no frame."""
    return next((each for each in page.frames if "/embed?" in each.url), page)


async def join(page: Page) -> None:
    """Joins the meeting, whatever the page's language."""
    await page.locator("#name").fill("ada")
    await page.locator("#join").click()
    await expect(page.locator("#connection")).to_have_attribute("data-state", "connected")


@asynccontextmanager
async def green_room(browser: Browser, script: str = "", refusal: str = "") -> AsyncIterator[Page]:
    async with room_before(browser, script) as page:
        if refusal:
            await page.locator("#open-devices").click()
            problem = page.locator("#sound-problem")
            await expect(problem).to_have_attribute("data-refusal", refusal)
        yield page


@asynccontextmanager
async def preview(browser: Browser) -> AsyncIterator[Page]:
    """Opens the lobby, and opens the devices."""
    async with room_before(browser) as page:
        await page.locator("#open-devices").click()
        await expect(page.locator("#camera-preview")).to_be_visible()
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
async def knock(browser: Browser) -> AsyncIterator[Page]:
    """Opens the lobby of a person who waits at a locked meeting."""
    locked = {"Code": "Locked", "Message": "The meeting is locked."}
    answers = {
        "POST /carillon/v1/web/join": (422, locked),
        "POST /carillon/v1/web/knocks": (200, {"Knock": "k", "State": "waiting"}),
        "POST /carillon/v1/web/knocks/state": (200, {"State": "waiting"}),
    }
    async with opened(site(**answers), browser=browser) as page:
        await page.locator("#name").fill("Eve")
        await page.locator("#join").click()
        await expect(page.locator("#knock-cancel")).to_be_visible()
        yield page


async def painted_site(
    browser: Browser,
    count: int,
    *,
    shares: bool = False,
    answers: Mapping[str, Answer] = NO_ANSWERS,
) -> VideoSite:
    """Returns a site with a meeting of `count` people. All people but the user have cameras, up to
    the limit of a meeting.
    """
    people = crowd(count)
    others = [each["attendee_id"] for each in people.roster[1 : MOST_CAMERAS + 1]]
    if shares:
        others.append("a-2#content")
    scene = await painted_meeting(browser, others[-MOST_CAMERAS:])
    scripted = VideoSite(scene, people.roster)
    scripted.answers = {**people.answers, **CAPTIONS, **answers}
    return scripted


@asynccontextmanager
async def meeting(
    browser: Browser,
    count: int,
    *,
    shares: bool = False,
    answers: Mapping[str, Answer] = NO_ANSWERS,
) -> AsyncIterator[tuple[Page, ScriptedSite]]:
    """Opens a meeting of `count` people with cameras."""
    scripted = await painted_site(browser, count, shares=shares, answers=answers)
    page = await new_page(browser)
    await page.add_init_script(FAKE_SCREEN)
    await scripted.serve(page)
    await page.goto(f"{ADDRESS}/#demo")
    await join(page)
    await expect(page.locator("#tiles li")).to_have_count(count)
    await page.locator("#chat-close").click()
    await until_pictures(page)
    yield page, scripted
    assert scripted.policy_breaches == []


@asynccontextmanager
async def people(browser: Browser, count: int) -> AsyncIterator[Page]:
    async with meeting(browser, count) as (page, scripted):
        await page.locator("#camera").click()
        await expect(page.locator("#tiles .is-own video")).to_be_visible()
        loud = wire.SdkAudioAttendeeState(audio_stream_id=3, volume=14, signal_strength=2)
        states = wire.SdkAudioMetadataFrame(attendee_states=[loud])
        scripted.face.send(frame("AUDIO_METADATA", audio_metadata=states))
        hand = '{"raised":true}'
        scripted.face.send(messages(written(hand, time.time_ns(), topic="hand", sender="a-3")))
        if count > 2:
            await expect(page.locator("[data-attendee=a-3] .tile-hand")).to_be_visible()
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
async def paused(browser: Browser) -> AsyncIterator[Page]:
    """Opens a meeting in which the server pauses two cameras, because the connection is slow."""
    async with meeting(browser, 9) as (page, scripted):
        groups = [FIRST_GROUP_OF_PAINTED, FIRST_GROUP_OF_PAINTED + 1]
        scripted.face.send(frame("PAUSE", pause=wire.SdkPauseResumeFrame(group_ids=groups)))
        await expect(page.locator(".tile-paused:visible")).to_have_count(2)
        yield page


@asynccontextmanager
async def panel(browser: Browser, name: str) -> AsyncIterator[Page]:
    """Opens a panel. The panel has the focus, so it stays open in a small window."""
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
        started = wire.SdkTranscriptionStatus(type="STARTED", event_time=0)
        scripted.face.send(transcript(wire.SdkTranscriptEvent(status=started)))
        for number in range(4):
            text = "The meeting begins, and everybody reads along as others speak."
            scripted.face.send(said(f"r{number}", text, is_partial=number == 3))
        await expect(page.locator(".caption-line")).to_have_count(4)
        yield page


@asynccontextmanager
async def captions_of_hosts(browser: Browser) -> AsyncIterator[Page]:
    """Opens the captions of an attendee who cannot start them, because a host is present."""
    path = "/carillon/v1/web/meetings/m-1/transcription"
    answers: dict[str, Answer] = {
        f"PUT {path}": (403, {"Message": ONLY_HOSTS}),
        f"GET {path}": (200, {"MaySwitch": False}),
    }
    async with meeting(browser, 4, answers=answers) as (page, _):
        await page.locator("#captions-toggle").click()
        await expect(page.locator("#captions-why")).not_to_be_empty()
        yield page


@asynccontextmanager
async def dialog(browser: Browser, opener: str, shown: str) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, _):
        await page.locator(opener).click()
        await expect(page.locator(shown)).to_be_visible()
        yield page


@asynccontextmanager
async def more(browser: Browser) -> AsyncIterator[Page]:
    """A resize closes the dialog, unless the window is small both before and after the resize."""
    async with meeting(browser, 4) as (page, _):
        await page.set_viewport_size(SMALL)  # type: ignore[arg-type]
        await page.locator("#more").click()
        await expect(page.locator("#more-sheet")).to_be_visible()
        yield page


@asynccontextmanager
async def knocks(browser: Browser) -> AsyncIterator[Page]:
    """Opens a host's page in a locked meeting at which two people wait to be admitted."""
    waiting = [
        {"KnockId": "k-1", "DisplayName": "Eve"},
        {"KnockId": "k-2", "DisplayName": "A. Very-Long Name Indeed"},
    ]
    answers: dict[str, Answer] = {
        "POST /carillon/v1/web/join": (200, {**ENTRY, "HostToken": "secret-host-token"}),
        "GET /carillon/v1/host/meetings/m-1/knocks": (200, {"Knocks": waiting}),
    }
    async with meeting(browser, 4, answers=answers) as (page, _):
        await expect(page.locator(".knocks li")).to_have_count(2)
        yield page


@asynccontextmanager
async def host(browser: Browser) -> AsyncIterator[Page]:
    """Opens the dialog that only hosts have."""
    entry = {**ENTRY, "HostToken": "secret-host-token"}
    answers: dict[str, Answer] = {
        "POST /carillon/v1/web/join": (200, entry),
        "GET /carillon/v1/host/meetings/m-1/knocks": (200, {"Knocks": []}),
    }
    async with meeting(browser, 4, answers=answers) as (page, _):
        await page.locator("#host").click()
        await expect(page.locator("#host-close")).to_be_visible()
        yield page


@asynccontextmanager
async def offline(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 4) as (page, scripted):
        scripted.is_down = True
        await scripted.face.close(1011)
        await expect(page.locator("#connection")).not_to_have_attribute("data-state", "connected")
        yield page


@asynccontextmanager
async def ended(browser: Browser, status: int) -> AsyncIterator[Page]:
    async with meeting(browser, 2) as (page, scripted):
        over = wire.SdkAudioStatusFrame(audio_status=status)
        scripted.face.send(frame("AUDIO_STATUS", audio_status=over))
        await expect(page.locator("#ended")).to_be_visible()
        yield page


@asynccontextmanager
async def left(browser: Browser) -> AsyncIterator[Page]:
    async with meeting(browser, 2) as (page, _):
        await page.locator("#leave").click()
        await expect(page.locator("#ended")).to_be_visible()
        yield page


@asynccontextmanager
async def moved(browser: Browser) -> AsyncIterator[Page]:
    """Opens a page whose meeting another tab of the browser has taken over."""
    async with meeting(browser, 2) as (page, _):
        move = 'new BroadcastChannel("carillon").postMessage({ type: "move", meeting: "m-1" })'
        await page.evaluate(move)
        await expect(page.locator("#ended")).to_be_visible()
        yield page


@asynccontextmanager
async def content(browser: Browser, *, zooms: bool = False) -> AsyncIterator[Page]:
    """Opens a meeting in which another attendee shares a screen."""
    async with meeting(browser, 9, shares=True) as (page, _):
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "content")
        if zooms:
            for _ in range(3):
                await page.locator("#share-view").press("+")
            await expect(page.locator("#share-reset")).to_be_visible()
        yield page


@asynccontextmanager
async def sharing(browser: Browser) -> AsyncIterator[Page]:
    """Opens a meeting in which the user shares a screen."""
    async with meeting(browser, 4) as (page, _):
        await page.locator("#share-screen").click()
        await expect(page.locator("#share-card")).to_be_visible()
        yield page


@asynccontextmanager
async def embedded(browser: Browser) -> AsyncIterator[Page]:
    """Opens a page of an application, which shows the meeting in a frame."""
    scripted = await painted_site(browser, 4)
    page = await new_page(browser)
    await scripted.serve(page)
    await page.route(
        f"{APPLICATION}/**", lambda route: route.fulfill(content_type="text/html", body=FRAME)
    )
    await page.goto(f"{APPLICATION}/")
    inside = page.frame_locator("iframe")
    await expect(inside.locator("#tiles li")).to_have_count(4)
    await inside.locator("#chat-close").click()
    await until_pictures(shown_meeting(page))
    yield page
    assert scripted.policy_breaches == []


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


TELLS = {
    "refusal-": "#sound-problem",
    "knock": "#lobby-problem",
    "sharing": "#share-card p",
    "paused": ".tile-paused:not([hidden])",
    "captions-of-hosts": "#captions-why",
    "knocks": ".knocks h2",
    "offline": "#connection-text",
    "ended-": "#ended-reason",
}
"""The elements whose texts tell the user about a state.

The keys are names of states. A key that ends in `-` stands for all states that begin with the key.
"""

ENDINGS = {"twice": 301, "rejected": 403, "full": 409, "over": 410, "removed": 411, "lost": 418}
"""The states of a session that ended, by the status of the frame AUDIO_STATUS."""

STATES: dict[str, State] = {
    "green-room": green_room,
    "green-room-open": preview,
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
    "refusal-framed": partial(
        green_room, script=FRAMED + refusing("NotAllowedError"), refusal="framed"
    ),
    "knock": knock,
    **{f"people-{count}": partial(people, count=count) for count in (1, 2, 4, 9, 25, 41)},
    "speaker": speaker,
    "pin": pin,
    "paused": paused,
    "content": content,
    "zoom": partial(content, zooms=True),
    "sharing": sharing,
    "panel-chat": partial(panel, name="chat"),
    "panel-people": partial(panel, name="people"),
    "captions": captions,
    "captions-of-hosts": captions_of_hosts,
    "settings": partial(dialog, opener="#sound-toggle", shown="#speak-joins"),
    "help": partial(dialog, opener="#help-open", shown="#help"),
    "more": more,
    "knocks": knocks,
    "host": host,
    "offline": offline,
    "ended-left": left,
    "ended-moved": moved,
    **{f"ended-{name}": partial(ended, status=status) for name, status in ENDINGS.items()},
    "embed": embedded,
    "operator": operator,
}
