"""A cache of sent packets for retransmission."""

from __future__ import annotations

from collections import OrderedDict

from carillon.media.rtp.packet import RtpPacket

_MOST_PACKETS = 1_024
_LONGEST_SECONDS = 1.0
_SHORTEST_PAUSE = 0.02
"""The minimum time between two retransmissions of a packet, in seconds."""


class PacketCache:
    """The sent packets of the last second, by sequence number."""

    def __init__(self) -> None:
        self._packets: OrderedDict[int, tuple[bytes, float]] = OrderedDict()
        self._repeated: dict[int, float] = {}

    def put(self, packet: RtpPacket, packed: bytes, now: float) -> None:
        """Adds a packet with its sending time `now`, in seconds."""
        self._packets.pop(packet.sequence, None)
        self._repeated.pop(packet.sequence, None)
        self._packets[packet.sequence] = (packed, now)
        while len(self._packets) > _MOST_PACKETS or self._is_old(now):
            sequence, _ = self._packets.popitem(last=False)
            self._repeated.pop(sequence, None)

    def repeat(self, sequence: int, now: float) -> bytes | None:
        """Returns a packet to send again; `None` if the packet is too old or was just repeated."""
        found = self._packets.get(sequence)
        before = self._repeated.get(sequence)
        if found is None or (before is not None and now - before < _SHORTEST_PAUSE):
            return None
        self._repeated[sequence] = now
        return found[0]

    def _is_old(self, now: float) -> bool:
        _, sent_at = next(iter(self._packets.values()))
        return now - sent_at > _LONGEST_SECONDS
