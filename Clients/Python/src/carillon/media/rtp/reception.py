"""How the packets of one source arrive, for receiver reports (RFC 3550, A.3 and A.8)."""

from __future__ import annotations

from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import ReportBlock, SenderReport
from carillon.media.rtp.sequence import Unwrapper


class ReceptionStatistics:
    """Counts the packets of one SSRC. Times are in seconds, of one clock."""

    def __init__(self, clock_rate: int) -> None:
        self._clock_rate = clock_rate
        self._sequences = Unwrapper(16)
        self._timestamps = Unwrapper(32)
        self._first: int | None = None
        self._highest = 0
        self._transit: float | None = None
        self._expected_before = 0
        self._received_before = 0
        self._sender_report: tuple[int, float] | None = None
        self.received = 0
        """Packets, duplicates counted."""
        self.jitter = 0.0
        """The jitter of the time between packets, in seconds."""

    @property
    def expected(self) -> int:
        """Packets that were sent, from the first that arrived to the highest."""
        return 0 if self._first is None else self._highest - self._first + 1

    @property
    def lost(self) -> int:
        """Packets that have not arrived; negative with duplicates."""
        return self.expected - self.received

    def take(self, packet: RtpPacket, now: float) -> None:
        """Counts a packet that arrived at a time, in seconds."""
        sequence = self._sequences.unwrap(packet.sequence)
        if self._first is None:
            self._first = self._highest = sequence
        self._highest = max(self._highest, sequence)
        self.received += 1
        transit = now - self._timestamps.unwrap(packet.timestamp) / self._clock_rate
        if self._transit is not None:
            # Jitter is bounded: a timestamp that jumps says nothing of the network.
            self.jitter += (min(abs(transit - self._transit), 1.0) - self.jitter) / 16
        self._transit = transit

    def take_report(self, report: SenderReport, now: float) -> None:
        """The source said what it has sent."""
        self._sender_report = (report.ntp_time >> 16 & 0xFFFFFFFF, now)

    def report(self, ssrc: int, now: float) -> ReportBlock | None:
        """What has arrived, and what of it since the last report; `None`: nothing ever."""
        if self._first is None:
            return None
        expected = self.expected - self._expected_before
        lost = expected - (self.received - self._received_before)
        self._expected_before, self._received_before = self.expected, self.received
        last, arrived = self._sender_report or (0, now)
        return ReportBlock(
            ssrc=ssrc,
            fraction_lost=min(max(lost, 0) * 256 // expected, 255) if expected > 0 else 0,
            lost=self.lost,
            highest_sequence=self._highest & 0xFFFFFFFF,
            jitter=int(self.jitter * self._clock_rate),
            last_report=last,
            delay=min(int((now - arrived) * 65_536), 0xFFFFFFFF) if last else 0,
        )
