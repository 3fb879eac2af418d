"""Runs jobs in parallel, reads their results, and reruns tests that may be unsteady."""

from __future__ import annotations

import os
import queue
import re
import shlex
import shutil
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from runner import demo_steps, python_tests, report, swift_tests, tap
from runner.execute import ROOT, Execution, tail
from runner.results import NO_TEST, RESULTS, JobResult, Outcome, TestResult
from runner.schedule import Job, Lane, Schedule
from runner.verdict import RUNS_ALONE, Failure, runs_again

_PORTS = range(10_000, 20_000)
"""The ports for the programs of tests, below those that `carillon up` and the system assign
(`ip_local_port_range` in ip(7))."""
_PORTS_OF_A_JOB = 500


class Run:
    """One run of jobs. The run writes the output of the jobs to `folder`."""

    def __init__(self, folder: Path, *, may_repeat: bool, root: Path = ROOT) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._root = root
        self._may_repeat = may_repeat
        self._began = time.monotonic()
        starts = range(_PORTS.start, _PORTS.stop - _PORTS_OF_A_JOB, _PORTS_OF_A_JOB)
        self._free_ports = deque(range(start, start + _PORTS_OF_A_JOB) for start in starts)
        self.wall_seconds = 0.0
        self.not_run: list[str] = []
        self.again: dict[str, list[Outcome]] = {}

    def all(self, work: Sequence[Job], places: int, passed: Iterable[str] = ()) -> list[JobResult]:
        """Runs all jobs, then reruns the failed tests that may be unsteady.

        - Parameter passed: Jobs that others need and that passed earlier, such as a build.
        """
        schedule = Schedule(work, places, set(passed))
        done: queue.Queue[tuple[Job, JobResult]] = queue.Queue()
        results: list[JobResult] = []
        for job in schedule.start():
            self._start(job, done)
        while schedule.running:
            job, result = done.get()
            schedule.finish(job.name, passed=result.status == 0)
            results.append(result)
            self._print(result)
            for following in schedule.start():
                self._start(following, done)
        self.not_run = schedule.not_run
        if self._may_repeat:
            self._repeat(results, {job.name: job for job in work})
        self.wall_seconds = time.monotonic() - self._began
        return results

    def _start(self, job: Job, done: queue.Queue[tuple[Job, JobResult]]) -> None:
        self._say(f"begins     {job.name}")
        ports = self._free_ports.popleft()

        def work() -> None:
            done.put((job, self._execute(job, ports)))
            # The run first takes the ports that have been free for the longest time. deque is
            # thread-safe.
            self._free_ports.append(ports)

        threading.Thread(target=work, name=job.name, daemon=True).start()

    def _repeat(self, results: Sequence[JobResult], work: dict[str, Job]) -> None:
        for result in results:
            for test in runs_again(result):
                job = work[result.name]
                outcomes = [self._alone(job, test, turn) for turn in range(RUNS_ALONE)]
                self.again[test.id] = outcomes
                self._say(report.again(test, outcomes))

    def _alone(self, job: Job, test: TestResult, turn: int) -> Outcome:
        """Runs one test alone and keeps its output."""
        command: Sequence[str]
        match job.kind:
            case "swift":
                command = swift_tests.command(swift_tests.filter_for(test.id))
            case "demo":
                command = job.command
            case _:
                command = python_tests.command(test.id)
        name = f"again {len(self.again) + 1} {turn + 1}"
        alone = replace(job, name=name, command=tuple(command), limit_seconds=300)
        result = self._execute(alone, self._free_ports[0])
        if job.kind == "demo":
            return Outcome.PASSED if result.status == 0 else Outcome.FAILED
        outcome = next((t.outcome for t in result.tests if t.id == test.id), Outcome.FAILED)
        return outcome if result.status == 0 else Outcome.FAILED

    def _execute(self, job: Job, ports: range) -> JobResult:
        log = self._folder / f"{re.sub('[^a-z0-9]+', '-', job.name.lower())}.log"
        results = str(log.with_suffix(".jsonl"))
        environment = {
            **job.environment,
            "TEST_PORTS": f"{ports.start}-{ports.stop - 1}",
            "TEST_RESULTS": results,
            "PYTHONPATH": str(ROOT / "Scripts"),
        }
        execution = Execution(
            [results if word == RESULTS else word for word in job.command],
            log,
            environment=environment,
            limit=job.limit_seconds,
            root=self._root,
            is_spare=job.lane is Lane.SPARE,
        )
        result = JobResult(
            job.name,
            execution.status,
            execution.seconds,
            execution.cpu_seconds,
            log=str(log),
            tail=tail(log),
            command=shlex.join(word for word in job.command if word != RESULTS),
        )
        return _read(job, result, log)

    def _print(self, result: JobResult) -> None:
        self._say(report.finished(result, os.cpu_count() or 1))
        for test in result.failures:
            print(report.failure(Failure(test.id, test.text, test.command)), flush=True)
        if result.status != 0 and not result.failures:
            print(result.tail, flush=True)

    def _say(self, text: str) -> None:
        print(f"{time.monotonic() - self._began:6.0f} s  {text}", flush=True)


def _read(job: Job, result: JobResult, log: Path) -> JobResult:
    """Adds the test results from the job's output and results file."""
    results = log.with_suffix(".jsonl")
    output = log.read_text(errors="replace")
    match job.kind:
        case "swift":
            tests, unfinished = swift_tests.read(
                results, output, starts_programs=job.starts_programs
            )
            result = replace(result, tests=tuple(tests), unfinished=tuple(unfinished))
        case "pytest":
            done, begun = python_tests.read(results)
            result = replace(result, tests=tuple(done), unfinished=tuple(begun))
        case "node":
            result = replace(result, tests=tuple(tap.read(output)))
        case "demo":
            result = replace(result, tests=tuple(demo_steps.read(output, result.command)))
        case _:
            return result
    if result.status == 0 and not result.tests:
        return replace(result, status=NO_TEST)
    return result
