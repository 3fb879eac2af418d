"""Reads the output of node's test runner with `--test-reporter=tap` (TAP version 13)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from runner.results import Outcome, TestResult

_LINE = re.compile(r"^ *(not )?ok \d+ - (.*?)(?: # (SKIP|TODO)\b *(.*))?$")


def read(output: str) -> list[TestResult]:
    """Returns the results. A test within a suite has an indented line."""
    return list(_results(output.splitlines()))


def _results(lines: list[str]) -> Iterator[TestResult]:
    for number, line in enumerate(lines):
        if not (found := _LINE.match(line)):
            continue
        failed, name, directive, reason = found.groups()
        details = _details(lines[number + 1 :])
        if directive:
            yield TestResult(name, Outcome.SKIPPED, text=reason or directive, command=alone(name))
        elif failed:
            yield TestResult(name, Outcome.FAILED, text="\n".join(details), command=alone(name))
        else:
            seconds = _milliseconds(details) / 1000
            yield TestResult(name, Outcome.PASSED, seconds, command=alone(name))


def alone(name: str) -> str:
    """Returns the command line that runs one test."""
    pattern = shlex.quote(f"^{re.escape(name)}$")
    return f"node --test --test-name-pattern={pattern} Tests/Web/unit/*.test.js"


def _details(lines: list[str]) -> list[str]:
    """Returns the lines between `---` and `...` after a result."""
    if not lines or lines[0].strip() != "---":
        return []
    end = next((n for n, line in enumerate(lines) if line.strip() == "..."), len(lines))
    return [line.strip() for line in lines[1:end]]


def _milliseconds(details: list[str]) -> float:
    found = next((line for line in details if line.startswith("duration_ms:")), "0:0")
    return float(found.partition(":")[2])
