"""The memory of the page after rejoins, after attendees with cameras left, and with a long chat."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from playwright.async_api import Browser, Page, expect

from test_end_to_end import LiveMeeting
from Web.browser import new_page
from Web.painted_people import painted_meeting, until_pictures
from Web.scripted_media import PaintedCamera, VideoSite
from Web.scripted_site import ADDRESS, ScriptedFace, ScriptedSite
from Web.test_page import join, messages, site, written

BATCH = 100
"""The number of chat messages in a frame."""
MOST_SHOWN = 1_000
"""The number of messages that a page keeps."""
TEXT = "The next meeting is on Thursday at half past nine, see https://example.org/agenda."
CAMERAS_AT_ONCE = 10
SETTLE_SECONDS = 8.0
"""The time within which requests and sockets of a finished session close, in seconds."""


class Census(NamedTuple):
    """What a page keeps after garbage collection."""

    nodes: int
    listeners: int
    heap: int
    """The bytes that the page's JavaScript values occupy."""
    all_bytes: int
    """The heap, and the bytes of nodes, styles and buffers."""
    detached_videos: int
    """Video elements that no document contains."""

    def is_within(self, before: Census) -> bool:
        """Returns whether a page leaked neither nodes nor listeners nor videos since a census."""
        return (
            self.nodes <= before.nodes * 1.02
            and self.listeners <= before.listeners * 1.02
            and self.detached_videos == 0
        )


async def census(page: Page) -> Census:
    client = await page.context.new_cdp_session(page)
    for _ in range(3):
        await client.send("HeapProfiler.collectGarbage")
    counters = await client.send("Memory.getDOMCounters")
    usage = await client.send("Runtime.getHeapUsage")
    prototype = await client.send("Runtime.evaluate", {"expression": "HTMLVideoElement.prototype"})
    found = await client.send(
        "Runtime.queryObjects", {"prototypeObjectId": prototype["result"]["objectId"]}
    )
    detached = await client.send(
        "Runtime.callFunctionOn",
        {
            "objectId": found["objects"]["objectId"],
            "functionDeclaration": "function() { "
            "return this.filter((each) => !each.isConnected).length; }",
        },
    )
    await client.detach()
    return Census(
        nodes=counters["nodes"],
        listeners=counters["jsEventListeners"],
        heap=int(usage["usedSize"]),
        all_bytes=int(
            usage["usedSize"]
            + usage.get("embedderHeapUsedSize", 0)
            + usage.get("backingStorageSize", 0)
        ),
        detached_videos=detached["result"]["value"],
    )


async def settled(page: Page) -> Census:
    """Returns the census once the requests and sockets of finished sessions are closed."""
    await asyncio.sleep(SETTLE_SECONDS)
    return await census(page)


async def rejoin(page: Page) -> None:
    await page.locator("#leave").click()
    await page.get_by_role("button", name="Join again").click()
    await expect(page.locator("#connection")).to_have_text("Connected")


async def after_rejoins(tea: LiveMeeting, browser: Browser, count: int) -> tuple[Census, Census]:
    """Returns the census before and after a page has rejoined."""
    page = await new_page(browser)
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#tea")
    await join(page)
    for _ in range(3):
        await rejoin(page)
    before = await settled(page)
    for _ in range(count):
        await rejoin(page)
    after = await settled(page)
    await page.context.close()
    return before, after


async def after_cameras(browser: Browser, count: int) -> tuple[Census, Census]:
    """Returns the census before and after attendees with cameras have joined and left."""
    meeting = await painted_meeting(browser, [f"{n}" for n in range(CAMERAS_AT_ONCE)])
    videos, meeting.painted = meeting.painted, []
    own = {"audio_stream_id": 1, "attendee_id": "a-ada", "external_user_id": "ada", "muted": True}
    page = await joined(browser, VideoSite(meeting, [own]))
    face = meeting.faces[-1]

    async def visit(first: int) -> None:
        ids = [{"audio_stream_id": n} for n in range(first, first + CAMERAS_AT_ONCE)]
        names = [f"a-{each['audio_stream_id']}" for each in ids]
        meeting.painted = [
            PaintedCamera(name, each.group) for name, each in zip(names, videos, strict=True)
        ]
        people = [
            {**each, "attendee_id": name, "external_user_id": name}
            for each, name in zip(ids, names, strict=True)
        ]
        face.send(ScriptedFace.presence(people))
        meeting.index(face)
        await expect(page.locator("#tiles li.has-video")).to_have_count(CAMERAS_AT_ONCE)
        await until_pictures(page)
        meeting.painted = []
        meeting.index(face)
        face.send(ScriptedFace.presence(ids))
        await expect(page.locator("#tiles li")).to_have_count(1)

    await visit(2)
    before = await settled(page)
    for turn in range(1, count // CAMERAS_AT_ONCE + 1):
        await visit(2 + turn * CAMERAS_AT_ONCE)
    after = await settled(page)
    await page.context.close()
    await meeting.server.context.close()
    return before, after


async def with_messages(browser: Browser, count: int) -> Census:
    """Returns the census of a page that has received chat messages."""
    scripted = site()
    page = await joined(browser, scripted)
    now = time.time_ns()
    for first in range(0, count, BATCH):
        numbers = range(first, first + BATCH)
        scripted.face.send(messages(*(written(f"{n}: {TEXT}", now + n) for n in numbers)))
    articles = page.locator("#messages article")
    await expect(articles.last).to_contain_text(f"{count - 1}: ")
    await expect(articles).to_have_count(MOST_SHOWN)
    found = await settled(page)
    await page.context.close()
    return found


async def joined(browser: Browser, scripted: ScriptedSite) -> Page:
    """Opens a page of a scripted site, and joins the site's meeting."""
    page = await new_page(browser)
    scripted.answers = site().answers
    await scripted.serve(page)
    await page.goto(f"{ADDRESS}/#demo")
    await join(page)
    return page
