"""A UDP relay between browsers and media. A seed determines which packets the relay drops. The
relay can also limit the bitrate to the browser."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

Address = tuple[str, int]

ROUTE_ANSWERS = """
const apply = RTCPeerConnection.prototype.setRemoteDescription;
RTCPeerConnection.prototype.setRemoteDescription = async function ({ type, sdp }) {
  return apply.call(this, { type, sdp: await routedAnswer(sdp) });
};
"""
"""A script that makes a page send to a relay, and not directly to media. The page's function
`routedAnswer` is the relay's `routed_answer`."""

_CANDIDATE = re.compile(r"^(a=candidate:\d+ 1 udp \d+ )(\S+) (\d+)( typ host)", re.MULTILINE)


class Loss:
    """Decides which packets to drop: single packets and bursts of packets."""

    def __init__(self, seed: int, share: float, burst_share: float = 0.0, burst: int = 5) -> None:
        self.packets = 0
        self.lost = 0
        self._random = random.Random(seed)
        self._share, self._burst_share, self._burst = share, burst_share, burst
        self._left = 0

    def takes(self, datagram: bytes) -> bool:
        """Returns whether to drop a datagram. STUN and DTLS always pass."""
        if not 128 <= datagram[0] <= 191:
            return False
        self.packets += 1
        if self._left == 0 and self._random.random() < self._burst_share:
            self._left = self._burst
        if self._left > 0:
            self._left -= 1
            self.lost += 1
            return True
        is_lost = self._random.random() < self._share
        self.lost += is_lost
        return is_lost


class Bottleneck:
    """A link with a limited bitrate and a queue of limited length.

    The link drops each datagram that would wait in the queue for longer than `longest_wait`, in
    seconds.
    """

    def __init__(self, bits_per_second: int, longest_wait: float = 0.3) -> None:
        self.dropped = 0
        self._bits_per_second, self._longest_wait = bits_per_second, longest_wait
        self._is_free_at = 0.0

    def delay_of(self, datagram: bytes) -> float | None:
        """Returns the seconds until the link has carried a datagram that arrives now; `None` if the
        link drops the datagram."""
        now = asyncio.get_running_loop().time()
        start = max(now, self._is_free_at)
        if start - now > self._longest_wait:
            self.dropped += 1
            return None
        self._is_free_at = start + (len(datagram) + _HEADER_BYTES) * 8 / self._bits_per_second
        return self._is_free_at - now


_HEADER_BYTES = 28
"""The bytes of the IPv4 and UDP headers of a datagram."""


class UDPRelay:
    """A port that forwards to media, with one upstream socket per client address."""

    def __init__(self, up: Loss, down: Loss, bottleneck: Bottleneck | None = None) -> None:
        self.up, self.down = up, down
        self.bottleneck = bottleneck
        """The limit of the bitrate to the clients; `None` without a limit."""
        self._host, self._target = "", 0
        self._listener: asyncio.DatagramTransport | None = None
        self._upstream: dict[Address, asyncio.DatagramTransport] = {}
        self._opening: dict[Address, list[bytes]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open_for(self, answer: str) -> None:
        """Listens on the host of an answer's candidate. Later calls have no effect."""
        if self._listener is not None:
            return
        found = _CANDIDATE.search(answer)
        assert found is not None, answer
        self._host, self._target = found[2], int(found[3])
        loop = asyncio.get_running_loop()
        listener, _ = await loop.create_datagram_endpoint(
            lambda: _Receiver(self._go_up), local_addr=(self._host, 0)
        )
        self._listener = listener

    def routed(self, answer: str) -> str:
        """Returns an answer with this relay as its candidates."""
        assert self._listener is not None
        port = self._listener.get_extra_info("sockname")[1]
        return _CANDIDATE.sub(rf"\g<1>\g<2> {port}\g<4>", answer)

    async def routed_answer(self, answer: str) -> str:
        """Returns an answer with this relay as its candidates. The first call opens the relay."""
        await self.open_for(answer)
        return self.routed(answer)

    def close(self) -> None:
        for transport in (self._listener, *self._upstream.values()):
            if transport is not None:
                transport.close()

    def _go_up(self, datagram: bytes, client: Address) -> None:
        if self.up.takes(datagram):
            return
        if upstream := self._upstream.get(client):
            upstream.sendto(datagram)
        elif client in self._opening:
            self._opening[client].append(datagram)
        else:
            self._opening[client] = [datagram]
            task = asyncio.create_task(self._open(client))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _go_down(self, datagram: bytes, client: Address) -> None:
        if self._listener is None or self.down.takes(datagram):
            return
        delay = self.bottleneck.delay_of(datagram) if self.bottleneck else 0.0
        if delay:
            asyncio.get_running_loop().call_later(delay, self._send_down, datagram, client)
        elif delay is not None:
            self._send_down(datagram, client)

    def _send_down(self, datagram: bytes, client: Address) -> None:
        if self._listener is not None and not self._listener.is_closing():
            self._listener.sendto(datagram, client)

    async def _open(self, client: Address) -> None:
        upstream, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Receiver(lambda datagram, _: self._go_down(datagram, client)),
            remote_addr=(self._host, self._target),
        )
        self._upstream[client] = upstream
        for datagram in self._opening.pop(client):
            upstream.sendto(datagram)


class _Receiver(asyncio.DatagramProtocol):
    def __init__(self, take: Any) -> None:
        self._take = take

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        if data:
            self._take(data, cast(Address, addr[:2]))

    def error_received(self, exc: Exception) -> None:
        """Ignores errors: the port is closed while media is down."""


@asynccontextmanager
async def lossy_relay(seed: int) -> AsyncIterator[UDPRelay]:
    """Runs a relay that drops 5 % of the packets, and bursts of five, in both directions."""
    relay = UDPRelay(Loss(seed, 0.05, 0.004), Loss(seed + 1, 0.05, 0.004))
    try:
        yield relay
    finally:
        relay.close()


@asynccontextmanager
async def slow_relay(bits_per_second: int) -> AsyncIterator[UDPRelay]:
    """Runs a relay that limits the bitrate to the browser. The relay drops a packet only if the
    packet would wait too long."""
    relay = UDPRelay(Loss(0, 0), Loss(0, 0), Bottleneck(bits_per_second))
    try:
        yield relay
    finally:
        relay.close()
