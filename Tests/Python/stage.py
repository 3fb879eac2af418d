"""An installation whose sockets are attacked while a healthy meeting runs in it."""

from __future__ import annotations

import asyncio
import contextlib
import math
import resource
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from carillon import Dropped, Event, Left, Reconnecting, SessionOptions
from carillon.media import MediaMoved
from eventually import eventually
from hostile import Peer
from installation import Process, free_port
from metrics_text import MetricsText
from pulse import MessagePulse, Pulse, TicketPulse, p99
from test_end_to_end import Attendee, LiveMeeting, live_meeting

HOSTILE = Path(__file__).parent / "hostile.py"
ROUNDS = 4
FLOOR_SECONDS = 0.25
_QUIET_SECONDS = 1.5
_MEMORY = Path("/dev/shm")
_ENDS_SECONDS = 30.0
_NO_ENDING = {"accepted", "accept_failed", "accept_paused"}
"""The connection events that are not the end of a connection."""


class ServiceSocket(Enum):
    """The sockets that strangers can connect to."""

    GATEWAY_IPC = "gateway-ipc"
    GATEWAY_TCP = "gateway-tcp"
    MEDIA = "media"


class Stage:
    """A meeting in which Ada sends messages to Grace (by TCP) and Lin, and packets to media.

    The stage regards the meeting as held up if the p99 delay exceeds twice the p99 delay without an
    attack, plus `FLOOR_SECONDS`. The floor exists because attacker, target and other programs share
    two processors or fewer. Each message passes through five programs, and each program may wait
    for several time slices of the scheduler. The store of messaging is in memory if possible, so
    that no delay depends on a disk that others use. If a test finds that the meeting is held up, it
    measures again, up to `ROUNDS` times. A defect delays every round. The benchmarks, not these
    tests, measure the distribution of delays.
    """

    def __init__(self, meeting: LiveMeeting, tcp_port: int) -> None:
        self.meeting = meeting
        self.installation = meeting.installation
        self._tcp = f"tcp://127.0.0.1:{tcp_port}"
        self._media = ""
        self.ticket = b""
        """The ticket of Lin, who sends no packets."""
        self._attendees: list[Attendee] = []
        self._pulses: list[Pulse] = []
        self._attacks = 0
        self._quiet = 0.0
        """The p99 delay of the meeting without an attack, in seconds."""

    async def open(self, pulses: AsyncExitStack) -> None:
        for name, url in (("ada", self.ipc), ("grace", self._tcp), ("lin", self.ipc)):
            options = SessionOptions(gateway_url=url)
            self._attendees.append(await self.meeting.enter(name, options))
        ada, grace, lin = (attendee.session for attendee in self._attendees)
        moved, unused = [await anext(session.media.events()) for session in (ada, lin)]
        assert isinstance(moved, MediaMoved) and isinstance(unused, MediaMoved)
        self._media, self.ticket = moved.endpoint, unused.ticket
        self._pulses = [
            await pulses.enter_async_context(MessagePulse(ada, grace, lin)),
            await pulses.enter_async_context(TicketPulse(moved)),
        ]

    @property
    def ipc(self) -> str:
        return f"ipc://{self.installation.client_socket}"

    def endpoint(self, face: ServiceSocket) -> str:
        return {ServiceSocket.GATEWAY_IPC: self.ipc, ServiceSocket.GATEWAY_TCP: self._tcp}.get(
            face, self._media
        )

    def process(self, face: ServiceSocket) -> Process:
        return self.installation.media if face is ServiceSocket.MEDIA else self.installation.gateway

    async def metrics(self, face: ServiceSocket) -> MetricsText:
        return await self.installation.metrics(self.process(face))

    async def connections(self, face: ServiceSocket) -> dict[str, int]:
        """Returns the number of connections so far, by event."""
        service = "media_packet" if face is ServiceSocket.MEDIA else "gateway_client"
        metrics = await self.metrics(face)
        return metrics.by("event", f"carillon_{service}_connections_total")

    # The meeting

    async def beat(self, work: asyncio.Future[Any]) -> float:
        """Runs the meeting until the work is done. Returns the p99 delay of the meeting's beats, in
        seconds."""
        delays = await asyncio.gather(*(pulse.beat(work) for pulse in self._pulses))
        for attendee in self._attendees:
            for kind in (Reconnecting, Dropped, Left):
                told = [event for event in attendee.heard if isinstance(event, kind)]
                assert not told, f"{attendee.name} hears {told}."
        return max(map(p99, delays))

    async def rest(self) -> float:
        """Runs the meeting for some time without work. Returns the p99 delay of the meeting's
        beats, in seconds."""
        return await self.beat(asyncio.ensure_future(asyncio.sleep(_QUIET_SECONDS)))

    async def learn(self) -> None:
        """Measures the meeting's delay without an attack."""
        self._quiet = max(self._quiet, await self.rest())

    def is_held_up(self, delay: float) -> bool:
        """Returns whether a p99 delay shows that the meeting is held up."""
        return delay > 2 * self._quiet + FLOOR_SECONDS

    async def hears(self, kind: type[Event], name: str) -> None:
        """Waits until every attendee has received an event of this class about the named
        attendee."""
        for attendee in self._attendees:
            await attendee.hears(kind, name)

    # Attacks

    async def attack(
        self, name: str, face: ServiceSocket, seconds: float, *, secret: bytes = b"", opens: int = 0
    ) -> int:
        """Runs an attack, and returns the number of its connections.

        `opens` is the number of simultaneous connections, for an attack that needs several
        processes to open them.
        """
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 100
        shares = max(1, math.ceil(opens / most))
        arguments = [name, self.endpoint(face), f"{seconds}", f"{shares}", secret.hex()]
        return sum(await asyncio.gather(*(self.run(HOSTILE, arguments) for _ in range(shares))))

    async def run(self, program: Path, arguments: Iterable[str]) -> int:
        """Runs an attacking program to its end, and returns the number that it prints."""
        self._attacks += 1
        log = self.installation.directory / f"attack-{self._attacks}.log"
        process = Process("attack", [sys.executable, program, *arguments], log)
        await process.start()
        try:
            assert await process.wait() == 0, process.log
        finally:
            await process.kill()
        return int(process.log)

    def held(self, counts: Mapping[str, int]) -> int:
        """Returns the number of open connections."""
        ends = sum(count for event, count in counts.items() if event not in _NO_ENDING)
        return counts["accepted"] - ends

    async def endings(self, face: ServiceSocket, before: dict[str, int]) -> dict[str, int]:
        """Waits until all connections have ended. Returns how each count has changed since
        `before`."""
        changes: dict[str, int] = {}

        async def have_all_gone() -> bool:
            for event, count in (await self.connections(face)).items():
                changes[event] = count - before[event]
            return not self.held(changes)

        await eventually(
            f"the ends of all connections to {face.value}", have_all_gone, _ENDS_SECONDS
        )
        return {event: count for event, count in changes.items() if count}


@asynccontextmanager
async def open_stage(**flags: Any) -> AsyncIterator[Stage]:
    """Opens a stage whose installation has these flags."""
    port = free_port()
    gateway = [*flags.pop("gateway", ()), "--listen-tcp", f"127.0.0.1:{port}"]
    # With an interval of 1 s, three missed keep-alives take longer than any stall of a busy
    # machine.
    gateway += ["--keep-alive-ms", "1000"]
    parent = _MEMORY if _MEMORY.is_dir() else None
    async with (
        live_meeting(gateway=gateway, parent=parent, **flags) as meeting,
        AsyncExitStack() as pulses,
    ):
        stage = Stage(meeting, port)
        await stage.open(pulses)
        await stage.learn()
        yield stage


@contextlib.asynccontextmanager
async def memory_of(process: Process, note: Callable[[int], None]) -> AsyncIterator[None]:
    """Calls `note` with the largest growth of a process during the block, in bytes."""
    before = process.anonymous_bytes
    peak = before

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, process.anonymous_bytes)
            await asyncio.sleep(0.01)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        note(max(peak, process.anonymous_bytes) - before)


async def say(peers: Sequence[Peer], words: bytes) -> None:
    """Sends all of the data over the connection of each peer."""
    for peer in peers:
        rest = memoryview(words)
        while rest := rest[peer.send(rest) :]:
            await asyncio.sleep(0.01)  # No event loop watches these sockets, so poll.


async def hear(peers: Sequence[Peer]) -> None:
    """Waits until each peer has received data or was disconnected."""
    for peer in peers:
        while not peer.read() and not peer.is_ended:
            await asyncio.sleep(0.01)
