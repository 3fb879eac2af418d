"""The judge of pictures finds faults, and `make page-pictures` then fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from Web.browser import chromium, needs_chromium, shares_browser
from Web.page_judge import ratios_over_noise, untold
from Web.page_pictures import Wanted, run, shown
from Web.page_states import STATES

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

BREAK = """() => {
  document.querySelector("#open-devices").style.cssText = "margin-block: -3rem; z-index: 9";
  document.querySelector("#join").style.fontFamily = "monospace";
  document.querySelector("#name").placeholder = "Ada";
  document.querySelector("#name").style.background = "#888";
  document.querySelector("label[for=name]").style.cssText = "color: #ccc; background: #fff";
  const tile = Object.assign(document.createElement("ul"), { id: "stage" });
  const item = document.createElement("li");
  const video = Object.assign(document.createElement("video"), { muted: true, autoplay: true });
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, 300 * Math.random(), 150), 100);
  video.srcObject = canvas.captureStream();
  const name = Object.assign(document.createElement("p"), { textContent: "Ada" });
  item.style.cssText = "position: relative; list-style: none";
  name.style.cssText = "position: absolute; inset: 0; margin: 0; color: #fff; background: #0006";
  item.append(video, name);
  tile.append(item);
  document.body.append(tile);
}"""
"""Moves a button over others, and makes texts pale."""


@asynccontextmanager
async def broken(browser: Browser) -> AsyncIterator[Page]:
    async with STATES["green-room"](browser) as page:
        await page.evaluate(BREAK)
        yield page


def wanted(state: str, folder: Path) -> Wanted:
    return Wanted([state], ["360x740"], ["light"], ["en"], folder)


async def test_a_state_with_faults_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(STATES, "broken", broken)
    assert await run(wanted("broken", tmp_path / "broken")) == 1
    told = capsys.readouterr().out
    pale = ("p. has a contrast of 2.8 over a picture", "the placeholder of #name has a contrast of")
    for fault in ("overlaps", "color-contrast", "#join has another font than the page", *pale):
        assert fault in told


async def test_the_faults_of_a_meeting_in_a_frame_fail_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = STATES["embed"]

    @asynccontextmanager
    async def moved(browser: Browser) -> AsyncIterator[Page]:
        async with state(browser) as page:
            leave = page.frame_locator("iframe").locator("#leave")
            await leave.evaluate("(e) => { e.style.cssText = 'position: fixed; inset-block: 0'; }")
            yield page

    monkeypatch.setitem(STATES, "embed", moved)
    assert await run(wanted("embed", tmp_path / "moved")) == 1
    assert "#mute overlaps #leave" in capsys.readouterr().out


SQUEEZE = """() => {
  document.querySelector("#pictures").style.width = "0.6rem";
  document.querySelector("#own-picture").style.width = "4rem";
  document.querySelector("#sound-dialog .scrolls").style.overflow = "visible";
  document.querySelector("#sound-dialog").style.gridTemplateRows = "none";
}"""
"""Squeezes a check box and a list, and lets the content push the button Close out of the dialog."""


async def test_squeezed_settings_fail_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = STATES["settings"]

    @asynccontextmanager
    async def squeezed(browser: Browser) -> AsyncIterator[Page]:
        async with state(browser) as page:
            await page.evaluate(SQUEEZE)
            yield page

    monkeypatch.setitem(STATES, "settings", squeezed)
    assert await run(wanted("settings", tmp_path / "squeezed")) == 1
    told = capsys.readouterr().out
    for fault in ("the choice of #own-picture is cut", "#pictures is", "#sound-close is out of"):
        assert fault in told


async def test_a_state_that_does_not_show_what_it_has_to_tell_is_a_fault() -> None:
    async with chromium() as browser, STATES["sharing"](browser) as page:
        await shown(page, "360x740")
        assert await untold(page, "#share-card p") == []
        await page.locator("#mute-notice").evaluate(
            "(e) => { e.textContent = 'Ada'; e.style.bottom = '5rem'; }"
        )
        assert await untold(page, "#share-card p") == ["#share-card p is covered"]
        await page.locator("#share-card p").evaluate("(e) => { e.style.clipPath = 'inset(50%)'; }")
        assert await untold(page, "#share-card p") == ["#share-card p is out of sight"]
        assert await untold(page, "#share-paused") == ["#share-paused says nothing"]


@pytest.mark.parametrize("state", ["people-4", "content"])
async def test_texts_over_pixels_of_noise_have_the_contrast_that_wcag_requires(state: str) -> None:
    async with chromium() as browser, STATES[state](browser) as page:
        await shown(page, "1440x900")
        found = await ratios_over_noise(page)
        assert "tile-name" in found
        assert min(found.values()) >= 4.5, found


async def test_pixels_of_noise_reveal_a_text_without_a_background() -> None:
    async with chromium() as browser, STATES["people-4"](browser) as page:
        await shown(page, "1440x900")
        await page.locator(".tile-foot").first.evaluate(
            "(foot) => { foot.style.background = 'none'; }"
        )
        assert (await ratios_over_noise(page))["tile-name"] < 3


async def test_a_shared_screen_fills_its_place_in_small_windows() -> None:
    async with chromium() as browser, STATES["content"](browser) as page:
        extent = "(each) => [each.clientWidth, each.clientHeight]"
        await shown(page, "360x740")
        width, height = await page.locator("#share-video").evaluate(extent)
        assert abs(width * 9 / 16 - height) < 12, f"{width} x {height} for a picture of 16:9"
        await shown(page, "740x360")
        width, height = await page.locator("#share-video").evaluate(extent)
        assert height > 150, f"the picture is {height} of 360 pixels high"


async def test_a_state_without_faults_is_shown_in_the_index(tmp_path: Path) -> None:
    folder = tmp_path / "good"
    assert await run(wanted("people-2", folder)) == 0
    name = "people-2-360x740-light-en.png"
    assert (folder / name).stat().st_size > 1_000
    assert f'src="{name}"' in (folder / "index.html").read_text()
