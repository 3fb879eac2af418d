"""The two lists that a run reads: `Tests/unsteady.md` and `Tests/skips.md`."""

from __future__ import annotations

import re

MOST_LISTED = 5
"""The largest number of unsteady tests that `make check` accepts."""
FIELDS = ("Seen", "Logs", "Cause")


def unsteady(text: str) -> frozenset[str]:
    """Returns the names of the listed tests: each is a heading ``## `NAME` ``."""
    return frozenset(re.findall(r"^## `(.+)`$", text, re.MULTILINE))


def unsteady_problems(text: str) -> list[str]:
    """Returns the problems of the list of unsteady tests."""
    entries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    problems = []
    if len(entries) > MOST_LISTED:
        problems.append(f"{len(entries)} tests are listed; mend some, {MOST_LISTED} may be.")
    for listed in entries:
        name = listed.splitlines()[0]
        problems += [
            f"{name}: '- {needed}:' is missing or empty."
            for needed in FIELDS
            if not re.search(rf"^- {needed}: \S", listed, re.MULTILINE)
        ]
    return problems


def skips(text: str) -> dict[str, str]:
    """Returns the reason of each allowed skip by test name, from rows ``| `NAME` | reason |``."""
    rows = re.findall(r"^\| `(.+)` \| (.+?) \|$", text, re.MULTILINE)
    return {name: reason.strip() for name, reason in rows}
