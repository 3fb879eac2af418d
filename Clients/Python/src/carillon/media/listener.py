"""The callbacks of a media connection to senders and receivers."""

from __future__ import annotations

from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.rtcp import ReportBlock, RtcpPacket, SenderReport


class MediaListener:
    """A listener on a media connection. The methods of this base class do nothing.

    A listener gets every packet that arrives, and must ignore the packets of other streams itself.
    `now` is the time of the event loop, in seconds.
    """

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        """Called for each RTP packet of any sender."""

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """Called for each RTCP packet of any sender."""

    def on_bound(self) -> None:
        """Called when the `media` service starts to accept packets, and again after each move."""

    def on_close(self) -> None:
        """Called at the end of the connection."""

    def sender_report(self, now: float) -> SenderReport | None:
        """Called once a second: returns the listener's sender report, or `None`."""
        return None

    def report_block(self, now: float) -> ReportBlock | None:
        """Called once a second: returns the listener's reception report, or `None`."""
        return None
