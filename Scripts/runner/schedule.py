"""Which job starts next, as a value: no process, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum


class Lane(Enum):
    """Beside what a job may run."""

    SHARED = "shared"
    """Beside other jobs, as many as fit."""
    SPARE = "spare"
    """Beside the last shared jobs, at low priority, one at a time: it uses what they leave."""
    REAL_TIME = "real time"
    """After all shared jobs, beside a spare one, as many as fit: it plays in real time, and waits
    most of it."""
    ALONE = "alone"
    """When nothing else runs, after all others: it judges time or memory."""


@dataclass(frozen=True)
class Job:
    """One command, and what must be done before it."""

    name: str
    command: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    """Names of jobs that must have passed."""
    lane: Lane = Lane.SHARED
    weight: int = 1
    """How many places of the shared lane it takes."""
    expected_seconds: float = 10.0
    """The longest of the jobs that may start does so first."""
    limit_seconds: float = 1200.0
    """The job is ended after this time, and fails."""
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    kind: str = ""
    """How its output is read: `swift`, `pytest`, `node`, `demo`, or empty."""
    starts_programs: bool = False
    """Whether its tests start programs of ours; pytest says so for each test by itself."""


@dataclass
class Schedule:
    """Starts jobs whose needs have passed, the longest first, as far as places are free."""

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
        """Returns the jobs to start now, and counts them as running."""
        started: list[Job] = []
        while job := self._next():
            self.running[job.name] = job
            started.append(job)
        return started

    def finish(self, name: str, *, passed: bool) -> None:
        """Frees the job's places. What needs a job that failed is never started."""
        del self.running[name]
        (self.passed if passed else self.failed).add(name)

    @property
    def not_run(self) -> list[str]:
        """Jobs that cannot start any more, because something that they need failed."""
        return [job.name for job in self._waiting() if not self._can_still_run(job)]

    def _waiting(self) -> list[Job]:
        known = self.passed | self.failed | self.running.keys()
        return [job for job in self.jobs if job.name not in known]

    def _startable(self) -> list[Job]:
        """Jobs that wait, and may start some time."""
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
                # Earlier it would slow those down that decide when the run ends.
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
