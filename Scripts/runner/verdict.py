"""The verdict on a run: failures, unsteady tests and skips. This module runs no programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner import results
from runner.results import JobResult, Outcome, TestResult

MOST_UNSTEADY = 2
"""The largest number of unsteady tests in a run that is not red."""
RUNS_ALONE = 2
"""The number of reruns of a failed test of real processes."""


@dataclass(frozen=True)
class Failure:
    """A failed test or job, and the command that runs it alone."""

    name: str
    text: str
    command: str


@dataclass(frozen=True)
class Unsteady:
    """A test that failed once, and passed each time when it was rerun alone."""

    name: str
    text: str
    command: str
    is_listed: bool


@dataclass(frozen=True)
class Skip:
    """A skipped test that the list of skips allows."""

    name: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """The outcome of a run."""

    failures: tuple[Failure, ...]
    unsteady: tuple[Unsteady, ...]
    skips: tuple[Skip, ...]
    """The skipped tests that `Tests/skips.md` allows."""
    passed: int

    @property
    def is_red(self) -> bool:
        """Whether the run is red, so that nobody may merge the change."""
        return bool(self.failures) or len(self.unsteady) > MOST_UNSTEADY

    @property
    def closing_line(self) -> str:
        """The last line of a run: the numbers of passed, failed and skipped tests."""
        failed = len(self.failures)
        if self.is_red and failed == 0:
            failed = len(self.unsteady)
        skipped = f", {len(self.skips)} skipped" if self.skips else ""
        return f"{self.passed} passed, {failed} failed{skipped}"


def runs_again(job: JobResult) -> list[TestResult]:
    """Returns those failed tests of a job that must be rerun: the tests that start programs.

    A job that crashed or timed out is not rerun, because it is unknown which tests did not run.
    """
    if _is_broken(job):
        return []
    return [test for test in job.failures if test.starts_programs]


def judge(
    jobs: Sequence[JobResult],
    again: Mapping[str, Sequence[Outcome]],
    allowed_skips: Mapping[str, str],
    listed: frozenset[str],
) -> Verdict:
    """Returns the verdict on a run.

    - Parameters:
      - again: The outcomes of each rerun test, by its id.
      - allowed_skips: The reason of each allowed skip, by test name.
      - listed: The names listed in `Tests/unsteady.md`.
    """
    failures: list[Failure] = []
    unsteady: list[Unsteady] = []
    skips: list[Skip] = []
    passed = 0
    for job in jobs:
        for test in job.tests:
            name = f"{job.name}: {test.name}"
            match test.outcome:
                case Outcome.PASSED:
                    passed += 1
                case Outcome.SKIPPED if test.name in allowed_skips:
                    skips.append(Skip(test.name, allowed_skips[test.name]))
                case Outcome.SKIPPED:
                    text = f"It was skipped, and Tests/skips.md does not list it: {test.text}"
                    failures.append(Failure(name, text, test.command))
                case Outcome.FAILED if _passed_again(again.get(test.id, ())):
                    passed += 1
                    is_listed = test.name in listed
                    unsteady.append(Unsteady(name, test.text, test.command, is_listed))
                case Outcome.FAILED:
                    failures.append(Failure(name, test.text, test.command))
        if _is_broken(job):
            failures.append(_broken(job))
        elif not job.tests:
            passed += 1
    return Verdict(tuple(failures), tuple(unsteady), tuple(skips), passed)


def _passed_again(outcomes: Sequence[Outcome]) -> bool:
    return len(outcomes) >= RUNS_ALONE and all(o is Outcome.PASSED for o in outcomes)


def _is_broken(job: JobResult) -> bool:
    """Returns whether the job has an error that its failed tests do not show."""
    return job.status != 0 and (not job.failures or bool(job.unfinished) or job.status < 0)


def _broken(job: JobResult) -> Failure:
    lines = [f"It ended with {describe(job.status)} after {job.seconds:.0f} s."]
    if job.unfinished:
        lines += ["These tests had begun and not ended:", *(f"  {id}" for id in job.unfinished)]
    return Failure(job.name, "\n".join([*lines, job.tail]), job.command)


def describe(status: int) -> str:
    """Returns a job's exit status in words."""
    match status:
        case results.TIMED_OUT:
            return "a time-out"
        case results.NO_TEST:
            return "no test run"
        case _ if status < 0:
            return f"signal {-status}"
        case _:
            return f"status {status}"
