"""Every Python file of the repository passes mypy and ruff."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_types_of_every_file_are_correct(tmp_path: Path) -> None:
    run("mypy", "--cache-dir", str(tmp_path))


def test_no_file_breaks_a_style_rule() -> None:
    run("ruff", "check", "--no-cache", ".")


def run(tool: str, *arguments: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", tool, *arguments],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert result.returncode == 0, result.stdout + result.stderr
