"""Pages that use only the library: they send a camera and show received videos."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Browser, Page

from test_end_to_end import LiveMeeting
from Web.browser import new_page
from Web.test_library_sound import START

VIEWS = """() => {
  window.views = new Map();
  window.tiles = [];
  session.addVideoTileObserver({
    videoTileDidAdd: ({ tileId, attendeeId, isLocalTile }) => {
      if (isLocalTile) return;
      tiles.push(tileId);
      const view = document.createElement("video");
      Object.assign(view, { autoplay: true, playsInline: true, muted: true });
      document.body.append(view);
      views.set(attendeeId, view);
      session.bindVideoView(view, tileId);
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
"""Shows each remote tile in an element: `views` by attendee id, `tiles` in order."""

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


async def enter(browser: Browser, tea: LiveMeeting, name: str) -> Page:
    """Opens a page that joins the meeting and receives videos."""
    page = await new_page(browser)
    # The page shows only the lobby, which joins no meeting by itself.
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
    await page.evaluate(START, {"name": name, "withMicrophone": False})
    await page.evaluate(VIEWS)
    return page


async def send(page: Page, width: int, height: int) -> None:
    """Makes a page send Chromium's fake camera in this size."""
    await page.evaluate(SEND, {"width": width, "height": height})


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
