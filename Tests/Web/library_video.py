"""Pages that use only the library: they send a camera and show received videos."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import pairwise
from typing import Any

from playwright.async_api import Browser, Page

from eventually import eventually
from installation import BINARIES
from test_end_to_end import LiveMeeting
from Web.browser import new_page
from Web.page_video import FAKE_SCREEN
from Web.test_library_sound import START
from Web.udp_relay import ROUTE_ANSWERS, UDPRelay

VIEWS = """() => {
  window.views = new Map();
  window.shown = new Map();
  window.tiles = [];
  session.addVideoTileObserver({
    videoTileDidAdd: ({ tileId, attendeeId, isLocalTile }) => {
      if (isLocalTile) return;
      tiles.push(tileId);
      const view = document.createElement("video");
      Object.assign(view, { autoplay: true, playsInline: true, muted: true, title: attendeeId });
      document.body.append(view);
      const times = shown.get(attendeeId) ?? [];
      shown.set(attendeeId, times);
      const note = () => {
        times.push(Date.now() / 1000);
        view.requestVideoFrameCallback(note);
      };
      view.requestVideoFrameCallback(note);
      views.set(attendeeId, view);
      session.bindVideoView(view, tileId);
      // A page without a click does not play by itself.
      void view.play().catch(() => {});
    },
    videoTileDidRemove: ({ attendeeId, isLocalTile }) => {
      if (isLocalTile) return;
      views.get(attendeeId)?.remove();
      views.delete(attendeeId);
    },
  });
  window.sources = new Map();
  session.addAudioVideoObserver({
    remoteVideoSourcesDidBecomeAvailable: (list) => {
      for (const source of list) sources.set(source.attendeeId, source);
    },
  });
  session.startRemoteVideo();
}"""
"""Shows each remote tile in an element: `views` by attendee id, `tiles` in order. Records the time
at which each picture was shown: `shown` by attendee id, in seconds since 1970."""

SHOW_SCREEN = """async () => {
  const stream = await navigator.mediaDevices.getDisplayMedia();
  await session.startLocalVideo(stream.getVideoTracks()[0]);
}"""

SEND = """async ({ width, height }) => {
  const video = { width: { exact: width }, height: { exact: height }, frameRate: { ideal: 15 } };
  // Chromium gives a camera that is open in no larger size.
  window.cameraTrack?.stop();
  const stream = await navigator.mediaDevices.getUserMedia({ video });
  window.cameraTrack = stream.getVideoTracks()[0];
  await session.startLocalVideo(window.cameraTrack);
}"""

UNTIL_WIDE = """({ least, most, seconds }) => new Promise((resolve, reject) => {
  const began = performance.now();
  const look = () => {
    const widths = [...views.values()].map((view) => view.videoWidth);
    const passed = (performance.now() - began) / 1000;
    if (widths.length && widths.every((width) => least <= width && width <= most)) resolve(passed);
    else if (passed > seconds) reject(new Error(`widths are ${widths} after ${passed} s`));
    else setTimeout(look, 10);
  };
  look();
})"""

WISH = """async ({ resolution }) => {
  const { VideoResolution, VideoSubscriptionConfiguration } =
    await import("/js/carillon/carillon.js");
  const wish = new VideoSubscriptionConfiguration();
  wish.targetResolution = VideoResolution[resolution];
  const wishes = new Map([...sources.values()].map((each) => [each, wish]));
  session.updateVideoSourceSubscriptions(wishes);
}"""


async def enter(
    browser: Browser, tea: LiveMeeting, name: str, *, relay: UDPRelay | None = None
) -> Page:
    """Opens a page that joins the meeting and receives videos.

    - Parameter relay: A relay between the page and media.
    """
    page = await new_page(browser)
    if relay:
        await page.expose_function("routedAnswer", relay.routed_answer)
        await page.add_init_script(ROUTE_ANSWERS)
    # The page shows only the lobby, which joins no meeting by itself.
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
    await page.evaluate(START, {"name": name, "withMicrophone": False})
    await page.evaluate(VIEWS)
    return page


async def send(page: Page, width: int, height: int) -> None:
    """Makes a page send Chromium's fake camera in this size."""
    await page.evaluate(SEND, {"width": width, "height": height})


async def send_pictures(page: Page) -> None:
    """Makes a page send numbered pictures of the colour GREEN of `page_video`, 10 a second."""
    await page.evaluate(FAKE_SCREEN)
    await page.evaluate(SHOW_SCREEN)


async def shown(page: Page, attendee_id: str) -> list[float]:
    """Returns when the page has shown each picture of an attendee, in seconds since 1970."""
    return list(await page.evaluate("(id) => shown.get(id) ?? []", attendee_id))


async def until_shown(page: Page, attendee_id: str, count: int = 10) -> None:
    """Waits until the page has shown this many more pictures of an attendee."""
    before = len(await shown(page, attendee_id))

    async def has_shown() -> bool:
        return len(await shown(page, attendee_id)) >= before + count

    await eventually(f"{count} pictures of {attendee_id}", has_shown, every=0.1)


async def longest_gap(page: Page, attendee_id: str, since: float) -> float:
    """Returns the longest time without a picture of an attendee, in seconds. `since` is in seconds
    since 1970."""
    now = time.time()
    times = [since, *(at for at in await shown(page, attendee_id) if at > since), now]
    return max(after - before for before, after in pairwise(times))


async def wish(page: Page, resolution: str) -> None:
    """Requests all videos in this size from now on."""
    await page.evaluate(WISH, {"resolution": resolution})


LAYERS = """({ attendeeId, rids, layer }) => new Promise((resolve) => {
  const observer = {
    metricsDidReceive: () => {
      const names = session.sentVideoLayers.map(({ rid }) => rid);
      const received = session.receivedVideoLayers.get(attendeeId);
      if (rids && `${names}` !== `${rids}`) return;
      if (layer && (received?.layer !== layer || received.layerCount !== 2)) return;
      session.removeMetricsObserver(observer);
      resolve();
    },
  };
  session.addMetricsObserver(observer);
})"""


async def until_layers(
    page: Page, *, rids: list[str] | None = None, of: str = "", layer: int = 0
) -> None:
    """Waits until the library reports these sent layers, or this received layer of the attendee
    `of`."""
    await page.evaluate(LAYERS, {"attendeeId": of, "rids": rids, "layer": layer})


async def tiles(tea: LiveMeeting) -> list[dict[str, Any]]:
    """Runs `carillon tiles`, and returns the rows."""
    process = await asyncio.create_subprocess_exec(
        *(str(BINARIES / "carillon"), "tiles", tea.meeting.meeting_id, "--once"),
        *("--output", "json", "--runtime-dir", str(tea.installation.run)),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in output.splitlines()]


async def until_nobody(page: Page) -> None:
    """Waits until the page shows no remote video."""
    async with asyncio.timeout(30):
        # Playwright's `wait_for_function` evaluates strings, and the page's policy forbids this.
        while await page.evaluate("views.size") > 0:
            await asyncio.sleep(0.05)


async def until_wide(page: Page, least: int, most: int, seconds: float) -> float:
    """Waits until all videos have a width within the limits. Returns how many seconds this took."""
    limits: dict[str, Any] = {"least": least, "most": most, "seconds": seconds}
    return float(await page.evaluate(UNTIL_WIDE, limits))
