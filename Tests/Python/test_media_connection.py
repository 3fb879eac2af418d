"""The media connection and `session.media` against a scripted media service."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import carillon
from carillon import CarillonError, MediaDirection, SessionOptions, StatusCode
from carillon.media import (
    AudioMode,
    MediaConnection,
    MediaListener,
    MediaMetrics,
    MediaMoved,
    UplinkMetrics,
    connection as connection_module,
)
from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import Pli, RtcpPacket, pack_rtcp
from carillon.v1 import common_pb2, gateway_pb2, media_pb2
from scripted_gateway import ScriptedGateway
from scripted_media import MIXED_AUDIO, OPUS, OWN_AUDIO, TICKET, ScriptedMedia, media_moved
from test_session import ada, joining

PACKET = RtpPacket(OPUS, 1, 2, OWN_AUDIO, b"sound")


class Ear(MediaListener):
    """A listener that records all packets."""

    def __init__(self) -> None:
        self.heard: list[RtpPacket | RtcpPacket] = []
        self.bound = 0
        self.is_closed = False
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    async def until(self, condition: Callable[[], bool]) -> None:
        if not condition():
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append((condition, future))
            await future

    def _check(self) -> None:
        for condition, future in self._waiters:
            if condition() and not future.done():
                future.set_result(None)

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        self.heard.append(packet)
        self._check()

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        self.heard.append(packet)
        self._check()

    def on_bound(self) -> None:
        self.bound += 1
        self._check()

    def on_close(self) -> None:
        self.is_closed = True


def moved(peer: ScriptedMedia, term: int = 1) -> MediaMoved:
    event = media_moved(peer.endpoint, peer.ticket, term)
    return MediaMoved.of(event.media_moved)


async def test_the_ticket_is_sent_first_and_packets_follow_the_echo_of_the_ticket(
    socket_directory: Path,
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        connection, ear = MediaConnection(), Ear()
        connection.add(ear)
        connection.move(moved(peer))
        assert not connection.send([PACKET.pack()])
        await connection.bound()
        assert connection.send([PACKET.pack()] * 40)
        for _ in range(40):
            assert await peer.packets.get() == PACKET.pack()
        assert peer.first_frames == [TICKET]
        assert (connection.counters.sent, connection.counters.unsent) == (40, 1)
        await peer.send(PACKET.pack(), pack_rtcp([Pli(1, 2)]))
        await ear.until(lambda: len(ear.heard) == 2)
        assert ear.heard == [PACKET, Pli(1, 2)]
        connection.close()
        assert ear.is_closed and not connection.send([PACKET.pack()])
        with pytest.raises(CarillonError):
            await connection.bound()


async def test_the_client_sends_a_ticket_again_until_its_echo_arrives(
    socket_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "TICKET_SECONDS", 0.05)
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        peer.is_silent = True
        connection = MediaConnection()
        connection.move(moved(peer))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await connection.bound()
        assert peer.tickets >= 2
        peer.is_silent = False
        await connection.bound()
        assert set(peer.first_frames) == {TICKET}
        connection.close()


async def test_after_a_lost_connection_the_client_sends_the_ticket_again(
    socket_directory: Path,
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        connection, ear = MediaConnection(), Ear()
        connection.add(ear)
        connection.move(moved(peer))
        await connection.bound()
        peer.vanish()
        peer.listen()
        await ear.until(lambda: ear.bound == 2)
        assert connection.send([PACKET.pack()])
        assert await peer.packets.get() == PACKET.pack()
        assert peer.first_frames == [TICKET, TICKET]
        connection.close()


async def test_a_move_closes_the_connection_to_the_old_address(socket_directory: Path) -> None:
    other_ticket = bytes(16)
    first = ScriptedMedia(f"ipc://{socket_directory}/a")
    second = ScriptedMedia(f"ipc://{socket_directory}/b", other_ticket)
    async with first, second:
        connection, ear = MediaConnection(), Ear()
        connection.add(ear)
        connection.move(moved(first))
        await connection.bound()
        connection.move(moved(second, 2))
        assert not connection.is_bound
        await ear.until(lambda: ear.bound == 2)
        connection.send([PACKET.pack()])
        assert await second.packets.get() == PACKET.pack()
        assert first.packets.empty() and second.first_frames == [other_ticket]
        connection.close()


async def test_bad_packets_are_counted_and_the_next_good_packets_are_received(
    socket_directory: Path,
) -> None:
    generator = random.Random(7)
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        connection, ear = MediaConnection(), Ear()
        connection.add(ear)
        connection.move(moved(peer))
        await connection.bound()
        for _ in range(300):
            await peer.send(*(generator.randbytes(generator.randrange(60)) for _ in range(3)))
        await peer.send(bytes(60_000))
        await peer.send(PACKET.pack())
        await ear.until(lambda: PACKET in ear.heard)
        assert connection.counters.malformed > 500
        connection.close()


# In a session


async def test_the_client_connects_to_the_address_from_the_server_once_media_is_opened(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        async with joining(gateway) as (session, _):
            events = session.media.events()
            await gateway.events(media_moved(peer.endpoint))
            event = await anext(events)
            assert isinstance(event, MediaMoved) and event.endpoint == peer.endpoint
            assert str(TICKET) not in repr(event)
            assert session.media.format == event.format and peer.tickets == 0
            connection = await session.media.open()
            assert peer.tickets == 1
            assert connection.format.payload_type("VP8") == 96
            assert connection.format.audio_receive_ssrc == MIXED_AUDIO
            assert not connection.is_muted
        assert connection.is_closed
        assert [event async for event in events] == []


async def test_the_client_follows_a_move_and_ignores_a_repeated_event(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    first = ScriptedMedia(f"ipc://{socket_directory}/a")
    second = ScriptedMedia(f"ipc://{socket_directory}/b", bytes(16))
    async with first, second, joining(gateway) as (session, _):
        await gateway.events(media_moved(first.endpoint))
        connection = await session.media.open()
        events = session.media.events()
        assert isinstance(await anext(events), MediaMoved)
        await gateway.events(media_moved(first.endpoint))
        await gateway.events(media_moved(second.endpoint, bytes(16), 2))
        event = await anext(events)
        assert isinstance(event, MediaMoved) and event.term == 2
        assert await session.media.open() is connection
        assert connection.is_bound and (first.tickets, second.tickets) == (1, 1)


async def test_metrics_are_converted_and_outdated_metrics_are_ignored(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        events = session.media.events()
        for epoch, tick in ((1, 5), (1, 5), (1, 4), (2, 1)):
            metrics = media_pb2.MediaMetrics(epoch=epoch, tick=tick, dropped_packets=tick)
            metrics.audio_receive_concealed_packets = 3 * tick
            metrics.audio_send.packets = 50
            metrics.audio_send.loss_ppm = 50_000
            metrics.audio_send.rtt_us = 1_500
            await gateway.events(gateway_pb2.SessionEvent(media_metrics=metrics))
        first, second = await anext(events), await anext(events)
        assert isinstance(first, MediaMetrics) and isinstance(second, MediaMetrics)
        assert first.audio_send == UplinkMetrics(50, 0.05, 0.0, 0, 0, 0.0015)
        assert first.video_send is None
        assert (first.dropped_packets, second.dropped_packets) == (5, 1)
        assert first.audio_receive_concealed_packets == 15
        assert second.audio_receive_concealed_packets == 3
        assert session.media.metrics == second


async def test_a_start_contains_the_audio_direction_and_a_resume_keeps_the_ssrc(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        admission = tasks.create_task(gateway.admit())
        options = SessionOptions(audio=MediaDirection.RECEIVE, audio_mode=AudioMode.MONO_16K)
        async with ada(gateway, options) as session:
            request = await admission
            assert request.audio == common_pb2.MEDIA_DIRECTION_RECEIVE
            assert request.audio_mode == media_pb2.AUDIO_MODE_MONO_16K
            assert request.audio_send_ssrc == 0
            events = session.media.events()
            await gateway.events(media_moved("ipc:///nowhere"))
            await anext(events)
            story = session.events()
            gateway.vanish()
            gateway.listen()
            again = await gateway.admit(is_resumed=True)
            assert again.audio_send_ssrc == OWN_AUDIO
            async for event in story:
                if isinstance(event, carillon.Reconnected):
                    break
            await session.leave()
            await gateway.next("Stop")


async def test_a_call_that_waits_for_media_ends_at_its_timeout_or_when_the_session_ends(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        with pytest.raises(CarillonError) as late:
            await session.media.open(timeout=0.01)
        assert late.value.status_code is StatusCode.DEADLINE_EXCEEDED
        waiting = asyncio.create_task(session.media.open())
        await asyncio.sleep(0)
        await session.leave()
        with pytest.raises(CarillonError):
            await waiting


def test_without_the_media_extra_the_error_names_the_extra_and_all_other_parts_work() -> None:
    program = """
import sys
sys.modules["av"] = sys.modules["numpy"] = None
import carillon, carillon.media
carillon.media.MediaConnection
try:
    carillon.media.AudioSender
except ImportError as error:
    print(error)
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "carillon[media]" in result.stdout
    assert carillon.media.__name__ == "carillon.media"
