#!/usr/bin/env python3
"""Makes docs/meeting.png, a screenshot of the page in a real meeting.

    .venv/bin/python Scripts/picture.py

Starts `carillon up --with-bot` from .build/debug in a temporary directory and opens the page as Ada
in Debian's Chromium with Playwright. Two other people join in their own pages and write messages;
one of them raises a hand. The three turn their cameras on: a script paints the pictures of these
cameras, and the services carry the pictures as they carry the pictures of real cameras. Ada turns
captions on. The script takes the screenshot when a caption of the bot appears. FFmpeg's filters,
which PyAV includes, reduce the screenshot to 256 colours.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path

import av
import av.filter
from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

ROOT = Path(__file__).resolve().parent.parent
CARILLON = ROOT / ".build" / "debug" / "carillon"
PICTURE = ROOT / "docs" / "meeting.png"
MOST_BYTES = 200_000
WINDOW: ViewportSize = {"width": 1120, "height": 700}
PATIENCE_MS = 120_000
TICK = Fraction(1, 25)
FAKE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
"""The options with which Chromium has a camera and needs no permission."""
SAID = "bot: "
"""The beginning of a caption of the bot."""
PAINT = """(hue) => {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
  const context = canvas.getContext("2d");
  const round = (x, y, wide, high, colour) => {
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(x, y, wide, high, 0, 0, 7);
    context.fill();
  };
  let step = 0;
  const paint = () => {
    const sway = 4 * Math.sin((step += 1) / 8);
    const wall = context.createLinearGradient(0, 0, 640, 360);
    wall.addColorStop(0, `hsl(${hue} 32% 82%)`);
    wall.addColorStop(1, `hsl(${hue} 28% 58%)`);
    context.fillStyle = wall;
    context.fillRect(0, 0, 640, 360);
    context.fillStyle = `hsl(${hue} 30% 90%)`;
    context.fillRect(430, 30, 150, 170);
    context.fillStyle = `hsl(${hue + 20} 40% 72%)`;
    context.fillRect(442, 42, 126, 146);
    round(320 + sway, 390, 165, 150, `hsl(${hue + 170} 40% 34%)`);
    round(320 + sway, 262, 34, 48, `hsl(24 42% ${42 + (hue % 30)}%)`);
    round(320 + sway, 142, 76, 84, `hsl(${(hue * 3) % 50} 45% 18%)`);
    round(320 + sway, 176, 62, 78, `hsl(24 46% ${48 + (hue % 30)}%)`);
    round(298 + sway, 170, 6, 7, "#222");
    round(342 + sway, 170, 6, 7, "#222");
    context.lineWidth = 5;
    context.strokeStyle = "#6b2a20";
    context.beginPath();
    context.arc(320 + sway, 200, 22, 0.3, 2.84);
    context.stroke();
  };
  setInterval(paint, 100);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    for (const track of stream.getVideoTracks()) {
      track.stop();
      stream.removeTrack(track);
      stream.addTrack(canvas.captureStream(10).getVideoTracks()[0]);
    }
    return stream;
  };
}"""
"""Replaces the pictures of the browser's fake camera by a painted person before a wall."""
HUES = {"Ada": 24, "Ben": 205, "Zoë": 140}
CHAT = [("Ben", "Good morning!"), ("Zoë", "I read the captions today.")]


@asynccontextmanager
async def services() -> AsyncIterator[str]:
    """Runs all services and the bot. Yields the URL of the page."""
    with tempfile.TemporaryDirectory(prefix="c-") as name:
        places = {"CARILLON_RUNTIME_DIR": f"{name}/run", "CARILLON_DATA_DIR": f"{name}/data"}
        flags = ("up", "--with-bot", "--rest-port", "0", "--output", "json")
        with (Path(name) / "log").open("wb") as log:
            up = await asyncio.create_subprocess_exec(
                *("setpriv", "--pdeathsig", "KILL", str(CARILLON), *flags),
                env=os.environ | places,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert up.stdout is not None
        try:
            yield json.loads(await up.stdout.readline())["page"]
        finally:
            up.send_signal(signal.SIGINT)
            await up.wait()


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Runs Debian's Chromium without a window."""
    async with async_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        program = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=program, args=[*sandbox, *FAKE])
        yield browser
        await browser.close()


async def join(browser: Browser, address: str, name: str) -> Page:
    """Joins a meeting under a name and returns the page."""
    context = await browser.new_context(viewport=WINDOW, color_scheme="light", locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.add_init_script(f"({PAINT})({HUES[name]})")
    await page.goto(address)
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.locator("#connection")).to_have_text("Connected", timeout=PATIENCE_MS)
    await page.locator("#camera").click()
    return page


async def write(page: Page, text: str) -> None:
    """Sends a chat message."""
    await page.get_by_label("Write to everybody").fill(text)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text(text, exact=True)).to_be_visible()


async def take() -> None:
    """Runs the meeting and takes the screenshot."""
    async with services() as address, chromium() as browser:
        ada = await join(browser, address, "Ada")
        for name, text in CHAT:
            guest = await join(browser, address, name)
            await write(guest, text)
            await expect(ada.get_by_text(text, exact=True)).to_be_visible(timeout=PATIENCE_MS)
        await guest.get_by_role("button", name="Raise hand").click()
        raised = ada.locator("#tiles li", has_text=CHAT[-1][0])
        await expect(raised).to_contain_text("Hand raised", timeout=PATIENCE_MS)
        await ada.get_by_role("button", name="Captions").click()
        said = ada.get_by_role("log", name="What is said").locator("p")
        await expect(said.filter(has_text=SAID).first).to_be_visible(timeout=PATIENCE_MS)
        await expect(ada.locator("#tiles video:visible")).to_have_count(3, timeout=PATIENCE_MS)
        # The pictures of cameras become sharp within a few seconds.
        await ada.wait_for_timeout(5_000)
        await ada.mouse.move(0, 0)
        await ada.screenshot(path=PICTURE)


def reduce() -> None:
    """Reduces the size of the file without visible loss."""
    with av.open(str(PICTURE)) as file:
        frame = next(file.decode(video=0)).reformat(format="rgb24")
    graph = av.filter.Graph()
    source = graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=TICK
    )
    split, palette = graph.add("split"), graph.add("palettegen")
    use, sink = graph.add("paletteuse", "dither=none"), graph.add("buffersink")
    for one, other, output, into in (
        (source, split, 0, 0),
        (split, use, 0, 0),
        (split, palette, 1, 0),
        (palette, use, 0, 1),
        (use, sink, 0, 0),
    ):
        one.link_to(other, output, into)
    graph.configure()
    frame.time_base, frame.pts = TICK, 0
    source.push(frame)
    source.push(None)
    reduced = sink.pull()
    assert isinstance(reduced, av.VideoFrame)
    encoder = av.CodecContext.create("png", "w")
    encoder.width, encoder.height, encoder.pix_fmt = frame.width, frame.height, "pal8"
    encoder.time_base = TICK
    packets = [*encoder.encode(reduced), *encoder.encode(None)]
    PICTURE.write_bytes(b"".join(map(bytes, packets)))


def main() -> int:
    """Makes docs/meeting.png."""
    asyncio.run(take())
    reduce()
    size = PICTURE.stat().st_size
    print(f"{PICTURE.relative_to(ROOT)}: {size} bytes")
    return 0 if size <= MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
