"""What a media connection tells those who send and receive on it."""

from __future__ import annotations

from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import ReportBlock, RtcpPacket, SenderReport


class MediaListener:
    """Gets everything that arrives, at once, and takes what is for it. Does nothing by itself.

    `now` is the time of the event loop, in seconds.
    """

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        """A packet of anybody."""

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """A report or a request of anybody."""

    def on_bound(self) -> None:
        """Packets are taken from now on; again after each move."""

    def on_close(self) -> None:
        """Nothing comes any more."""

    def sender_report(self, now: float) -> SenderReport | None:
        """What it sends, once a second; `None`: nothing."""
        return None

    def report_block(self, now: float) -> ReportBlock | None:
        """How what it receives arrives, once a second; `None`: nothing came."""
        return None
