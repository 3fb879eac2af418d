#!/usr/bin/env python3
"""Runs a module or a file of tests repeatedly, to find tests that only sometimes fail.

    Scripts/hunt.py CLITests --times 20                            alone
    Scripts/hunt.py Tests/Web/test_page.py --times 10 --beside-compiler

The script builds first. `--beside-compiler` runs a compiler in .build-hunt at the same time. The
script keeps the output of each failed run in .build/hunt, and prints the failures. Exit status: 0,
or 1 if any run failed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from runner import jobs
from runner.execute import ROOT
from runner.run import Run

FOLDER = ROOT / ".build" / "hunt"
# Each round compiles the repository's largest module, with one process per core.
COMPILER = "while :; do touch Services/Gateway/*.swift; swift build --target Gateway {}; done"


@contextmanager
def compiler() -> Iterator[None]:
    """Keeps a compiler busy during the block. The compiler never outlives this process."""
    scratch = "--scratch-path .build-hunt"
    subprocess.run(
        ["swift", "build", "--target", "Gateway", *scratch.split()], cwd=ROOT, check=True
    )
    words = ["setpriv", "--pdeathsig", "KILL", "bash", "-c", COMPILER.format(scratch)]
    silent = subprocess.DEVNULL
    process = subprocess.Popen(words, cwd=ROOT, stdout=silent, stderr=silent)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def hunt(only: str, times: int) -> Counter[str]:
    """Returns how often each test failed."""
    failed: Counter[str] = Counter()
    work = [job for job in jobs.area(only) if not job.name.startswith("check")]
    done = {job.name for job in jobs.setup()}
    for turn in range(1, times + 1):
        folder = FOLDER / str(turn)
        print(f"-- {turn} of {times}", flush=True)
        run = Run(folder, may_repeat=False)
        results = run.all(work, 1, passed=done)
        broken = [result for result in results if result.status != 0]
        for result in broken:
            failed.update([test.name for test in result.failures] or [result.name])
        if not broken:
            shutil.rmtree(folder)
    return failed


def main() -> int:
    """Runs the tests that the arguments name."""
    parser = argparse.ArgumentParser(description="Finds tests that fail by chance.")
    parser.add_argument("only", help="an area, a Swift module, or a file or test of pytest")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--beside-compiler", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, check=True)
    if options.beside_compiler:
        with compiler():
            failed = hunt(options.only, options.times)
    else:
        failed = hunt(options.only, options.times)
    for name, count in failed.most_common():
        print(f"{count} of {options.times} failed: {name}")
    print("Nothing failed." if not failed else f"Logs: {FOLDER}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
