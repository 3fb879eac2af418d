"""Names, chat lines and captions of any characters, in Chromium with a scripted server."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from playwright.async_api import Page, expect

from carillon.signaling import signaling_pb2 as wire
from eventually import due
from Web.browser import PHONE, needs_chromium, overflow, picture, shares_browser, violations
from Web.scripted_site import ScriptedFace
from Web.test_page import join, messages, opened, site, transcript, written

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(400)]

PIECES = [
    *(
        "<b>",
        "</b>",
        "<img src=x onerror=alert(1)>",
        "<script>",
        "</p>",
        "&lt;",
        "&#x202e;",
        "<!--",
    ),
    *("{name}", "{count, plural, one {#} other {#}}", "#", "$&", "\\u003c", "javascript:alert(1)"),
    *("\u202e", "\u202d", "\u2066", "\u2067", "\u2068", "\u2069", "\u202c", "\u200f", "\u061c"),
    *("שלום", "مرحبا", "123", "Ada", " ", "(", ")", "…", "👩🏽‍🚀", "é", "e\u0301", "\u200b", "ß"),
]
CHAT, CAPTIONS, PEOPLE = 2_600, 2_000, 40
NAME_ROUNDS = 20
"""The number of times that all names change. The test shows more than 10,000 strings in total."""

FAULTS = """({ chat, captions, names }) => {
  const faults = [];
  const isolates = (element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi);
  const shape = (element) =>
    [...element.querySelectorAll("*")].map(({ tagName }) => tagName).join(" ");
  const check = (what, is) => is || faults.push(what);
  const last = (selector, count) =>
    count ? [...document.querySelectorAll(selector)].slice(-count) : [];
  const lines = last("#messages .message", chat.length);
  lines.forEach((line, at) => {
    const [head, text] = line.children;
    const [name, time] = head.children;
    check(`chat text ${at}`, text.textContent === chat[at].text);
    check(`chat name ${at}`, name.textContent === chat[at].name);
    check(`chat elements ${shape(line)}`, shape(line) === "P B BDI TIME DIV");
    check(`chat isolation ${at}`, isolates(name.firstChild) && isolates(text));
    check(`chat direction ${at}`, text.dir === "auto");
    const [before, after] = [name.getBoundingClientRect(), time.getBoundingClientRect()];
    check(`chat order ${at}`, after.left >= before.right - 1 || after.top >= before.bottom - 1);
  });
  const said = last("#caption-lines .caption-line", captions.length);
  said.forEach((line, at) => {
    const [speaker, text] = line.children;
    check(`caption text ${at}`, text.textContent === captions[at].text);
    check(`caption name ${at}`, speaker.textContent === `${captions[at].name}:`);
    check(`caption elements ${shape(line)}`, shape(line) === "B BDI BDI");
    check(`caption isolation ${at}`, isolates(speaker.firstChild) && isolates(text));
  });
  for (const [id, name] of names) {
    const shown = document.querySelector(`#tiles [data-attendee="${id}"] .tile-name`);
    check(`tile name ${id}`, shown?.textContent === name && shown.title === name);
    check(`tile isolation ${id}`, shown && isolates(shown) && shown.childElementCount === 0);
  }
  const foreign = "#room :is(img, iframe, object, embed, style, script)";
  check("an element", !document.querySelector(foreign));
  check("the page", document.dir !== "rtl" && !window.alerted);
  return [...new Set(faults)].slice(0, 10);
}"""


def strings(count: int, seed: int) -> list[str]:
    """Returns texts of random pieces. Each text has a visible character at both ends."""
    chance = random.Random(seed)
    texts = ("".join(chance.choices(PIECES, k=chance.randint(1, 9))) for _ in range(count))
    return [f"x{text}x" for text in texts]


def line(name: str, text: str, at: int) -> Any:
    payload = written(text, at)
    payload.sender_display_name = name
    return payload


def caption(name: str, text: str, result_id: str) -> Any:
    item = wire.SdkTranscriptItem(
        content="x",
        speaker_attendee_id="a-9",
        speaker_external_user_id="9",
        speaker_display_name=name,
    )
    best = wire.SdkTranscriptAlternative(transcript=text, items=[item])
    result = wire.SdkTranscriptResult(result_id=result_id, is_partial=False, alternatives=[best])
    return wire.SdkTranscriptEvent(transcript=wire.SdkTranscript(results=[result]))


async def has(page: Page, selector: str, text: str) -> None:
    """Waits until the last element of a kind has a text."""
    last = f"() => [...document.querySelectorAll('{selector}')].at(-1)?.textContent"
    async with due(repr(text), 60):
        while await page.evaluate(last) != text:
            await page.wait_for_timeout(20)


async def test_10_000_strings_stay_text_and_do_not_change_the_direction_of_other_texts() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        await page.evaluate("() => { window.alert = () => { window.alerted = true; }; }")
        await page.locator("#captions-toggle").click()
        face, began = scripted.face, time.time_ns()
        names, texts = strings(CHAT, 1), strings(CHAT, 2)
        empty: dict[str, Any] = {"chat": [], "captions": [], "names": []}
        for start in range(0, CHAT, 200):
            part = range(start, start + 200)
            face.send(messages(*(line(names[at], texts[at], began + at) for at in part)))
            await has(page, "#messages .message-text", texts[part[-1]])
            chat = [{"name": names[at], "text": texts[at]} for at in part]
            assert await page.evaluate(FAULTS, {**empty, "chat": chat}) == []
        names, texts = strings(CAPTIONS, 3), strings(CAPTIONS, 4)
        for start in range(0, CAPTIONS, 50):
            part = range(start, start + 50)
            face.send(transcript(*(caption(names[at], texts[at], f"r-{at}") for at in part)))
            await has(page, ".caption-text", texts[part[-1]])
            said = [{"name": names[at], "text": texts[at]} for at in part]
            assert await page.evaluate(FAULTS, {**empty, "captions": said}) == []
        names = strings(PEOPLE * NAME_ROUNDS, 5)
        for number in range(NAME_ROUNDS):
            people = {f"p-{number}-{at}": names[number * PEOPLE + at] for at in range(PEOPLE)}
            streams = [
                {"audio_stream_id": 100 + at, "attendee_id": attendee, "external_user_id": "x"}
                | {"display_name": name}
                for at, (attendee, name) in enumerate(people.items())
            ]
            face.send(ScriptedFace.presence(streams))
            await has(page, "#tiles .tile-name", [*people.values()][-1])
            assert await page.evaluate(FAULTS, {**empty, "names": [*people.items()]}) == []
            gone = [{"audio_stream_id": 100 + at, "dropped": True} for at in range(PEOPLE)]
            face.send(ScriptedFace.presence(gone))
            await expect(page.locator("#tiles li")).to_have_count(3)


LONG = {
    "letters": "W" * 64,
    "words": "Wilhelmina " * 5 + "Wilhelmin",
    "emoji": "👩🏽‍🚀" * 64,
    "accents": "e\u0301" * 64,
    "right-to-left": "محمد عبد الله " * 4 + "محمد عبد",
}


CUT = """(name) => {
  const [tile, { textOverflow, whiteSpace }] = [name.closest(".tile"), getComputedStyle(name)];
  return [tile.scrollWidth <= tile.clientWidth, textOverflow, whiteSpace];
}"""
"""Returns whether a name stays inside its tile, and how the browser cuts the name. With `ellipsis`,
browsers cut between graphemes.
"""
WHOLE = """(rows) => rows.map((row) => {
  const name = row.getBoundingClientRect();
  const box = row.closest("li").getBoundingClientRect();
  const isInside = name.left >= box.left - 1 && name.right <= box.right + 1;
  return isInside && getComputedStyle(row).textOverflow !== "ellipsis";
})"""
"""Returns for each name whether the panel shows it as a whole."""


@pytest.mark.parametrize("size", [None, PHONE])
async def test_names_of_64_characters_are_cut_on_tiles_and_whole_in_the_panel(size: Any) -> None:
    scripted = site()
    scripted.roster = [
        {"audio_stream_id": 1, "attendee_id": "a-ada", "external_user_id": "ada"},
        *(
            {"audio_stream_id": 2 + at, "attendee_id": f"a-{kind}", "external_user_id": "x"}
            | {"display_name": name}
            for at, (kind, name) in enumerate(LONG.items())
        ),
    ]
    options = {"viewport": size} if size else {}
    async with opened(scripted, **options) as page:
        await join(page)
        await expect(page.locator("#tiles li")).to_have_count(len(LONG) + 1)
        for kind, name in LONG.items():
            shown = page.locator(f"#tiles [data-attendee=a-{kind}] .tile-name")
            await expect(shown).to_have_text(name)
            assert await shown.evaluate(CUT) == [True, "ellipsis", "nowrap"], kind
        await picture(page, f"long-names{'-phone' if size else ''}")
        await page.locator("#people-toggle").click()
        rows = page.locator("#people-list .person-name")
        await expect(rows).to_have_count(len(LONG) + 1)
        assert await rows.evaluate_all(WHOLE) == [True] * (len(LONG) + 1)
        assert set(await rows.all_inner_texts()) >= set(LONG.values())
        assert await overflow(page) <= 0
        await picture(page, f"long-names-panel{'-phone' if size else ''}")
        assert await violations(page) == []
