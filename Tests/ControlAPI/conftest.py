"""One installation for all tests of this folder. Each test creates its own meetings."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ControlAPI.house import House, Key, running

sys.path.insert(0, str(Path(__file__).parents[1] / "Python"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the log of the installation to each failure. The log still exists
    then, because the fixture outlives the test.

    An exception in this hook would end the whole run. A file may have another fixture `house`, so
    this hook adds nothing for a `house` without a log.
    """
    report = yield
    if not report.failed:
        return report
    house = getattr(item, "funcargs", {}).get("house")
    # At the teardown of the last test, the fixture `house` has already removed the log.
    printed = getattr(house, "printed", None) if report.when != "teardown" else None
    if isinstance(printed, str):
        tail = "\n".join(printed.splitlines()[-50:])
        report.sections.append(("Log of the installation", f"== carillon\n{tail}"))
    return report


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    with running() as house:
        yield house


@pytest.fixture(scope="session")
def key(house: House) -> Key:
    return house.make_key("tests")


@pytest.fixture(scope="session")
def api(house: House, key: Key) -> Any:
    return house.client(key)


@pytest.fixture
def token() -> str:
    return str(uuid.uuid4())


@pytest.fixture
def meeting(api: Any, token: str) -> Iterator[dict[str, Any]]:
    made = api.create_meeting(
        ClientRequestToken=token, MediaRegion="us-east-1", ExternalMeetingId="standup"
    )["Meeting"]
    yield made
    with suppress(api.exceptions.NotFoundException):
        api.delete_meeting(MeetingId=made["MeetingId"])
