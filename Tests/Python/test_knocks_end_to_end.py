"""Knocks at a locked meeting whose host and visitors use different gateways, as real processes."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from cluster import Cluster, owner
from eventually import eventually
from installation import BINARIES, ROOT

pytestmark = [
    pytest.mark.skipif(
        not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
    ),
    pytest.mark.seconds(240),
]

WEB = ("--web-lobby", "open", "--web-root", str(ROOT / "Clients/Web"))
SECONDS = 60.0

Answer = tuple[int, Any]


class Door:
    """A locked meeting, with its host and the people who knock."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.meeting = ""
        self.host = ""
        self.ada = ""

    async def ask(
        self, gateway: str, method: str, path: str, body: Any = None, token: str = ""
    ) -> Answer:
        """Sends a request as a page does, and returns the status and the answer. The status is 0
        if the gateway does not answer."""
        port = self.cluster.rest_ports[f"gateway-{gateway}"]
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{port}/carillon/v1/{path}"
        request = urllib.request.Request(url, data, headers, method=method)
        return await asyncio.to_thread(_sent, request)

    async def begin(self) -> None:
        """Starts a meeting through gateway `a`, and locks it through gateway `b`."""
        body = {"Meeting": "orchard", "Name": "Ada", "Create": True}
        status, answer = await self.ask("a", "POST", "web/join", body)
        assert status == 200, answer
        self.meeting = answer["Meeting"]["MeetingId"]
        self.host = answer["HostToken"]
        self.ada = answer["Attendee"]["JoinToken"]
        lock = f"host/meetings/{self.meeting}/lock"
        status, answer = await self.ask("b", "PUT", lock, {"Locked": True}, self.host)
        assert status == 204, answer

    async def knock(self, gateway: str, name: str = "Eve") -> Answer:
        body = {"Meeting": self.meeting, "Name": name}
        return await self.ask(gateway, "POST", "web/knocks", body)

    async def follow(self, gateway: str, ticket: str) -> Answer:
        return await self.ask(gateway, "POST", "web/knocks/state", {"Knock": ticket})

    async def waiting(self, gateway: str) -> list[Any] | None:
        """Returns the waiting knocks, as the page of the host gets them; `None` if the gateway or
        presence does not answer."""
        path = f"host/meetings/{self.meeting}/knocks"
        status, answer = await self.ask(gateway, "GET", path, token=self.host)
        assert status in (0, 200, 503), answer
        return answer["Knocks"] if status == 200 else None

    async def admit(self, gateway: str, knock: str) -> int:
        path = f"host/meetings/{self.meeting}/knocks"
        body = {"KnockId": knock, "Admit": True}
        return (await self.ask(gateway, "POST", path, body, self.host))[0]

    async def may_caption(self, gateway: str) -> bool:
        """Returns whether an attendee without a host token may start and stop captions."""
        path = f"web/meetings/{self.meeting}/transcription"
        status, answer = await self.ask(gateway, "GET", path, token=self.ada)
        assert status == 200, answer
        return bool(answer["MaySwitch"])


def _sent(request: urllib.request.Request) -> Answer:
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"null")
    except OSError:
        return 0, None


async def test_a_host_of_one_gateway_admits_a_person_who_knocks_at_another_gateway() -> None:
    async with Cluster(gateway=WEB) as cluster:
        door = Door(cluster)
        await door.begin()
        assert await door.may_caption("b")
        assert await door.waiting("a") == []
        assert not await door.may_caption("b")
        status, answer = await door.knock("b")
        assert (status, answer["State"]) == (200, "waiting"), answer
        ticket = answer["Knock"]
        [eve] = await door.waiting("a") or []
        assert eve["DisplayName"] == "Eve"
        assert (await door.follow("a", ticket))[1] == {"State": "waiting"}

        # The host's gateway dies. The host and the visitor lose nothing.
        await cluster.process("gateway-a").kill()
        assert await door.waiting("b") == [eve]
        assert not await door.may_caption("b")

        # The owner of the meeting dies, too. Another instance takes over.
        victim = cluster.process(owner(door.meeting, cluster.instances("presence")))
        await victim.kill()

        async def is_listed_again() -> bool:
            # If presence does not answer (503), the page of the visitor asks again.
            status, answer = await door.follow("b", ticket)
            assert (status, answer) == (200, {"State": "waiting"}) or status == 503, answer
            return await door.waiting("b") == [eve]

        await eventually("the knock to be listed again", is_listed_again, SECONDS)
        assert not await door.may_caption("b")

        assert await door.admit("b", eve["KnockId"]) == 204
        assert await door.waiting("b") == []
        await cluster.process("gateway-a").start()

        async def enters() -> Answer | None:
            status, answer = await door.follow("a", ticket)
            assert status in (0, 200, 503), answer
            return (status, answer) if status == 200 else None

        _, entered = await eventually("gateway-a to answer", enters, SECONDS)
        assert entered["State"] == "admitted"
        assert entered["Meeting"]["MeetingId"] == door.meeting
        assert entered["Attendee"]["JoinToken"]
        assert (await door.follow("b", ticket))[0] == 404


async def test_without_a_host_at_any_gateway_a_knock_ends() -> None:
    async with Cluster(gateway=WEB) as cluster:
        door = Door(cluster)
        await door.begin()
        assert await door.waiting("b") == []
        status, answer = await door.knock("a")
        assert status == 200, answer
        ticket = answer["Knock"]
        for _ in range(3):
            # The host's page asks through one gateway. For the other gateway, the host is present.
            assert await door.waiting("b") is not None
            assert (await door.follow("a", ticket))[1] == {"State": "waiting"}

        async def is_over() -> str | None:
            status, answer = await door.follow("a", ticket)
            assert status in (200, 422), answer
            return answer["Message"] if status == 422 else None

        message = await eventually("the host to be absent", is_over, SECONDS, every=1)
        assert "no host is present" in message
        for gateway in "ab":
            status, answer = await door.knock(gateway)
            assert (status, answer["Code"]) == (422, "Unprocessable")
        # The meeting is still locked, and the ticket of a knock is not a host token.
        path = f"host/meetings/{door.meeting}/knocks"
        assert (await door.ask("b", "GET", path, token=ticket))[0] == 401
        body = {"Meeting": door.meeting, "Name": "Dan"}
        assert (await door.ask("b", "POST", "web/join", body))[0] == 422
        assert await door.may_caption("a")
