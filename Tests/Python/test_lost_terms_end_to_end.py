"""Owners that lose every record of their term get the term from the gateways."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial

import pytest

from carillon import CarillonError, TranscriptionStatusType
from eventually import due, eventually
from installation import BINARIES, Installation, Process
from spoken import MEETING, REPORT
from test_end_to_end import Attendee, live_meeting
from transcript_listener import hearing

pytestmark = [
    pytest.mark.skipif(
        not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
    ),
    pytest.mark.seconds(120),
]

SECONDS = 20.0


def forget_term(installation: Installation, service: str) -> None:
    """Removes the registry's record of an instance, and the counter of the instance's terms."""
    shutil.rmtree(installation.run / "registry" / service)
    counters = list((installation.directory / "data/terms").glob(f"{service}.*"))
    assert counters, f"{service} keeps no counter of terms"
    for each in counters:
        each.unlink()


async def lose(installation: Installation, process: Process, service: str) -> None:
    """Kills an instance, deletes its terms, and starts it again."""
    await process.kill()
    forget_term(installation, service)
    await process.start()


async def is_ready(installation: Installation, process: Process) -> bool:
    try:
        return (await installation._get(process, "/readyz")).startswith("HTTP/1.1 200")
    except OSError:
        return False


async def is_away(installation: Installation, process: Process) -> bool:
    return not await is_ready(installation, process)


async def reach_third_term(installation: Installation, process: Process) -> None:
    """Restarts an instance twice, so that the gateways have seen its third term."""
    for _ in range(2):
        await process.kill()
        await process.start()
        await eventually("readiness", partial(is_ready, installation, process), SECONDS)


async def is_stored(sender: Attendee, text: str) -> bool:
    try:
        await sender.session.send("chat", text, lifetime_ms=60_000)
    except CarillonError:
        return False
    return True


async def hear(attendee: Attendee, text: str) -> None:
    async for message in attendee.session.messages("chat"):
        if message.text() == text:
            return


async def test_messaging_that_lost_its_term_stores_messages_again() -> None:
    async with live_meeting() as tea:
        house, messaging = tea.installation, tea.installation.messaging
        ada, grace = await tea.enter("ada"), await tea.enter("grace")
        await reach_third_term(house, messaging)
        assert await is_stored(ada, "before")
        heard = asyncio.create_task(hear(grace, "after"))
        await lose(house, messaging, "messaging")
        await eventually("a message to be stored", partial(is_stored, ada, "after"), SECONDS)
        async with due("the message"):
            await heard
        for process in house.processes:
            await eventually(f"{process.name} to be ready", partial(is_ready, house, process))
        assert grace.departures == []


async def test_a_gateway_without_messaging_is_not_ready() -> None:
    async with live_meeting() as tea:
        house, messaging = tea.installation, tea.installation.messaging
        ada = await tea.enter("ada")
        await messaging.kill()
        await eventually("the gateway to notice", partial(is_away, house, house.gateway), SECONDS)
        await lose(house, messaging, "messaging")
        await eventually("the gateway to be ready", partial(is_ready, house, house.gateway))
        await eventually("a message to be stored", partial(is_stored, ada, "after"), SECONDS)


@pytest.mark.skipif(
    not (BINARIES / "carillon-pocketsphinx").exists(), reason="The engine is not built"
)
async def test_transcription_that_lost_its_term_receives_speech_again() -> None:
    async with hearing() as scene:
        house = scene.live.installation
        await scene.listener.becomes(TranscriptionStatusType.STARTED)
        await reach_third_term(house, house.transcription)
        await scene.say_until_heard(MEETING)
        await lose(house, house.transcription, "transcription")
        await scene.say_until_heard(REPORT)
        await eventually("transcription", partial(is_ready, house, house.transcription), SECONDS)
        ended = {TranscriptionStatusType.STOPPED, TranscriptionStatusType.FAILED}
        assert not ended & set(scene.listener.statuses)
