#!/usr/bin/env python3
"""Fails when the list of unsteady tests is too long or an entry lacks a field."""

from __future__ import annotations

import sys
from pathlib import Path

from runner.lists import unsteady, unsteady_problems

LIST = Path(__file__).parents[1] / "Tests" / "unsteady.md"


def main() -> int:
    """Prints the problems and returns the exit status."""
    text = LIST.read_text()
    problems = unsteady_problems(text)
    for problem in problems:
        print(f"Tests/unsteady.md: {problem}")
    if not problems:
        print(f"{len(unsteady(text))} tests are listed as unsteady.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
