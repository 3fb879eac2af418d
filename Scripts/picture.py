#!/usr/bin/env python3
"""Makes docs/meeting.png, a screenshot of the page in a real meeting.

    .venv/bin/python Scripts/picture.py

Starts `carillon up --with-bot` from .build/debug in a temporary directory and opens the page as Ada
in Debian's Chromium with Playwright. Two other people join in their own pages and write messages;
one of them raises a hand. Ada turns captions on. The script takes the screenshot when a caption of
the bot appears. FFmpeg's filters, which PyAV includes, reduce the screenshot to 256 colours.
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
MOST_BYTES = 150_000
WINDOW: ViewportSize = {"width": 1120, "height": 700}
PATIENCE_MS = 120_000
TICK = Fraction(1, 25)
SAID = "bot: "
"""The beginning of a caption of the bot."""
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
        browser = await playwright.chromium.launch(executable_path=program, args=sandbox)
        yield browser
        await browser.close()


async def join(browser: Browser, address: str, name: str) -> Page:
    """Joins a meeting under a name and returns the page."""
    context = await browser.new_context(viewport=WINDOW, color_scheme="light", locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.goto(address)
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.locator("#connection")).to_have_text("Connected", timeout=PATIENCE_MS)
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
