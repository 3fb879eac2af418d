"""A browser's peer that records the sound of each packet of its mix, and when the packet left
media.

A relay in front of media records the kernel's timestamp of each datagram, so the times do not
depend on this process or a jitter buffer. Everything runs on one machine, so a packet arrives when
it leaves media.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import av
import numpy as np
from aiortc import MediaStreamTrack
from aiortc.codecs.opus import OpusDecoder
from aiortc.jitterbuffer import JitterFrame

from Web.browser_peer import BrowserPeer, Sound
from Web.signaling_client import SignalingClient

_TIMESTAMPS = 35
"""`SO_TIMESTAMPNS`, which this Python does not define."""
_CANDIDATE = re.compile(r"^(a=candidate:\d+ 1 udp \d+ )(\S+) (\d+)( typ host)", re.MULTILINE)


@dataclass(frozen=True)
class HeardPacket:
    """A packet of a mix."""

    left_at: float
    """The time when the packet left media, in seconds of `time.time()`."""
    sound: Sound


class StampingRelay:
    """A port that forwards one browser to media."""

    def __init__(self) -> None:
        self.left: dict[int, float] = {}
        """The time when each packet of the mix left media, by sequence number."""
        self._client: Any = None
        self._near = _datagrams()
        self._far = _datagrams()
        self._far.setsockopt(socket.SOL_SOCKET, _TIMESTAMPS, 1)

    def open_for(self, answer: str) -> str:
        """Returns an answer with this relay as its candidates."""
        found = _CANDIDATE.search(answer)
        assert found is not None, answer
        self._near.bind((found[2], 0))
        self._far.connect((found[2], int(found[3])))
        loop = asyncio.get_running_loop()
        loop.add_reader(self._near, self._go_up)
        loop.add_reader(self._far, self._go_down)
        port = self._near.getsockname()[1]
        return _CANDIDATE.sub(rf"\g<1>\g<2> {port}\g<4>", answer)

    def close(self) -> None:
        for each in (self._near, self._far):
            asyncio.get_running_loop().remove_reader(each)
            each.close()

    def _go_up(self) -> None:
        try:
            datagram, self._client = self._near.recvfrom(65_536)
            self._far.send(datagram)
        except OSError:
            return

    def _go_down(self) -> None:
        try:
            datagram, extra, _, _ = self._far.recvmsg(65_536, 256)
        except OSError:
            return
        if datagram and 128 <= datagram[0] <= 191 and not 72 <= datagram[1] & 127 <= 76:
            stamp = next((data for _, kind, data in extra if kind == _TIMESTAMPS), None)
            self.left[struct.unpack_from("!H", datagram, 2)[0]] = _seconds(stamp)
        if self._client is not None:
            self._near.sendto(datagram, self._client)


class StampedPeer(BrowserPeer):
    """A peer behind a relay that records timestamps."""

    def __init__(self, client: SignalingClient, sound: Sound) -> None:
        super().__init__(client, sound)
        self.relay = StampingRelay()
        self._sounds: list[tuple[int, Sound]] = []
        self._decoder = OpusDecoder()

    @property
    def packets(self) -> list[HeardPacket]:
        """All packets of the mix so far, in order of arrival."""
        left = self.relay.left
        return [HeardPacket(left[number], sound) for number, sound in self._sounds]

    async def packets_until(self, left_at: float) -> list[HeardPacket]:
        """Waits for a packet that left media at `left_at` or later. Returns all packets so far."""
        async with asyncio.timeout(30):
            while not self.packets or self.packets[-1].left_at < left_at:
                await asyncio.sleep(0.02)
        return self.packets

    async def _routed(self, answer: str) -> str:
        return self.relay.open_for(answer)

    def _listen(self, track: MediaStreamTrack) -> None:
        super()._listen(track)
        receiver = self._connection.getReceivers()[0]
        take = receiver._handle_rtp_packet

        async def keep(packet: Any, arrival_time_ms: int) -> None:
            self._keep(packet)
            await take(packet, arrival_time_ms)

        # The transport calls this attribute for each packet.
        vars(receiver)["_handle_rtp_packet"] = keep

    def _keep(self, packet: Any) -> None:
        frame = JitterFrame(data=packet.payload, timestamp=packet.timestamp)
        for each in self._decoder.decode(frame):
            assert isinstance(each, av.AudioFrame)
            samples = each.to_ndarray().reshape(-1)[::2].astype(np.int16)
            self._sounds.append((packet.sequence_number, samples))


def longest_gap(packets: list[HeardPacket]) -> float:
    """Returns the longest time between two packets, in seconds."""
    return max(after.left_at - before.left_at for before, after in pairwise(packets))


@asynccontextmanager
async def stamped_peer(
    client: SignalingClient, sound: Sound, **options: Any
) -> AsyncIterator[StampedPeer]:
    """Runs a connected peer."""
    peer = StampedPeer(client, sound)
    try:
        await peer.subscribe(**options)
        yield peer
    finally:
        await peer.close()
        peer.relay.close()


def _datagrams() -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setblocking(False)
    return made


def _seconds(stamp: bytes | None) -> float:
    if stamp is None:
        return time.time()
    seconds, nanoseconds = struct.unpack("qq", stamp)
    return float(seconds + nanoseconds / 1e9)
