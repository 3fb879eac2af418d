"""The room in small windows: five controls and More, sheets, and Back, in Chromium."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Page, expect

from eventually import eventually
from Web.browser import needs_chromium, picture, shares_browser, violations
from Web.page_judge import faults, untold
from Web.scripted_site import ScriptedSite
from Web.test_page import boxes, crowd, join, messages, opened, said, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]

SIZES = [(320, 256), (360, 740), (740, 360), (820, 1180)]
KEPT = ["mute", "camera", "hand", "chat-toggle", "more", "leave"]
CAPTIONS: dict[str, Any] = {"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})}


@asynccontextmanager
async def joined(
    width: int, height: int, count: int = 4
) -> AsyncIterator[tuple[Page, ScriptedSite]]:
    scripted = crowd(count)
    scripted.answers = {**scripted.answers, **CAPTIONS}
    async with opened(scripted, viewport={"width": width, "height": height}) as page:
        await join(page)
        yield page, scripted


def has_more(width: int, height: int) -> bool:
    return width < 600 or height < 420


async def press(page: Page, control: str) -> None:
    """Clicks a control. If the window is small, opens the dialog More first."""
    button = page.locator(f"#{control}")
    if not await button.is_visible():
        await page.locator("#more").click()
    await button.click()


async def judge(page: Page, state: str) -> None:
    """Reports what is wrong with a state of the room."""
    await picture(page, f"small-{state}")
    assert await faults(page) == [], state
    # In the smallest window, the panels take the place of the stage, which is the main landmark.
    found = [
        each
        for each in await violations(page)
        if not each.startswith(("landmark-one-main", "page-has-heading-one"))
        or await page.locator("#stage").is_visible()
    ]
    assert found == [], state


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_nothing_overlaps_in_a_small_window(width: int, height: int) -> None:
    async with joined(width, height) as (page, scripted):
        size = f"{width}x{height}"
        await expect(page.locator("#tiles li")).to_have_count(4)
        await judge(page, f"room-{size}")
        seen = await page.locator("#room .controls > .control:visible").evaluate_all(
            "(all) => all.map(({ id }) => id)"
        )
        if has_more(width, height):
            assert seen == KEPT
            await page.locator("#more").click()
            await expect(page.locator("#more-sheet")).to_be_visible()
            await judge(page, f"more-{size}")
            await page.keyboard.press("Escape")
            await expect(page.locator("#more")).to_be_focused()
        else:
            assert "more" not in seen
        await page.locator("#chat-toggle").click()
        scripted.face.send(messages(written("A message " * 9, time.time_ns())))
        await expect(page.locator(".message")).to_have_count(1)
        await judge(page, f"chat-{size}")
        await page.locator("#chat-close").click()
        await expect(page.locator("#chat-toggle")).to_be_focused()
        scripted.face.send(messages(written("Another message " * 9, time.time_ns())))
        await expect(page.locator("#unread")).to_be_visible()
        [[badge, _, width_of_badge, _]] = await boxes(page, "#unread")
        [[icon, _, width_of_icon, _]] = await boxes(page, "#chat-toggle .icon")
        assert badge < icon + width_of_icon and badge + width_of_badge > icon
        await page.locator("#people-toggle").click()
        await expect(page.locator("#people-list li")).to_have_count(4)
        await judge(page, f"people-{size}")
        await page.locator("#people-close").click()
        await press(page, "captions-toggle")
        scripted.face.send(said("r", "the meeting begins", is_partial=False))
        await expect(page.locator(".caption-line")).to_be_visible()
        await judge(page, f"captions-{size}")
        lines = page.locator("#caption-lines")
        shown = await lines.evaluate(
            "(e) => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)"
        )
        assert abs(shown - round(shown)) < 0.05, f"{shown} lines of captions"
        await page.locator("#captions-close").click()
        opener = "more" if has_more(width, height) else "captions-toggle"
        await expect(page.locator(f"#{opener}")).to_be_focused()
        await press(page, "sound-toggle")
        await expect(page.locator("#speak-joins")).to_be_visible()
        await judge(page, f"settings-{size}")


@pytest.mark.parametrize(("width", "height"), [*SIZES, (1440, 900)])
async def test_messages_cover_neither_captions_nor_each_other(width: int, height: int) -> None:
    async with joined(width, height) as (page, scripted):
        close = page.locator("#chat-close")
        if await close.is_visible():
            await close.click()
        await press(page, "captions-toggle")
        for number in range(4):
            scripted.face.send(said(f"r{number}", "Yes.", is_partial=False))
        await expect(page.locator(".caption-line")).to_have_count(4)
        scripted.face.send(messages(written("A message", time.time_ns())))
        preview, toast = page.locator(".chat-preview"), page.locator("#mute-notice")
        await expect(preview).to_be_visible()
        await page.locator("#copy-link").evaluate("(button) => button.click()")
        await expect(toast).not_to_be_empty()
        assert await untold(page, ".caption-line:last-child") == []
        [one, other] = [await each.bounding_box() for each in (preview, toast)]
        assert one is not None and other is not None
        is_beside = other["x"] + other["width"] <= one["x"]
        assert is_beside or other["y"] + other["height"] <= one["y"]


IS_AT_END = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight < 2"


async def test_the_newest_caption_stays_in_sight_when_the_window_changes() -> None:
    async with joined(360, 740) as (page, scripted):
        await press(page, "captions-toggle")
        for number in range(6):
            text = "The meeting begins, and everybody reads along as others speak."
            scripted.face.send(said(f"r{number}", text, is_partial=False))
        await expect(page.locator(".caption-line")).to_have_count(6)

        async def is_at_end() -> bool | None:
            return await page.locator("#caption-lines").evaluate(IS_AT_END) or None

        for width, height in ((740, 360), (320, 256), (360, 740)):
            await page.set_viewport_size({"width": width, "height": height})
            await eventually("the newest caption in sight", is_at_end)


async def test_texts_are_larger_in_a_window_that_people_look_at_from_afar() -> None:
    async with joined(1440, 900) as (page, _):
        name = page.locator(".tile-name").first
        await expect(name).to_have_css("font-size", "14.8px")
        await page.set_viewport_size({"width": 3840, "height": 2160})
        await expect(name).to_have_css("font-size", "22.2px")
        assert await faults(page) == []


async def test_the_back_button_closes_each_sheet_and_then_stays_in_the_meeting() -> None:
    async with joined(360, 740) as (page, _):
        for control, sheet, opener in (
            ("chat-toggle", "chat", "chat-toggle"),
            ("people-toggle", "people", "people-toggle"),
            ("more", "more-sheet", "more"),
            ("captions-toggle", "captions", "more"),
            ("sound-toggle", "sound-dialog", "more"),
            ("help-open", "help", "more"),
        ):
            await press(page, control)
            await expect(page.locator(f"#{sheet}")).to_be_visible()
            await page.evaluate("history.back()")
            await expect(page.locator(f"#{sheet}")).to_be_hidden()
            await expect(page.locator(f"#{opener}")).to_be_focused()
        # The Back button closes the newest sheet first.
        await press(page, "chat-toggle")
        await press(page, "captions-toggle")
        await page.evaluate("history.back()")
        await expect(page.locator("#captions")).to_be_hidden()
        await expect(page.locator("#chat")).to_be_visible()
        await page.evaluate("history.back()")
        await expect(page.locator("#chat")).to_be_hidden()
        await expect(page.locator("#connection")).to_have_text("Connected")


async def test_the_more_dialog_contains_the_other_controls_until_the_window_is_larger() -> None:
    async with joined(360, 740) as (page, _):
        await page.locator("#more").focus()
        await page.keyboard.press("Enter")
        sheet = page.locator("#more-sheet")
        held = await sheet.locator(".more-list button:visible").evaluate_all(
            "(all) => all.map(({ id }) => id)"
        )
        others = ["sound-toggle", "react", "captions-toggle"]
        others += ["layout", "pip", "help-open", "copy-link"]
        assert [each for each in held if each != "share-screen"] == others
        await expect(sheet.locator(".more-list button:visible").first).to_be_focused()
        # A button in the dialog works, and the focus moves to the control that the button opens.
        await page.locator("#react").click()
        await expect(page.locator(".reaction-choice button").first).to_be_focused()
        assert await faults(page) == []
        await page.keyboard.press("Escape")
        await expect(page.locator("#more")).to_be_focused()
        await page.locator("#more").click()
        await page.set_viewport_size({"width": 1180, "height": 820})
        await expect(sheet).to_be_hidden()
        await expect(page.locator(".controls #captions-toggle")).to_be_visible()
        await expect(page.locator(".bar #copy-link")).to_be_visible()
        await expect(page.locator("#more")).to_be_hidden()
        # The page closes the dialog when the user leaves the room.
        await page.set_viewport_size({"width": 360, "height": 740})
        await page.locator("#leave").click()
        await page.locator("#rejoin").click()
        await expect(page.locator("#connection")).to_have_text("Connected")
        await page.locator("#more").click()
        await expect(sheet).to_have_count(1)
