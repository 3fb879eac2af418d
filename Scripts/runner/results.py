"""The results of tests and jobs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

RESULTS = "{results}"
"""The placeholder in a command for the path of its results file."""


class Outcome(StrEnum):
    """The outcome of a test."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class TestResult:
    """The result of one test of a job, as its test runner reported it."""

    __test__ = False

    id: str
    """The name that the test runner uses for the test."""
    outcome: Outcome
    seconds: float = 0.0
    text: str = ""
    """The reason for the test's failure or skip, with the output of the test's processes."""
    starts_programs: bool = False
    """Whether the test runs other programs. Only a test that runs programs is rerun if it fails."""
    command: str = ""
    """The command that runs this test alone."""

    @property
    def name(self) -> str:
        """The id without the source location, which changes with the lines above the test."""
        return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", self.id)


@dataclass(frozen=True)
class JobResult:
    """The result of one job: a command with many tests, one check, or a build step."""

    name: str
    status: int
    """The exit status; negative for a signal; `TIMED_OUT` if the job reached its time limit."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    tests: tuple[TestResult, ...] = ()
    unfinished: tuple[str, ...] = ()
    """Tests that were running when the process ended."""
    log: str = ""
    """The path of the job's output."""
    tail: str = ""
    """The last lines of the job's output."""
    command: str = ""

    def count(self, outcome: Outcome) -> int:
        """Returns the number of tests with this outcome."""
        return sum(test.outcome is outcome for test in self.tests)

    @property
    def failures(self) -> list[TestResult]:
        """The tests that failed."""
        return [test for test in self.tests if test.outcome is Outcome.FAILED]


TIMED_OUT = 124
"""The status of a job that reached its time limit, the same as that of timeout(1)."""
NO_TEST = 5
"""The status of a job that ran no test, the same as that of pytest."""

_PROCESS_LOG = re.compile(r"^== \S+$", re.MULTILINE)


def shorten(text: str, lines: int = 30, log_lines: int = 6) -> str:
    """Returns the first lines of a failure's text, and the last lines of each log in that text.

    A log begins with a line `== NAME`, which the test fixtures print.
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
