"""Measures how Chromium and media adapt to changing links.

CARILLON_BINARIES=RELEASE PYTHONPATH=Tests/Python:Tests .venv/bin/python -m Web.adaptive_bench

Chromium receives cameras, or sends a camera. The program runs each profile of
Benchmarks/adaptive.json with each of the profile's seeds. For each measurement, the program prints
the median and the bar, and writes a row in the format of Benchmarks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from Web.adaptive_result import Bar, measured
from Web.adaptive_trial import trial
from Web.limited_link import LinkProfile

PROFILES = Path(__file__).parents[2] / "Benchmarks" / "adaptive.json"
PREFIX = "webrtc.adaptive"
SUBJECTS = {"receiver": {"receiver", "twoReceivers"}, "publisher": {"receiver", "publisher"}}
"""The subjects of the profiles that the trials of each side use. The trials of a publisher do not
use profiles of two receivers, and the trials of a receiver do not use the profile of a publisher.
"""


def trials(only: Sequence[str]) -> Iterator[tuple[str, str, LinkProfile]]:
    """Returns the names, the sides and the profiles of the wanted trials."""
    profiles = [LinkProfile.of(each) for each in json.loads(PROFILES.read_text())]
    for side, subjects in SUBJECTS.items():
        for profile in profiles:
            name = f"{PREFIX}.{side}.{profile.name}"
            if profile.subject in subjects and any(
                name.startswith(each) or each.startswith(f"{name}.") for each in only
            ):
                yield name, side, profile


def told(name: str, bar: Bar, values: Sequence[float]) -> str:
    value = statistics.median(values)
    all_values = ", ".join(f"{each:.3g}" for each in values)
    met = "met" if bar.is_met(value) else "missed"
    return f"{name:44} {value:8.3g} {bar.unit:6} ({all_values}) {bar.text}: {met}"


def as_json(name: str, bar: Bar, values: Sequence[float]) -> str:
    fields = {"name": name, "value": round(statistics.median(values), 3), "unit": bar.unit}
    return json.dumps(
        {**fields, "peer": None, "peer_value": None, "ratio": None, "rounds": len(values)}
    )


async def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", help="a prefix of the names of rows")
    parser.add_argument("--seeds", type=int, default=3, help="the trials of each profile")
    parser.add_argument("--results", type=Path, help="rows are added to this file")
    flags = parser.parse_args()
    is_missed = False
    for name, side, profile in trials(flags.only or [PREFIX]):
        seeds = profile.seeds[: flags.seeds]
        traces = [await trial(profile, side, seed) for seed in seeds]
        for bar, values in measured(traces):
            print(told(f"{name}.{bar.name}", bar, values), flush=True)
            is_missed |= not bar.is_met(statistics.median(values))
            if flags.results:
                flags.results.parent.mkdir(exist_ok=True)
                with flags.results.open("a") as results:
                    results.write(as_json(f"{name}.{bar.name}", bar, values) + "\n")
    # In `make bench`, a missed bar is only recorded, and is not a failure.
    return 0 if flags.results else int(is_missed)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
