"""Attacks on signaling: documented close codes, bounded memory, and no harm to others."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from carillon.signaling import signaling_pb2 as wire
from eventually import due
from test_end_to_end import LiveMeeting, live_meeting
from Web.raw_socket import CONTINUATION, PING, PONG, TEXT, RawSocket
from Web.signaling_client import SignalingClient, client_of, encoded, face_of

pytestmark = pytest.mark.seconds(240)

FRAME_BYTES = 262_144
"""The largest message that a client may send, in bytes."""
SILENT_SECONDS = 120.0
"""A generous timeout, in seconds. A client that answers no ping is closed after 12 s."""
IDLE = 10_000
IDLE_BYTES = 24 * 1024
"""The largest permitted memory of an idle connection, in bytes."""
CONNECTIONS_OF_TOKEN = 8
"""The largest number of connections that the gateway keeps for one join token."""
ATTENDEES = 250
"""The largest number of attendees of a meeting."""


@dataclass(frozen=True)
class JoinTicket:
    """What a connection needs to join."""

    meeting_id: str
    token: str


@dataclass
class Attack:
    """Ada and Bea talk while Eve's connections attack."""

    tea: LiveMeeting
    ada: SignalingClient
    bea: SignalingClient
    token: str

    async def connect(self, ticket: JoinTicket | None = None, **options: Any) -> RawSocket:
        """Opens a connection of Eve's, or of an attendee of another meeting."""
        ticket = ticket or JoinTicket(self.tea.meeting.meeting_id, self.token)
        return await RawSocket.open(
            face_of(self.tea.installation, ticket.meeting_id), ticket.token, **options
        )

    async def crowd(self, count: int) -> list[JoinTicket]:
        """Creates attendees of other meetings, who do not join."""
        control, tickets = self.tea.installation.control, list[JoinTicket]()
        while len(tickets) < count:
            meeting = await control.create_meeting(f"crowd{len(tickets)}")
            for number in range(ATTENDEES):
                attendee = await control.create_attendee(meeting, f"idle{number}")
                tickets.append(JoinTicket(meeting.meeting_id, attendee.join_token))
        return tickets

    async def joined(self, **options: Any) -> RawSocket:
        """Makes Eve join the meeting."""
        eve = await self.connect(**options)
        eve.write(JOIN)
        await eve.next_frame(lambda frame: bool(frame.audio_stream_id_info.streams))
        return eve

    async def others_are_well(self) -> None:
        text = os.urandom(8).hex().encode()
        await self.ada.say("chat", text)
        await self.bea.until(lambda: any(each.data == text for each in self.bea.messages))


@asynccontextmanager
async def attack(**flags: Any) -> AsyncIterator[Attack]:
    async with live_meeting(**flags) as tea, AsyncExitStack() as stack:
        clients = []
        for name in ("ada", "bea"):
            who = await tea.create(name)
            client = client_of(tea.installation, tea.meeting.meeting_id, who)
            clients.append(await stack.enter_async_context(client))
            await client.join()
        eve = await tea.create("eve")
        yield Attack(tea, clients[0], clients[1], eve.join_token)


JOIN = encoded("JOIN", join=wire.SdkJoinFrame(protocol_version=2, flags=2, wants_no_media=True))
Deed = Callable[[RawSocket], None]


def twice_join(eve: RawSocket) -> None:
    eve.write(JOIN)
    eve.write(JOIN)


def endless_fragments(eve: RawSocket) -> None:
    eve.write(b"\x05", is_final=False)
    for _ in range(3_000):
        eve.write(b"", CONTINUATION, is_final=False)


def large_in_fragments(eve: RawSocket) -> None:
    eve.write(b"\x05" * FRAME_BYTES, is_final=False)
    eve.write(b"\x05", CONTINUATION, is_final=False)


DEEDS: list[tuple[str, Deed, set[int]]] = [
    ("text", lambda eve: eve.write(b"hello", TEXT), {1003}),
    ("no frame", lambda eve: eve.write(b"\x05\xff\xff\xff\xff"), {4400}),
    ("nothing", lambda eve: eve.write(b""), {4400}),
    ("one byte", lambda eve: eve.write(b"\x05"), {4400}),
    ("no type", lambda eve: eve.write(b"\x05\x08\x01"), {4400}),
    ("a subscription before the join", lambda eve: eve.write(encoded("SUBSCRIBE")), {4400}),
    ("two joins", twice_join, {4400}),
    ("too much", lambda eve: eve.write(b"\x05" * (FRAME_BYTES + 1)), {1009}),
    ("too much by its own word", lambda eve: eve.write(b"\x05", claims=1 << 40), {1009}),
    ("too much in fragments", large_in_fragments, {1009}),
    ("fragments without end", endless_fragments, {1002}),
    ("a fragment of nothing", lambda eve: eve.write(b"\x05", CONTINUATION), {1002}),
    ("no mask", lambda eve: eve.write(b"\x05\x08\x01", is_masked=False), {1002}),
    ("a reserved bit", lambda eve: eve.write(b"\x05\x08\x01", reserved=4), {1002}),
    ("an unknown kind", lambda eve: eve.write(b"\x05", 3), {1002}),
    ("no WebSocket at all", lambda eve: eve.write_raw(b"GET / HTTP/1.1\r\n\r\n" * 8), {1002}),
]


async def test_a_protocol_violation_closes_the_connection_with_the_documented_code() -> None:
    async with attack() as scene:
        for name, deed, codes in DEEDS:
            eve = await scene.connect()
            deed(eve)
            code = await eve.close_code()
            assert code in codes, name
            eve.abort()
        await scene.others_are_well()
        assert scene.tea.installation.gateway.is_running


async def test_a_fragmented_message_counts_as_one_message() -> None:
    async with attack() as scene:
        eve = await scene.connect()
        half = len(JOIN) // 2
        eve.write(JOIN[:half], is_final=False)
        eve.write(b"between", PING)
        eve.write(JOIN[half:], CONTINUATION)
        await eve.next_frame(
            lambda frame: (
                "eve" in [each.external_user_id for each in frame.audio_stream_id_info.streams]
            )
        )
        eve.abort()


async def test_random_bytes_end_only_the_connection_that_sent_them() -> None:
    seed = random.Random(20)
    async with attack() as scene:
        for _ in range(60):
            eve = await scene.connect()
            for _ in range(seed.randrange(1, 5)):
                eve.write(b"\x05" + seed.randbytes(seed.randrange(200)))
            eve.write_raw(seed.randbytes(seed.randrange(400)))
            eve.write(b"", TEXT)
            eve.abort()
        await scene.others_are_well()


async def stay_alive(idle: list[RawSocket]) -> None:
    """Sends a PONG, which needs no answer, on each connection every few seconds."""
    while True:
        for number, each in enumerate(list(idle)):
            each.write(b"here", PONG)
            if number % 1_000 == 0:
                await asyncio.sleep(0)
        await asyncio.sleep(2)


@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2 * IDLE,
    reason="ten thousand sockets need more open files than there may be",
)
@pytest.mark.alone
async def test_ten_thousand_silent_connections_cost_little_and_later_ones_are_rejected() -> None:
    # Browsers may use connections beyond the limit for ZeroMQ clients.
    bound = ["--rest-connections-per-address", f"{IDLE + 100}", "--max-connections", "1000"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    async with attack(gateway=bound) as scene:
        gateway = scene.tea.installation.gateway
        crowd = await scene.crowd((IDLE + 2_000) // CONNECTIONS_OF_TOKEN)
        unused = (ticket for ticket in crowd for _ in range(CONNECTIONS_OF_TOKEN))
        before = gateway.anonymous_bytes
        idle: list[RawSocket] = []
        living = asyncio.create_task(stay_alive(idle))
        while len(idle) < IDLE:
            idle += await asyncio.gather(*(scene.connect(next(unused)) for _ in range(50)))
        cost = (gateway.anonymous_bytes - before) / len(idle)
        print(f"an idle connection costs {cost / 1024:.1f} KiB")
        assert cost < IDLE_BYTES
        await scene.others_are_well()
        # A hundred places are free. If a busy machine lost connections, the places of these
        # connections are free, too.
        turned_away = 0
        for _ in range(2_000):
            try:
                idle.append(await scene.connect(next(unused)))
            except (ConnectionError, asyncio.IncompleteReadError):
                turned_away += 1
            if turned_away >= 50:
                break
        assert turned_away >= 50
        living.cancel()
        await scene.others_are_well()
        for each in idle:
            each.abort()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_eight_connections_remain_after_a_burst_of_connections_with_one_token() -> None:
    async with attack() as scene:
        burst = await asyncio.gather(*(scene.connect() for _ in range(40)))
        ended = [asyncio.create_task(each.close_code()) for each in burst]
        async with due("the end of the older connections"):
            while sum(each.done() for each in ended) < len(burst) - CONNECTIONS_OF_TOKEN:
                await asyncio.wait(
                    [each for each in ended if not each.done()],
                    return_when=asyncio.FIRST_COMPLETED,
                )
        last = await scene.connect()
        last.write(JOIN)
        await last.next_frame(lambda frame: bool(frame.audio_stream_id_info.streams))
        assert sum(each.done() for each in ended) <= len(burst) - CONNECTIONS_OF_TOKEN + 1
        await scene.others_are_well()
        for waiting in ended:
            waiting.cancel()
        for each in [*burst, last]:
            each.abort()


async def test_a_client_that_never_reads_or_answers_pings_is_disconnected_with_a_reason() -> None:
    async with attack() as scene:
        deaf = await scene.connect(receive_buffer=4_096)
        deaf.write(JOIN)
        await scene.bea.until(
            lambda: any(each.external_user_id == "eve" for each in scene.bea.streams)
        )
        number = next(
            each.audio_stream_id for each in scene.bea.streams if each.external_user_id == "eve"
        )

        def is_told() -> bool:
            return any(
                each.audio_stream_id == number and each.dropped for each in scene.bea.streams
            )

        deadline = asyncio.get_running_loop().time() + SILENT_SECONDS
        while not is_told():
            # Ada talks as fast as the meeting allows. The deaf client's backlog grows up to its
            # limit.
            await asyncio.sleep(0.03)
            await scene.ada.say("chat", os.urandom(1_500))
            await scene.others_are_well()
            assert asyncio.get_running_loop().time() < deadline, "nobody ended it"
        code = await deaf.close_code()
        assert code in {4508, 4509, None}
        deaf.abort()


async def test_endless_pings_use_bounded_memory() -> None:
    async with attack() as scene:
        gateway = scene.tea.installation.gateway
        eve = await scene.connect(receive_buffer=4_096)
        before = gateway.anonymous_bytes
        for number in range(20_000):
            eve.write(b"x" * 100, PING)
            if number % 500 == 0:
                await asyncio.sleep(0)
        await scene.others_are_well()
        assert gateway.anonymous_bytes - before < 16 * 1024 * 1024
        eve.abort()


async def test_unsolicited_pongs_count_as_a_flood() -> None:
    async with attack() as scene:
        stranger, eve = await scene.connect(), await scene.joined()
        for number in range(5_000):
            stranger.write(b"01234567", PONG)
            eve.write(b"01234567", PONG)
            if number % 500 == 0:
                await asyncio.sleep(0)
        assert await stranger.close_code() in {4400, None}
        told = await eve.next_frame(lambda frame: frame.HasField("audio_status"))
        assert told.audio_status.audio_status == 411
        await scene.others_are_well()
        for each in (stranger, eve):
            each.abort()


async def test_a_client_that_floods_a_meeting_is_removed_with_a_reason() -> None:
    async with attack() as scene:
        eve = await scene.connect()
        eve.write(JOIN)
        await eve.next_frame(lambda frame: bool(frame.audio_stream_id_info.streams))
        message = wire.SdkDataMessagePayload(topic="chat", data=b"buy")
        flood = encoded("DATA_MESSAGE", data_message=wire.SdkDataMessageFrame(messages=[message]))
        for _ in range(5_000):
            eve.write(flood)
        told = await eve.next_frame(lambda frame: frame.HasField("audio_status"))
        assert told.audio_status.audio_status == 411
        assert await eve.close_code() in {1000, None}
        await scene.bea.ping(7)
        await scene.bea.next("PING_PONG")


async def test_a_client_that_answers_pings_but_never_reads_is_disconnected_with_code_4508() -> None:
    async with attack(gateway=["--client-budget-kib", "64"]) as scene:
        slow = await scene.joined()
        ping = encoded("PING_PONG", ping_pong=wire.SdkPingPongFrame(type="PING", ping_id=1))
        number = next(
            each.audio_stream_id for each in scene.bea.streams if each.external_user_id == "eve"
        )

        def is_gone() -> bool:
            return any(
                each.audio_stream_id == number and each.dropped for each in scene.bea.streams
            )

        async with due("the end of who reads nothing", SILENT_SECONDS):
            while not is_gone():
                # The slow client sends keep-alives but acknowledges nothing. Ada talks as fast as
                # the meeting allows.
                slow.write(ping)
                await asyncio.sleep(0.03)
                await scene.ada.say("chat", os.urandom(1_500))
                await scene.others_are_well()
        assert await slow.close_code() == 4508
        slow.abort()


async def test_a_client_that_sends_nothing_is_disconnected_with_code_4509() -> None:
    async with attack() as scene:
        waiting, eve = await scene.connect(), await scene.joined()
        for each in (waiting, eve):
            assert await each.close_code(SILENT_SECONDS) == 4509
            assert each.pings > 0
            each.abort()
        await scene.others_are_well()


async def test_a_failing_store_makes_the_client_reconnect_with_code_4500() -> None:
    async with attack() as scene:
        path = scene.tea.installation.directory / "data" / "meetings.sqlite"
        with sqlite3.connect(path) as store:
            store.execute("ALTER TABLE attendee RENAME TO hidden")
        eve = await scene.connect()
        eve.write(JOIN)
        assert await eve.close_code() == 4500
        eve.abort()
        await scene.others_are_well()
        with sqlite3.connect(path) as store:
            store.execute("ALTER TABLE hidden RENAME TO attendee")
        eve = await scene.joined()
        eve.abort()


async def test_a_stalled_gateway_serves_waiting_clients_after_the_stall() -> None:
    async with attack() as scene:
        gateway = scene.tea.installation.gateway
        eve = await scene.joined()
        gateway.send(signal.SIGSTOP)
        texts = [f"{number}".encode() for number in range(20)]
        for text in texts:
            await scene.ada.say("chat", text)
        # Half a second is shorter than any timeout and longer than a turn of any event loop.
        await asyncio.sleep(0.5)
        gateway.send(signal.SIGCONT)
        await scene.bea.hears(*texts)
        await scene.others_are_well()
        eve.abort()
