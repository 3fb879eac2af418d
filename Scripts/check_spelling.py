#!/usr/bin/env python3
"""Fails when a document has a word that codespell lists as misspelt.

    Scripts/check_spelling.py           every Markdown file that git knows
    Scripts/check_spelling.py FILE…     only these

Accepted words are listed in pyproject.toml, under `tool.codespell`.
"""

from __future__ import annotations

import subprocess
import sys

import check_links

CODESPELL = check_links.ROOT / ".venv" / "bin" / "codespell"


def main() -> int:
    """Checks the documents that the command line names."""
    files = sys.argv[1:] or [str(path) for path in check_links.documents()]
    if not CODESPELL.exists():
        sys.exit("check_spelling.py: codespell is not installed; run Scripts/python.sh.")
    command = [str(CODESPELL), "--toml", str(check_links.ROOT / "pyproject.toml"), *files]
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        print(f"No misspelt word in {len(files)} documents.")
    return status


if __name__ == "__main__":
    sys.exit(main())
