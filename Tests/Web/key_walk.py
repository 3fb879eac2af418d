"""A walk through a page by keys alone. It records the role and name of each focused element."""

from __future__ import annotations

from typing import Any

from playwright.async_api import CDPSession, Page

from Web.browser import RESULTS
from Web.page_judge import CONTRAST

MOST_STOPS = 80

AT = (
    "() => {"
    + CONTRAST
    + """
  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  // The backgrounds below the outline, the lowest first. An outline with a negative offset is
  // inside the element.
  const layers = [];
  const isInside = parseFloat(style.outlineOffset) < 0;
  for (let on = isInside ? element : element.parentElement; on; on = on.parentElement)
    layers.unshift(colour(getComputedStyle(on).backgroundColor));
  const ground = layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
  const dialogs = [...document.querySelectorAll("dialog[open]")];
  const places = window.placesOfKeyWalk ??= new Map();
  if (!places.has(element)) places.set(element, places.size);
  return {
    place: places.get(element),
    id: element.id,
    isVisible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    contrast: ratio(colour(style.outlineColor).slice(0, 3), ground),
    isInSight: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    isInDialog: dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(element)),
    isHeading: element.matches("h1"),
  };
}"""
)
"""Describes the focused element; `null` if no element has the focus."""


class KeyWalk:
    """A walk through a page, which presses keys and records each element that gets the focus."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page, self._session = page, session
        self.lines: list[str] = []

    @classmethod
    async def begin(cls, page: Page) -> KeyWalk:
        return cls(page, await page.context.new_cdp_session(page))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self._page.keyboard.press(key)

    async def here(self) -> str:
        """Returns the role and the name of the focused element, as the browser computes them."""
        element = await self._session.send(
            "Runtime.evaluate", {"expression": "document.activeElement"}
        )
        tree = await self._session.send(
            "Accessibility.getPartialAXTree",
            {"objectId": element["result"]["objectId"], "fetchRelatives": False},
        )
        node = tree["nodes"][0]
        return f'{node["role"]["value"]} "{node["name"]["value"]}"'

    async def walk(self, title: str) -> None:
        """Presses Tab until an element gets the focus again, and records each focused element."""
        self.lines.append(f"[{title}]")
        seen: set[int] = set()
        for _ in range(MOST_STOPS):
            at = await self._page.evaluate(AT)
            if at is None:
                # After the last element, the browser's own controls have the focus.
                await self.press("Tab")
                continue
            if at["place"] in seen:
                return
            seen.add(at["place"])
            await self._judge(at)
            self.lines.append(await self.here())
            await self.press("Tab")
        raise AssertionError(f"The focus does not return to the first element of {title}.")

    async def _judge(self, at: dict[str, Any]) -> None:
        what = f"{await self.here()}: {at}"
        # A heading gets the focus only so that screen readers begin there. It needs no outline.
        assert at["isVisible"] or at["isHeading"], what
        # WCAG 1.4.11 requires this contrast of the outline with what is around it.
        assert at["contrast"] >= 3 or at["isHeading"], what
        assert at["isInSight"], what
        assert at["isInDialog"], what

    async def go_to(self, element_id: str) -> None:
        """Presses Tab until an element has the focus."""
        for _ in range(MOST_STOPS):
            at = await self._page.evaluate(AT)
            if at and at["id"] == element_id:
                return
            await self.press("Tab")
        raise AssertionError(f"Tab does not reach #{element_id}.")

    async def is_at(self, element_id: str) -> None:
        at = await self._page.evaluate(AT)
        assert at and at["id"] == element_id, f"{at}, not {element_id}"

    def save(self, name: str) -> str:
        """Returns the recorded lines as text, and writes the text to a file in the results."""
        text = "\n".join(self.lines) + "\n"
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / name).write_text(text)
        return text
