"""Makes instances join and leave while meetings run, and checks the meetings.

.venv/bin/python Tests/Python/churn.py                    a minute, twenty meetings
.venv/bin/python Tests/Python/churn.py --seed 7 --seconds 300
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

from cluster import SERVICES, Cluster
from faults import cluster_for
from held_meeting import HeldMeeting
from installation import Process

PAUSE_SECONDS = 2.0
"""The time between two changes, each a join or a leave."""

MOST_SECONDS = 16.0
"""The longest permitted time from the last join until everything works again. A new owner waits for
the gateways that it knows, also for killed ones, but at most for the grace period that `Cluster`
sets."""

INSTANCES = "abc"
"""The letters of the instances: each service has one to three instances."""


@dataclass
class Outcome:
    """The result of a churn run."""

    joined: int = 0
    left: Counter[str] = field(default_factory=Counter)
    """The number of instances that left, by how they left."""
    sent: int = 0
    refused: int = 0
    right_after: float = float("inf")
    """The time from the last join until everything worked, in seconds."""
    last: str = ""
    """The meeting and the service that were the last to work again."""
    violations: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        left = ", ".join(f"{count} by {how}" for how, count in sorted(self.left.items()))
        lines = [
            f"{self.joined} instances joined; {left or 'none'} left",
            f"{self.sent} messages were sent, {self.refused} of them refused",
            f"all was right {self.right_after:.2f} s after the last one had joined: {self.last}",
        ]
        return "\n".join(lines + [f"    {violation}" for violation in self.violations[:40]])


class Churn:
    """Makes an instance join or leave every two seconds. One instance of each service stays."""

    def __init__(self, cluster: Cluster, outcome: Outcome, seed: int) -> None:
        self._cluster = cluster
        self._outcome = outcome
        self._numbers = random.Random(seed)
        self._leaving: dict[str, asyncio.Task[None]] = {}

    async def run(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            await self._change(self._numbers.choice(SERVICES))
            await asyncio.sleep(PAUSE_SECONDS)
        await asyncio.gather(*self._leaving.values())

    async def start_all(self) -> None:
        for process in self._cluster.processes:
            if not process.is_running:
                await process.start()
        await self._cluster.become_ready()

    async def _change(self, service: str) -> None:
        processes = [self._cluster.process(name) for name in self._cluster.instances(service)]
        settled = [each for each in processes if each.name not in self._leaving]
        running = [each for each in settled if each.is_running]
        stopped = [each for each in settled if not each.is_running]
        if stopped and (len(running) < 2 or self._numbers.random() < 0.5):
            await self._numbers.choice(stopped).start()
            self._outcome.joined += 1
        elif len(running) > 1:
            process = self._numbers.choice(running)
            how = self._numbers.choice(("drain", "SIGTERM", "SIGKILL"))
            self._leaving[process.name] = asyncio.create_task(self._leave(process, how))
            self._outcome.left[how] += 1

    async def _leave(self, process: Process, how: str) -> None:
        if how == "SIGKILL":
            await process.kill()
        else:
            if how == "drain":
                await self._cluster.carillon("drain", process.name, *self._cluster.store_flags)
            code = await process.terminate()
            if code != 0:
                self._outcome.violations.append(f"{process.name} stopped with {code}")
        del self._leaving[process.name]


async def play(
    *, seconds: float, meetings: int, rate: float, seed: int, is_shared: bool = False
) -> Outcome:
    """Runs meetings while instances join and leave. All meetings together send `rate` messages per
    second.

    With `is_shared`, the services use PostgreSQL.
    """
    outcome = Outcome()
    async with cluster_for("churn", is_shared=is_shared) as (cluster, _):
        held: list[HeldMeeting] = []
        urls = [cluster.client_url(gateway) for gateway in cluster.instances("gateway")]
        for service in SERVICES:
            for letter in INSTANCES[2:]:
                cluster.add(service, letter)
        try:
            for _ in range(meetings):
                each = HeldMeeting(cluster, await cluster.control.create_meeting("churn"))
                held.append(each)
                await each.open(urls)
            talks = [asyncio.create_task(each.talk(meetings / rate)) for each in held]
            churn = Churn(cluster, outcome, seed)
            await churn.run(seconds)
            await churn.start_all()
            outcome.right_after, outcome.last = await _seconds_until_right(held)
            for talk in talks:
                talk.cancel()
            async with asyncio.timeout(60):
                for each in held:
                    outcome.violations += await each.violations()
        except TimeoutError:
            outcome.violations.append("not right after a minute")
        finally:
            for each in held:
                sent, refused = each.tally
                outcome.sent += sent
                outcome.refused += refused
                await each.close()
        if outcome.violations:
            for process in cluster.processes:
                print(f"== {process.name}\n{process.log[-3000:]}", file=sys.stderr)
    return outcome


async def _seconds_until_right(held: list[HeldMeeting]) -> tuple[float, str]:
    loop = asyncio.get_running_loop()
    begun = loop.time()

    async def until_right(each: HeldMeeting, service: str) -> tuple[float, str]:
        await each.is_right(service)
        return loop.time() - begun, f"{service} of {each.id[:8]}"

    async with asyncio.timeout(60):
        times = [until_right(each, service) for each in held for service in OWNERS]
        return max(await asyncio.gather(*times))


OWNERS = tuple(service for service in SERVICES if service not in ("gateway", "transcription"))


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--meetings", type=int, default=20)
    parser.add_argument("--rate", type=float, default=50.0, help="messages a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    flags = parser.parse_args()
    outcome = await play(
        seconds=flags.seconds,
        meetings=flags.meetings,
        rate=flags.rate,
        seed=flags.seed,
        is_shared=flags.postgresql,
    )
    print(outcome)
    return 1 if outcome.violations or outcome.right_after > MOST_SECONDS else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
