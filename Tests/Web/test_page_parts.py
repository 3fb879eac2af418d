"""If a part of the page does not load, the page says so, and the next click loads the part
again."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, Route, expect

from Web.browser import PHONE, needs_chromium, shares_browser
from Web.test_page import join, opened, site
from Web.test_page_small import CAPTIONS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]

SENTENCE = "This part of the page did not load. Try again."


async def broken(page: Page, *names: str) -> None:
    async def fail(route: Route) -> None:
        await route.abort()

    for name in names:
        await page.route(f"**/js/meet/{name}.js", fail)


async def mended(page: Page, name: str) -> None:
    await page.unroute(f"**/js/meet/{name}.js")


@pytest.mark.parametrize(
    ("button", "part", "shown"),
    [
        ("react", "reactions-view", ".reaction-choice"),
        ("captions-toggle", "captions", "#captions"),
        ("people-toggle", "people-panel", "#people-list li >> nth=0"),
        ("sound-toggle", "settings", "#speak-joins"),
        ("help-open", "words/keys", "#help"),
    ],
)
async def test_a_button_whose_script_fails_to_load_shows_a_notice_and_works_later(
    button: str, part: str, shown: str
) -> None:
    async with opened(site(**CAPTIONS)) as page:
        await join(page)
        await broken(page, part)
        control = page.locator(f"#{button}")
        await control.click()
        await expect(page.locator("#mute-notice")).to_have_text(SENTENCE)
        await mended(page, part)
        for dialog in ("#sound-close", "#people-close"):
            if await page.locator(dialog).is_visible():
                await page.locator(dialog).click()
        await control.click()
        await expect(page.locator(shown)).to_be_visible()


async def test_the_more_button_works_after_its_script_failed_to_load() -> None:
    async with opened(site(), viewport=PHONE) as page:
        await broken(page, "sheets")
        await join(page)
        await page.locator("#more").click()
        await expect(page.locator("#mute-notice")).to_have_text(SENTENCE)
        await mended(page, "sheets")
        await page.locator("#more").click()
        await expect(page.locator("#more-sheet")).to_be_visible()
