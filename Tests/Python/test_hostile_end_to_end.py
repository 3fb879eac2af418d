"""Attacks by strangers and misbehaving clients do not disturb the meetings of others.

Each attack runs for a few seconds beside a healthy meeting. The attacked process grows by at most
20 MB. The meeting loses and repeats nothing, and has no long delays (`Stage` defines the limit).
The process counts the cause of each ended connection.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
)
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hostile import EMPTY, FEW, HANDSHAKE, MANY, SOME, UNFINISHED, Peer
from installation import BINARIES
from stage import ROUNDS, ServiceSocket, Stage, hear, memory_of, open_stage, say

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)

MOST_GROWTH = 20_000_000
_ATTACK_SECONDS = 2.0
_LONG_SECONDS = 15.0
"""The time limit of slow attacks, which usually end earlier."""
_TALK_SECONDS = 3.0
"""A time in which a meeting may send more messages than any socket buffer holds."""
DEAF = Path(__file__).parent / "deaf_clients.py"
DEAF_CLIENTS = 10
Begin = Callable[[Stage, ServiceSocket], Awaitable[int]]
GATEWAYS = (ServiceSocket.GATEWAY_IPC, ServiceSocket.GATEWAY_TCP)


@dataclass(frozen=True)
class Attack:
    """Programs that attack together, and the expected ends of their connections."""

    programs: tuple[str, ...]
    causes: Mapping[str, int]
    """The minimum number of connections that end for each cause."""
    seconds: float = _ATTACK_SECONDS
    faces: tuple[ServiceSocket, ...] = tuple(ServiceSocket)
    opens: int = 0
    """The number of connections to open, if it may exceed the limit of a process."""
    others: frozenset[str] = field(default=frozenset({"ended"}))
    """Other causes for which connections may end. The script counts connections that are open after
    the attack as `ended`."""

    @property
    def name(self) -> str:
        return "-and-".join(self.programs)

    async def begin(self, stage: Stage, face: ServiceSocket) -> int:
        """Runs the attack, and returns the number of its connections."""
        parts = (
            stage.attack(program, face, self.seconds, secret=stage.ticket, opens=self.opens)
            for program in self.programs
        )
        return sum(await asyncio.gather(*parts))


ATTACKS = [
    Attack(("endless_multipart",), {"protocol_violated": 50}),
    Attack(("endless_frame",), {"protocol_violated": 50}),
    # The attack sends 32 MB of frames, and the budget is 8 MiB.
    Attack(
        ("unfinished_frames",),
        {"over_budget": SOME // 2},
        seconds=_LONG_SECONDS,
        others=frozenset({"overdue"}),
    ),
    Attack(
        ("byte_a_second", "half_handshakes"),
        {"handshake_failed": SOME // 2 + SOME // 3 * 3, "overdue": SOME // 2},
        seconds=_LONG_SECONDS,
    ),
    Attack(
        ("silence",),
        {"crowded_out": MANY // 5, "accept_paused": 1},
        seconds=60,
        opens=MANY,
        others=frozenset({"ended", "handshake_failed"}),
    ),
    Attack(("empty_frames",), {"flooded": 4 * FEW}),
    Attack(("unread_echoes",), {"ended": 1}, faces=(ServiceSocket.MEDIA,)),
    Attack(("wrong_greeting",), {"handshake_failed": 50}),
    Attack(("curve",), {"handshake_failed": 50}),
    # The gateway reads a stranger's data in small parts, so the gateway limits the number of PINGs
    # per second.
    Attack(("pings",), {"flooded": FEW}),
    Attack(("steady_pings",), {"flooded": FEW}, seconds=_LONG_SECONDS),
]


class Stages:
    """One stage for all attacks. A new stage replaces a stage that did not withstand an attack."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._open = AsyncExitStack()
        self._stage: Stage | None = None

    def run(self, scene: Coroutine[Any, Any, None]) -> None:
        """Runs a scene in the loop of the stage."""
        try:
            self._runner.run(scene)
        except BaseException:
            self.close()
            raise

    async def get(self) -> Stage:
        if self._stage is None:
            flags = open_stage(gateway=["--client-budget-kib", "64"])
            self._stage = await self._open.enter_async_context(flags)
        return self._stage

    def close(self) -> None:
        self._stage = None
        self._runner.run(self._open.aclose())


@pytest.fixture(scope="module")
def stages() -> Iterator[Stages]:
    with asyncio.Runner() as runner:
        stages = Stages(runner)
        yield stages
        stages.close()


async def withstand(stages: Stages, face: ServiceSocket, attack: Attack, begin: Begin) -> None:
    stage = await stages.get()
    for _ in range(ROUNDS):
        async with withstanding(stage, face) as outcome:
            work = asyncio.ensure_future(begin(stage, face))
            outcome.delay = await stage.beat(work)
            outcome.opened = work.result()
        if outcome.came_late(attack):
            print(f"The attack was slower than it has to be: {outcome}")
            continue
        outcome.check(attack)
        if not stage.is_held_up(outcome.delay):
            return
        print(f"The meeting is held up: {outcome}")
        await stage.learn()
    pytest.fail(f"The meeting is held up, or the attack was too slow: {outcome}")


@dataclass
class Outcome:
    """The outcome of an attack."""

    delay: float = 0
    """The p99 delay of the healthy meeting, in seconds."""
    grown: int = 0
    """The largest growth of the attacked process, in bytes."""
    opened: int = 0
    """The number of connections of the attack."""
    endings: Mapping[str, int] = field(default_factory=dict)

    def note_growth(self, grown: int) -> None:
        self.grown = grown

    def came_late(self, attack: Attack) -> bool:
        """Returns whether the attackers, which have the lowest priority, were too slow."""
        is_short = any(self.endings.get(cause, 0) < n for cause, n in attack.causes.items())
        return is_short and "overdue" in attack.others and self.endings.get("overdue", 0) > 0

    def check(self, attack: Attack) -> None:
        assert self.grown <= MOST_GROWTH, self
        assert set(self.endings) <= {"accepted", *attack.causes, *attack.others}, self
        for cause, least in attack.causes.items():
            assert self.endings.get(cause, 0) >= least, self
        assert self.opened >= attack.opens, self
        # Healthy clients keep their connections, so they open no new ones.
        assert self.endings["accepted"] <= self.opened, self


@asynccontextmanager
async def withstanding(stage: Stage, face: ServiceSocket) -> AsyncIterator[Outcome]:
    """Watches the attacked process, and waits until the connections of the attack have ended."""
    outcome = Outcome()
    before = await stage.connections(face)
    async with memory_of(stage.process(face), outcome.note_growth):
        yield outcome
    outcome.endings = await stage.endings(face, before)


def cases() -> Iterator[Any]:
    for attack in ATTACKS:
        for face in attack.faces:
            yield pytest.param(attack, face, id=f"{attack.name}-{face.value}")


@pytest.mark.parametrize(("attack", "face"), list(cases()))
def test_meetings_survive_an_attack(stages: Stages, attack: Attack, face: ServiceSocket) -> None:
    stages.run(withstand(stages, face, attack, attack.begin))


@pytest.mark.parametrize("face", GATEWAYS, ids=lambda face: face.value)
def test_meetings_survive_clients_that_never_read_their_events(
    stages: Stages, face: ServiceSocket
) -> None:
    attack = Attack(("deaf_clients",), {"ended": 1 + DEAF_CLIENTS}, others=frozenset({"dismissed"}))
    stages.run(withstand(stages, face, attack, be_deaf))


async def be_deaf(stage: Stage, face: ServiceSocket) -> int:
    """In a separate meeting, one client sends messages to clients that do not read."""
    control = stage.installation.control
    meeting = await control.create_meeting("noise")
    names = ["talker", *(f"deaf-{number}" for number in range(DEAF_CLIENTS))]
    made = [await control.create_attendee(meeting, name) for name in names]
    credentials = [f"{each.attendee_id}:{each.join_token}" for each in made]
    before = await slow_clients(stage)
    opened = await stage.run(
        DEAF, [stage.endpoint(face), f"{_TALK_SECONDS}", meeting.meeting_id, *credentials]
    )
    # The number includes clients that claim to have read data that they have not read.
    assert await slow_clients(stage) - before == DEAF_CLIENTS
    return opened


async def slow_clients(stage: Stage) -> int:
    """Returns the number of sessions that the gateway ended because their clients did not read."""
    metrics = await stage.installation.metrics(stage.installation.gateway)
    return int(metrics.sum("carillon_gateway_slow_clients_total"))


@pytest.mark.alone
def test_a_gateway_over_its_memory_budget_closes_no_more_connections_than_necessary(
    stages: Stages,
) -> None:
    stages.run(keep_too_much(stages))


async def keep_too_much(stages: Stages) -> None:
    """Some peers exceed the budget while other peers send requests, all in one turn of the
    gateway."""
    stage, face = await stages.get(), ServiceSocket.GATEWAY_IPC
    gateway = stage.process(face)
    before = await stage.connections(face)
    # The frames of 128 greedy peers stay below 8 MiB.
    first, more, asking = [[Peer(stage.endpoint(face)) for _ in range(n)] for n in (120, 12, 220)]
    peers = [*first, *more, *asking]
    try:
        await say(peers, HANDSHAKE)
        await hear(peers)
        await say(first, UNFINISHED)
        for _ in range(3):  # The gateway reads earlier data before it answers.
            await say(asking[:1], EMPTY)
            await hear(asking[:1])
        os.kill(gateway.pid, signal.SIGSTOP)
        try:
            await say(more, UNFINISHED)
            await say(asking, EMPTY)
        finally:
            os.kill(gateway.pid, signal.SIGCONT)
        await hear(asking)
        await stage.rest()
        counts = await stage.connections(face)
        gone = [peer for peer in asking if not peer.look()]
        assert not gone, f"{len(gone)} of those who asked"
        assert 0 < counts["over_budget"] - before["over_budget"] <= len(more)
    finally:
        for peer in peers:
            peer.close()
    await stage.endings(face, before)
