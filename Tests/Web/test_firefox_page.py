"""The states of the page in Firefox satisfy axe-core's rules, also with forced colors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from eventually import eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.firefox import FirefoxPage, firefox, needs_firefox
from Web.test_meeting import FLAGS

pytestmark = [needs_firefox, pytest.mark.seconds(400)]

THEMES: dict[str, dict[str, Any]] = {
    "light": {"ui.systemUsesDarkTheme": 0},
    "dark": {"ui.systemUsesDarkTheme": 1},
    # Firefox then uses the colors of the system instead of the colors of pages.
    "forced": {"browser.display.document_color_use": 2},
}
MEDIA = {
    "light": "(prefers-color-scheme: light)",
    "dark": "(prefers-color-scheme: dark)",
    "forced": "(forced-colors: active)",
}

AXE = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""

VISIBLE = """(selector) => {
  const found = document.querySelector(selector);
  return found !== null && found.checkVisibility();
}"""

CLICK = "(selector) => document.querySelector(selector).click()"


class Tab:
    """A tab whose states the test checks."""

    def __init__(self, page: FirefoxPage, address: str) -> None:
        self.page = page
        self._address = address
        self.faults: list[str] = []

    async def open(self, path: str) -> None:
        await self.page.goto(self._address + path)
        await self.page.evaluate(f"() => {{ {AXE_SCRIPT}; return null; }}")

    async def shows(self, state: str, selector: str) -> None:
        """Waits until an element is visible, and keeps the violations of this state."""
        await eventually(
            f"{selector} in {state}",
            lambda: self._true(VISIBLE, selector),
        )
        self.faults += [f"{state}: {each}" for each in await self.page.evaluate(AXE)]

    async def click(self, selector: str) -> None:
        await self.page.evaluate(CLICK, selector)

    async def _true(self, expression: str, argument: str) -> bool | None:
        return await self.page.evaluate(expression, argument) or None


@asynccontextmanager
async def tab(tea: LiveMeeting, directory: Path, theme: str) -> AsyncIterator[Tab]:
    preferences: Mapping[str, Any] = THEMES[theme]
    async with firefox(directory, preferences) as page:
        made = Tab(page, f"http://127.0.0.1:{tea.installation.rest_port}")
        await made.open("/#tea")
        assert await page.evaluate(f"matchMedia('{MEDIA[theme]}').matches")
        yield made


@pytest.mark.parametrize("theme", THEMES)
async def test_every_state_satisfies_axe_in_firefox(theme: str, tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, tab(tea, tmp_path, theme) as opened:
        await tea.enter("Grace Hopper")
        await opened.shows("lobby", "#open-devices")
        await opened.click("#open-devices")
        await opened.shows("green room", "#camera-preview")
        await opened.page.evaluate(
            "(name) => { document.querySelector('#name').value = name }", "ada"
        )
        await opened.click("#join")
        await opened.shows("room", "#connection[data-state=connected]")
        await opened.click("#hand")
        await opened.shows("hand", ".tile.is-own .tile-hand")
        await opened.shows("own picture", ".tile.is-own video")
        await opened.page.evaluate(
            "(text) => { document.querySelector('#chat-text').value = text }", "Hi"
        )
        await opened.click("#chat-form button")
        await opened.shows("chat", "#messages article")
        await opened.click("#people-toggle")
        await opened.shows("people", "#people-list li")
        await opened.click("#captions-toggle")
        await opened.shows("captions", "#captions")
        for state, opener, dialog in (
            ("settings", "#sound-toggle", "#sound-dialog"),
            ("keys", "#help-open", "#help"),
        ):
            await opened.click(opener)
            await opened.shows(state, dialog)
            await opened.click(f"{dialog} .button:last-child")
        await opened.click("#layout")
        await opened.shows("speaker layout", "#stage[data-layout=speaker]")
        await opened.click("#leave")
        await opened.shows("end", "#ended")
        await opened.open("/operator")
        await opened.shows("operator", "main")
        assert opened.faults == []
