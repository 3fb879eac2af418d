"""Decides which job starts next, without processes or a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum


class Lane(Enum):
    """The lane of a job, which determines the other jobs that may run at the same time."""

    SHARED = "shared"
    """A shared job runs at the same time as other shared jobs, as long as places are free."""
    SPARE = "spare"
    """A spare job runs at low priority beside the last shared jobs, one spare job at a time."""
    REAL_TIME = "real time"
    """A real-time job plays media and mostly waits. It runs after all shared jobs, beside a spare
    job and other real-time jobs, as long as places are free.
    """
    ALONE = "alone"
    """A job of this lane measures time or memory, so it runs alone, after all other jobs."""


@dataclass(frozen=True)
class Job:
    """One command and the jobs that it needs."""

    name: str
    command: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    """The names of jobs that must pass first."""
    lane: Lane = Lane.SHARED
    weight: int = 1
    """The number of places that the job takes in the shared lane."""
    expected_seconds: float = 10.0
    """The expected time. Of the jobs that may start, the longest starts first."""
    limit_seconds: float = 1200.0
    """The time limit, after which the runner ends the job. The job then fails."""
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    kind: str = ""
    """The format of the command's output: `swift`, `pytest`, `node`, `demo`, or empty."""
    starts_programs: bool = False
    """Whether the job's tests start Carillon's programs. pytest reports this for each test."""


@dataclass
class Schedule:
    """Starts the longest job whose needed jobs have all passed, while places are free."""

    jobs: Sequence[Job]
    places: int = 3
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    running: dict[str, Job] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [job.name for job in self.jobs]
        if len(names) != len(set(names)):
            raise ValueError("Two jobs have one name.")
        unknown = {need for job in self.jobs for need in job.needs} - set(names) - self.passed
        if unknown:
            raise ValueError(f"Jobs need what is not run: {sorted(unknown)}")

    def start(self) -> list[Job]:
        """Returns the jobs to start now and marks them as running."""
        started: list[Job] = []
        while job := self._next():
            self.running[job.name] = job
            started.append(job)
        return started

    def finish(self, name: str, *, passed: bool) -> None:
        """Frees the job's places. Jobs that need a failed job never start."""
        del self.running[name]
        (self.passed if passed else self.failed).add(name)

    @property
    def not_run(self) -> list[str]:
        """The jobs that cannot start because a job that they need failed."""
        return [job.name for job in self._waiting() if not self._can_still_run(job)]

    def _waiting(self) -> list[Job]:
        known = self.passed | self.failed | self.running.keys()
        return [job for job in self.jobs if job.name not in known]

    def _startable(self) -> list[Job]:
        """Returns the waiting jobs that can still start."""
        return [job for job in self._waiting() if self._can_still_run(job)]

    def _can_still_run(self, job: Job) -> bool:
        by_name = {other.name: other for other in self.jobs}
        return not any(
            need in self.failed or not self._can_still_run(by_name[need])
            for need in job.needs - self.passed
        )

    def _next(self) -> Job | None:
        ready = [job for job in self._waiting() if job.needs <= self.passed]
        for lane in (Lane.SHARED, Lane.REAL_TIME, Lane.SPARE, Lane.ALONE):
            candidates = [job for job in ready if job.lane is lane and self._fits(job)]
            if candidates:
                return max(candidates, key=lambda job: job.expected_seconds)
        return None

    def _fits(self, job: Job) -> bool:
        running = list(self.running.values())
        if any(other.lane is Lane.ALONE for other in running):
            return False
        is_tail = not any(other.lane is Lane.SHARED for other in self._startable())
        match job.lane:
            case Lane.SHARED:
                return _weight(running) + min(job.weight, self.places) <= self.places
            case Lane.SPARE:
                # A spare job that ran earlier would slow down the jobs that determine the length of
                # the run.
                return is_tail and all(other.lane is not Lane.SPARE for other in running)
            case Lane.REAL_TIME:
                beside = [other for other in running if other.lane is not Lane.SPARE]
                is_after = all(other.lane is Lane.REAL_TIME for other in beside)
                return is_tail and is_after and len(beside) < self.places
            case Lane.ALONE:
                others = [other for other in self._startable() if other.lane is not Lane.ALONE]
                return not running and not others


def _weight(jobs: Iterable[Job]) -> int:
    return sum(job.weight for job in jobs if job.lane is Lane.SHARED)
