"""A page whose signaling connection breaks keeps sound and videos, and does not report the
break."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect

from Web.browser import needs_chromium, shares_browser
from Web.cable import Cable
from Web.test_library_sound import bot_of, speaking
from Web.test_meeting import scene, sees

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]

LONGEST_GAP_SECONDS = 1.0
"""The longest time without sound while a page joins again."""

CUT_SECONDS = 2.0
"""The length of a cut, in seconds. A page that does not hold its sound is silent for longer."""

ROUNDS = 3
"""The number of attempts. A busy machine may delay the page; with a defect, each attempt fails."""

WATCH = """() => {
  const gaps = { sound: 0, shown: [], spoken: [], removedVideos: 0 };
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 });
  const samples = new Float32Array(analyser.fftSize);
  const element = document.getElementById("mix");
  let [mix, source, heardAt] = [null, null, performance.now()];
  setInterval(() => {
    if (element.srcObject && element.srcObject !== mix) {
      source?.disconnect();
      source = context.createMediaStreamSource((mix = element.srcObject));
      source.connect(analyser);
    }
    analyser.getFloatTimeDomainData(samples);
    if (Math.max(...samples) > 0.02) heardAt = performance.now();
    gaps.sound = Math.max(gaps.sound, performance.now() - heardAt);
  }, 20);
  const record = (id, texts) => {
    const view = document.getElementById(id);
    const watch = new MutationObserver(() => texts.push(view.textContent));
    watch.observe(view, { childList: true, characterData: true, subtree: true });
  };
  record("connection-text", gaps.shown);
  record("announcer", gaps.spoken);
  const isVideo = (node) => node.nodeName === "VIDEO" || node.querySelector?.("video");
  const count = (list) => list.forEach(({ removedNodes }) => {
    gaps.removedVideos += [...removedNodes].filter(isVideo).length;
  });
  const tiles = document.getElementById("tiles");
  new MutationObserver(count).observe(tiles, { childList: true, subtree: true });
  window.gaps = gaps;
}"""
"""Records the longest silence, each change of the bar and of the announcer, and removed videos."""

PICTURES = """() => [...document.querySelectorAll("#tiles li")]
  .find((tile) => tile.textContent.includes("Lin"))
  .querySelector("video")?.getVideoPlaybackQuality().totalVideoFrames ?? 0"""


async def gaps(page: Page) -> dict[str, Any]:
    return dict(await page.evaluate("gaps"))


async def until_pictures_arrive(page: Page) -> None:
    """Waits until Lin's video has shown further pictures."""
    before = await page.evaluate(PICTURES)
    async with asyncio.timeout(20):
        while await page.evaluate(PICTURES) in (before, 0):
            await asyncio.sleep(0.1)


async def test_a_broken_signaling_connection_leaves_the_sound_and_shows_nothing() -> None:
    async with scene() as stage, Cable(stage.tea.installation.rest_port) as cable:
        bot = await bot_of(stage.tea)
        connection = await bot.session.media.open()
        async with speaking(connection):
            lin = await stage.enter("Lin")
            await lin.locator("#camera").click()
            grace = await stage.enter("Grace", port=cable.port)
            await sees(grace, "bot", "Grace", "Lin")
            await until_pictures_arrive(grace)
            await grace.evaluate(WATCH)
            silences = []
            for attempt in range(ROUNDS):
                await grace.evaluate("gaps.sound = 0")
                connections = cable.accepted
                cable.cut()
                await asyncio.sleep(CUT_SECONDS)
                cable.mend()
                async with asyncio.timeout(20):
                    while cable.accepted == connections:
                        await asyncio.sleep(0.05)
                await bot.session.send("chat", f"after {attempt}", lifetime_ms=60_000)
                await expect(grace.locator(".message-text").last).to_have_text(f"after {attempt}")
                await until_pictures_arrive(grace)
                silences.append((await gaps(grace))["sound"] / 1_000)
                if silences[-1] < LONGEST_GAP_SECONDS:
                    break
            found = await gaps(grace)
            print(f"silent for {silences} s, {found}")
            assert silences[-1] < LONGEST_GAP_SECONDS
            assert (found["shown"], found["removedVideos"]) == ([], 0)
            assert not [text for text in found["spoken"] if "onnect" in text]
