"""A NAT between browsers and media that assigns other ports in the middle of a meeting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from Web.udp_relay import Address, Loss, UDPRelay

_BINDING_REQUEST = b"\x00\x01"


class NAT(UDPRelay):
    """A relay that loses nothing and can replace the ports from which it sends to media."""

    def __init__(self) -> None:
        super().__init__(Loss(0, 0.0), Loss(0, 0.0))
        self.checked_at: float | None = None
        """When the first check from the current ports arrived, by the event loop's clock."""
        self.answered_at: float | None = None
        """When the first packet of sound was sent to the current ports, by the event loop's
        clock."""

    def change_ports(self) -> None:
        """Closes the current ports. The next datagram of a browser opens another port."""
        for transport in self._upstream.values():
            transport.close()
        self._upstream.clear()
        self.checked_at = self.answered_at = None

    async def until_answered(self, seconds: float) -> tuple[float, float]:
        """Waits for sound to the current ports. Returns the times of the check and of the sound."""
        async with asyncio.timeout(seconds):
            while self.checked_at is None or self.answered_at is None:
                await asyncio.sleep(0.01)
        return self.checked_at, self.answered_at

    def _go_up(self, datagram: bytes, client: Address) -> None:
        if self.checked_at is None and datagram[:2] == _BINDING_REQUEST:
            self.checked_at = asyncio.get_running_loop().time()
        super()._go_up(datagram, client)

    def _go_down(self, datagram: bytes, client: Address) -> None:
        # The second byte of RTCP is 192 to 223 (RFC 5761, section 4).
        is_sound = 128 <= datagram[0] <= 191 and not 192 <= datagram[1] <= 223
        if self.answered_at is None and is_sound:
            self.answered_at = asyncio.get_running_loop().time()
        super()._go_down(datagram, client)


@asynccontextmanager
async def nat() -> AsyncIterator[NAT]:
    """Runs a NAT between a browser and media."""
    made = NAT()
    try:
        yield made
    finally:
        made.close()
