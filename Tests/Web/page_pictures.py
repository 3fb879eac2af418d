"""Takes pictures of the page's states and judges them.

    PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.page_pictures [--only STATE ...]

Each state is shown at six sizes, light and dark, in English and in two made-up languages: a long
and a right-to-left one. A scripted server takes the place of Carillon, and painted scenes take the
place of cameras. The pictures and a page with all of them, `index.html`, go to
`.build/page-pictures`.

A script judges each picture: overlapping, covered, clipped and small controls, cut texts, a state
that does not show what it has to tell, the contrast of texts over videos, and axe's rules. The
contrast of texts is one of these rules. In the made-up languages, the script checks only this rule
of axe. The exit status is 1 if a state has a fault or cannot be shown.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Browser, Error as PlaywrightError, Frame, Page, ViewportSize

from Web.browser import chromium, violations
from Web.page_judge import faults, pale_texts, untold
from Web.page_states import STATES, in_language, shown_meeting, teller
from Web.page_video import RED, camera
from Web.painted_people import until_pictures

FOLDER = Path(__file__).parents[2] / ".build" / "page-pictures"
SIZES = ["1440x900", "820x1180", "360x740", "740x360", "320x256", "3840x2160"]
SMALL = ["360x740", "740x360", "320x256"]
"""Windows in which the room has the dialog "More"."""
THEMES = ["light", "dark"]
LANGUAGES = ["en", "en-XA", "ar-XB"]
AT_ONCE = 2
"""The number of states that are shown at once. Several states use the processor better than one,
because a page often waits for its server."""
STATE_SECONDS = 900.0
"""The time limit of a state in one language. On an idle machine, a state takes about 15 s."""


class Wanted(NamedTuple):
    """The pictures to take."""

    states: Sequence[str] = tuple(STATES)
    sizes: Sequence[str] = tuple(SIZES)
    themes: Sequence[str] = tuple(THEMES)
    languages: Sequence[str] = tuple(LANGUAGES)
    folder: Path = FOLDER

    def sizes_of(self, state: str) -> list[str]:
        return [each for each in self.sizes if state != "more" or each in SMALL]


class Picture(NamedTuple):
    """The name of a picture, and the layout faults that the picture shows."""

    name: str
    faults: list[str]


def viewport(size: str) -> ViewportSize:
    width, height = size.split("x")
    return {"width": int(width), "height": int(height)}


async def judged(page: Page | Frame, size: str, language: str) -> list[str]:
    """Returns the faults of a page."""
    rules = [] if language == "en" else ["color-contrast"]
    found = [*await faults(page), *await pale_texts(page), *await violations(page, *rules)]
    # In the smallest window, a panel takes the place of the stage, which is the main landmark.
    covered = ("landmark-one-main", "page-has-heading-one") if size == "320x256" else ()
    return [fault for fault in found if not (covered and fault.startswith(covered))]


async def shown(page: Page, size: str) -> None:
    """Shows a page at a size, and waits for the page's videos."""
    await page.set_viewport_size(viewport(size))
    # Wait for two frames, because the stage follows the size in the first frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    meeting = shown_meeting(page)
    if not await meeting.locator("#connection[data-state=waiting]").count():
        await until_pictures(meeting)
    problem = meeting.locator("#sound-problem:visible, #lobby-problem:visible").first
    if await problem.count():
        await problem.scroll_into_view_if_needed()


async def taken(browser: Browser, state: str, language: str, wanted: Wanted) -> list[Picture]:
    """Takes the pictures of a state in a language."""
    pictures: list[Picture] = []
    try:
        async with (
            asyncio.timeout(STATE_SECONDS),
            STATES[state](in_language(browser, language)) as page,
        ):
            for size in wanted.sizes_of(state):
                for theme in wanted.themes:
                    await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                    await shown(page, size)
                    name = f"{state}-{size}-{theme}-{language}"
                    await page.screenshot(path=wanted.folder / f"{name}.png")
                    found = await judged(shown_meeting(page), size, language)
                    if text := teller(state):
                        found += await untold(page, text)
                    pictures.append(Picture(name, found))
    except (AssertionError, PlaywrightError, TimeoutError) as error:
        # If the page cannot show one state, the script must still show the other states.
        pictures.append(Picture(f"{state}-{language}", [f"{type(error).__name__}: {error}"]))
    return pictures


async def all_taken(wanted: Wanted) -> list[Picture]:
    """Takes all pictures, and prints the faults of each state as soon as they are known."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(browser: Browser, state: str, language: str) -> list[Picture]:
        async with turns:
            pictures = await taken(browser, state, language, wanted)
        lines = [f"{each.name}: {fault}" for each in pictures for fault in each.faults]
        print(f"{state} {language}: {len(lines)} faults", *lines, sep="\n  ", flush=True)
        return pictures

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = await stack.enter_async_context(chromium(*camera(RED, folder / "red.y4m")))
        jobs = [
            one(browser, state, language)
            for state in wanted.states
            for language in wanted.languages
        ]
        return [each for pictures in await asyncio.gather(*jobs) for each in pictures]


def index(pictures: Sequence[Picture]) -> str:
    """Returns a page with all pictures, those with faults first."""
    rows = []
    for name, found in sorted(pictures, key=lambda each: not each.faults):
        told = "".join(f"<li>{html.escape(fault)}</li>" for fault in found)
        rows.append(
            f'<figure><a href="{name}.png"><img loading="lazy" src="{name}.png" alt=""></a>'
            f"<figcaption>{name}<ul>{told}</ul></figcaption></figure>"
        )
    bad = sum(bool(each.faults) for each in pictures)
    return (
        '<!doctype html><meta charset="utf-8"><title>Pictures of the page</title>'
        "<style>body{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:1rem}"
        "h1{width:100%}figure{margin:0;max-width:24rem}"
        "img{max-width:100%;max-height:18rem;border:1px solid #888}li{color:#b00}</style>"
        f"<h1>{len(pictures)} pictures, {bad} with faults</h1>" + "\n".join(rows) + "\n"
    )


async def run(wanted: Wanted) -> int:
    """Takes and judges the pictures. Returns the exit status."""
    shutil.rmtree(wanted.folder, ignore_errors=True)
    wanted.folder.mkdir(parents=True)
    pictures = await all_taken(wanted)
    (wanted.folder / "index.html").write_text(index(pictures))
    bad = [each for each in pictures if each.faults]
    print(f"{len(pictures)} pictures, {len(bad)} with faults: {wanted.folder / 'index.html'}")
    return 1 if bad else 0


def parsed(arguments: Sequence[str] | None = None) -> Wanted:
    parser = argparse.ArgumentParser(description="Takes pictures of the page and judges them.")
    for option, choices in (
        ("only", list(STATES)),
        ("sizes", SIZES),
        ("themes", THEMES),
        ("languages", LANGUAGES),
    ):
        parser.add_argument(f"--{option}", nargs="+", choices=choices, default=choices)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="replaced by the pictures")
    given = parser.parse_args(arguments)
    return Wanted(given.only, given.sizes, given.themes, given.languages, given.folder)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(run(parsed())))
