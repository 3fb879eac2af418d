"""The package is typed: mypy finds nothing in it, nor in how the example uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parents[2] / "Clients/Python"


def test_the_package_and_its_example_are_typed(tmp_path: Path) -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            "pyproject.toml",
            "--cache-dir",
            str(tmp_path),
            "src/carillon",
            "examples",
        ],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert result.returncode == 0, result.stdout + result.stderr
