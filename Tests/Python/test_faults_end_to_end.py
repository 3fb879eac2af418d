"""Faults of one of two instances of each service: the short form of `make faults`."""

from __future__ import annotations

import pytest

import churn
import faults
from faults import SHORT, play
from installation import BINARIES
from postgres_server import PROGRAMS

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)
needs_postgresql = pytest.mark.skipif(
    not (PROGRAMS / "initdb").exists(), reason="Scripts/postgresql.sh has not been run"
)

PATIENCE = 10.0
"""The factor on the time limits of an idle machine. `make faults` checks the times themselves."""


@pytest.mark.seconds(150)
@pytest.mark.parametrize("fault", SHORT)
async def test_meetings_survive_faults(fault: str) -> None:
    service, name = fault.split(":")
    row = await play(service, name, meetings=4, rate=20)
    assert not row.violations
    assert row.seconds < row.limit * PATIENCE


@needs_postgresql
@pytest.mark.seconds(150)
@pytest.mark.parametrize("fault", ["presence:kill", "messaging:stop"])
async def test_meetings_on_postgresql_survive_faults(fault: str) -> None:
    service, name = fault.split(":")
    row = await play(service, name, meetings=4, rate=20, is_shared=True)
    assert not row.violations
    assert row.seconds < row.limit * PATIENCE


@needs_postgresql
@pytest.mark.seconds(150)
async def test_meetings_survive_without_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is unavailable for longer than a lease. `make faults` waits for half a minute."""
    monkeypatch.setitem(faults.AWAY_SECONDS, "gone", 8.0)
    row = await play("store", "gone", meetings=4, rate=20)
    assert not row.violations
    assert row.seconds < row.limit * PATIENCE


@pytest.mark.seconds(150)
async def test_meetings_survive_changes_of_the_instances() -> None:
    """The short form of `make churn`, with the same factor on the time limits."""
    outcome = await churn.play(seconds=15, meetings=4, rate=20, seed=4)
    assert not outcome.violations
    assert outcome.joined + sum(outcome.left.values()) >= 5
    assert outcome.right_after < churn.MOST_SECONDS * PATIENCE
