"""Runs meetings on two hosts with one PostgreSQL and its standby, each in a network namespace.

.venv/bin/python Tests/Python/cluster_hosts.py     needs root and iproute2

Meetings are spread over both hosts. The program cuts one host off and connects the host again, then
drains and restores the host. Then the store fails over to its standby while members of the meetings
send messages. The result of each step is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from carillon import ControlClient
from cluster import PATIENT, SERVICES, owner
from eventually import eventually
from held_meeting import HeldMeeting
from installation import BINARIES, KEEP_ALIVE_MS, Process
from postgres_server import PROGRAMS, PostgresServer

NETWORK = "10.77.71"
GATEWAY_PORT, MEDIA_PORT, REST_PORT, RELAY_PORT, CLUSTER_PORTS = 7400, 7410, 8080, 8090, 7500
CUT_SECONDS = 15.0
MOST_SECONDS = 10.0
"""The time limit until everything works again: a lease, and the time limits of a gateway and of a
service."""


async def run(*command: str | Path) -> str:
    """Runs a command and returns its output. Fails if the command fails."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, f"{command}: {output.decode()}{errors.decode()}"
    return output.decode()


class Network:
    """Network namespaces and this machine on one bridge: `async with Network("one", "two")`.

    The bridge has its own namespace. On a bridge of this machine, the machine's forwarding rules,
    such as those of Docker, would apply.
    """

    def __init__(self, *names: str, network: str = NETWORK) -> None:
        self._mark = f"c{os.getpid() % 10_000}"
        self._network = network
        self.names = names

    def namespace(self, name: str) -> str:
        return f"{self._mark}-{name}"

    def address(self, name: str) -> str:
        return f"{self._network}.{self.names.index(name) + 1}"

    @property
    def own_address(self) -> str:
        """The address at which programs in the namespaces reach this machine."""
        return f"{self._network}.254"

    def prefix(self, name: str) -> list[str | Path]:
        """Returns the command prefix that runs a program in a namespace."""
        return ["ip", "netns", "exec", self.namespace(name)]

    async def cut(self, name: str) -> None:
        await run("ip", "-n", self._bridge, "link", "set", self._cable(name), "down")

    async def mend(self, name: str) -> None:
        await run("ip", "-n", self._bridge, "link", "set", self._cable(name), "up")

    @property
    def _bridge(self) -> str:
        """The name of the bridge and of its namespace."""
        return f"{self._mark}br"

    def _cable(self, name: str) -> str:
        return f"{self._mark}v{self.names.index(name)}"

    async def __aenter__(self) -> Self:
        bridge, own = self._bridge, f"{self._mark}own"
        await run("ip", "netns", "add", bridge)
        await run("ip", "-n", bridge, "link", "add", bridge, "type", "bridge")
        await run("ip", "-n", bridge, "link", "set", bridge, "up")
        await self._plug(own, own + "e")
        await run("ip", "address", "add", f"{self.own_address}/24", "dev", own + "e")
        await run("ip", "link", "set", own + "e", "up")
        for name in self.names:
            space, cable, end = self.namespace(name), self._cable(name), f"{self._cable(name)}e"
            await run("ip", "netns", "add", space)
            await self._plug(cable, end)
            await run("ip", "link", "set", end, "netns", space)
            inside = ["ip", "-n", space]
            await run(*inside, "address", "add", f"{self.address(name)}/24", "dev", end)
            # Give the link no IPv6 address. Otherwise the system would announce the address a
            # second or two later, and Chromium would then abort its requests (ERR_NETWORK_CHANGED).
            await run(*inside, "link", "set", "dev", end, "addrgenmode", "none")
            await run(*inside, "link", "set", end, "up")
            await run(*inside, "link", "set", "lo", "up")
        return self

    async def _plug(self, cable: str, end: str) -> None:
        """Creates a cable (a veth pair), and connects one end of it to the bridge."""
        await run("ip", "link", "add", cable, "type", "veth", "peer", "name", end)
        await run("ip", "link", "set", cable, "netns", self._bridge)
        await run("ip", "-n", self._bridge, "link", "set", cable, "master", self._bridge, "up")

    async def __aexit__(self, *_: object) -> None:
        # The kernel empties a deleted namespace only later, and would keep this end of the cable
        # for that time. The next network of this process needs the same names, so delete the cable
        # first.
        await run("ip", "link", "delete", f"{self._mark}owne")
        for name in self.names:
            await run("ip", "netns", "delete", self.namespace(name))
        await run("ip", "netns", "delete", self._bridge)


class Host:
    """A host with one instance of each service."""

    def __init__(
        self, name: str, letter: str, network: Network, directory: Path, store: str, key: bytes
    ) -> None:
        self.name = name
        self.letter = letter
        self._network = network
        self.directory = directory / name
        (self.directory / "data").mkdir(parents=True, mode=0o700)
        token = self.directory / "data" / "token.key"
        token.write_bytes(key)
        token.chmod(0o600)
        self._places = ["--runtime-dir", str(self.directory / "run")]
        self._places += ["--data-dir", str(self.directory / "data"), "--store", store]
        self._places += ["--key-dir", str(directory / "keys")]
        self.processes = [self._process(number, each) for number, each in enumerate(SERVICES)]
        self._relay = Process(
            f"relay-{letter}",
            [
                *network.prefix(name),
                *(sys.executable, Path(__file__).with_name("relay.py")),
                f"{self.address}:{RELAY_PORT}",
                f"127.0.0.1:{REST_PORT}",
            ],
            self.directory / "relay.log",
        )

    @property
    def address(self) -> str:
        return self._network.address(self.name)

    @property
    def control(self) -> ControlClient:
        return ControlClient(f"http://{self.address}:{RELAY_PORT}")

    def _process(self, number: int, service: str) -> Process:
        flags = ["--instance", f"{service}-{self.letter}", *self._places]
        if service == "gateway":
            flags += ["--rest-port", str(REST_PORT), "--allow-unsigned"]
            flags += ["--keep-alive-ms", str(KEEP_ALIVE_MS)]
            flags += ["--listen-tcp", f"{self.address}:{GATEWAY_PORT}"]
        else:
            first = CLUSTER_PORTS + 10 * number
            flags += ["--cluster-listen", f"{self.address}:{first}-{first + 9}"]
        if service == "media":
            flags += ["--listen-tcp", f"{self.address}:{MEDIA_PORT}", *PATIENT[2:]]
        if service in ("presence", "video-tiles"):
            flags += PATIENT
        command = [*self._network.prefix(self.name), BINARIES / service, *flags]
        return Process(
            f"{service}-{self.letter}", command, self.directory / f"{service}-{self.letter}.log"
        )

    async def start(self) -> None:
        for process in [*self.processes, self._relay]:
            await process.start()

    async def become_ready(self) -> None:
        for process in self.processes:

            async def is_ready(process: Process = process) -> bool:
                assert process.is_running, f"{process.name} has ended: {process.log}"
                return await self._is_ready(process)

            await eventually(f"{process.name} to be ready", is_ready, 40, 0.1)

    async def _is_ready(self, process: Process) -> bool:
        path = self.directory / "run" / f"{process.name}.http.sock"
        try:
            reader, writer = await asyncio.open_unix_connection(path)
        except OSError:
            return False
        writer.write(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        return answer.startswith(b"HTTP/1.1 200")

    async def carillon(self, *words: str) -> str:
        """Runs the operator's tool on this host and returns its output."""
        command = [*self._network.prefix(self.name), BINARIES / "carillon", *words]
        return await run(*command, *self._places[:2], *self._places[4:6])

    async def end(self) -> None:
        for process in [*reversed(self.processes), self._relay]:
            await process.kill()


class Hosts:
    """The hosts, with those methods of an installation that a `HeldMeeting` calls."""

    def __init__(self, *hosts: Host) -> None:
        self.hosts = hosts
        self.control = hosts[0].control
        self._key = ""

    @property
    def processes(self) -> list[Process]:
        return [process for host in self.hosts for process in host.processes]

    def instances(self, service: str) -> list[str]:
        """Returns the instances of a service, reachable ones first."""
        reachable = [each for each in self.hosts if each.control._base_url in self._base_url]
        others = [each for each in self.hosts if each not in reachable]
        return [f"{service}-{host.letter}" for host in [*reachable, *others]]

    @property
    def _base_url(self) -> str:
        return self.control._base_url

    async def learn(self) -> None:
        """Creates a meeting, to get the public key of the gateways."""
        meeting = await self.control.create_meeting("key")
        self._key = meeting.gateway_url.partition("?")[2]

    def client_url(self, gateway: str) -> str:
        host = next(each for each in self.hosts if each.letter == gateway[-1])
        return f"tcp://{host.address}:{GATEWAY_PORT}?{self._key}"


@dataclass
class Step:
    """The result of one step."""

    name: str
    seconds: float = float("inf")
    violations: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        state = "held" if not self.violations and self.seconds <= MOST_SECONDS else "NOT HELD"
        lines = [f"{self.name:34} right after {self.seconds:6.2f} s  {state}"]
        return "\n".join(lines + [f"    {each}" for each in self.violations[:20]])


class Play:
    """Plays the steps one after the other, while meetings send messages."""

    def __init__(self, hosts: Hosts, network: Network, rate: float) -> None:
        self._hosts = hosts
        self._network = network
        self._rate = rate
        self.held: list[HeldMeeting] = []
        self.steps: list[Step] = []

    async def open(self, count: int) -> None:
        urls = [self._hosts.client_url(each) for each in self._hosts.instances("gateway")]
        for _ in range(count):
            meeting = await self._hosts.control.create_meeting("hosts")
            each = HeldMeeting(self._hosts, meeting)  # type: ignore[arg-type]
            self.held.append(each)
            await each.open(urls)
        for service in ("presence", "messaging", "video-tiles", "media"):
            owners = {owner(each.id, self._hosts.instances(service)) for each in self.held}
            print(f"{service}: {count} meetings on {', '.join(sorted(owners))}")
        self._talks = [asyncio.create_task(each.talk(count / self._rate)) for each in self.held]

    async def until_right(self, name: str) -> Step:
        """Measures the time until everything works in all meetings."""
        step = Step(name)
        self.steps.append(step)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(60):
                await asyncio.gather(*(each.is_right("gateway") for each in self.held))
            step.seconds = loop.time() - begun
        except TimeoutError:
            step.violations.append("not right after a minute")
        print(step, flush=True)
        return step

    async def close(self) -> Step:
        """Collects the violations: wrong and missing events and messages."""
        step = Step("all that was heard", seconds=0.0)
        self.steps.append(step)
        for talk in self._talks:
            talk.cancel()
        try:
            async with asyncio.timeout(120):
                for each in self.held:
                    step.violations += await each.violations()
        except TimeoutError:
            step.violations.append("it is not quiet after two minutes")
        print(step, flush=True)
        return step


async def play(*, meetings: int, rate: float) -> list[Step]:
    async with AsyncExitStack() as stack:
        directory = Path(tempfile.mkdtemp(prefix="h-"))
        stack.callback(shutil.rmtree, directory, ignore_errors=True)
        network = Network("one", "two", "store", "standby")
        await stack.enter_async_context(network)
        primary = PostgresServer(
            "synchronous_standby_names = '*'",
            "synchronous_commit = on",
            "wal_level = replica",
            prefix=network.prefix("store"),
            address=network.address("store"),
        )
        await stack.enter_async_context(primary)
        standby = await primary.make_standby(
            prefix=network.prefix("standby"), address=network.address("standby")
        )
        await stack.enter_async_context(standby)
        store = f"postgresql://carillon@{primary.address},{standby.address}/postgres"
        store += "?target_session_attrs=read-write&connect_timeout=2"
        await run(BINARIES / "carillon", "keys", "init", "--key-dir", directory / "keys")
        key = secrets.token_bytes(32)
        one = Host("one", "a", network, directory, store, key)
        two = Host("two", "b", network, directory, store, key)
        hosts = Hosts(one, two)
        game = Play(hosts, network, rate)
        is_over = False
        try:
            for host in (one, two):
                stack.push_async_callback(host.end)
                await host.start()
            for host in (one, two):
                await host.become_ready()
            await hosts.learn()
            await game.open(meetings)
            await game.until_right("two hosts")

            hosts.control = two.control
            await network.cut("one")
            await game.until_right("one host is cut off")
            await asyncio.sleep(CUT_SECONDS)
            await network.mend("one")
            await one.become_ready()
            await game.until_right("it is back")

            for service in SERVICES:
                await one.carillon("drain", f"{service}-a")
            await game.until_right("it is drained")
            for service in SERVICES:
                await one.carillon("undrain", f"{service}-a")
            await game.until_right("it is taken back")

            await primary.crash()
            await standby.promote()
            await game.until_right("the store has failed over")
            await game.close()
            is_over = True
        finally:
            for each in game.held:
                await each.close()
            if not is_over or any(step.violations for step in game.steps):
                for process in hosts.processes:
                    print(f"== {process.name}\n{process.log[-2500:]}", file=sys.stderr)
        return game.steps


def can_be_played() -> bool:
    """Returns whether this machine has what the steps need: root, iproute2 and PostgreSQL."""
    return os.geteuid() == 0 and shutil.which("ip") is not None and PROGRAMS.exists()


async def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meetings", type=int, default=8)
    parser.add_argument("--rate", type=float, default=40.0, help="messages a second")
    flags = parser.parse_args(arguments)
    assert can_be_played(), "This needs root, iproute2 and Scripts/postgresql.sh."
    steps = await play(meetings=flags.meetings, rate=flags.rate)
    print("\n" + "\n".join(map(str, steps)))
    is_held = all(step.seconds <= MOST_SECONDS and not step.violations for step in steps)
    return 0 if is_held else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
