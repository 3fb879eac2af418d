"""The table of changes that a ported program needs: the compiler rejects the code in each row."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "Scripts" / "guide_differences.py"
README = """# Client

<!-- The rows are written by Scripts/guide_differences.py. -->
{}<!-- End of the rows. -->
End.
"""
REFUSED = """// there: a
// here: b
// error: cannot find 'Picture' in scope
import CarillonClient
let a = Picture()
"""


def run(*arguments: str | Path) -> tuple[int, str]:
    """Runs the script, and returns its exit code and its output."""
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    """A document whose table of differences has no rows."""
    path = tmp_path / "README.md"
    path.write_text(README.format(""))
    return path


class TestGuideDifferences:
    def test_the_clients_table_of_differences_equals_the_table_of_the_code(self) -> None:
        code, said = run("--check")
        assert code == 0, said

    def test_code_that_the_compiler_refuses_is_written_to_the_table_once(
        self, tmp_path: Path, readme: Path
    ) -> None:
        (tmp_path / "01-picture.swift.txt").write_text(REFUSED)
        assert run("--check", "--code", tmp_path, "--readme", readme)[0] == 1
        assert run("--code", tmp_path, "--readme", readme)[0] == 0
        assert readme.read_text() == README.format("\n| there | here |\n|---|---|\n| a | b |\n\n")
        assert run("--check", "--code", tmp_path, "--readme", readme)[0] == 0

    def test_code_that_compiles_is_no_difference(self, tmp_path: Path, readme: Path) -> None:
        (tmp_path / "01-logger.swift.txt").write_text(
            REFUSED.replace("Picture()", 'ConsoleLogger(name: "test")')
        )
        code, said = run("--code", tmp_path, "--readme", readme)
        assert code == 1
        assert "it compiles by now" in said

    def test_a_different_compiler_error_fails_the_check(self, tmp_path: Path, readme: Path) -> None:
        (tmp_path / "01-other.swift.txt").write_text(REFUSED.replace("Picture()", "Image()"))
        code, said = run("--code", tmp_path, "--readme", readme)
        assert code == 1
        assert "cannot find 'Image' in scope" in said
        assert readme.read_text() == README.format("")

    def test_a_header_without_a_reason_is_refused(self, tmp_path: Path, readme: Path) -> None:
        (tmp_path / "01-bare.swift.txt").write_text("let a = 1\n")
        code, said = run("--code", tmp_path, "--readme", readme)
        assert code != 0
        assert "does not say error, here, there" in said
