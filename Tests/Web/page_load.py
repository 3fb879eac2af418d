"""Compares the processor time of the meeting page with that of a page that only plays the same
streams."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

from playwright.async_api import Browser, Page, expect

from carillon import SessionOptions
from carillon.media import AudioMode
from carillon.signaling import signaling_pb2 as wire
from eventually import eventually
from test_end_to_end import LiveMeeting
from Web.browser import chromium, new_page
from Web.chromium_peer import chromium_peer
from Web.page_memory import joined
from Web.painted_people import painted_meeting
from Web.scripted_media import ANSWER, ScriptedMeeting, VideoSite
from Web.scripted_site import ADDRESS, ScriptedFace, frame
from Web.signaling_client import client_of
from Web.test_library_sound import speaking
from Web.test_page import crowd, join

WARM_UP_SECONDS = 4.0
SECONDS = 12.0
"""The length of a measurement, in seconds."""
CAMERAS = 25
PER_SECOND = 15
"""The number of pictures that each camera sends per second."""
PEOPLE = 41
TALKERS = 3
VOLUME_SECONDS = 0.2
"""The time between two reports of volumes, in seconds."""
ACROSS_BROWSERS = "--disable-features=WebRtcHideLocalIpsWithMdns"
"""With this flag, Chromium does not hide the addresses by which two browsers find each other."""

_OFFER = """async (places) => {
  document.body.replaceChildren();
  const connection = new RTCPeerConnection({ bundlePolicy: "max-bundle" });
  window.bare = connection;
  connection.addTransceiver("audio", { direction: "recvonly" });
  for (const { x, y, width, height } of places) {
    const { receiver } = connection.addTransceiver("video", { direction: "recvonly" });
    const view = document.createElement("video");
    Object.assign(view, { autoplay: true, playsInline: true, muted: true });
    const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
    Object.assign(view.style, { position: "absolute", ...place });
    view.srcObject = new MediaStream([receiver.track]);
    document.body.append(view);
  }
  await connection.setLocalDescription();
  while (connection.iceGatheringState !== "complete") await new Promise((r) => setTimeout(r, 10));
  const mids = connection.getTransceivers().slice(1).map(({ mid }) => mid);
  return { sdp: connection.localDescription.sdp, mids };
}"""
"""Offers to receive videos, and shows them at the given places."""

_PLAYED = """() => [...document.querySelectorAll("video")]
  .map((each) => each.getVideoPlaybackQuality().totalVideoFrames)"""

_PLACES = """() => [...document.querySelectorAll("#tiles li.has-video video")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return { x, y, width, height };
})"""

_PLAY = """() => {
  const sound = document.createElement("audio");
  const [{ receiver }] = peer.connection.getTransceivers();
  sound.srcObject = new MediaStream([receiver.track]);
  document.body.append(sound);
  return sound.play();
}"""


class Beside(NamedTuple):
    """A measured value of the meeting page, and of a page that only plays the same streams."""

    page: float
    bare: float


async def measured(seconds_of: Callable[[], Awaitable[float]]) -> float:
    """Returns the average processor time per second of a measurement, in seconds."""
    await asyncio.sleep(WARM_UP_SECONDS)
    clock = asyncio.get_running_loop().time
    began, before = clock(), await seconds_of()
    await asyncio.sleep(SECONDS)
    return (await seconds_of() - before) / (clock() - began)


async def cores_of(browser: Browser) -> float:
    """Returns how many cores a browser's renderers and its GPU process keep busy."""
    client = await browser.new_browser_cdp_session()

    async def seconds() -> float:
        found = await client.send("SystemInfo.getProcessInfo")
        return sum(
            float(each["cpuTime"])
            for each in found["processInfo"]
            if each["type"] in ("renderer", "GPU")
        )

    return await measured(seconds)


async def main_thread_of(page: Page) -> float:
    """Returns how many milliseconds a page's main thread works in each second."""
    client = await page.context.new_cdp_session(page)
    await client.send("Performance.enable")

    async def seconds() -> float:
        found = await client.send("Performance.getMetrics")
        return next(
            float(each["value"]) for each in found["metrics"] if each["name"] == "ThreadTime"
        )

    return 1_000 * await measured(seconds)


async def until_played(page: Page, count: int) -> None:
    """Waits until a page plays this many videos."""

    async def plays() -> bool | None:
        frames = await page.evaluate(_PLAYED)
        return True if sum(each > PER_SECOND for each in frames) == count else None

    await eventually(f"{count} videos", plays)


async def cameras(sender: Browser) -> Beside:
    """Returns how many processor cores the videos of 25 cameras keep busy.

    - Parameter sender: The browser that paints and encodes the videos of the cameras.
    """
    others = [f"a-{number}" for number in range(2, CAMERAS + 2)]
    meeting = await painted_meeting(sender, others, per_second=PER_SECOND)
    async with chromium(ACROSS_BROWSERS) as browser:
        page = await joined(browser, VideoSite(meeting, crowd(CAMERAS + 1).roster))
        await until_played(page, CAMERAS)
        places = await page.evaluate(_PLACES)
        speech = asyncio.create_task(speak(meeting.faces[-1]))
        await expect(page.locator("#tiles li.speaks")).not_to_have_count(0)
        cores = await cores_of(browser)
        speech.cancel()
    async with chromium(ACROSS_BROWSERS) as browser:
        bare = await new_page(browser)
        await VideoSite(meeting, []).serve(bare)
        await bare.goto(f"{ADDRESS}/operator")
        await receive(bare, meeting, places)
        await until_played(bare, CAMERAS)
        bare_cores = await cores_of(browser)
    await meeting.server.context.close()
    return Beside(cores, bare_cores)


async def speak(face: ScriptedFace) -> None:
    """Reports the changing volume of talkers, as the gateway does."""
    talkers = [each["audio_stream_id"] for each in face.roster[1:] if not each["muted"]][:TALKERS]
    for turn in itertools.count():
        levels = [
            wire.SdkAudioAttendeeState(audio_stream_id=each, volume=10 + (turn + each) % 20)
            for each in talkers
        ]
        states = wire.SdkAudioMetadataFrame(attendee_states=levels)
        face.send(frame("AUDIO_METADATA", audio_metadata=states))
        await asyncio.sleep(VOLUME_SECONDS)


async def receive(page: Page, meeting: ScriptedMeeting, places: list[dict[str, float]]) -> None:
    """Plays all videos of a meeting in a page that does nothing else."""
    offer = await page.evaluate(_OFFER, places)
    receives = [
        {"mid": mid, "painted": camera.group}
        for mid, camera in zip(offer["mids"], meeting.painted, strict=True)
    ]
    question = {"connection": "bare", "sdp": offer["sdp"], "receives": receives}
    answer = await meeting.server.evaluate(ANSWER, question)
    await page.evaluate("(sdp) => bare.setRemoteDescription({ type: 'answer', sdp })", answer)


@asynccontextmanager
async def talk(tea: LiveMeeting, count: int) -> AsyncIterator[None]:
    """Fills a meeting with attendees without cameras. Some of them talk."""
    for number in range(count - TALKERS):
        await tea.enter(f"guest-{number}")
    gateway = f"ipc://{tea.installation.client_socket}"
    options = SessionOptions(gateway_url=gateway, audio_mode=AudioMode.MONO_48K)
    async with AsyncExitStack() as stack:
        for number in range(TALKERS):
            talker = await tea.enter(f"talker-{number}", options)
            await stack.enter_async_context(speaking(await talker.session.media.open()))
        yield


async def people(tea: LiveMeeting, browser: Browser) -> Beside:
    """Returns how long the page's main thread is busy while the page shows 41 people without
    cameras, in ms per second."""
    address = f"http://127.0.0.1:{tea.installation.rest_port}"
    async with talk(tea, PEOPLE - 1):
        page = await new_page(browser)
        await page.goto(f"{address}/#tea")
        await join(page)
        await expect(page.locator("#tiles li")).to_have_count(PEOPLE)
        await expect(page.locator("#tiles li.speaks")).not_to_have_count(0)
        busy = await main_thread_of(page)
        await page.context.close()
        credentials = await tea.create("bare")
        client = client_of(tea.installation, tea.meeting.meeting_id, credentials)
        async with client, chromium_peer(browser, client, f"{address}/operator") as peer:
            await client.join()
            await peer.subscribe()
            await peer.page.evaluate(_PLAY)
            bare = await main_thread_of(peer.page)
    return Beside(busy, bare)
