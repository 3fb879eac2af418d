"""The page in its languages, and in two made-up languages: a long and a right-to-left one."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from Web.browser import chromium, needs_chromium, new_page, picture, shares_browser, violations
from Web.page_judge import faults
from Web.scripted_site import ADDRESS, WEB, ScriptedSite
from Web.test_delivery import delivering
from Web.test_page import (
    LOG,
    MEETINGS,
    PEOPLE,
    boxes,
    crowd,
    messages,
    opened,
    said,
    site,
    written,
)

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(300)]

SIZES = [(360, 740), (1440, 900)]
LANGUAGES = ["de", "fr", "es", "en-XA", "ar-XB"]
BLANK = "/favicon.svg"
"""A document without scripts, on the page's own site."""
CAPTIONS: dict[str, Any] = {"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})}


def text(language: str, english: str) -> str:
    """Returns a text of a language's file."""
    found: str = json.loads((WEB / "lang" / f"{language}.json").read_text())[english]
    return found


@asynccontextmanager
async def visited(
    language: str = "", width: int = 1440, height: int = 900, **options: Any
) -> AsyncIterator[tuple[Page, ScriptedSite]]:
    """Opens the join form in the language that the address names."""
    scripted = crowd(4)
    scripted.answers = {**scripted.answers, **CAPTIONS}
    path = f"/?lang={language}#demo" if language else "/#demo"
    async with opened(
        scripted, path, viewport={"width": width, "height": height}, **options
    ) as page:
        yield page, scripted


async def enter(page: Page) -> None:
    await page.locator("#name").fill("ada")
    await page.locator("#join").click()
    await expect(page.locator("#connection")).to_have_attribute("data-state", "connected")


async def press(page: Page, control: str) -> None:
    """Clicks a control. If the window is small, opens the dialog More first."""
    button = page.locator(f"#{control}")
    if not await button.is_visible():
        await page.locator("#more").click()
    await button.click()


PLAIN = """() => {
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
  const names = "bdi, kbd, option, time, noscript, .brand, .avatar, .message-text, #room-title, "
    + "#detail-title, #detail-id, .meeting-item b, .chip, #log td, td.nowrap";
  const found = [];
  const judge = (text, element, where) => {
    const isOurs = !element.closest(names) && isSeen(element) && /\\p{L}/u.test(text);
    if (isOurs && !/^\\[.*\\]|^\\u200f/.test(text.trim())) {
      found.push(`${where} of ${element.id}: ${text.trim()}`);
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    judge(data, parentElement, "text");
  }
  for (const name of ["aria-label", "placeholder"])
    for (const element of document.querySelectorAll(`[${name}]`))
      judge(element.getAttribute(name), element, name);
  return found;
}"""
"""Finds texts of the page that are not in the made-up language."""


CUT = """() => {
  const found = [];
  // In a small window, the captions' bar is one line, and only the open list shows whole languages.
  const fields = "select:not(#language), textarea, input[placeholder]";
  for (const field of document.querySelectorAll(fields)) {
    const text = field.selectedOptions?.[0]?.text ?? field.placeholder;
    if (!field.checkVisibility() || !text) continue;
    const style = getComputedStyle(field);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    // The arrow of a select takes about one em.
    const arrow = field.matches("select") ? parseFloat(style.fontSize) : 0;
    const room = field.clientWidth - parseFloat(style.paddingInlineStart)
      - parseFloat(style.paddingInlineEnd) - arrow;
    if (pen.measureText(text).width > room + 1) found.push(`${field.id}: ${text}`);
  }
  return found;
}"""
"""Finds fields that are too narrow for their chosen option or their placeholder."""

FETCHED = """() => performance.getEntriesByType("resource").map(({ name }) => name)"""


async def judge(page: Page, language: str, state: str) -> None:
    """Reports what is wrong with a state of the page."""
    await picture(page, f"languages-{language}-{state}")
    found = await faults(page)
    assert found == [], f"{language} {state}"
    if language != "en-XA":
        assert await page.evaluate(CUT) == [], f"{language} {state}"
    if language in ("en-XA", "ar-XB"):
        assert await page.evaluate(PLAIN) == [], f"{language} {state}"


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_text_fits_and_is_translated(language: str, width: int, height: int) -> None:
    async with visited(language, width, height) as (page, scripted):
        size = f"{width}x{height}"
        await expect(page.locator("#open-devices")).to_be_visible()
        root = page.locator("html")
        await expect(root).to_have_attribute("lang", language)
        await expect(root).to_have_attribute("dir", "rtl" if language == "ar-XB" else "ltr")
        await judge(page, language, f"lobby-{size}")
        await page.locator("#name").fill(" ")
        await page.locator("#join").click()
        await expect(page.locator("#lobby-problem")).to_be_visible()
        await judge(page, language, f"refused-{size}")
        await enter(page)
        await expect(page.locator("#tiles li")).to_have_count(4)
        await judge(page, language, f"room-{size}")
        for control, shown, closer in (
            ("more", "#more-sheet", "#more-sheet .chat-head button"),
            ("people-toggle", "#people-list li", "#people-close"),
            ("help-open", "#key-list dt", "#help-close"),
            ("sound-toggle", "#page-language", "#sound-close"),
            ("captions-toggle", "#captions-status", "#captions-close"),
        ):
            if control == "more" and width > 600:
                continue
            await press(page, control)
            await expect(page.locator(shown).first).to_be_visible()
            if control == "captions-toggle":
                scripted.face.send(said("r", "the meeting begins", is_partial=False))
                await expect(page.locator(".caption-line")).to_be_visible()
            await judge(page, language, f"{control}-{size}")
            await page.locator(closer).click()
        await press(page, "react")
        await expect(page.locator(".reaction-choice")).to_be_visible()
        await judge(page, language, f"react-{size}")
        await page.keyboard.press("Escape")
        await expect(page.locator(".reaction-choice")).to_be_hidden()
        await page.locator("#hand").click()
        await page.locator("#chat-toggle").click()
        scripted.face.send(messages(written("A message " * 9, time.time_ns())))
        await page.locator("#chat-text").fill("My own")
        await page.keyboard.press("Enter")
        await expect(page.locator(".message")).to_have_count(2)
        await judge(page, language, f"chat-{size}")
        await page.locator("#chat-close").click()
        await page.locator("#leave").click()
        await expect(page.locator("#ended")).to_be_visible()
        await judge(page, language, f"ended-{size}")
        assert await violations(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_operators_page_fits_and_is_translated(language: str) -> None:
    tile = {"TileId": 1, "ExternalUserId": "lin", "Kind": "Camera", "Layer": 1, "LayerCount": 2}
    tile |= {"Width": 320, "Height": 180, "BitsPerSecond": 300_000, "Reason": "Lowered"}
    answers: dict[str, Any] = {
        "GET /carillon/v1/meetings": (200, MEETINGS),
        "GET /carillon/v1/meetings/m-1/roster": (200, PEOPLE),
        "GET /carillon/v1/meetings/m-1/messages": (200, LOG),
        "GET /carillon/v1/services": (200, {"Instances": [{"Instance": "media-a"}]}),
        "GET /carillon/v1/meetings/m-1/attendees/a-ada/received-video": (200, {"Tiles": [tile]}),
    }
    async with opened(site(**answers), f"/operator?lang={language}") as page:
        await page.locator(".meeting-item").click()
        await expect(page.locator("#roster tr")).to_have_count(2)
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await page.locator("#roster .video").first.click()
        await expect(page.locator("#video tr")).to_have_count(1)
        for width, height in [*SIZES, (320, 256)]:
            await page.set_viewport_size({"width": width, "height": height})
            await judge(page, language, f"operator-{width}x{height}")
        await page.locator("#end").click()
        await judge(page, language, "operator-end")
        assert await violations(page) == []


async def test_the_browser_chooses_the_language_and_the_user_can_choose_another() -> None:
    async with visited(locale="de-AT") as (page, _):
        await expect(page.locator("html")).to_have_attribute("lang", "de")
        await expect(page.locator("#join")).to_have_text("Beitreten")
        await enter(page)
        await expect(page.locator("#connection")).to_have_text("Verbunden")
        await page.locator("#sound-toggle").click()
        choice = page.locator("#page-language")
        await expect(choice).to_have_value("")
        names = await choice.locator("option").all_inner_texts()
        assert names == [text("de", "The browser's language"), "English", "Deutsch", *names[3:]]
        assert names[3:] == ["Français", "Español"]
        await choice.select_option("fr")
        # The page keeps its language until the user loads the page again.
        await expect(page.locator("html")).to_have_attribute("lang", "de")
        await page.get_by_role("button", name=text("de", "Load again")).click()
        await expect(page.locator("html")).to_have_attribute("lang", "fr")
        await expect(page.locator("#connection")).to_have_text("Connecté")
        await page.locator("#leave").click()
        await expect(page.locator("#ended-title")).to_have_text(text("fr", "You left."))
        assert (await page.title()).startswith(text("fr", "You left."))


async def test_english_loads_no_file_of_texts_and_another_language_loads_one_file() -> None:
    for locale, wanted in (("en-GB", []), ("pl-PL", []), ("es-MX", ["es.json"])):
        scripted = crowd(2)
        async with opened(scripted, BLANK, locale=locale) as page:
            await page.goto(f"{ADDRESS}/#demo")
            await expect(page.locator("#open-devices")).to_be_visible()
            fetched: list[str] = await page.evaluate(FETCHED)
            assert [url.split("/lang/")[1] for url in fetched if "/lang/" in url] == wanted, locale
            assert any("languages.js" in url for url in fetched) == bool(wanted)


@pytest.mark.parametrize("answer", [404, 0, "no JSON", "[]", "null", "{}"])
async def test_an_unusable_language_file_leaves_the_page_english(answer: int | str) -> None:
    async def refuse(route: Route) -> None:
        if answer == 0:
            await route.abort()
        elif isinstance(answer, int):
            await route.fulfill(status=answer, body="{}")
        else:
            await route.fulfill(status=200, body=answer, content_type="application/json")

    scripted = crowd(2)
    async with opened(scripted, BLANK, locale="de-DE") as page:
        await page.route("**/lang/de.json", refuse)
        await page.goto(f"{ADDRESS}/#demo")
        await expect(page.locator("#join")).to_have_text("Join")
        await expect(page.locator("html")).to_have_attribute("lang", "en")
        await expect(page.locator("#open-devices")).to_have_text("Use microphone and camera")


async def test_the_texts_of_a_language_file_cannot_become_html() -> None:
    async def answer(route: Route) -> None:
        await route.fulfill(json={"Join": "<b>Beitreten</b>", "Your name": '"><img src=x>'})

    scripted = crowd(2)
    async with opened(scripted, BLANK, locale="de-DE") as page:
        await page.route("**/lang/de.json", answer)
        await page.goto(f"{ADDRESS}/#demo")
        await expect(page.locator("#join")).to_have_text("<b>Beitreten</b>")
        await expect(page.locator('label[for="name"]')).to_have_text('"><img src=x>')
        assert await page.locator("b, img").count() == 0


async def test_messages_of_the_gateway_are_translated() -> None:
    limits = "it must be at most 64 characters and 256 bytes."
    visible = "it must be text with at least one visible character."
    controls = "it must be text without control characters and line breaks."
    directions = "it must be text that ends each bidirectional embedding, override and isolate "
    directions += "that it begins."
    async with delivering() as tea, chromium() as browser:
        page = await new_page(browser, locale="es-ES")
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
        await expect(page.locator("html")).to_have_attribute("lang", "es")
        problem = page.locator("#lobby-problem")
        for meeting, name, message in (
            ("tea", "x" * 65, f"Name: Not a valid display name: {limits}"),
            ("tea", "\u200b", f"Name: Not a valid display name: {visible}"),
            ("x" * 300, "ada", f"Meeting: Not a valid meeting name: {limits}"),
            ("\u200b\u200b", "ada", f"Meeting: Not a valid meeting name: {visible}"),
            ("tea", "a\u0007b", f"Name: Not a valid display name: {controls}"),
            ("a\u0007b", "ada", f"Meeting: Not a valid meeting name: {controls}"),
            ("tea", "a\u202eb", f"Name: Not a valid display name: {directions}"),
            ("a\u202eb", "ada", f"Meeting: Not a valid meeting name: {directions}"),
        ):
            await page.locator("#meeting").fill(meeting)
            await page.locator("#name").fill(name)
            await page.locator("#join").click()
            await expect(problem).to_have_text(text("es", message))


FULL = (
    "The meeting is full at {capacity} attendees; delete one, or create the meeting with a larger "
    "maximum."
)


async def test_a_message_of_the_gateway_is_translated_with_its_number() -> None:
    async with delivering() as tea, chromium() as browser:
        control = tea.installation.control
        full = await control.create_meeting("full", max_attendees=1)
        await control.create_attendee(full, "grace")
        page = await new_page(browser, locale="de-DE")
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/#full")
        await page.locator("#name").fill("ada")
        await page.locator("#join").click()
        message = text("de", FULL).replace("{capacity}", "1")
        await expect(page.locator("#lobby-problem")).to_have_text(message)


async def test_tiles_start_at_the_right_in_a_right_to_left_language() -> None:
    async with opened(crowd(5), "/?lang=ar-XB#demo") as page:
        await page.locator("#name").fill("ada")
        await page.locator("#join").click()
        await expect(page.locator("#tiles li")).to_have_count(5)
        await page.locator("#layout").click()
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "speaker")
        # The page shows one attendee large. The others stand in a line, the user first.
        lefts = await boxes(page, "#tiles li:not(.is-own)")
        [[own, _, width, _]] = await boxes(page, "#tiles li.is-own")
        small = [box[0] for box in lefts if abs(box[2] - width) < 2]
        assert len(small) == 3 and all(left < own for left in small)


@pytest.mark.parametrize(
    ("address", "onwards"), [("/#demo", "ArrowRight"), ("/?lang=ar-XB#demo", "ArrowLeft")]
)
async def test_arrow_keys_follow_the_direction_in_which_tiles_stand(
    address: str, onwards: str
) -> None:
    async with opened(crowd(4), address) as page:
        await page.locator("#name").fill("ada")
        await page.locator("#join").click()
        await expect(page.locator("#tiles li")).to_have_count(4)
        pins = page.locator("#tiles .tile-pin")
        await pins.first.focus()
        await page.keyboard.press(onwards)
        await expect(pins.nth(1)).to_be_focused()
        [[first, *_], [second, *_]] = (await boxes(page, "#tiles li"))[:2]
        assert (first < second) == (onwards == "ArrowRight")


SIDES = """(all) => all.map((message) => {
  const parts = [".message-head", ".message-text"].map((each) => message.querySelector(each));
  const [head, text] = parts.map((each) => each.getBoundingClientRect());
  const style = getComputedStyle(parts[1]);
  const isAt = (side) => Math.abs(head[side] - text[side]) < 1
    && parseFloat(style[side === "left" ? "borderTopLeftRadius" : "borderTopRightRadius"]) < 6;
  return ["left", "right"].filter(isAt).join();
})"""
"""Returns the side on which each message has its name, its text and the text's sharp corner."""


@pytest.mark.parametrize(
    ("address", "others", "own"),
    [("/#demo", "left", "right"), ("/?lang=ar-XB#demo", "right", "left")],
)
async def test_a_message_is_below_its_name_whatever_the_direction_of_its_text(
    address: str, others: str, own: str
) -> None:
    scripted = crowd(2)
    async with opened(scripted, address) as page:
        await page.locator("#name").fill("ada")
        await page.locator("#join").click()
        await expect(page.locator("#tiles li")).to_have_count(2)
        for at, line in enumerate(("I", "אני"), 1):
            scripted.face.send(messages(written(line, time.time_ns() + at)))
            await page.locator("#chat-text").fill(line)
            await page.keyboard.press("Enter")
            await expect(page.locator(".message")).to_have_count(2 * at)
        for selector, side in ((".message:not(.own)", others), (".message.own", own)):
            assert await page.locator(selector).evaluate_all(SIDES) == [side, side]


HAS_ITS_START = """(element) => {
  const range = document.createRange();
  range.setStart(element.firstChild, 0);
  range.setEnd(element.firstChild, 1);
  const [first, all] = [range, element].map((each) => each.getBoundingClientRect());
  return element.scrollWidth > element.clientWidth
    && first.left >= all.left - 1 && first.right <= all.right + 1;
}"""
"""Returns whether an element cuts its text, and shows the text's first letter."""


@pytest.mark.parametrize(
    ("address", "letters"), [("/#demo", "א"), ("/?lang=ar-XB#demo", "A long line ")]
)
async def test_a_text_against_the_direction_of_the_page_loses_its_end(
    address: str, letters: str
) -> None:
    scripted = crowd(2)
    size = {"width": 360, "height": 740}
    async with opened(scripted, address, viewport=size) as page:
        await page.locator("#name").fill("ada")
        await page.locator("#join").click()
        await expect(page.locator("#tiles li")).to_have_count(2)
        scripted.face.send(messages(written(40 * letters, time.time_ns())))
        text = page.locator(".chat-preview > bdi")
        await expect(text).to_be_visible()
        assert await text.evaluate(HAS_ITS_START)
        title = page.locator("#room-title bdi")
        await title.evaluate("(e, text) => { e.textContent = text; }", 40 * letters)
        assert await title.evaluate(HAS_ITS_START)
