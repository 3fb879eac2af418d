"""If clients exceed a service's limit on open files, clients that are already connected are
unaffected."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from carillon import Joined, SessionOptions
from eventually import due, eventually
from installation import BINARIES, Process
from stage import HOSTILE, ROUNDS, ServiceSocket, Stage, open_stage
from test_end_to_end import Attendee

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)

OPEN_FILES = 1_024
MOST_CONNECTIONS = OPEN_FILES * 3 // 4
_PROMPT_SECONDS = 10.0
"""The time limit of an answer. A slow machine needs less time, and the crowd stays longer."""
_CROWD_SECONDS = 60.0
_FLAGS = {
    "open_files": {"gateway": OPEN_FILES, "media": OPEN_FILES},
    # The crowd sends no requests, and must stay connected.
    "gateway": ["--idle-connection-seconds", "3600"],
}


@asynccontextmanager
async def crowd(stage: Stage, face: ServiceSocket) -> AsyncIterator[Process]:
    """Runs a crowd of 1,500 peers that are connected or wait for a connection."""
    log = stage.installation.directory / "crowd.log"
    command: list[str | Path] = [
        sys.executable,
        HOSTILE,
        "crowd",
        stage.endpoint(face),
        f"{_CROWD_SECONDS}",
    ]
    process = Process("crowd", command, log)
    await process.start()
    try:
        await eventually("the crowd", lambda: bool(process.log))
        yield process
    finally:
        await process.kill()


async def is_full(stage: Stage, face: ServiceSocket) -> dict[str, int]:
    """Waits until the gateway accepts no more connections. Returns the connection counts by
    event."""

    async def counts() -> dict[str, int] | None:
        counts = await stage.connections(face)
        is_full = stage.held(counts) == MOST_CONNECTIONS and counts["accept_paused"] > 0
        return counts if is_full else None

    return await eventually("as many connections as there may be", counts, _CROWD_SECONDS)


async def goes_on(stage: Stage) -> None:
    """Checks that the meeting loses nothing and has no long delays."""
    delays = [await stage.rest()]
    while stage.is_held_up(delays[-1]) and len(delays) < ROUNDS:
        delays.append(await stage.rest())
    assert not stage.is_held_up(delays[-1]), delays


@pytest.mark.seconds(120)
@pytest.mark.parametrize(
    "face", [ServiceSocket.GATEWAY_IPC, ServiceSocket.GATEWAY_TCP], ids=lambda face: face.value
)
async def test_a_crowd_at_the_gateway_waits_and_no_attendee_is_affected(
    face: ServiceSocket,
) -> None:
    async with open_stage(**_FLAGS) as stage:
        options = SessionOptions(gateway_url=stage.endpoint(face), start_seconds=_CROWD_SECONDS)
        async with crowd(stage, face) as process:
            await is_full(stage, face)
            async with due("the others' turn", _PROMPT_SECONDS):
                kate = await stage.meeting.create("kate")
                await stage.installation.become_ready()
            comes = asyncio.create_task(stage.meeting.enter(kate, options))
            await goes_on(stage)
            assert process.is_running and not comes.done()
            counts = await stage.connections(face)
            assert counts["accept_failed"] == counts["crowded_out"] == counts["idle"] == 0
        attendee: Attendee = await comes
        await stage.hears(Joined, "kate")
        await attendee.knows("ada", "grace", "lin", "kate")
        await stage.rest()


@pytest.mark.seconds(120)
async def test_a_crowd_at_media_waits_and_no_attendee_is_affected() -> None:
    face = ServiceSocket.MEDIA
    async with open_stage(**_FLAGS) as stage:
        kate = await stage.meeting.enter("kate")
        async with crowd(stage, face) as process:
            await is_full(stage, face)
            async with due("the others' turn", _PROMPT_SECONDS):
                await stage.installation.become_ready()
            await goes_on(stage)
            assert process.is_running
            counts = await stage.connections(face)
            assert counts["accept_failed"] == counts["crowded_out"] == 0
        # The echo of Kate's ticket shows that media has accepted her connection.
        await kate.session.media.open(timeout=_CROWD_SECONDS)
        await stage.rest()
