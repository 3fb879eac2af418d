#!/usr/bin/env python3
"""Builds once, runs checks and tests in parallel, and reports failures.

    Scripts/run_tests.py                      build, then every test: `make test`
    Scripts/run_tests.py --only messaging     all tests of one service
    Scripts/run_tests.py --only BusTests      one Swift module; or a file, or a test, of pytest
    Scripts/run_tests.py --with checks --with demo --with tsan --with fuzz    what `.ci/run` does

If CI is set, a failed test of real processes is rerun alone, twice. If the test passes both times,
it is unsteady: the run names the test and continues. More than two unsteady tests make the run red.
Unit tests are never rerun. A skipped test fails the run unless Tests/skips.md lists it.

The script keeps all output in .build/test-run. Exit status: 0, or 1 if the run is red.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from runner import jobs, lists, report
from runner.execute import ROOT
from runner.run import Run
from runner.schedule import Job
from runner.verdict import judge

EXTRAS = {"checks": jobs.checks, "demo": jobs.demo, "tsan": jobs.tsan, "fuzz": jobs.fuzz}


def chosen(only: str | None, extras: list[str]) -> list[Job]:
    """Returns the jobs of a run: the build, the tests and the jobs of the extras."""
    tests = jobs.area(only) if only else jobs.tests(jobs.swift_modules())
    return [*jobs.setup(), *tests, *(job for extra in extras for job in EXTRAS[extra]())]


def main() -> int:
    """Runs the jobs that the arguments select."""
    parser = argparse.ArgumentParser(description="Runs the tests.")
    parser.add_argument("--only", metavar="AREA", help=", ".join(jobs.AREAS))
    parser.add_argument("--with", dest="extras", action="append", default=[], choices=EXTRAS)
    parser.add_argument("--places", type=int, default=jobs.PLACES, help="jobs beside each other")
    options = parser.parse_args()
    try:
        work = chosen(options.only, options.extras)
    except ValueError as error:
        parser.error(str(error))
    run = Run(ROOT / ".build" / "test-run", may_repeat="CI" in os.environ)
    results = run.all(work, options.places)
    verdict = judge(
        results,
        run.again,
        lists.skips(_text("Tests/skips.md")),
        lists.unsteady(_text("Tests/unsteady.md")),
    )
    today = datetime.now(UTC).date().isoformat()
    print(f"\n== Slowest tests\n{report.slowest(results)}")
    if files := report.slowest_files(results):
        print(f"\n== Slowest files of pytest\n{files}")
    print(f"\n== Steps\n{report.table(results, run.wall_seconds, os.cpu_count() or 1)}")
    print(f"\n== Result\n{report.closing(verdict, run.not_run, today)}", flush=True)
    return 1 if verdict.is_red or run.not_run else 0


def _text(path: str) -> str:
    file = Path(ROOT / path)
    return file.read_text() if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
