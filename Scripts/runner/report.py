"""The text of a run's report: failures, times and the closing lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runner.results import JobResult, Outcome, TestResult, shorten
from runner.verdict import MOST_UNSTEADY, Failure, Unsteady, Verdict, describe


def failure(test: Failure | Unsteady, *, lines: int = 30) -> str:
    """Returns a text: the failed test, the ends of its logs, and the command to run it alone."""
    text = shorten(test.text, lines)
    return "\n".join([f"✘ {test.name}", *_indented(text), f"  Alone: {test.command}"])


def finished(job: JobResult, cores: int) -> str:
    """Returns one line for a finished job."""
    mark = "ok" if job.status == 0 else describe(job.status)
    tests = ""
    if job.tests:
        tests = f"{job.count(Outcome.PASSED)} passed"
        for outcome in (Outcome.FAILED, Outcome.SKIPPED):
            if count := job.count(outcome):
                tests += f", {count} {outcome}"
    figures = f"{job.seconds:6.0f} s {_share(job, cores):5.0%}"
    return f"{mark:<10} {job.name:<28} {figures}  {tests}".rstrip()


def table(jobs: Sequence[JobResult], wall_seconds: float, cores: int) -> str:
    """Returns a table of the steps, longest first, with their times and shares of all cores."""
    width = max(len(job.name) for job in jobs)
    head = f"{'step':<{width}}   wall s    cpu s  share"
    rows = [
        f"{job.name:<{width}} {job.seconds:8.1f} {job.cpu_seconds:8.1f} {_share(job, cores):6.0%}"
        for job in sorted(jobs, key=lambda job: -job.seconds)
    ]
    cpu = sum(job.cpu_seconds for job in jobs)
    share = cpu / max(1e-9, wall_seconds * cores)
    return "\n".join([head, *rows, f"{'all':<{width}} {wall_seconds:8.1f} {cpu:8.1f} {share:6.0%}"])


def slowest(jobs: Iterable[JobResult], count: int = 10) -> str:
    """Returns the slowest tests."""
    tests = sorted((t for job in jobs for t in job.tests), key=lambda t: -t.seconds)[:count]
    return "\n".join(f"{test.seconds:7.1f} s  {test.id}" for test in tests)


def slowest_files(jobs: Iterable[JobResult], count: int = 20) -> str:
    """Returns the pytest files whose tests together take the most time, with this time."""
    seconds: dict[str, float] = {}
    for test in (test for job in jobs for test in job.tests):
        file, _, rest = test.id.partition("::")
        if rest:
            seconds[file] = seconds.get(file, 0) + test.seconds
    slowest = sorted(seconds.items(), key=lambda item: -item[1])[:count]
    return "\n".join(f"{time:7.1f} s  {file}" for file, time in slowest)


def closing(verdict: Verdict, not_run: Sequence[str], date: str) -> str:
    """Returns the closing lines of a run, which are a summary."""
    parts: list[str] = []
    if verdict.skips:
        parts.append("Skipped, as Tests/skips.md allows:")
        parts += [f"  {skip.name}: {skip.reason}" for skip in verdict.skips]
    if verdict.unsteady:
        count = len(verdict.unsteady)
        verb = "is" if count == 1 else "are"
        parts.append(f"{count} {verb} unsteady: failed once, and passed alone each time.")
        for test in verdict.unsteady:
            parts.append(failure(test, lines=16))
            if not test.is_listed:
                parts.append("  Add this to Tests/unsteady.md, with what its logs say:")
                parts.append(entry(test, date))
        if count > MOST_UNSTEADY:
            parts.append(f"That is more than {MOST_UNSTEADY}: the run is red.")
    if verdict.failures:
        parts.append(f"{len(verdict.failures)} failed:")
        parts += [failure(test, lines=16) for test in verdict.failures]
    if not_run:
        parts.append(f"Not run, because something that they need failed: {', '.join(not_run)}")
    return "\n".join([*parts, verdict.closing_line])


def entry(test: Unsteady, date: str) -> str:
    """Returns the entry of `Tests/unsteady.md` for an unlisted test."""
    first = next((line for line in test.text.strip().splitlines() if line.strip()), "")
    return f"## `{test.name.split(': ', 1)[-1]}`\n\n- Seen: {date}\n- Logs: {first[:200]}\n- Cause:"


def again(test: TestResult, outcomes: Sequence[Outcome]) -> str:
    """Returns one line for a rerun test."""
    words = ", ".join(outcomes)
    return f"   again, alone: {test.id}: {words}"


def _share(job: JobResult, cores: int) -> float:
    return job.cpu_seconds / max(1e-9, job.seconds * cores)


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]
