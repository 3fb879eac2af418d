"""A pytest plugin that writes one line of JSON for each test: `-p runner.pytest_results`.

`TEST_RESULTS` names the file. The plugin records that a test starts programs if the test, or a
fixture of the test, started a program. Tests that share such a fixture count too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_PROPERTY = "starts_programs"


class _Programs:
    """Counts the programs that this process has started."""

    def __init__(self) -> None:
        self.started = 0
        self.fixtures: set[str] = set()
        sys.addaudithook(self._notice)

    def _notice(self, event: str, _: tuple[object, ...]) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.fork"):
            self.started += 1


# ruff: noqa: D102, D103 - pytest's own names, which its reference explains.
class Results:
    """Writes the results. With pytest-xdist, only the controller process writes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._programs = _Programs()
        self._parts: dict[str, list[pytest.TestReport]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: Any, request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        before = self._programs.started
        try:
            return (yield)
        finally:
            if self._programs.started > before:
                self._programs.fixtures.add(fixturedef.argname)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._before = self._programs.started
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        used = set(getattr(item, "fixturenames", ()))
        if self._programs.started > self._before:
            # The programs may belong to a fixture that later tests also use.
            self._programs.fixtures |= _shared(item)
            report.user_properties.append((_PROPERTY, True))
        elif used & self._programs.fixtures:
            report.user_properties.append((_PROPERTY, True))
        return report

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if "PYTEST_XDIST_WORKER" not in os.environ:
            with self._path.open("a") as file:
                file.write(json.dumps({"began": nodeid}) + "\n")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if "PYTEST_XDIST_WORKER" in os.environ:
            return
        parts = self._parts.setdefault(report.nodeid, [])
        parts.append(report)
        # xdist reports a crashed worker as a separate part without a teardown.
        if report.when not in ("setup", "call"):
            self._write(report.nodeid, self._parts.pop(report.nodeid))

    def pytest_internalerror(self, excrepr: object) -> None:
        # pytest prints one such error for each process, and the log shows only the last one.
        if "PYTEST_XDIST_WORKER" not in os.environ:
            self._append("pytest", "failed", 0, _ending(str(excrepr)), programs=False)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        # The report is about a file that pytest cannot collect, or skips as a whole.
        if report.outcome != "passed" and "PYTEST_XDIST_WORKER" not in os.environ:
            self._append(report.nodeid, report.outcome, 0, _reason(report), programs=False)

    def _write(self, nodeid: str, parts: list[pytest.TestReport]) -> None:
        worst = next((part for part in parts if part.failed), None)
        worst = worst or next((part for part in parts if part.skipped), None)
        outcome = worst.outcome if worst else "passed"
        programs = any(name == _PROPERTY for part in parts for name, _ in part.user_properties)
        seconds = sum(part.duration for part in parts)
        self._append(nodeid, outcome, seconds, _reason(worst) if worst else "", programs=programs)

    def _append(
        self, nodeid: str, outcome: str, seconds: float, text: str, *, programs: bool
    ) -> None:
        line = {"id": nodeid, "outcome": outcome, "seconds": round(seconds, 3), "text": text}
        with self._path.open("a") as file:
            file.write(json.dumps(line | {_PROPERTY: programs}) + "\n")


def _shared(item: pytest.Item) -> set[str]:
    """Returns the fixtures of a test that remain after the end of the test."""
    found = getattr(item, "_fixtureinfo", None)
    definitions = found.name2fixturedefs if found else {}
    return {name for name, (*_, last) in definitions.items() if last.scope != "function"}


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    if report.outcome == "skipped":
        if isinstance(report.longrepr, tuple):
            return report.longrepr[2].removeprefix("Skipped: ")
        # The test expects the failure.
        return str(getattr(report, "wasxfail", report.longrepr))
    printed = "\n".join(text for _, text in report.sections)
    return f"{report.longreprtext}\n{printed}"


def _ending(text: str, lines: int = 12) -> str:
    """Returns the last lines of a traceback, which name the cause."""
    return "\n".join(text.rstrip().splitlines()[-lines:])


def pytest_configure(config: pytest.Config) -> None:
    if path := os.environ.get("TEST_RESULTS"):
        config.pluginmanager.register(Results(Path(path)), "carillon-results")
