"""A second tab of one browser that joins the same meeting, in Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, expect

from Web.browser import PHONE, needs_chromium, overflow, picture, shares_browser, violations
from Web.scripted_site import ADDRESS
from Web.test_page import join, opened, site

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]


@asynccontextmanager
async def two_tabs() -> AsyncIterator[tuple[Page, Page]]:
    """Opens a tab that is in a meeting, and another tab that is about to join the same meeting."""
    first_site, second_site = site(), site()
    async with opened(first_site) as first:
        await join(first)
        second = await first.context.new_page()
        await second_site.serve(second)
        await second.goto(f"{ADDRESS}/#demo")
        await second.get_by_label("Your name").fill("ada")
        await second.get_by_role("button", name="Join", exact=True).click()
        yield first, second
        assert second_site.policy_breaches == []


async def test_a_second_tab_replaces_the_first_tab() -> None:
    async with two_tabs() as (first, second):
        dialog = second.get_by_role("dialog", name="Another tab is in this meeting.")
        await expect(dialog.get_by_role("button", name="Join without sound")).to_be_focused()
        assert await violations(second) == []
        await second.set_viewport_size(PHONE)  # type: ignore[arg-type]
        await picture(second, "second-tab")
        assert await overflow(second) <= 0
        await dialog.get_by_role("button", name="Move here").click()
        await expect(second.locator("#connection")).to_have_text("Connected")
        await expect(first.locator("#ended-title")).to_have_text("You moved.")
        assert not await second.locator("#mix").evaluate("(mix) => mix.muted")


async def test_a_second_tab_joins_without_sound_until_the_user_wants_sound() -> None:
    async with two_tabs() as (first, second):
        await second.get_by_role("button", name="Join without sound").click()
        await expect(second.locator("#connection")).to_have_text("Connected")
        await expect(second.locator("#mute")).to_have_attribute("aria-pressed", "true")
        notice = second.locator(".notice-line")
        await expect(notice).to_contain_text("This tab plays no sound.")
        assert await second.locator("#mix").evaluate("(mix) => mix.muted")
        await notice.get_by_role("button", name="Play sound").click()
        assert not await second.locator("#mix").evaluate("(mix) => mix.muted")
        await expect(notice).to_have_count(0)
        await expect(first.locator("#connection")).to_have_text("Connected")


async def test_a_second_tab_may_stay_in_the_lobby_and_a_tab_that_left_causes_no_question() -> None:
    async with two_tabs() as (first, second):
        await expect(second.get_by_role("dialog")).to_be_visible()
        await second.keyboard.press("Escape")
        await expect(second.get_by_role("dialog")).to_have_count(0)
        await expect(second.locator("#lobby")).to_be_visible()
        await first.locator("#leave").click()
        await expect(first.locator("#ended-title")).to_have_text("You left.")
        await second.get_by_role("button", name="Join", exact=True).click()
        await expect(second.locator("#connection")).to_have_text("Connected")
