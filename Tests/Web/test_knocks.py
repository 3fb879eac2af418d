"""Knocks at a locked meeting on the page, against real processes."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from cluster import Cluster
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import PATIENCE_MS, chromium, needs_chromium, new_page, shares_browser, violations
from Web.test_hosts import start
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]


async def knock(page: Page, link: str, name: str) -> None:
    """Tries to join, and waits until the page says that a host was asked."""
    await page.goto(link)
    await page.get_by_label("Your name").fill(name)
    await page.locator("#join").click()
    await expect(page.locator("#lobby-problem")).to_contain_text(
        "A host was asked to let you in", timeout=PATIENCE_MS
    )


async def test_a_host_admits_and_denies_people_at_a_locked_meeting() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, eve, dan = [await new_page(browser) for _ in range(3)]
        await start(host, tea, "orchard")
        await host.locator("#host").click()
        await host.get_by_role("button", name="Lock", exact=True).click()
        await expect(host.locator("#mute-notice")).to_contain_text("locked")
        await host.locator("#host-close").click()
        knocks = host.locator(".knocks")
        await expect(knocks).to_be_hidden()

        await knock(eve, host.url, "Eve <b>")
        # The page isolates names from the text around them (U+2068, U+2069).
        await expect(knocks.get_by_role("heading")).to_have_text(
            "\u2068Eve <b>\u2069 asks to be let in.", timeout=PATIENCE_MS
        )
        await expect(host.locator("#announcer")).to_contain_text("asks to be let in")
        # No message repeats the heading.
        await expect(host.locator("#mute-notice")).not_to_contain_text("let in")
        assert await violations(host) == []
        await knock(dan, host.url, "Dan")
        await expect(knocks.get_by_role("heading")).to_have_text(
            "2 people ask to be let in.", timeout=PATIENCE_MS
        )
        await knocks.get_by_role("button", name="Deny Dan").click()
        await expect(dan.locator("#lobby-problem")).to_have_text(
            "A host did not let you in.", timeout=PATIENCE_MS
        )
        await expect(eve.locator("#room")).to_be_hidden()
        admit = knocks.get_by_role("button", name="Admit Eve")
        await admit.focus()
        await host.keyboard.press("Enter")
        await expect(eve.locator("#connection")).to_have_text("Connected", timeout=PATIENCE_MS)
        await expect(knocks).to_be_hidden()
        await expect(host.locator("#mute")).to_be_focused()

        # The meeting stays locked after the last host has left.
        await host.close()
        late = await new_page(browser)
        await late.goto(eve.url)
        await late.get_by_label("Your name").fill("Finn")
        await late.locator("#join").click()
        problem = late.locator("#lobby-problem")
        await expect(problem).to_contain_text("no host is present", timeout=PATIENCE_MS)
        await expect(eve.locator("#room")).to_be_visible()


async def test_a_waiting_visitor_may_cancel_and_learns_that_the_last_host_has_left() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, eve, dan = [await new_page(browser) for _ in range(3)]
        await start(host, tea, "belfry")
        await host.locator("#host").click()
        await host.get_by_role("button", name="Lock", exact=True).click()
        await expect(host.locator("#mute-notice")).to_contain_text("locked")
        await knock(eve, host.url, "Eve")
        await knock(dan, host.url, "Dan")
        assert await violations(eve) == []
        await dan.locator("#knock-cancel").click()
        await expect(dan.locator("#lobby-problem")).to_be_hidden()
        await expect(dan.locator("#join")).to_be_focused()
        await host.close()
        await expect(eve.locator("#lobby-problem")).to_contain_text(
            "no host is present", timeout=PATIENCE_MS
        )


async def test_a_host_admits_a_person_whose_page_uses_another_gateway() -> None:
    cluster = Cluster("a", gateway=FLAGS)
    cluster.add("gateway", "b")
    async with cluster, chromium() as browser:
        host, eve, late = [await new_page(browser) for _ in range(3)]
        made = await cluster.control.create_meeting("tea")
        await start(host, LiveMeeting(cluster, made), "orchard")
        await host.locator("#host").click()
        await host.get_by_role("button", name="Lock", exact=True).click()
        await expect(host.locator("#mute-notice")).to_contain_text("locked")
        await host.locator("#host-close").click()

        link = f"http://127.0.0.1:{cluster.rest_ports['gateway-b']}/#orchard"
        await knock(eve, link, "Eve")
        knocks = host.locator(".knocks")
        await expect(host.locator("#announcer")).to_contain_text(
            "asks to be let in", timeout=PATIENCE_MS
        )
        await knocks.get_by_role("button", name="Admit Eve").click()
        await expect(eve.locator("#connection")).to_have_text("Connected", timeout=PATIENCE_MS)

        await host.close()
        await late.goto(link)
        await late.get_by_label("Your name").fill("Finn")
        await late.locator("#join").click()
        await expect(late.locator("#lobby-problem")).to_contain_text(
            "no host is present", timeout=PATIENCE_MS
        )
        await expect(eve.locator("#room")).to_be_visible()
