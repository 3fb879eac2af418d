"""What became of one test."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

RESULTS = "{results}"
"""Stands in a command for the path of the file that takes the results of its tests."""


class Outcome(StrEnum):
    """How a test ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class TestResult:
    """One test of one job, as its test runner reported it."""

    __test__ = False

    id: str
    """The name by which its test runner finds the test."""
    outcome: Outcome
    seconds: float = 0.0
    text: str = ""
    """Why it failed or was skipped, with what its processes printed."""
    starts_programs: bool = False
    """Whether it runs other programs. Only such a test is run again when it fails."""
    command: str = ""
    """The command that runs this test alone."""

    @property
    def name(self) -> str:
        """The id without the place in the source, which changes with the lines above it."""
        return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", self.id)


@dataclass(frozen=True)
class JobResult:
    """What became of one job: a command that holds many tests, one check, or a build step."""

    name: str
    status: int
    """The exit status; negative for a signal. `TIMED_OUT` when the job was ended at its limit."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    tests: tuple[TestResult, ...] = ()
    unfinished: tuple[str, ...] = ()
    """Tests that had begun when the process ended."""
    log: str = ""
    """The path of everything that the job printed."""
    tail: str = ""
    """The last lines of it."""
    command: str = ""

    def count(self, outcome: Outcome) -> int:
        """How many tests ended so."""
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def failures(self) -> list[TestResult]:
        """The tests that failed."""
        return [test for test in self.tests if test.outcome is Outcome.FAILED]


TIMED_OUT = 124
"""The status of a job that was ended at its limit, as of timeout(1)."""
NO_TEST = 5
"""The status of a job that ran no test, as of pytest."""

_PROCESS_LOG = re.compile(r"^== \S+$", re.MULTILINE)


def shorten(text: str, lines: int = 30, log_lines: int = 6) -> str:
    """The first lines of a failure, then the last lines of each process's log in it.

    A log begins at a line `== NAME`, as the fixtures of the tests print it.
    """
    places = [match.start() for match in _PROCESS_LOG.finditer(text)]
    head = text[: places[0]] if places else text
    kept = head.strip().splitlines()
    if len(kept) > lines:
        kept = [*kept[: lines // 2], "…", *kept[-(lines // 2) :]]
    for start, end in pairwise([*places, len(text)]):
        name, *log = text[start:end].strip().splitlines()
        kept += [name, *log[-log_lines:]]
    return "\n".join(line[:400] for line in kept)
