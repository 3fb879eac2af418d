"""Attacks with DTLS handshakes while two attendees speak in a meeting.

A thousand browsers complete their handshakes at once. Then browsers begin more handshakes than
media allows at once, and never complete the handshakes. This happens twice. During the attacks, the
sound of the meeting has no gap over 60 ms, media's memory stays bounded, and counters record the
outcome of each handshake. WebRTCUDPEndpointTests in Tests/MediaTests begin ten thousand handshakes
that never end.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from carillon import SessionOptions
from carillon.media import AudioMode, AudioSender
from eventually import eventually
from installation import Installation, Process
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser_peer import RATE, Sound
from Web.signaling_client import client_of, face_of
from Web.stamped_peer import HeardPacket, StampedPeer, stamped_peer
from Web.test_browser_sound import tone
from Web.test_sdk_expectations import say_join

pytestmark = [pytest.mark.alone, pytest.mark.seconds(240)]

CROWD = 1_050
"""The number of hostile browsers. Media allows fewer handshakes at once."""
ROOM = 25
"""The number of hostile browsers in a meeting."""
MOST_HANDSHAKES = 1_000
"""The largest number of handshakes at once."""
HANDSHAKE_BYTES = 96 * 1_024
"""The largest memory of a handshake whose browser has sent only its hello. Tests/WebRTCTests checks
this bound ("a handshake takes at most 96 KiB when the peer sends only a hello").
"""
SESSION_BYTES = 64 * 1_024
"""The largest memory of a browser's session, with the browser's offer and connection."""
GAP = 0.06
"""The longest permitted gap in the sound, in seconds. Gaps that other programs cause do not
count."""
PACKET = 0.02
"""The length of the sound in a packet, in seconds."""
HERTZ = (450.0, 1_000.0)
"""The frequencies of the speakers' tones, in Hz. A packet contains whole periods of each tone."""
LOUD = 800
"""The smallest amplitude of a heard tone. The speakers send an amplitude of 9,000."""
PRESENCE = 0.75
"""The smallest permitted share of the packets during an attack that contain both tones. Other
programs may delay the speakers, so this share is below 1.
"""

HANDSHAKES = "carillon_media_dtls_handshakes_total"


class Crowd:
    """The program of the hostile browsers."""

    def __init__(self, program: asyncio.subprocess.Process) -> None:
        self._program = program

    async def tell(self, line: Any) -> dict[str, float]:
        """Writes a line to the program, and returns its answer."""
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.write(json.dumps(line).encode() + b"\n")
        answer = await self._program.stdout.readline()
        assert answer, "The program of the hostile browsers has ended."
        result: dict[str, float] = json.loads(answer)
        print(result)
        return result


@asynccontextmanager
async def crowd(installation: Installation) -> AsyncIterator[Crowd]:
    """Runs hostile browsers that have joined meetings of their own."""
    lines: list[list[str]] = []
    while len(lines) < CROWD:
        meeting = await installation.control.create_meeting(f"crowd{len(lines)}")
        names = [f"eve{number}" for number in range(ROOM)]
        create = installation.control.create_attendee
        people = await asyncio.gather(*(create(meeting, name) for name in names))
        lines += [[face_of(installation, meeting.meeting_id), who.join_token] for who in people]
    program = await asyncio.create_subprocess_exec(
        *("setpriv", "--pdeathsig", "KILL", sys.executable, "-m", "Web.handshake_crowd"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    try:
        made = Crowd(program)
        await made.tell(lines)
        yield made
    finally:
        program.kill()
        await program.wait()


@asynccontextmanager
async def listener(tea: LiveMeeting, name: str) -> AsyncIterator[StampedPeer]:
    """Runs a browser that listens and sends no sound."""
    who = await tea.create(name)
    async with client_of(tea.installation, tea.meeting.meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        async with stamped_peer(client, np.zeros(0, np.int16), is_muted=True) as peer:
            yield peer


@asynccontextmanager
async def two_speakers(tea: LiveMeeting) -> AsyncIterator[None]:
    """Lets two attendees send tones during the block."""
    options = SessionOptions(
        gateway_url=f"ipc://{tea.installation.client_socket}", audio_mode=AudioMode.MONO_48K
    )
    async with AsyncExitStack() as stack:
        for number, hertz in enumerate(HERTZ):
            speaker = await tea.enter(f"speaker{number}", options)
            sender = stack.enter_context(AudioSender(await speaker.session.media.open()))
            speech = asyncio.create_task(sender.send(tone(hertz, 200).reshape(-1, 1)))
            stack.callback(speech.cancel)
        yield


def amplitude(sound: Sound, hertz: float) -> float:
    """Returns the amplitude of a tone."""
    turn = np.exp(-2j * np.pi * hertz * np.arange(len(sound)) / RATE)
    return float(2 * abs(np.mean(sound * turn)))


class ProcessorWaits:
    """The times in which media's socket thread was ready to run, but other programs had all
    processors. The kernel writes the sum of these times to the file `schedstat` of each thread.

    The hostile browsers and other programs share the processors with media in this test. To get the
    gaps that media itself causes, the test subtracts these times.
    """

    def __init__(self, media: Process) -> None:
        tasks = Path(f"/proc/{media.pid}/task").iterdir()
        self._file = max((each / "schedstat" for each in tasks), key=lambda each: _times(each)[0])
        self._samples: list[tuple[float, float]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def between(self, start: float, end: float) -> float:
        """Returns how long the thread waited for a processor between two times.

        The two samples that this function compares lie a few milliseconds outside of these times.
        """
        before = [waited for at, waited in self._samples if at <= start]
        after = [waited for at, waited in self._samples if at >= end]
        return after[0] - before[-1] if before and after else 0.0

    def _run(self) -> None:
        while not self._is_over.wait(0.005):
            self._samples.append((time.time(), _times(self._file)[1]))


def _times(schedstat: Path) -> tuple[float, float]:
    """Returns how long a thread has run, and how long it has waited for a processor."""
    ran, waited, _ = schedstat.read_text().split()
    return int(ran) / 1e9, int(waited) / 1e9


def longest_gap(packets: list[HeardPacket], waits: ProcessorWaits) -> float:
    """Returns the longest gap that media caused between two packets, in seconds."""
    times = [each.left_at for each in packets]
    gaps = [(after - before, before, after) for before, after in pairwise(times)]
    for gap, *at in gaps:
        if gap - PACKET > GAP:
            print(f"a gap of {gap - PACKET:.3f} s, with {waits.between(*at):.3f} s of waiting")
    return max(gap - waits.between(*at) for gap, *at in gaps) - PACKET


async def until_counted(installation: Installation, least: dict[str, float]) -> dict[str, float]:
    """Waits until the counters have at least these values."""
    found: dict[str, float] = {}

    async def is_counted() -> bool:
        metrics = await installation.metrics(installation.media)
        found.update(metrics.by("outcome", HANDSHAKES))
        return all(found.get(name, 0) >= value for name, value in least.items())

    await eventually(f"{least}", is_counted)
    return found


async def attack(hostile: Crowd, lin: StampedPeer, waits: ProcessorWaits, **command: int) -> None:
    """Lets the hostile browsers attack, and judges the sound at the listener meanwhile."""
    await hostile.tell({"prepare": max(command.values())})
    start = time.time()
    await hostile.tell(command)
    # After the command, media still processes the last handshakes.
    end = time.time() + 0.5
    packets = [each for each in await lin.packets_until(end) if start <= each.left_at <= end]
    gap = longest_gap(packets, waits)
    whole = [all(amplitude(each.sound, hertz) > LOUD for hertz in HERTZ) for each in packets]
    presence = sum(whole) / len(whole)
    print(f"{command}: a gap of {gap:.3f} s, both speakers in {presence:.0%} of the packets")
    assert gap <= GAP
    assert presence >= PRESENCE


async def test_a_thousand_handshakes_at_once_leave_a_meeting_unharmed() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    flags = ["--rest-connections-per-address", f"{2 * CROWD}"]
    async with live_meeting(gateway=flags) as tea, two_speakers(tea), listener(tea, "lin") as lin:
        installation, media = tea.installation, tea.installation.media
        before = media.anonymous_bytes
        with ProcessorWaits(media) as waits:
            async with crowd(installation) as hostile:
                await attack(hostile, lin, waits, complete=MOST_HANDSHAKES)
                await until_counted(installation, {"completed": MOST_HANDSHAKES})
                for number in (1, 2):
                    await attack(hostile, lin, waits, begin=CROWD)
                    refused = number * (CROWD - MOST_HANDSHAKES)
                    await until_counted(installation, {"too_many_handshakes": refused})
                used = media.anonymous_bytes - before
                print(f"media uses {used / (1 << 20):.0f} MiB more")
                assert used <= MOST_HANDSHAKES * HANDSHAKE_BYTES + CROWD * SESSION_BYTES
        # When the hostile browsers are gone, their handshakes make room for others.
        print(await until_counted(installation, {"abandoned": 2 * MOST_HANDSHAKES}))
        async with listener(tea, "mia") as mia:
            await mia.packets_until(time.time() + 1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
