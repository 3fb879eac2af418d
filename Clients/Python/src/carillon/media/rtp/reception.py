"""Reception statistics of one source for receiver reports (RFC 3550, A.3 and A.8)."""

from __future__ import annotations

from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import ReportBlock, SenderReport
from carillon.media.rtp.sequence import Unwrapper


class ReceptionStatistics:
    """Reception statistics of one SSRC. Times are in seconds, from the same clock."""

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
        """The number of packets that arrived, including duplicates."""
        self.jitter = 0.0
        """The interarrival jitter, in seconds."""

    @property
    def expected(self) -> int:
        """The number of packets from the first that arrived to the highest sequence number."""
        return 0 if self._first is None else self._highest - self._first + 1

    @property
    def lost(self) -> int:
        """The number of packets that have not arrived; duplicates can make it negative."""
        return self.expected - self.received

    def take(self, packet: RtpPacket, now: float) -> None:
        """Counts a packet that arrived at `now`, in seconds."""
        sequence = self._sequences.unwrap(packet.sequence)
        if self._first is None:
            self._first = self._highest = sequence
        self._highest = max(self._highest, sequence)
        self.received += 1
        transit = now - self._timestamps.unwrap(packet.timestamp) / self._clock_rate
        if self._transit is not None:
            # The limit is 1 s, because a jump of the timestamp is not network jitter.
            self.jitter += (min(abs(transit - self._transit), 1.0) - self.jitter) / 16
        self._transit = transit

    def take_report(self, report: SenderReport, now: float) -> None:
        """Stores a sender report of the source, for the next report block."""
        self._sender_report = (report.ntp_time >> 16 & 0xFFFFFFFF, now)

    def report(self, ssrc: int, now: float) -> ReportBlock | None:
        """Returns the report block since the last one; `None` before the first packet."""
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
