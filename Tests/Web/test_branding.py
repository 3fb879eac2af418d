"""The operator's name, colors, logo and legal links on the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import expect

from eventually import eventually
from test_end_to_end import live_meeting
from Web.browser import chromium, needs_chromium, new_page, picture, shares_browser, violations
from Web.test_delivery import MOST_BYTES, MOST_REQUESTS, POLICY_WORDS, NetworkLog, held_back
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

BRANDING: dict[str, Any] = {
    "name": "Bell & <b>Sons</b>",
    "logo": "logo.svg",
    "colors": {
        "light": {"accent": "#0b3d91", "background": "#ffffff"},
        "dark": {"accent": "#9ec5ff"},
    },
    "links": [
        {"text": "Imprint", "url": "https://bell.example/imprint?a=1&b=2"},
        {"text": "Privacy", "url": "https://bell.example/privacy"},
    ],
}
BUTTONS: dict[Literal["light", "dark"], str] = {
    "light": "rgb(11, 61, 145)",
    "dark": "rgb(158, 197, 255)",
}
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">
<style>rect { fill: #0b3d91 }</style><rect width="96" height="32"/></svg>"""


async def test_a_branding_file_changes_the_page_and_the_form_stays_small(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text(LOGO)
    file = tmp_path / "branding.json"
    file.write_text(json.dumps(BRANDING))
    gateway = [*FLAGS, "--web-branding", str(file)]
    async with live_meeting(gateway=gateway) as tea, chromium() as browser:
        address = f"http://127.0.0.1:{tea.installation.rest_port}"
        page = await new_page(browser)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        log = NetworkLog()
        await log.follow(page)
        rest = await held_back(page)
        await page.goto(f"{address}/#tea")
        route = await rest
        form = [url for url in log.fetched if not url.endswith("/meeting.js")]
        await eventually("the end of the form", lambda: len(log.received) >= len(form) or None)
        print(f"form: {len(form)} requests, {log.bytes} bytes", *form, sep="\n")
        assert len(form) <= MOST_REQUESTS and log.bytes <= MOST_BYTES
        await route.continue_()
        await expect(page).to_have_title(BRANDING["name"])
        await expect(page.locator("#lobby .brand")).to_have_text(BRANDING["name"])
        logo = page.locator("#lobby .brand img")
        ratio = "(logo) => logo.naturalWidth === 3 * logo.naturalHeight && logo.naturalWidth > 0"
        await eventually("the logo", lambda: logo.evaluate(ratio))
        link = page.get_by_role("link", name="Imprint")
        await expect(link).to_have_attribute("href", BRANDING["links"][0]["url"])
        await expect(link).to_have_attribute("rel", "noopener noreferrer")
        for scheme, color in BUTTONS.items():
            await page.emulate_media(color_scheme=scheme)
            await expect(page.locator("#join")).to_have_css("background-color", color)
            await picture(page, f"branding-{scheme}")
            assert await violations(page) == []
        await page.get_by_label("Your name").fill("ada")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(page.locator("#connection")).to_have_text("Connected")
        await expect(page).to_have_title(f"tea \u2013 {BRANDING['name']}")
        assert await violations(page) == []
        assert [text for text in said if POLICY_WORDS.search(text)] == []
