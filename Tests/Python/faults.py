"""Faults of each service, two instances of each, under meetings: a table, and whether all held.

.venv/bin/python Tests/Python/faults.py            every fault of every service
.venv/bin/python Tests/Python/faults.py --short    those that CI has time for
.venv/bin/python Tests/Python/faults.py --only presence:kill,gateway:stop
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field

from cluster import SERVICES, Cluster, owner
from held_meeting import HeldMeeting

STOP_SECONDS = 10.0
LEASE_SECONDS = 3.0
MOST_SECONDS = {"gateway": 5.0}
"""Until all is right again; 3 s for all others."""

SHORT = ("presence:kill", "messaging:kill", "messaging:stop", "presence:drain", "gateway:stop")


@dataclass
class Row:
    """What came of one fault."""

    service: str
    fault: str
    seconds: float = float("inf")
    others_seconds: float = 0.0
    longest: float = 0.0
    """What the longest of the same calls took from then on, until the instance was back."""
    sent: int = 0
    refused: int = 0
    violations: list[str] = field(default_factory=list)

    @property
    def limit(self) -> float:
        return MOST_SECONDS.get(self.service, 3.0)

    @property
    def is_held(self) -> bool:
        longest = max(self.seconds, self.others_seconds, self.longest)
        return longest <= self.limit and not self.violations


async def hold(cluster: Cluster, service: str, count: int) -> list[HeldMeeting]:
    """Meetings of which the faulted instance has half."""
    instances = cluster.instances(service)
    wanted = dict.fromkeys(instances, count // 2)
    held: list[HeldMeeting] = []
    urls = [cluster.client_url(gateway) for gateway in cluster.instances("gateway")]
    while any(wanted.values()):
        meeting = await cluster.control.create_meeting("fault")
        name = owner(meeting.meeting_id, instances)
        if service != "gateway" and not wanted[name]:
            continue
        each = next(key for key, left in wanted.items() if left) if service == "gateway" else name
        wanted[each] -= 1
        meeting_held = HeldMeeting(cluster, meeting)
        held.append(meeting_held)
        await meeting_held.open(urls)
    return held


async def play(service: str, fault: str, *, meetings: int, rate: float) -> Row:
    row = Row(service, fault)
    async with Cluster() as cluster:
        victim = cluster.process(f"{service}-b")
        held = await hold(cluster, service, meetings)
        try:
            talks = [asyncio.create_task(each.talk(meetings / rate)) for each in held]
            await asyncio.sleep(1)
            concerned = [
                each
                for each in held
                if service == "gateway" or owner(each.id, cluster.instances(service)) == victim.name
            ]
            others = [each for each in held if each not in concerned]
            loop = asyncio.get_running_loop()
            struck = asyncio.Event()
            mending = asyncio.create_task(FAULTS[fault](cluster, victim.name, struck))
            await struck.wait()
            begun = loop.time()
            lease = LEASE_SECONDS if fault == "stop" and service != "gateway" else 0.0

            async def until_right(each: HeldMeeting) -> float:
                await each.is_right(service)
                first = loop.time() - begun
                while not mending.done():
                    asked = loop.time()
                    await each.is_right(service)
                    row.longest = max(row.longest, loop.time() - asked)
                    await asyncio.sleep(0.1)
                return first

            async with asyncio.timeout(40):
                others_times, times = await asyncio.gather(
                    asyncio.gather(*(until_right(each) for each in others)),
                    asyncio.gather(*(until_right(each) for each in concerned)),
                )
                await mending
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
            for each in held:
                row.sent += sum(map(len, each.sent.values()))
                row.refused += sum(
                    sent.error is not None for sents in each.sent.values() for sent in sents
                )
                await each.close()
        if row.violations:
            for process in cluster.processes:
                print(f"== {process.name}\n{process.log[-3000:]}", file=sys.stderr)
    return row


async def _kill(cluster: Cluster, instance: str, struck: asyncio.Event) -> None:
    process = cluster.process(instance)
    await process.kill()
    struck.set()
    await asyncio.sleep(2)
    await process.start()
    await cluster.become_ready()


async def _stop(cluster: Cluster, instance: str, struck: asyncio.Event) -> None:
    process = cluster.process(instance)
    process.send(signal.SIGSTOP)
    struck.set()
    await asyncio.sleep(STOP_SECONDS)
    process.send(signal.SIGCONT)
    await asyncio.sleep(2)


async def _drain(cluster: Cluster, instance: str, struck: asyncio.Event) -> None:
    struck.set()
    await cluster.carillon("drain", instance)
    await asyncio.sleep(1)
    process = cluster.process(instance)
    code = await process.terminate()
    assert code == 0, f"{instance} stopped with {code}"
    await process.start()
    await cluster.become_ready()


FAULTS: dict[str, Callable[[Cluster, str, asyncio.Event], Coroutine[None, None, None]]] = {
    "kill": _kill,
    "stop": _stop,
    "drain": _drain,
}


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
    flags = parser.parse_args()
    chosen = [f"{service}:{fault}" for service in SERVICES for fault in FAULTS]
    if flags.short:
        chosen = list(SHORT)
    if flags.only:
        chosen = flags.only.split(",")
    rows = []
    for each in chosen:
        service, fault = each.split(":")
        rows.append(await play(service, fault, meetings=flags.meetings, rate=flags.rate))
        print(table(rows[-1:]), flush=True)
    print("\n" + table(rows))
    return 0 if all(row.is_held for row in rows) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
