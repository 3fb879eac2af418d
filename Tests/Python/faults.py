"""Causes the faults of each service while meetings run, and prints a table of the results.

.venv/bin/python Tests/Python/faults.py            every fault of every service
.venv/bin/python Tests/Python/faults.py --short    the faults that CI has time for
.venv/bin/python Tests/Python/faults.py --only presence:kill,gateway:stop
.venv/bin/python Tests/Python/faults.py --postgresql    the same over PostgreSQL

Each service has two instances. Every meeting must work again in time. For faults of the store, the
script measures the time from the store's return until everything works. While the store is
unavailable, features that need no store must work, and services must reject requests that need the
store.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from carillon import CarillonError, StatusCode
from cluster import SERVICES, Cluster, owner
from held_meeting import HeldMeeting
from installation import Wire
from postgres_server import PostgresServer

STOP_SECONDS = 10.0
CUT_SECONDS = 10.0
AWAY_SECONDS = {"gone": 30.0, "full": 15.0}
LEASE_SECONDS = 3.0
MOST_SECONDS = {"gateway": 5.0, "store": 10.0}
"""The longest permitted time until everything works again, by service; 3 s for other services."""

SHORT = (
    "presence:kill",
    "messaging:kill",
    "messaging:stop",
    "presence:drain",
    "gateway:stop",
    "gateway:cut",
)


@dataclass
class Row:
    """What happened during one fault."""

    service: str
    fault: str
    seconds: float = float("inf")
    others_seconds: float = 0.0
    longest: float = 0.0
    """The duration of the longest check during the fault, in seconds."""
    sent: int = 0
    refused: int = 0
    violations: list[str] = field(default_factory=list)

    @property
    def limit(self) -> float:
        return MOST_SECONDS.get(self.service, 3.0)

    async def take(self, held: Sequence[HeldMeeting]) -> None:
        """Adds the message counts of the meetings to this row, and closes the meetings."""
        for each in held:
            sent, refused = each.tally
            self.sent += sent
            self.refused += refused
            await each.close()

    @property
    def is_held(self) -> bool:
        longest = max(self.seconds, self.others_seconds, self.longest)
        return longest <= self.limit and not self.violations


async def hold(
    cluster: Cluster, service: str, count: int, urls: Sequence[str]
) -> list[HeldMeeting]:
    """Opens meetings, half of which belong to the instance that will fail."""
    is_of_all = service in ("gateway", "store")
    instances = cluster.instances("gateway" if is_of_all else service)
    wanted = dict.fromkeys(instances, count // 2)
    held: list[HeldMeeting] = []
    while any(wanted.values()):
        meeting = await cluster.control.create_meeting("fault")
        name = owner(meeting.meeting_id, instances)
        if not is_of_all and not wanted[name]:
            continue
        each = next(key for key, left in wanted.items() if left) if is_of_all else name
        wanted[each] -= 1
        meeting_held = HeldMeeting(cluster, meeting)
        if service == "store":
            # If a client repeats a rejected message immediately, the gateway throttles the client.
            meeting_held.stated.add(StatusCode.RESOURCE_EXHAUSTED)
        held.append(meeting_held)
        await meeting_held.open(urls)
    return held


async def play(
    service: str, fault: str, *, meetings: int, rate: float, is_shared: bool = False
) -> Row:
    """Causes one fault, and returns its row. With `is_shared`, the services use PostgreSQL."""
    row = Row(service, fault)
    async with cluster_for(fault, is_shared=is_shared) as (cluster, store):
        victim = cluster.process("gateway-b" if service == "store" else f"{service}-b")
        held = await hold(cluster, service, meetings, Scene.urls(cluster, fault))
        try:
            talks = [asyncio.create_task(each.talk(meetings / rate)) for each in held]
            await asyncio.sleep(1)
            concerned = [
                each
                for each in held
                if service in ("gateway", "store")
                or owner(each.id, cluster.instances(service)) == victim.name
            ]
            others = [each for each in held if each not in concerned]
            loop = asyncio.get_running_loop()
            scene = Scene(cluster, victim.name, held, store)
            mending = asyncio.create_task(FAULTS[fault](scene))
            striking = asyncio.create_task(scene.struck.wait())
            await asyncio.wait({mending, striking}, return_when=asyncio.FIRST_COMPLETED)
            begun = loop.time()
            checked = "gateway" if service == "store" else service
            lease = LEASE_SECONDS if fault == "stop" and service != "gateway" else 0.0

            async def until_right(each: HeldMeeting) -> float:
                await each.is_right(checked)
                first = loop.time() - begun
                while not mending.done():
                    asked = loop.time()
                    await each.is_right(checked)
                    row.longest = max(row.longest, loop.time() - asked)
                    await asyncio.sleep(0.1)
                return first

            async with asyncio.timeout(40):
                others_times, times = await asyncio.gather(
                    asyncio.gather(*(until_right(each) for each in others)),
                    asyncio.gather(*(until_right(each) for each in concerned)),
                )
                await mending
            row.violations += scene.violations
            row.seconds = max(0.0, max(times, default=0.0) - lease)
            row.others_seconds = max(others_times, default=0.0)
            await asyncio.sleep(1)
            for talk in talks:
                talk.cancel()
            async with asyncio.timeout(40):
                for each in held:
                    row.violations += await each.violations()
        except TimeoutError:
            row.violations.append("not right after 40 s")
        finally:
            await row.take(held)
        if row.violations:
            for process in cluster.processes:
                print(f"== {process.name}\n{process.log[-3000:]}", file=sys.stderr)
    return row


@dataclass
class Scene:
    """The installation and the meetings that a fault affects."""

    cluster: Cluster
    instance: str
    held: list[HeldMeeting]
    store: PostgresServer | None
    struck: asyncio.Event = field(default_factory=asyncio.Event)
    """An event that is set when the fault happens. The measurement then starts."""
    violations: list[str] = field(default_factory=list)

    @staticmethod
    def urls(cluster: Cluster, fault: str) -> list[str]:
        """Returns the endpoints for clients: gateways, or wires to gateways, which can be cut."""
        if fault == "cut":
            return [f"ipc://{wire_path(cluster, each)}" for each in cluster.instances("gateway")]
        return [cluster.client_url(gateway) for gateway in cluster.instances("gateway")]

    async def without_store(self, seconds: float) -> None:
        """Checks for `seconds` that the services reject only requests that need the store."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + seconds
        while loop.time() < ends:
            try:
                async with asyncio.timeout(5):
                    for each in self.held:
                        for service in ("presence", "video-tiles", "media"):
                            await each.is_right(service)
            except TimeoutError:
                self.violations.append("running meetings do not go on without the store")
                return
            try:
                async with asyncio.timeout(15):
                    await self.cluster.control.create_meeting("refused")
            except CarillonError as error:
                if error.status_code is not StatusCode.UNAVAILABLE:
                    self.violations.append(f"a new meeting is refused with {error!r}")
            except TimeoutError:
                self.violations.append("nobody says that there can be no new meeting")
            else:
                self.violations.append("a meeting is made without the store")
            await asyncio.sleep(1)


def wire_path(cluster: Cluster, gateway: str) -> Path:
    return cluster.directory / f"{gateway}.wire"


@asynccontextmanager
async def cluster_for(
    fault: str, *, is_shared: bool
) -> AsyncGenerator[tuple[Cluster, PostgresServer | None]]:
    """Starts an installation in which the fault can happen, with PostgreSQL if the fault needs
    it."""
    async with AsyncExitStack() as stack:
        store, data = None, None
        if is_shared or fault == "gone":
            store = await stack.enter_async_context(PostgresServer())
        elif fault == "full":
            data = await stack.enter_async_context(_small_disk())
        url = store.url if store else None
        cluster = await stack.enter_async_context(Cluster(data=data, store=url))
        if fault == "cut":
            for gateway in cluster.instances("gateway"):
                socket = cluster.run / f"{gateway}.client.sock"
                wire = Wire(wire_path(cluster, gateway), socket)
                cluster.wires[gateway] = await stack.enter_async_context(wire)
        yield cluster, store


@asynccontextmanager
async def _small_disk() -> AsyncGenerator[Path]:
    """Mounts a small file system in memory. Only root can do this."""
    path = Path(tempfile.mkdtemp(prefix="disk-"))
    await _run("mount", "-t", "tmpfs", "-o", "size=48m,mode=0700", "tmpfs", str(path))
    try:
        yield path / "data"
    finally:
        await _run("umount", "--lazy", str(path))
        path.rmdir()


async def _run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 0, f"{command} failed"


async def _kill(scene: Scene) -> None:
    process = scene.cluster.process(scene.instance)
    await process.kill()
    scene.struck.set()
    await asyncio.sleep(2)
    await process.start()
    await scene.cluster.become_ready()


async def _stop(scene: Scene) -> None:
    process = scene.cluster.process(scene.instance)
    process.send(signal.SIGSTOP)
    scene.struck.set()
    await asyncio.sleep(STOP_SECONDS)
    process.send(signal.SIGCONT)
    await asyncio.sleep(2)


async def _drain(scene: Scene) -> None:
    scene.struck.set()
    await scene.cluster.carillon("drain", scene.instance, *scene.cluster.store_flags)
    await asyncio.sleep(1)
    process = scene.cluster.process(scene.instance)
    code = await process.terminate()
    assert code == 0, f"{scene.instance} stopped with {code}"
    await process.start()
    await scene.cluster.become_ready()


async def _cut(scene: Scene) -> None:
    """Cuts the connections from clients to one gateway for `CUT_SECONDS`."""
    wire = scene.cluster.wires[scene.instance]
    wire.cut()
    scene.struck.set()
    await asyncio.sleep(CUT_SECONDS)
    wire.mend()
    await asyncio.sleep(2)


async def _gone(scene: Scene) -> None:
    assert scene.store is not None, "Only a server can be gone."
    await scene.store.crash()
    await scene.without_store(AWAY_SECONDS["gone"])
    await scene.store.start()
    scene.struck.set()


async def _full(scene: Scene) -> None:
    data = Path(str(scene.cluster.places[scene.cluster.places.index("--data-dir") + 1]))
    filler = data.parent / "filler"
    with filler.open("wb", buffering=0) as file:
        # Fills the disk to the last byte.
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue
    await scene.without_store(AWAY_SECONDS["full"])
    filler.unlink()
    scene.struck.set()


FAULTS: dict[str, Callable[[Scene], Coroutine[None, None, None]]] = {
    "kill": _kill,
    "stop": _stop,
    "drain": _drain,
    "cut": _cut,
    "gone": _gone,
    "full": _full,
}

ALL = [
    *(f"{service}:{fault}" for service in SERVICES for fault in ("kill", "stop", "drain")),
    "gateway:cut",
    "store:full",
    "store:gone",
]


def table(rows: Sequence[Row]) -> str:
    columns = ("right after", "others", "later", "messages", "refused")
    lines = ["{:14} {:6} {:>11} {:>7} {:>7} {:>8} {:>7}  held".format("service", "fault", *columns)]
    for row in rows:
        lines.append(
            f"{row.service:14} {row.fault:6} {row.seconds:9.2f} s {row.others_seconds:5.2f} s "
            f"{row.longest:5.2f} s "
            f"{row.sent:8} {row.refused:7}  {'yes' if row.is_held else 'NO'}"
        )
        lines += [f"    {violation}" for violation in row.violations[:20]]
    return "\n".join(lines)


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--meetings", type=int, default=6)
    parser.add_argument("--rate", type=float, default=50.0, help="messages a second")
    parser.add_argument("--postgresql", action="store_true")
    flags = parser.parse_args()
    chosen = ALL
    if flags.short:
        chosen = list(SHORT)
    if flags.only:
        chosen = flags.only.split(",")
    rows = []
    for each in chosen:
        service, fault = each.split(":")
        row = await play(
            service,
            fault,
            meetings=flags.meetings,
            rate=flags.rate,
            is_shared=flags.postgresql and fault != "full",
        )
        rows.append(row)
        print(table(rows[-1:]), flush=True)
    print("\n" + table(rows))
    return 0 if all(row.is_held for row in rows) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
