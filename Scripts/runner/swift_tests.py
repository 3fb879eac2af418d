"""Reads the events of Swift Testing (`--event-stream-output-path`, version 0)."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner.results import RESULTS, Outcome, TestResult

BUNDLE = ".build/debug/carillonPackageTests.xctest"
"""The program that contains all tests. `swift test` runs the same program, but locks the build."""


def command(only: str, *, skip: str = "") -> list[str]:
    """Returns the command that runs the tests that match `only`. `RESULTS` receives the events."""
    words = [BUNDLE, "--testing-library", "swift-testing", "--filter", only]
    words += ["--event-stream-output-path", RESULTS, "--event-stream-version", "0"]
    return [*words, "--skip", skip] if skip else words


def module(name: str) -> str:
    """Returns a regular expression that matches all tests of a module."""
    return rf"^{name}\."


def filter_for(identifier: str) -> str:
    """Returns a regular expression that matches exactly one test."""
    return "^" + re.escape(identifier) + "$"


def read(path: Path, output: str, *, starts_programs: bool) -> tuple[list[TestResult], list[str]]:
    """Returns the results and the unfinished tests.

    - Parameter output: The output of the tests and their processes. A failure includes the part of
    this output that belongs to the failed test.
    """
    events = _Events()
    for record in _records(path):
        events.add(record)
    finished = [
        replace(result, starts_programs=starts_programs, command=alone(result.id))
        for result in events.results(output)
    ]
    done = {result.id for result in finished}
    return finished, [identifier for identifier in events.began if identifier not in done]


class _Events:
    """The state of a run, according to the records read so far."""

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self.began: dict[str, float] = {}
        self.ended: dict[str, TestResult] = {}
        self.issues: dict[str, list[str]] = {}

    def add(self, record: dict[str, Any]) -> None:
        payload = record.get("payload", {})
        if record.get("kind") == "test":
            if payload.get("kind") == "function":
                self.functions.add(payload["id"])
            return
        # The runner also counts issues outside any test, or of a whole suite, as failures.
        identifier = payload.get("testID") or "no test"
        match payload.get("kind"):
            case "issueRecorded" if not _is_known(payload):
                self.issues.setdefault(identifier, []).append(_text(payload))
            case "testStarted" if identifier in self.functions:
                self.began[identifier] = _seconds(payload)
            case "testSkipped" if identifier in self.functions:
                self.ended[identifier] = TestResult(
                    identifier, Outcome.SKIPPED, text=_text(payload)
                )
            case "testEnded" if identifier in self.functions:
                now = _seconds(payload)
                seconds = now - self.began.get(identifier, now)
                self.ended[identifier] = TestResult(identifier, Outcome.PASSED, seconds)

    def results(self, output: str) -> list[TestResult]:
        failed = dict(self.ended)
        for identifier, texts in self.issues.items():
            seconds = failed[identifier].seconds if identifier in failed else 0.0
            text = "\n".join([*texts, logs_before(output, identifier)])
            failed[identifier] = TestResult(identifier, Outcome.FAILED, seconds, text)
        return list(failed.values())


def _seconds(payload: dict[str, Any]) -> float:
    return float(payload.get("instant", {}).get("absolute", 0))


def alone(identifier: str) -> str:
    """Returns the command line that runs one test."""
    return f"swift test --skip-build --filter {shlex.quote(filter_for(identifier))}"


def logs_before(output: str, identifier: str) -> str:
    """Returns the last process logs that were printed before the test's end.

    The fixtures print them for a failed test, each after a line `== NAME`.
    """
    function = TestResult(identifier, Outcome.FAILED).name.rsplit("/", 1)[-1]
    name = re.sub(r"\([^()]*\)$", "", function).strip("`")
    ends = [m.start() for m in re.finditer(rf"^✘ Test .*{re.escape(name)}", output, re.MULTILINE)]
    if not ends:
        return ""
    part = output[: ends[-1]].rsplit("\n◇ Test ", 1)[-1]
    place = re.search(r"^== \S+$", part, re.MULTILINE)
    return part[place.start() :] if place else ""


def _is_known(payload: dict[str, Any]) -> bool:
    issue = payload.get("issue", {})
    return bool(issue.get("isKnown")) or issue.get("severity") == "warning"


def _text(payload: dict[str, Any]) -> str:
    lines = [message.get("text", "") for message in payload.get("messages", [])]
    place = payload.get("issue", {}).get("sourceLocation", {})
    if place:
        file = place.get("_filePath") or place.get("fileID", "")
        lines.insert(0, f"{file}:{place.get('line', 0)}")
    return "\n".join(lines)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        return
    with path.open(errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # The last line of a crashed process may be incomplete.
            if isinstance(record, dict):
                yield record
