"""Measures the page: its speed on a slow line, its processor time and its memory.

CARILLON_BINARIES=RELEASE PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.page_bench

The rows have the format of Benchmarks. The program prints each row with its bar: the largest value
that is good enough.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from test_end_to_end import live_meeting
from Web.browser import chromium
from Web.page_load import ACROSS_BROWSERS, CAMERAS, PEOPLE, Beside, cameras, people
from Web.page_memory import Census, after_cameras, after_rejoins, with_messages
from Web.page_speed import load, visits
from Web.test_meeting import FLAGS

REJOINS = 50
MESSAGES = 20_000
MEGABYTE = 1e6
WITHOUT_COMPILER = "--js-flags=--jitless"
"""The flag that turns compilation off. Without this flag, the heap would also hold machine code,
because the browser compiles functions that a page calls often."""


class Row(NamedTuple):
    """A measured value, with the largest value that is good enough."""

    name: str
    value: float
    unit: str
    bar: str
    """The largest value ("60"), ratio ("1.3 x") or difference to the peer's value ("peer + 10")."""
    limit: float
    compared: float
    """The number to compare with `limit`: the value, the ratio or the difference."""
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None
    rounds: int = 1

    @property
    def is_met(self) -> bool:
        return self.compared <= self.limit

    @property
    def told(self) -> str:
        peer = f"{self.peer} {self.peer_value:.4g}" if self.peer_value is not None else ""
        bar = f"at most {self.bar}, found {self.compared:.4g}"
        met = "met" if self.is_met else "missed"
        return f"{self.name:34} {self.value:8.4g} {self.unit:10} {peer:20} {bar}: {met}"

    @property
    def json(self) -> str:
        rounded = {
            name: None if number is None else round(number, 3)
            for name, number in (("peer_value", self.peer_value), ("ratio", self.ratio))
        }
        fields = {"name": self.name, "value": round(self.value, 3), "unit": self.unit}
        return json.dumps({**fields, "peer": self.peer, **rounded, "rounds": self.rounds})


def alone(name: str, value: float, unit: str, limit: float, rounds: int = 1) -> Row:
    """Returns a row whose `bar` is the largest permitted value."""
    return Row(name, value, unit, f"{limit:g}", limit, value, rounds=rounds)


def by_ratio(name: str, unit: str, limit: float, peer: str, found: Sequence[Beside]) -> Row:
    """Returns a row whose `bar` limits the median of the ratios in all rounds."""
    ratio = statistics.median(each.page / each.bare for each in found)
    return beside(name, unit, (f"{limit:g} x", limit, ratio), peer, found)


def by_difference(name: str, unit: str, limit: float, peer: str, found: Sequence[Beside]) -> Row:
    """Returns a row whose `bar` limits the median of the differences in all rounds."""
    difference = statistics.median(each.page - each.bare for each in found)
    return beside(name, unit, (f"peer + {limit:g}", limit, difference), peer, found)


def beside(
    name: str, unit: str, bar: tuple[str, float, float], peer: str, found: Sequence[Beside]
) -> Row:
    page, bare = (statistics.median(each) for each in zip(*found, strict=True))
    ratio = statistics.median(each.page / each.bare for each in found)
    return Row(name, page, unit, *bar, peer, bare, ratio, len(found))


async def form_rows(rounds: int) -> list[Row]:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        address = f"http://127.0.0.1:{tea.installation.rest_port}/#tea"
        times = [await visits(browser, address) for _ in range(rounds)]
        loaded = await load(tea, browser)
    first, later = (statistics.median(each) for each in zip(*times, strict=True))
    return [
        alone("page.form.first", first, "ms", 1_500, rounds),
        alone("page.form.later", later, "ms", 700, rounds),
        alone("page.form.requests", loaded.form_requests, "requests", 12),
        alone("page.form.bytes", loaded.form_bytes / 1024, "KiB", 50),
        alone("page.form.all_bytes", loaded.all_bytes / 1024, "KiB", 150),
    ]


async def camera_rows(rounds: int) -> list[Row]:
    async with chromium(ACROSS_BROWSERS) as sender:
        found = [await cameras(sender) for _ in range(rounds)]
    return [by_ratio(f"page.cameras.{CAMERAS}", "cores", 1.3, "bare-page", found)]


async def people_rows(rounds: int) -> list[Row]:
    found: list[Beside] = []
    for _ in range(rounds):
        async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
            found.append(await people(tea, browser))
    return [by_difference(f"page.people.{PEOPLE}", "ms/s", 10, "bare-page", found)]


async def rejoin_rows(_: int) -> list[Row]:
    async with live_meeting(gateway=FLAGS) as tea, chromium(WITHOUT_COMPILER) as browser:
        return kept(f"page.rejoins.{REJOINS}", *await after_rejoins(tea, browser, REJOINS))


async def left_camera_rows(_: int) -> list[Row]:
    async with chromium(WITHOUT_COMPILER) as browser:
        return kept(f"page.left_cameras.{REJOINS}", *await after_cameras(browser, REJOINS))


async def message_rows(_: int) -> list[Row]:
    async with chromium() as browser:
        found = await with_messages(browser, MESSAGES)
    return [alone(f"page.messages.{MESSAGES}", found.all_bytes / MEGABYTE, "MB", 60)]


def kept(name: str, before: Census, after: Census) -> list[Row]:
    """Returns the rows that compare a page's counts before and after an activity."""
    nodes = [Beside(after.nodes, before.nodes)]
    listeners = [Beside(after.listeners, before.listeners)]
    return [
        by_ratio(f"{name}.nodes", "nodes", 1.02, "before", nodes),
        by_ratio(f"{name}.listeners", "listeners", 1.02, "before", listeners),
        alone(f"{name}.heap", (after.heap - before.heap) / MEGABYTE, "MB", 0.5),
        alone(f"{name}.detached_videos", after.detached_videos, "videos", 0),
    ]


BENCHMARKS: dict[str, Callable[[int], Awaitable[list[Row]]]] = {
    "page.form": form_rows,
    "page.cameras": camera_rows,
    "page.people": people_rows,
    "page.rejoins": rejoin_rows,
    "page.left_cameras": left_camera_rows,
    "page.messages": message_rows,
}


async def measured(only: Sequence[str], rounds: int) -> AsyncIterator[Row]:
    for name, benchmark in BENCHMARKS.items():
        if any(name.startswith(each) or each.startswith(name) for each in only):
            for row in await benchmark(rounds):
                yield row


async def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="measurements of times")
    parser.add_argument("--only", action="append", help="a prefix of the names of rows")
    parser.add_argument("--results", type=Path, help="rows are added to this file")
    flags = parser.parse_args()
    is_missed = False
    async for row in measured(flags.only or ["page"], flags.rounds):
        print(row.told, flush=True)
        is_missed |= not row.is_met
        if flags.results:
            flags.results.parent.mkdir(exist_ok=True)
            with flags.results.open("a") as results:
                results.write(row.json + "\n")
    # In `make bench`, a value over its limit is only recorded, and is not a failure.
    return 0 if flags.results else int(is_missed)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
