"""Browsers with hostile video packets, sources or feedback, beside two other browsers."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable

import pytest
from aiortc.rtp import is_rtcp

from Web.faulty_peer import FaultyPeer, FaultyWatcher, Pair
from Web.test_browser_video_faults import attack
from Web.video_peer import BLUE, GREEN, RED

pytestmark = pytest.mark.seconds(120)

SECONDS = 3.0
"""The duration of an attack, in seconds."""

REQUESTED_PER_SECOND = 5_000
"""The most packets that media requests from a publisher: 200 missing ones every 40 ms."""

KEY_FRAMES_PER_SECOND = 10
"""The largest number of key frames per second that media requests from a publisher that restarts
repeatedly."""

KEY_FRAMES = "carillon_media_key_frame_requests_total"
REQUESTED = "carillon_media_requested_retransmissions_total"
RECEIVED = "carillon_media_received_packets_total"
REFUSED = "carillon_media_srtp_refused_total"


async def show(friends: Pair, eve: FaultyWatcher) -> int:
    """Turns Eve's camera on. Returns Eve's stream when Bea sees this stream."""
    await eve.peer.subscribe(camera=GREEN)
    stream = await friends.bea.stream_of(eve.attendee_id)
    await friends.bea.peer.subscribe(camera=BLUE, streams=[friends.of_ada, stream])
    await friends.bea.peer.see(stream, GREEN)
    return stream


async def watch(friends: Pair, eve: FaultyWatcher) -> None:
    """Lets Eve see Ada."""
    await eve.peer.subscribe()
    await eve.peer.subscribe(streams=[friends.of_ada])
    await eve.peer.see(friends.of_ada, RED)


# Publishers


class Numbers:
    """Adds offsets to the sequence numbers and timestamps of a camera's packets."""

    def __init__(self, ssrc: int) -> None:
        self.is_jumping = False
        """Whether the numbers jump with each packet."""
        self.offset = 0
        """The sum of all jumps of the sequence numbers."""
        self._ssrc = ssrc.to_bytes(4, "big")
        self._random = random.Random(1)
        self._ticks = 0

    def __call__(self, data: bytes) -> list[bytes]:
        """Adds the offsets to a packet of the camera. Returns other packets unchanged."""
        if is_rtcp(data) or data[8:12] != self._ssrc:
            return [data]
        if self.is_jumping:
            # The sender's SRTP would treat a larger step as a step back, and refuse the packet.
            self.offset += self._random.randrange(1, 30_000)
            self._ticks += self._random.randrange(2**32)
        packet = bytearray(data)
        _add(packet, 2, 2, self.offset)
        _add(packet, 4, 4, self._ticks)
        return [bytes(packet)]


def _add(packet: bytearray, place: int, size: int, value: int) -> None:
    field = slice(place, place + size)
    total = int.from_bytes(packet[field], "big") + value
    packet[field] = (total % 256**size).to_bytes(size, "big")


async def test_a_camera_whose_sequence_numbers_jump_becomes_visible_again() -> None:
    async with attack() as (friends, eve):
        stream = await show(friends, eve)
        numbers = Numbers(eve.peer.camera_ssrc)
        eve.peer.tamper(numbers)
        # The step back goes into a gap of unused numbers, because SRTP accepts no number twice.
        for steps in ([20_000], [2_000, -600]):
            for step in steps:
                numbers.offset += step
                await asyncio.sleep(0.2)
            async with asyncio.timeout(10):
                await friends.bea.peer.see(stream, GREEN)


async def test_a_camera_whose_sequence_numbers_jump_with_each_packet_harms_nobody() -> None:
    async with attack() as (friends, eve):
        stream = await show(friends, eve)
        requested, key_frames = eve.peer.count_requests(), eve.peer.key_frame_requests
        numbers = Numbers(eve.peer.camera_ssrc)
        eve.peer.tamper(numbers)
        numbers.is_jumping = True
        await asyncio.sleep(SECONDS)
        numbers.is_jumping = False
        assert len(requested) <= REQUESTED_PER_SECOND * (SECONDS + 1)
        assert eve.peer.key_frame_requests - key_frames <= KEY_FRAMES_PER_SECOND * (SECONDS + 1)
        await friends.bea.peer.see(stream, GREEN)


async def test_endless_retransmissions_are_not_forwarded() -> None:
    async with attack() as (friends, eve):
        stream = await show(friends, eve)
        before = friends.bea.peer.received_packets
        counted = await eve.count(RECEIVED, kind="video")
        await eve.peer.resend(5_000)
        assert friends.bea.peer.received_packets - before < 2_500
        await friends.bea.peer.see(stream, GREEN)
        assert await eve.count(RECEIVED, kind="video") - counted > 4_000


class OtherExtensions:
    """Changes the id of each header extension in each packet (RFC 8285, section 4.2)."""

    def __init__(self) -> None:
        self.is_on = True
        self._random = random.Random(1)

    def __call__(self, data: bytes) -> list[bytes]:
        """Returns the packet to send instead of this packet."""
        if is_rtcp(data) or not self.is_on or not data[0] & 0x10:
            return [data]
        packet = bytearray(data)
        at = 16 + 4 * (data[0] & 0x0F)
        end = at + 4 * int.from_bytes(data[at - 2 : at], "big")
        while at < end:
            id, last_byte = packet[at] >> 4, packet[at] & 0x0F
            if id:
                packet[at] = self._random.randrange(1, 16) << 4 | last_byte
                at += last_byte + 1
            at += 1
        return [bytes(packet)]


async def test_a_camera_whose_packets_have_other_extension_ids_harms_nobody() -> None:
    async with attack() as (friends, eve):
        stream = await show(friends, eve)
        extensions = OtherExtensions()
        eve.peer.tamper(extensions)
        requested, key_frames = eve.peer.count_requests(), eve.peer.key_frame_requests
        await asyncio.sleep(SECONDS)
        extensions.is_on = False
        assert len(requested) <= REQUESTED_PER_SECOND * (SECONDS + 1)
        assert eve.peer.key_frame_requests - key_frames <= KEY_FRAMES_PER_SECOND * (SECONDS + 1)
        await friends.bea.peer.see(stream, GREEN)


# Sources


class Collisions:
    """Names the layer `low` in each packet of video, and also sends the packet from a second
    source."""

    def __init__(self) -> None:
        self.is_on = True

    def __call__(self, data: bytes) -> list[bytes]:
        """Returns the packets to send instead of this packet."""
        # A packet of sound has no payload type of video.
        if is_rtcp(data) or data[1] & 0x7F < 97:
            return [data]
        packet = bytearray(data)
        _add(packet, 14, 2, 1)
        packet[16:16] = bytes([RID << 4 | 2]) + b"low"
        other = packet[:8] + bytes([1, 2, 3, 4]) + packet[12:]
        return [bytes(packet), bytes(other)] if self.is_on else [bytes(packet)]


RID = 12
"""The id of the header extension for the rid."""


def with_one_rid_twice(offer: str) -> str:
    """Offers the camera, which is the second section, as two layers with the same name."""
    sections = re.split(r"^(?=m=)", offer, flags=re.MULTILINE)
    layers = f"a=extmap:{RID} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id\r\n"
    layers += "a=rid:low send\r\na=rid:low send\r\na=simulcast:send low;low\r\n"
    sections[2] = re.sub(r"a=ssrc.*\r\n", "", sections[2]) + layers
    return "".join(sections)


async def test_a_camera_with_two_sources_and_two_layers_of_one_rid_harms_nobody() -> None:
    async with attack() as (friends, eve):
        eve.peer.edit = with_one_rid_twice
        collisions = Collisions()
        await eve.peer.subscribe(camera=GREEN)
        eve.peer.tamper(collisions)
        stream = await friends.bea.stream_of(eve.attendee_id)
        await friends.bea.peer.subscribe(camera=BLUE, streams=[friends.of_ada, stream])
        await asyncio.sleep(SECONDS)
        collisions.is_on = False
        await friends.bea.peer.see(stream, GREEN)


class OneSource:
    """Numbers sound and video in one sequence, because they have one source."""

    def __init__(self) -> None:
        self._next = 0

    def __call__(self, data: bytes) -> list[bytes]:
        """Gives a packet the next number of the sequence. Returns RTCP packets unchanged."""
        if is_rtcp(data):
            return [data]
        self._next = (self._next + 1) % 2**16
        return [data[:2] + self._next.to_bytes(2, "big") + data[4:]]


async def test_one_source_for_sound_and_camera_harms_nobody() -> None:
    async with attack() as (friends, eve):
        await eve.peer.subscribe()
        eve.peer.tamper(OneSource())
        eve.peer.claim(eve.peer.sound_ssrc)
        await eve.peer.subscribe(camera=GREEN)
        stream = await friends.bea.stream_of(eve.attendee_id)
        await friends.bea.peer.subscribe(camera=BLUE, streams=[friends.of_ada, stream])
        requested = eve.peer.count_requests()
        await asyncio.sleep(SECONDS)
        assert len(requested) <= REQUESTED_PER_SECOND * (SECONDS + 1)


class NewSources:
    """Sends each packet of video also from ten new sources."""

    def __init__(self) -> None:
        self.count = 0
        self.is_on = True

    def __call__(self, data: bytes) -> list[bytes]:
        """Returns the packets to send instead of this packet."""
        if is_rtcp(data) or data[1] & 0x7F < 97 or not self.is_on:
            return [data]
        sources = range(self.count + 1, self.count + 11)
        self.count += 10
        return [data, *(data[:8] + ssrc.to_bytes(4, "big") + data[12:] for ssrc in sources)]


async def test_endless_new_sources_are_refused_at_a_limit_and_counted() -> None:
    async with attack() as (friends, eve):
        stream = await show(friends, eve)
        sources, refused = NewSources(), await eve.count(REFUSED)
        eve.peer.tamper(sources)
        async with asyncio.timeout(60):
            # The link remembers 64 sources, and eight times as many former sources.
            while sources.count < 1_000:
                await asyncio.sleep(0.1)
        sources.is_on = False
        await friends.bea.peer.see(stream, GREEN)
        assert 200 < await eve.count(REFUSED) - refused <= sources.count


# Receivers


async def test_endless_requests_for_the_newest_packets_are_answered_within_limits() -> None:
    async with attack() as (friends, eve):
        await watch(friends, eve)
        before = eve.peer.received_packets
        # These are 100,000 requests for packets that exist.
        await eve.peer.miss_newest(friends.of_ada, 1_000)
        assert eve.peer.received_packets - before < 10_000
        await eve.peer.see(friends.of_ada, RED)
        await eve.until_counted(50_000, REQUESTED, outcome="unanswered")
        assert await eve.count(REQUESTED, outcome="sent") < 10_000


@pytest.mark.parametrize("request_many", [FaultyPeer.report_losses, FaultyPeer.demand_key_frames])
async def test_repeated_key_frame_requests_are_counted_and_reach_the_publisher_rarely(
    request_many: Callable[[FaultyPeer, int, int], Awaitable[None]],
) -> None:
    async with attack() as (friends, eve):
        await watch(friends, eve)
        await asyncio.sleep(1)
        loop = asyncio.get_running_loop()
        before, start = friends.ada.peer.key_frame_requests, loop.time()
        for _ in range(3):
            await request_many(eve.peer, friends.of_ada, 1_000)
        told = friends.ada.peer.key_frame_requests - before
        # Media forwards the first request immediately, and at most one more request while a key
        # frame is in flight.
        assert 1 <= told <= loop.time() - start + 2
        await eve.until_counted(2_900, KEY_FRAMES, direction="received")
        assert await eve.count(KEY_FRAMES, direction="sent") < 30


@pytest.mark.parametrize("is_numbered", [False, True])
async def test_a_receiver_that_never_reports_harms_nobody(is_numbered: bool) -> None:
    async with attack() as (friends, eve):
        if is_numbered:
            eve.peer.edit = with_numbers
        await eve.peer.subscribe()
        eve.peer.tamper(lambda packet: [] if is_rtcp(packet) else [packet])
        await eve.peer.subscribe(streams=[friends.of_ada, friends.of_bea])
        await eve.peer.see(friends.of_ada, RED)
        await asyncio.sleep(SECONDS)


def with_numbers(offer: str) -> str:
    """Offers transport-wide feedback, which aiortc never sends."""
    uri = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    offer = re.sub(r"(a=rtcp-fb:(\d+) goog-remb\r\n)", r"\1a=rtcp-fb:\2 transport-cc\r\n", offer)
    return re.sub(r"(a=mid:\d+\r\n)", rf"\1a=extmap:13 {uri}\r\n", offer)
