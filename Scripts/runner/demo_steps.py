"""Reads the steps that `carillon demo --output json` prints."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any

from runner.results import Outcome, TestResult

WHOLE = "carillon demo"
"""The id of a failed demo. A step cannot run alone, so the runner runs the whole demo again."""

_LOG = re.compile(r"The services' log is in (\S+)")
_LOG_LINES = 40
_WIDTH = 380
"""The width to which this module wraps errors of steps, because a report cuts lines at 400
characters."""


def read(output: str, command: str) -> list[TestResult]:
    """Returns one result for each passed or skipped step, and one for all failed steps."""
    steps = [step for line in output.splitlines() if (step := _step(line))]
    results = [_result(step) for step in steps if step["ok"]]
    failed = [step for step in steps if not step["ok"]]
    if failed:
        text = "\n".join([*map(_describe, failed), *_services_log(output)])
        results.append(
            TestResult(WHOLE, Outcome.FAILED, text=text, starts_programs=True, command=command)
        )
    return results


def _step(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        step = json.loads(line)
    except ValueError:
        return None
    is_step = isinstance(step, dict) and "ok" in step and "step" in step
    return step if is_step and step["step"] != "summary" else None


def _result(step: dict[str, Any]) -> TestResult:
    outcome = Outcome.SKIPPED if step.get("skipped") else Outcome.PASSED
    text = str(step.get("detail", {}).get("reason", ""))
    return TestResult(f"demo {step['step']}", outcome, step.get("ms", 0) / 1000, text)


def _describe(step: dict[str, Any]) -> str:
    error = str(step.get("detail", {}).get("error", "no error was given"))
    lines = [f"{step['step']} failed after {step.get('ms', 0)} ms:", error]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, _WIDTH))


def _services_log(output: str) -> list[str]:
    """Returns the last warnings and errors of the services. A failed demo keeps their log."""
    found = _LOG.search(output)
    if not found or not Path(found[1]).is_file():
        return []
    lines = Path(found[1]).read_text(errors="replace").splitlines()
    serious = [line for line in lines if re.search(r"\b(warning|error|critical)\b", line)]
    return ["== services.log", *(serious or lines)[-_LOG_LINES:]]
