"""A meeting whose services run on two hosts, connected by TCP with CURVE and listed keys."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

import carillon
from eventually import eventually
from installation import BINARIES
from two_hosts import TwoHosts

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)


@asynccontextmanager
async def two_hosts() -> AsyncIterator[TwoHosts]:
    async with TwoHosts() as hosts, asyncio.timeout(120):
        yield hosts


async def refused(hosts: TwoHosts, cause: str) -> None:
    """Waits until presence has counted a rejected peer."""
    name = "carillon_presence_refused_peers_total"

    async def count() -> float:
        return (await hosts.metrics(hosts.presence)).by("cause", name)[cause]

    await eventually(f"a peer that presence refuses: {cause}", count, every=0.1)


async def test_a_meeting_on_two_hosts_survives_crashes() -> None:
    async with two_hosts() as hosts:
        meeting = await hosts.control.create_meeting("tea")
        ada, ben = [await hosts.control.create_attendee(meeting, name) for name in ("ada", "ben")]
        async with carillon.join(meeting, ada) as one, carillon.join(meeting, ben) as other:
            heard = other.messages("chat")
            for number in range(20):
                await one.send("chat", b"%d" % number)
                assert (await anext(heard)).data == b"%d" % number
            # After a restart, the services have other ports.
            for process in (hosts.messaging, hosts.presence):
                await process.kill()
                await process.start()
            await hosts.become_ready()
            await one.send("chat", b"back", lifetime_ms=60_000)
            while (await anext(heard)).data != b"back":
                pass


async def test_a_revoked_host_is_disconnected_with_a_reason_and_returns_when_allowed() -> None:
    async with two_hosts() as hosts:
        meeting = await hosts.control.create_meeting("tea")
        ada = await hosts.control.create_attendee(meeting, "ada")
        async with carillon.join(meeting, ada) as one:
            await one.send("chat", b"before")
            list_of_far = hosts.keys("far") / "allowed.keys"
            allowed = list_of_far.read_text()
            began = asyncio.get_running_loop().time()
            await hosts.carillon("far", "revoke", "here")
            await refused(hosts, "revoked")
            assert asyncio.get_running_loop().time() - began < 20

            async def is_told() -> bool:
                return "refuses this side's key" in await hosts._get(hosts.gateway, "/readyz")

            await eventually("the gateway's health to tell of the refusal", is_told, every=0.1)
            assert "A service cannot be reached" in hosts.gateway.log
            # The test edits the list itself, because no command restores a revoked key.
            list_of_far.write_text(allowed)
            await hosts.become_ready()


async def test_an_unknown_host_is_refused_and_counted() -> None:
    async with two_hosts() as hosts:
        await hosts.gateway.terminate()
        for name in ("service.key", "allowed.keys"):
            (hosts.keys("here") / name).unlink()
        await hosts.carillon("here", "init", "--name", "stranger")
        await hosts.gateway.start()
        await refused(hosts, "unknown_key")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3):
                await hosts.become_ready()


async def test_an_operator_of_another_host_is_admitted_with_an_operator_key() -> None:
    async with two_hosts() as hosts:
        status, said = await hosts.operate("limits")
        assert status != 0
        assert "refuses this side's key" in said
        far = (await hosts.carillon("far", "allowed"))["key"]
        await hosts.carillon("here", "allow", "operator", far, "far-operator")
        while (await hosts.operate("limits"))[0] != 0:
            pass
        await hosts.control.create_meeting("tea")
        status, said = await hosts.operate("meeting", "list", "--output", "json")
        assert status == 0
        assert '"external_meeting_id": "tea"' in said
        assert await hosts.gateway.terminate() == 0


def greeting(mechanism: bytes) -> bytes:
    """Returns the greeting of a peer (37/ZMTP)."""
    signature = b"\xff" + b"\0" * 7 + b"\x01\x7f\x03\x01"
    return signature + mechanism.ljust(20, b"\0") + b"\0" * 32


ATTACKS = {
    "silence": b"",
    "noise": bytes(range(256)) * 16,
    "null": greeting(b"NULL") + b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x06DEALER",
    "plain": greeting(b"PLAIN") + b"\x04\x0a\x05HELLO\x01a\x01b",
    # This peer begins a command as long as the longest message, and never sends the end of the
    # command.
    "endless": greeting(b"CURVE") + b"\x06\0\0\0\0\0\x3f\xff\xff" + b"x" * 65_536,
}


@pytest.mark.parametrize("kind", ATTACKS)
async def test_thousands_of_strangers_cost_little_and_disturb_nobody(kind: str) -> None:
    count = 10_000 if kind == "silence" else 2_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 32_768), hard))
    strangers: list[socket.socket] = []
    async with two_hosts() as hosts:
        meeting = await hosts.control.create_meeting("tea")
        ada = await hosts.control.create_attendee(meeting, "ada")
        async with carillon.join(meeting, ada) as one:
            await one.send("chat", b"before")
            port = hosts.port(hosts.messaging, "rpc")
            before = hosts.messaging.anonymous_bytes
            largest, slowest = before, 0.0
            try:
                for number in range(count):
                    stranger = socket.create_connection(("127.0.0.1", port))
                    strangers.append(stranger)
                    stranger.setblocking(False)
                    with suppress(OSError):
                        stranger.send(ATTACKS[kind])
                    if number % 250 == 0:
                        began = time.monotonic()
                        await one.send("chat", b"during")
                        slowest = max(slowest, time.monotonic() - began)
                        largest = max(largest, hosts.messaging.anonymous_bytes)
                largest = max(largest, hosts.messaging.anonymous_bytes)
            finally:
                for stranger in strangers:
                    stranger.close()
            await one.send("chat", b"after")
            print(f"{kind}: {(largest - before) / 2**20:.1f} MB more, {slowest * 1000:.0f} ms")
            assert largest - before < 64 << 20
            assert slowest < 2
            log = hosts.gateway.log
            assert "cannot be reached" not in log and "does not answer" not in log
            name = "carillon_messaging_refused_peers_total"
            refusals = (await hosts.metrics(hosts.messaging)).by("cause", name)
            if kind == "silence":
                assert refusals["crowded"] > count / 2
            if kind in ("null", "plain"):
                assert refusals["no_key"] > 100
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
