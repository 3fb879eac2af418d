"""A host on the page, against real processes: mute, remove, lock, end, and forged tokens."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import PATIENCE_MS, chromium, needs_chromium, new_page, shares_browser, violations
from Web.page_sound import until_the_meter_moves
from Web.test_meeting import FLAGS
from Web.test_page_settings import ONLY_HOSTS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]


def home(tea: LiveMeeting) -> str:
    return f"http://127.0.0.1:{tea.installation.rest_port}/"


async def start(page: Page, tea: LiveMeeting, meeting: str) -> None:
    """Starts a meeting, which makes the page's user the meeting's host."""
    await page.goto(home(tea) + f"#{meeting}")
    await page.get_by_label("Your name").fill("Ada")
    await page.locator("#create").click()
    await expect(page.locator("#room")).to_be_visible(timeout=PATIENCE_MS)
    await expect(page.locator("#host")).to_be_visible(timeout=PATIENCE_MS)


async def join(page: Page, name: str) -> None:
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.locator("#connection")).to_have_text("Connected", timeout=PATIENCE_MS)


async def test_a_host_mutes_and_removes_attendees_and_locks_and_ends_the_meeting() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest = await new_page(browser), await new_page(browser)
        await start(host, tea, "orchard")
        link = host.url
        assert link == home(tea) + "#orchard", "The address of participants contains no secret."
        await guest.goto(link)
        await guest.get_by_label("Microphone", exact=True).select_option("Fake Default Audio Input")
        await until_the_meter_moves(guest)
        await guest.get_by_label("Join muted").uncheck()
        await join(guest, "Ben")
        await expect(guest.locator("#host")).to_have_count(0)
        own = guest.locator("#mute")
        await expect(own).to_have_attribute("aria-pressed", "false")

        await host.locator("#host").click()
        dialog = host.locator("dialog.host")
        await expect(dialog.locator("button").first).to_be_focused()
        assert await violations(host) == []
        mute = dialog.get_by_role("button", name="Mute Ben")
        await expect(mute).to_be_enabled(timeout=PATIENCE_MS)
        await mute.click()
        await expect(own).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        await expect(mute).to_be_disabled()
        await own.click()
        await expect(mute).to_be_enabled(timeout=PATIENCE_MS)
        await expect(own).to_have_attribute("aria-pressed", "false")
        await dialog.get_by_role("button", name="Mute all others").click()
        await expect(own).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)

        await dialog.get_by_role("button", name="Lock", exact=True).click()
        late = await new_page(browser)
        await late.goto(link)
        await late.get_by_label("Your name").fill("Eve")
        await late.locator("#join").click()
        await expect(late.locator("#lobby-problem")).to_contain_text("locked", timeout=PATIENCE_MS)

        await dialog.get_by_role("button", name="Remove Ben").click()
        confirm = host.locator("#host-confirm")
        await expect(confirm.get_by_role("button", name="Cancel")).to_be_focused()
        assert await violations(host) == []
        await host.keyboard.press("Enter")
        await expect(guest.locator("#room")).to_be_visible()
        await dialog.get_by_role("button", name="Remove Ben").click()
        await confirm.get_by_role("button", name="Remove").click()
        await expect(guest.locator("#ended")).to_be_visible(timeout=PATIENCE_MS)

        await dialog.get_by_role("button", name="End for all").click()
        await confirm.get_by_role("button", name="End").click()
        await expect(host.locator("#ended")).to_be_visible(timeout=PATIENCE_MS)
        await expect(host.locator("#host")).to_have_count(0)


async def test_only_hosts_switch_captions_until_the_last_host_leaves() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest = await new_page(browser), await new_page(browser)
        await start(host, tea, "orchard")
        await guest.goto(host.url)
        await join(guest, "Ben")
        await guest.locator("#captions-toggle").click()
        why = guest.locator("#captions-why")
        await expect(why).to_have_text(ONLY_HOSTS, timeout=PATIENCE_MS)
        await expect(guest.locator("#captions-stop")).to_be_hidden()
        async with host.expect_response("**/host/meetings/*/transcription") as started:
            await host.locator("#captions-toggle").click()
        assert (await started.value).status == 204
        async with host.expect_response("**/host/meetings/*/transcription") as stopped:
            await host.locator("#captions-stop").click()
        assert (await stopped.value).status == 204
        await host.locator("#leave").click()
        await expect(guest.locator("#captions-stop")).to_be_visible(timeout=PATIENCE_MS)
        async with guest.expect_response("**/web/meetings/*/transcription") as stopped:
            await guest.locator("#captions-stop").click()
        assert (await stopped.value).status == 204


async def raised(page: Page) -> list[str]:
    """Returns the names that the list of people shows with a raised hand."""
    rows = page.locator("#people-list li:has(.person-mark.is-hand) .person-name")
    return await rows.all_inner_texts()


async def test_a_host_asks_an_attendee_to_unmute_and_only_the_attendees_click_unmutes() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest = await new_page(browser), await new_page(browser)
        await start(host, tea, "orchard")
        await guest.goto(host.url)
        await guest.get_by_label("Microphone", exact=True).select_option("Fake Default Audio Input")
        await until_the_meter_moves(guest)
        await join(guest, "Ben")
        own = guest.locator("#mute")
        await expect(own).to_have_attribute("aria-pressed", "true")

        await host.locator("#host").click()
        ask = host.locator("dialog.host").get_by_role("button", name="Ask Ben to unmute")
        await expect(ask).to_be_enabled(timeout=PATIENCE_MS)
        await ask.click()
        await expect(ask).to_be_focused()
        line = guest.locator(".notice-line")
        await expect(line).to_contain_text("A host asks you to unmute.", timeout=PATIENCE_MS)
        spoken = guest.locator("#announcer")
        await expect(spoken).to_contain_text("asks you to unmute", timeout=PATIENCE_MS)
        assert await violations(guest) == []
        # The host's next request reaches the guest after the repeated requests.
        await ask.click()
        await ask.click()
        await guest.locator("#hand").click()
        await lower_hand(host, "Ben")
        await expect(guest.locator("#hand")).to_have_attribute(
            "aria-pressed", "false", timeout=PATIENCE_MS
        )
        await expect(line).to_have_count(1)
        await expect(own).to_have_attribute("aria-pressed", "true")

        await line.get_by_role("button", name="Unmute").focus()
        await guest.keyboard.press("Enter")
        await expect(own).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
        await expect(own).to_be_focused()
        await expect(line).to_have_count(0)
        await expect(ask).to_be_disabled(timeout=PATIENCE_MS)


async def lower_hand(host: Page, name: str) -> None:
    lower = host.locator("dialog.host").get_by_role("button", name=f"Lower the hand of {name}")
    await expect(lower).to_be_enabled(timeout=PATIENCE_MS)
    await lower.click()
    await expect(lower).to_be_disabled(timeout=PATIENCE_MS)
    await expect(lower).to_be_focused()


async def test_a_declined_request_to_unmute_leaves_the_attendee_muted() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest = await new_page(browser), await new_page(browser)
        await start(host, tea, "orchard")
        await guest.goto(host.url)
        await join(guest, "Ben")
        await host.locator("#host").click()
        ask = host.locator("dialog.host").get_by_role("button", name="Ask Ben to unmute")
        await expect(ask).to_be_enabled(timeout=PATIENCE_MS)
        await ask.click()
        line = guest.locator(".notice-line")
        await line.get_by_role("button", name="Stay muted").click(timeout=PATIENCE_MS)
        await expect(line).to_have_count(0)
        await expect(guest.locator("#mute")).to_be_focused()
        await ask.click()
        await guest.locator("#hand").click()
        await lower_hand(host, "Ben")
        hand = guest.locator("#hand")
        await expect(hand).to_have_attribute("aria-pressed", "false", timeout=PATIENCE_MS)
        await expect(line).to_have_count(0)
        await expect(guest.locator("#mute")).to_have_attribute("aria-pressed", "true")


async def test_a_host_lowers_all_hands_even_for_people_who_join_later() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest = await new_page(browser), await new_page(browser)
        await start(host, tea, "orchard")
        await guest.goto(host.url)
        await join(guest, "Ben")
        for page in (host, guest):
            await page.locator("#people-toggle").click()
            await page.locator("#hand").click()
        marks = guest.locator("#people-list .person-mark.is-hand")
        await expect(marks).to_have_count(2, timeout=PATIENCE_MS)
        await host.locator("#host").click()
        lower = host.locator("dialog.host").get_by_role("button", name="Lower all hands")
        await lower.click()
        await expect(marks).to_have_count(0, timeout=PATIENCE_MS)
        for page in (host, guest):
            await expect(page.locator("#hand")).to_have_attribute("aria-pressed", "false")
        assert await violations(host) == []

        late = await new_page(browser)
        await late.goto(guest.url)
        await join(late, "Eve")
        await late.locator("#people-toggle").click()
        await expect(late.locator("#people-list li")).to_have_count(3, timeout=PATIENCE_MS)
        # A message that follows the earlier messages shows that the page has processed the earlier
        # messages.
        await guest.locator("#hand").click()
        await expect(late.locator("#people-list .person-mark.is-hand")).to_have_count(
            1, timeout=PATIENCE_MS
        )
        assert await raised(late) == ["Ben"]


async def test_an_attendee_whom_the_host_appoints_gets_the_controls_and_can_mute_others() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        host, guest, eve = [await new_page(browser) for _ in range(3)]
        await start(host, tea, "orchard")
        link = host.url
        for page, name in ((guest, "Ben"), (eve, "Eve")):
            await page.goto(link)
            if page is eve:
                microphone = page.get_by_label("Microphone", exact=True)
                await microphone.select_option("Fake Default Audio Input")
                await until_the_meter_moves(page)
                await page.get_by_label("Join muted").uncheck()
            await join(page, name)
        exchanges: list[str] = []
        for page in (guest, eve):
            page.on("request", lambda made: exchanges.append(made.url))

        await host.locator("#host").click()
        dialog = host.locator("dialog.host")
        confirm = host.locator("#host-confirm")
        appoint = dialog.get_by_role("button", name="Make Ben a host")
        await appoint.click(timeout=PATIENCE_MS)
        await expect(confirm.get_by_role("button", name="Cancel")).to_be_focused()
        assert await violations(host) == []
        await host.keyboard.press("Enter")
        await expect(confirm).to_have_count(0)
        await expect(appoint).to_be_focused()
        await expect(guest.locator("#host")).to_have_count(0)
        await appoint.click()
        await confirm.get_by_role("button", name="Make host").click()
        await expect(guest.locator("#host")).to_be_visible(timeout=PATIENCE_MS)
        await expect(guest.locator("#mute-notice")).to_contain_text("You are now a host")
        assert guest.url == link, "The address contains no secret."

        await guest.reload()
        await guest.locator("#host").click(timeout=PATIENCE_MS)
        mute = guest.locator("dialog.host").get_by_role("button", name="Mute Eve")
        await expect(mute).to_be_enabled(timeout=PATIENCE_MS)
        await mute.click()
        muted = eve.locator("#mute")
        await expect(muted).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        await expect(eve.locator("#host")).to_have_count(0)
        assert len([url for url in exchanges if url.endswith("/host-token")]) == 1


async def test_a_reload_and_a_host_link_keep_the_host_role() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
        host = await context.new_page()
        await start(host, tea, "belfry")
        await host.reload()
        await host.locator("#host").click(timeout=PATIENCE_MS)
        await host.get_by_role("button", name="Copy host link").click()
        await host.wait_for_function(
            "navigator.clipboard.readText().then((text) => text.includes('&host='))"
        )
        link = await host.evaluate("navigator.clipboard.readText()")
        assert link.startswith(home(tea) + "#belfry&host=")
        other = await new_page(browser)
        await other.goto(link)
        await join(other, "Ben")
        await expect(other.locator("#host")).to_be_visible(timeout=PATIENCE_MS)
        assert other.url == home(tea) + "#belfry", "The address does not contain the token."

        forger = await new_page(browser)
        await forger.goto(link[:-1] + ("A" if link[-1] != "A" else "Q"))
        await join(forger, "Eve")
        await forger.locator("#host").click(timeout=PATIENCE_MS)
        await forger.get_by_role("button", name="End for all").click()
        await forger.locator("#host-confirm").get_by_role("button", name="End").click()
        await expect(forger.get_by_text("This is not a host token").first).to_be_attached()
        await expect(host.locator("#room")).to_be_visible()
