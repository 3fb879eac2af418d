"""Receiving the video of another attendee."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Self

import av

from carillon.media.closing import Closing
from carillon.media.connection import MediaConnection
from carillon.media.errors import MalformedPacketError
from carillon.media.listener import MediaListener
from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.reception import ReceptionStatistics
from carillon.media.rtp.rtcp import Nack, Pli, ReportBlock, RtcpPacket, SenderReport
from carillon.media.video.assembler import AssemblyCounters, VideoAssembler
from carillon.media.video.codecs import VideoDecoder
from carillon.media.video.payload import CLOCK_RATE, EncodedFrame

_LOOK_SECONDS = 0.02
"""The interval at which the receiver looks for missing packets, in seconds."""
_MOST_WAITING = 60
"""The number of frames that may wait for the reader."""


class VideoReceiver(MediaListener, Closing):
    """The frames of one track, to iterate over with `async for`.

    ```python
    source = session.video.sources[attendee_id]
    with VideoReceiver(await session.media.open(), source.track_ssrc) as receiver:
        async for frame in receiver:
            ...
    ```

    Each item is a PyAV `VideoFrame` whose `time` is its position in the track, in seconds. Pictures
    are upright even if the sender's phone is turned, so the size may change with a turn. The
    iteration ends when the session ends.

    The receiver requests lost packets again. If these packets do not arrive, or if more than 60
    frames wait for the reader, the receiver drops all frames before the next key frame. Only one
    task may read a receiver at a time.
    """

    def __init__(self, connection: MediaConnection, track_ssrc: int) -> None:
        self.track_ssrc = track_ssrc
        self.reception = ReceptionStatistics(CLOCK_RATE)
        """The reception statistics of the packets."""
        self.overflows = 0
        """The number of times that the receiver dropped frames because the reader was too slow."""
        self._connection = connection
        self._assembler = VideoAssembler()
        self._decoder = VideoDecoder()
        self._waiting: deque[EncodedFrame] = deque()
        self._decoded: deque[av.VideoFrame] = deque()
        self._news = asyncio.Event()
        self._timer: asyncio.Handle | None = None
        self._is_over = False
        self._reference = connection.add_loosely(self)
        self._look_loosely = self._reference.calling(VideoReceiver._look)

    @property
    def counters(self) -> AssemblyCounters:
        """The counters of packets and frames."""
        return self._assembler.counters

    def close(self) -> None:
        """Ends the iteration. Idempotent."""
        self._connection.remove(self)
        self.on_close()

    async def aclose(self) -> None:
        """Ends the iteration, and drops decoded frames that wait. Idempotent."""
        self.close()
        self._decoded.clear()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> av.VideoFrame:
        while not self._decoded:
            if self._is_over:
                raise StopAsyncIteration
            if not self._waiting:
                self._news.clear()
                with self._reference.held():
                    await self._news.wait()
                continue
            await self._decode(self._waiting.popleft())
        return self._decoded.popleft()

    async def _decode(self, frame: EncodedFrame) -> None:
        try:
            self._decoded.extend(await asyncio.to_thread(self._decoder.decode, frame))
        except MalformedPacketError:
            self._skip()

    def _skip(self) -> None:
        """Drops the waiting frames, which are useless before the next key frame."""
        self._waiting.clear()
        self._assembler.need_key_frame()
        self._look()

    # MediaListener

    def on_bound(self) -> None:
        """Accepts any next sequence number, because each media service has its own numbering."""
        self._assembler.restart()

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        """Adds a packet of the track, and queues the frames that it completes."""
        if packet.ssrc != self.track_ssrc:
            return
        encoding = self._connection.format.encoding(packet.payload_type)
        if encoding not in ("vp8", "h264"):
            return
        self.reception.take(packet, now)
        self._keep(self._assembler.take(packet, encoding, now))
        if self._assembler.is_wanting and self._timer is None:
            # The packets of one message arrive together, so the receiver looks for missing packets
            # after it has read all of them.
            self._timer = asyncio.get_running_loop().call_soon(self._look_loosely)

    def _keep(self, frames: list[EncodedFrame]) -> None:
        self._waiting.extend(frames)
        if len(self._waiting) > _MOST_WAITING:
            self.overflows += 1
            self._skip()
        if self._waiting:
            self._news.set()

    def _look(self) -> None:
        """Requests missing packets and key frames. Calls itself later while one is missing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_over:
            return
        loop = asyncio.get_running_loop()
        wishes, frames = self._assembler.wishes(loop.time())
        self._keep(frames)
        own_ssrc = self._connection.format.audio_send_ssrc
        if wishes.sequences:
            # A NACK has room for 256 sequence numbers. If more packets are missing, a later key
            # frame makes them unnecessary.
            missing = tuple(wishes.sequences[:256])
            self._connection.send_rtcp([Nack(own_ssrc, self.track_ssrc, missing)])
        if wishes.key_frame:
            self._connection.send_rtcp([Pli(own_ssrc, self.track_ssrc)])
        if self._assembler.is_wanting and self._timer is None:
            self._timer = loop.call_later(_LOOK_SECONDS, self._look_loosely)

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """Adds a sender report of the track to the reception statistics."""
        if isinstance(packet, SenderReport) and packet.ssrc == self.track_ssrc:
            self.reception.take_report(packet, now)

    def report_block(self, now: float) -> ReportBlock | None:
        """Returns the report block of the track."""
        return self.reception.report(self.track_ssrc, now)

    def on_close(self) -> None:
        """Ends the iteration at the end of the connection."""
        self._is_over = True
        self._news.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
