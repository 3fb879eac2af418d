"""A pytest plugin that starts the slowest files first: `-p runner.pytest_order`.

If a worker began a slow file at the end of a run, the other workers would be idle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

SECONDS = {
    "Tests/Web/test_page.py": 178,
    "Tests/ControlAPI/test_webhooks.py": 158,
    "Tests/Python/test_hostile_end_to_end.py": 145,
    "Tests/Python/test_faults_end_to_end.py": 141,
    "Tests/Web/test_page_video_states.py": 132,
    "Tests/Web/test_firefox_page.py": 126,
    "Tests/Web/test_page_languages.py": 100,
    "Tests/Web/test_meeting.py": 96,
    "Tests/Web/test_document_programs.py": 95,
    "Tests/Web/test_hosts.py": 95,
}
"""The seconds that the slowest files took in CI. They only determine the order, so an old value
does no harm. The report of a run lists the slowest files.
"""


def ordered(files: Iterable[str]) -> list[str]:
    """Returns the files in the order of their start.

    The slowest files start first. The files that are not in `SECONDS` follow, those with the most
    tests first.

    - Parameter files: The file of each test.
    """
    counts = Counter(files)
    return sorted(counts, key=lambda file: (-SECONDS.get(file, 0), -counts[file], file))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Orders the files, and keeps the order of the tests in each file."""
    files = [_file(item) for item in items]
    places = {file: place for place, file in enumerate(ordered(files))}
    items.sort(key=lambda item: places[_file(item)])


def _file(item: pytest.Item) -> str:
    return item.nodeid.split("::", maxsplit=1)[0]
