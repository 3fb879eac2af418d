"""Reads the lines that `runner.pytest_results` writes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from runner.execute import ROOT
from runner.results import Outcome, TestResult

PYTEST = str(ROOT / ".venv/bin/python"), "-m", "pytest", "-p", "runner.pytest_results"


def command(*words: str) -> list[str]:
    """Returns the command that runs pytest with these arguments."""
    return [*PYTEST, *words]


def read(path: Path) -> tuple[list[TestResult], list[str]]:
    """Returns the results in the order in which the tests ended, and the unfinished tests."""
    results: list[TestResult] = []
    began: dict[str, None] = {}
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        entry = json.loads(line)
        if "began" in entry:
            began[entry["began"]] = None
            continue
        began.pop(entry["id"], None)
        result = TestResult(
            entry["id"],
            Outcome(entry["outcome"]),
            entry["seconds"],
            entry["text"],
            starts_programs=entry["starts_programs"],
            command=alone(entry["id"]),
        )
        results.append(result)
    return results, list(began)


def alone(identifier: str) -> str:
    """Returns the command line that runs one test."""
    return f".venv/bin/python -m pytest {shlex.quote(identifier)}"
