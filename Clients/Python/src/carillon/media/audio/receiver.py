"""Receiving the meeting's audio."""

from __future__ import annotations

import asyncio
from typing import Self

from carillon.media.audio.opus import FRAME_SECONDS, SAMPLE_RATE, Samples
from carillon.media.audio.playout import AudioPlayout, PlayoutCounters
from carillon.media.closing import Closing
from carillon.media.connection import MediaConnection
from carillon.media.listener import MediaListener
from carillon.media.pacing import Pacer
from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.reception import ReceptionStatistics
from carillon.media.rtp.rtcp import ReportBlock, RtcpPacket, SenderReport


class AudioReceiver(MediaListener, Closing):
    """The mix of all other attendees, in frames of 20 ms, to iterate over with `async for`.

    ```python
    with AudioReceiver(await session.media.open()) as receiver:
        async for samples in receiver:
            ...
    ```

    Each frame has 960 samples at 48 kHz: one row per sample, one column per channel. There is one
    frame every 20 ms, silent if no attendee speaks, so that the frames add up to the elapsed time.
    The iteration ends when the session ends. Lost packets are concealed and counted.
    """

    def __init__(self, connection: MediaConnection, *, channels: int | None = None) -> None:
        """Starts to receive. `channels` is 1 or 2; `None` means as in the session's audio mode."""
        self._connection = connection
        self.channels = channels or connection.format.audio_mode.channels
        self._playout = AudioPlayout(self.channels)
        self._pacer = Pacer(FRAME_SECONDS)
        self._is_over = False
        self._ssrc = 0
        self.reception = ReceptionStatistics(SAMPLE_RATE)
        """The reception statistics of the packets."""
        connection.add_loosely(self)

    @property
    def counters(self) -> PlayoutCounters:
        """The counters of the jitter buffer."""
        return self._playout.counters

    def close(self) -> None:
        """Ends the iteration. Idempotent."""
        self._is_over = True
        self._connection.remove(self)

    async def aclose(self) -> None:
        """Ends the iteration, as `close` does. Idempotent."""
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Samples:
        if not self._is_over:
            await self._pacer.wait()
        if self._is_over:
            raise StopAsyncIteration
        return self._playout.pull(asyncio.get_running_loop().time())

    # MediaListener

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        """Adds a packet of the mix to the jitter buffer."""
        format = self._connection.format
        if packet.ssrc != format.audio_receive_ssrc:
            return
        if format.encoding(packet.payload_type) != "opus":
            return
        if packet.ssrc != self._ssrc:
            self._ssrc = packet.ssrc
            self.reception = ReceptionStatistics(SAMPLE_RATE)
            self._playout.restart()
        self.reception.take(packet, now)
        self._playout.put(packet, now)

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """Adds a sender report of the mix to the reception statistics."""
        if isinstance(packet, SenderReport) and packet.ssrc == self._ssrc:
            self.reception.take_report(packet, now)

    def report_block(self, now: float) -> ReportBlock | None:
        """Returns the report block of the mix."""
        return self.reception.report(self._ssrc, now)

    def on_close(self) -> None:
        """Ends the iteration at the end of the connection."""
        self._is_over = True
