"""Browsers and bots in one meeting, with every service as a real process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, Page, Route, expect

from carillon import SessionOptions
from carillon.signaling import signaling_pb2 as wire
from eventually import due
from installation import BINARIES
from spoken import MEETING
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from transcript_listener import Hearing, TranscriptListener
from Web.browser import chromium, needs_chromium, new_page, picture, violations
from Web.cable import Cable
from Web.scripted_site import WEB
from Web.signaling_client import SignalingClient, client_of
from Web.test_page import LISTEN

pytestmark = [needs_chromium, pytest.mark.seconds(400)]

FLAGS = ["--web-lobby", "open", "--web-root", str(WEB)]
NO_ENGINE = not (BINARIES / "carillon-pocketsphinx").exists()
CUT_SECONDS = 5.0
LONG_CUT_SECONDS = 30.0
FROZEN_SECONDS = 25.0


@dataclass
class Scene:
    """A meeting named `tea`, a browser, and the join tokens of the browser's pages."""

    tea: LiveMeeting
    browser: Browser
    operator_key: str
    tokens: list[str] = field(default_factory=list)

    async def enter(self, name: str, *, port: int | None = None, meeting: str = "tea") -> Page:
        """Opens a page that joins by link, through a port that forwards to the gateway."""
        own = self.tea.installation.rest_port
        page = await new_page(self.browser)
        breaches: list[str] = []
        page.on("console", lambda message: breaches.append(message.text))

        async def pass_on(route: Route) -> None:
            answer = await route.fetch()
            text = await answer.text()
            self.tokens.append((await answer.json())["Attendee"]["JoinToken"])
            # The server's address in the response bypasses the cable, so the test replaces the
            # address.
            await route.fulfill(response=answer, body=text.replace(f":{own}/", f":{port or own}/"))

        await page.route("**/carillon/v1/web/join", pass_on)
        await page.goto(f"http://127.0.0.1:{port or own}/#{quote(meeting)}")
        await page.get_by_label("Your name").fill(name)
        await page.get_by_role("button", name="Join", exact=True).click()
        await connected(page)
        assert not [each for each in breaches if "Content Security Policy" in each]
        return page


@asynccontextmanager
async def scene(**flags: Any) -> AsyncIterator[Scene]:
    """Runs a scene, and then asserts that no log contains the scene's tokens."""
    with TemporaryDirectory(prefix="c-") as directory:
        key = Path(directory) / "operator.key"
        gateway = [*FLAGS, "--web-operator-key-file", str(key)]
        async with live_meeting(gateway=gateway, **flags) as tea, chromium() as browser:
            made = Scene(tea, browser, key.read_text().strip())
            yield made
            logs = "".join(process.log for process in tea.installation.processes)
            secrets = [*made.tokens, made.operator_key]
            assert made.tokens and not [secret for secret in secrets if secret in logs]


async def connected(page: Page) -> None:
    await expect(page.locator("#connection")).to_have_text("Connected")


async def sees(page: Page, *names: str) -> None:
    """Waits until a page shows exactly these people, in any order."""
    await expect(page.locator("#tiles li")).to_have_count(len(names))
    for name in names:
        await expect(page.locator("#tiles .tile-name", has_text=name)).to_have_count(1)


async def writes(page: Page, text: str) -> None:
    await page.get_by_label("Write to everybody").fill(text)
    await page.keyboard.press("Enter")


async def reads(page: Page, *texts: str) -> None:
    """Waits until a page shows exactly these messages of others, in this order."""
    lines = page.locator(".message:not(.own) .message-text")
    await expect(lines).to_have_text(list(texts))


class Inbox:
    """The chat messages that a bot receives."""

    def __init__(self, attendee: Attendee) -> None:
        self.texts: list[str | None] = []
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read(attendee))

    async def _read(self, attendee: Attendee) -> None:
        async for message in attendee.session.messages("chat"):
            async with self._news:
                self.texts.append(message.text())
                self._news.notify_all()

    async def holds(self, *texts: str) -> None:
        async with due(f"{texts} in the inbox", 60), self._news:
            await self._news.wait_for(lambda: self.texts == list(texts))


def check_times(watcher: SignalingClient) -> None:
    """Checks invariant 11: times are present, because clients do not read a missing time as a
    number.
    """
    frames = [
        wire.SdkTranscriptFrame.FromString(message.data)
        for message in watcher.messages
        if message.topic == "aws:chime:transcription"
    ]
    events = [event for frame in frames for event in frame.events]
    started = [event.status for event in events if event.HasField("status")]
    assert [status.type for status in started] == [wire.SdkTranscriptionStatus.STARTED]
    assert all(status.HasField("event_time") for status in started)
    results = [result for event in events for result in event.transcript.results]
    items = [item for result in results for best in result.alternatives for item in best.items]
    assert results and items
    for timed in (*results, *items):
        assert timed.HasField("start_time") and timed.HasField("end_time")


@pytest.mark.skipif(NO_ENGINE, reason="there is no engine of transcription")
async def test_two_browsers_and_a_bot_meet_and_exchange_messages_and_read_transcripts() -> None:
    flags = {"has_engine": True, "transcription": ["--engine-wait-seconds", "60"]}
    async with scene(**flags) as stage:
        tea = stage.tea
        bot = await tea.enter("ada")
        reader = await tea.enter("reader", SessionOptions(is_muted=True))
        inbox = Inbox(bot)
        grace = await stage.enter("Grace")
        lin = await stage.enter("Lin")
        everybody = ("ada", "reader", "Grace", "Lin")
        for page in (grace, lin):
            await sees(page, *everybody)
        for attendee in (bot, reader):
            await attendee.knows(*everybody)

        await bot.session.send("chat", "Good morning", lifetime_ms=60_000)
        for page in (grace, lin):
            await reads(page, "Good morning")
        await writes(grace, "Hello, bot")
        await reads(lin, "Good morning", "Hello, bot")
        await inbox.holds("Hello, bot")
        late = await stage.enter("Late")
        await reads(late, "Good morning", "Hello, bot")
        await late.get_by_role("button", name="Leave").click()
        await expect(late.get_by_role("heading", name="You left.")).to_be_visible()
        await sees(lin, *everybody)

        await lin.get_by_role("button", name="Raise hand").click()
        raised = grace.locator("#tiles li", has_text="Lin")
        await expect(raised).to_contain_text("Hand raised")

        await grace.get_by_role("button", name="Captions").click()
        await lin.get_by_role("button", name="Captions").click()
        status = lin.locator("#captions-status")
        await expect(status).to_have_text("Listening", timeout=60_000)
        watcher = client_of(tea.installation, tea.meeting.meeting_id, await tea.create("watcher"))
        async with watcher:
            await watcher.join()
            listener = TranscriptListener(reader.session)
            await Hearing(tea, bot, reader, listener).say_until_heard(MEETING)
            check_times(watcher)
        said = f"ada: {listener.finals[-1].text}"
        for page in (grace, lin):
            lines = page.get_by_role("log", name="What is said").locator("p")
            await expect(lines.filter(has_text=said).first).to_be_visible()
        for name, page in (("grace", grace), ("lin", lin)):
            await picture(page, f"meeting-{name}")
            assert await violations(page) == []


async def test_the_operator_mutes_one_attendee_and_removes_another_and_both_are_notified() -> None:
    async with scene() as stage:
        tea = stage.tea
        bot = await tea.enter("bot")
        grace, lin = await stage.enter("Grace"), await stage.enter("Lin")
        await sees(grace, "bot", "Grace", "Lin")
        microphone = grace.locator("#mute")
        await microphone.click()
        own = grace.locator("#tiles li").first
        await expect(own).not_to_contain_text("muted")

        desk = await new_page(stage.browser)
        address = f"http://127.0.0.1:{tea.installation.rest_port}/operator"
        await desk.goto(f"{address}#key={stage.operator_key}")
        await desk.get_by_role("button", name="tea").click()
        await desk.get_by_role("row", name="Grace").get_by_role("button", name="Mute").click()
        await expect(microphone).to_contain_text("Muted by host")
        await bot.until("Grace's mute", lambda: "Grace" in bot.muted)
        await expect(lin.locator("#tiles li", has_text="Grace")).to_contain_text("muted")
        await microphone.click()
        await expect(microphone).to_contain_text("Muted by host")
        await picture(grace, "muted-by-operator")
        await picture(desk, "operator-live")
        assert await violations(desk) == []

        await desk.get_by_role("row", name="Lin").get_by_role("button", name="Remove").click()
        await desk.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(lin.get_by_role("heading", name="You were removed.")).to_be_visible()
        await sees(grace, "bot", "Grace")


async def test_a_client_that_loses_the_network_misses_nothing_and_gets_nothing_twice() -> None:
    async with scene() as stage, Cable(stage.tea.installation.rest_port) as cable:
        tea = stage.tea
        bot = await tea.enter("bot")
        inbox = Inbox(bot)
        grace = await stage.enter("Grace", port=cable.port)
        lin = await stage.enter("Lin")
        await sees(grace, "bot", "Grace", "Lin")
        await bot.session.send("chat", "before, kept", lifetime_ms=60_000)
        await bot.session.send("chat", "before")
        await reads(grace, "before, kept", "before")

        cable.cut()
        mended = asyncio.get_running_loop().time() + CUT_SECONDS
        await bot.session.send("chat", "meanwhile")
        await bot.session.send("chat", "meanwhile, kept", lifetime_ms=60_000)
        await writes(grace, "written without a network")
        # The sound continues, so the page does not report the outage.
        await picture(grace, "reconnecting")
        # The outage must last `CUT_SECONDS` in total.
        await asyncio.sleep(mended - asyncio.get_running_loop().time())
        cable.mend()
        await connected(grace)
        await bot.session.send("chat", "after")
        everything = ("before, kept", "before", "meanwhile", "meanwhile, kept", "after")
        await reads(grace, *everything)
        await inbox.holds("written without a network")
        await sees(grace, "bot", "Grace", "Lin")
        await sees(lin, "bot", "Grace", "Lin")


async def test_thirty_seconds_without_a_network_keep_the_tiles_and_the_chat() -> None:
    async with scene() as stage, Cable(stage.tea.installation.rest_port) as cable:
        bot = await stage.tea.enter("bot")
        inbox = Inbox(bot)
        grace = await stage.enter("Grace", port=cable.port)
        await sees(grace, "bot", "Grace")
        await expect(grace.locator("#announcer")).to_have_text("You are in the meeting.")
        await grace.evaluate(LISTEN)
        cable.cut()
        await grace.context.set_offline(True)
        mended = asyncio.get_running_loop().time() + LONG_CUT_SECONDS
        await expect(grace.locator("#connection")).not_to_have_text("Connected")
        await writes(grace, "first without a network")
        await writes(grace, "second without a network")
        lost, back = "The connection is lost. Reconnecting.", "Connected again."
        await expect(grace.locator("#announcer")).to_have_text(lost)
        while (left := mended - asyncio.get_running_loop().time()) > 0:
            await sees(grace, "bot", "Grace")
            await asyncio.sleep(min(left, 2))
        assert await grace.evaluate("spoken") == [lost]
        await grace.context.set_offline(False)
        cable.mend()
        await connected(grace)
        await expect(grace.locator("#announcer")).to_have_text(back)
        await inbox.holds("first without a network", "second without a network")
        await sees(grace, "bot", "Grace")
        own = [text for text in await grace.evaluate("spoken") if "bot" not in text]
        assert own == [lost, back]


@asynccontextmanager
async def stopped(browser: Browser) -> AsyncIterator[None]:
    """Stops the processes of a browser's pages, and continues them."""
    session = await browser.new_browser_cdp_session()
    found = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    pages = [process["id"] for process in found if process["type"] == "renderer"]
    assert pages
    for process in pages:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in pages:
            os.kill(process, signal.SIGCONT)


async def test_a_tab_that_the_browser_stopped_is_back_within_three_seconds() -> None:
    async with scene() as stage, chromium() as browser:
        bot = await stage.tea.enter("bot")
        grace = await Scene(stage.tea, browser, stage.operator_key, stage.tokens).enter("Grace")
        lin = await stage.enter("Lin")
        await sees(grace, "bot", "Grace", "Lin")
        async with stopped(browser):
            # The browser's network process still answers the pings of the WebSocket protocol.
            await bot.session.send("chat", "meanwhile, kept", lifetime_ms=60_000)
            await lin.get_by_role("button", name="Leave").click()
            await asyncio.sleep(FROZEN_SECONDS)
        began = asyncio.get_running_loop().time()
        await sees(grace, "bot", "Grace")
        await reads(grace, "meanwhile, kept")
        await connected(grace)
        assert asyncio.get_running_loop().time() - began < 3
        await expect(grace.locator("#mute")).to_have_attribute("aria-pressed", "true")
        await bot.knows("bot", "Grace")


async def test_a_killed_gateway_loses_nothing_and_a_deleted_meeting_is_announced() -> None:
    async with scene() as stage:
        tea = stage.tea
        installation = tea.installation
        bot = await tea.enter("bot")
        grace, lin = await stage.enter("Grace"), await stage.enter("Lin")
        await sees(lin, "bot", "Grace", "Lin")
        await bot.session.send("chat", "before")
        for page in (grace, lin):
            await reads(page, "before")

        await installation.gateway.kill()
        for page in (grace, lin):
            await expect(page.locator("#connection")).not_to_have_text("Connected")
        sending = asyncio.create_task(bot.session.send("chat", "meanwhile"))
        await installation.gateway.start()
        await installation.become_ready()
        for page in (grace, lin):
            await connected(page)
        await sending
        await bot.session.send("chat", "after")
        for page in (grace, lin):
            await reads(page, "before", "meanwhile", "after")
            await sees(page, "bot", "Grace", "Lin")
        await bot.knows("bot", "Grace", "Lin")

        await installation.control.delete_meeting(tea.meeting)
        for page in (grace, lin):
            over = page.get_by_role("heading", name="The meeting is over.")
            await expect(over).to_be_visible()
        await picture(grace, "meeting-over")
