"""An outgoing RTP stream: its sequence numbers and its reports."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import ReportBlock, SenderReport

_NTP_OF_UNIX = 2_208_988_800
"""The Unix epoch in NTP time: the seconds from 1900 to 1970."""


class OutgoingStream:
    """Numbers the packets of one SSRC, and counts them."""

    def __init__(self, clock_rate: int) -> None:
        self._clock_rate = clock_rate
        # The first sequence number and the first timestamp are random (RFC 3550, section 5.1), and
        # each is in the lower half of its range.
        self._sequence = random.getrandbits(15)
        self.first_timestamp = random.getrandbits(31)
        self._last: tuple[int, float] | None = None
        self.ssrc = 0
        self.packets = 0
        self.octets = 0
        """The number of sent payload bytes."""
        self.loss = 0.0
        """The fraction of lost packets, 0-1, according to the receiver's last report."""
        self.round_trip: float | None = None
        """The round-trip time in seconds; `None` before the first measurement."""

    def packet(
        self,
        payload_type: int,
        timestamp: int,
        payload: bytes,
        now: float,
        *,
        is_marked: bool = False,
        extensions: Mapping[int, bytes] | None = None,
    ) -> RtpPacket:
        """Returns the next packet, and counts it. `timestamp` is truncated to 32 bits."""
        packet = RtpPacket(
            payload_type=payload_type,
            sequence=self._sequence,
            timestamp=timestamp & 0xFFFFFFFF,
            ssrc=self.ssrc,
            payload=payload,
            is_marked=is_marked,
            extensions=extensions or {},
        )
        self._sequence = (self._sequence + 1) & 0xFFFF
        self.packets += 1
        self.octets += len(payload)
        self._last = (timestamp, now)
        return packet

    def report(self, now: float) -> SenderReport | None:
        """Returns the sender report; `None` before the first packet."""
        if self._last is None:
            return None
        timestamp, sent_at = self._last
        timestamp += int((now - sent_at) * self._clock_rate)
        return SenderReport(
            self.ssrc, _ntp_time(), timestamp & 0xFFFFFFFF, self.packets, self.octets
        )

    def take(self, block: ReportBlock) -> None:
        """Reads the receiver's report block about this stream."""
        self.loss = block.fraction_lost / 256
        if block.last_report:
            passed = ((_ntp_time() >> 16) - block.last_report - block.delay) & 0xFFFFFFFF
            if passed < 1 << 31:  # A larger value is negative: the clock was set back.
                self.round_trip = passed / 65_536


def _ntp_time() -> int:
    return int((time.time() + _NTP_OF_UNIX) * (1 << 32))
