"""Sending video to the meeting."""

from __future__ import annotations

import asyncio
import os

import av
import numpy as np
import numpy.typing as npt

from carillon.media.closing import Closing
from carillon.media.connection import MediaConnection
from carillon.media.listener import MediaListener
from carillon.media.rtp.outgoing import OutgoingStream
from carillon.media.rtp.packet_cache import PacketCache
from carillon.media.rtp.rtcp import Fir, Nack, Pli, ReceiverReport, RtcpPacket, SenderReport
from carillon.media.video.codecs import VideoEncoder
from carillon.media.video.file import VideoFile
from carillon.media.video.h264 import H264Packetizer
from carillon.media.video.payload import CLOCK_RATE, EncodedFrame, Packetizer
from carillon.media.video.vp8 import Vp8Packetizer
from carillon.video.values import PublishedVideo, VideoCodec, VideoLayer

_HEADER_BYTES = 12
_MOST_PACKET_BYTES = 1_200

Picture = av.VideoFrame | npt.NDArray[np.uint8]
"""A PyAV frame, or an RGB array of shape (rows, columns, 3)."""


class VideoSender(MediaListener, Closing):
    """Encodes and sends one layer of the published video.

    ```python
    published = await session.video.publish([carillon.VideoLayer(640, 360, 15, 600_000)])
    with VideoSender(await session.media.open(), published) as sender:
        await sender.send(picture)
    ```

    The sender sends a key frame on request and after each move. The sender retransmits packets that
    a receiver requests within a second.
    """

    def __init__(
        self, connection: MediaConnection, published: PublishedVideo, *, layer: int = 0
    ) -> None:
        """Creates a sender for the layer with index `layer`; 0 is the lowest."""
        self.stream = OutgoingStream(CLOCK_RATE)
        """The RTP stream: its SSRC and its counters."""
        self.frames = 0
        """The number of sent frames."""
        self.key_frames = 0
        """The number of key frames among `frames`."""
        self.repeated = 0
        """The number of packets that were retransmitted."""
        self._connection = connection
        self._index = layer
        self._layer: VideoLayer = published.layers[layer]
        self._encoding = self._layer.codec.value.lower()
        self._encoder: VideoEncoder | None = None
        self._packetizer: Packetizer = (
            H264Packetizer() if self._layer.codec is VideoCodec.H264 else Vp8Packetizer()
        )
        self._cache = PacketCache()
        self._needs_key = True
        self._fir: int | None = None
        self._began: float | None = None
        self._last_timestamp = self.stream.first_timestamp - 1
        self.stream.ssrc = self._layer.ssrc
        connection.add_loosely(self)

    def close(self) -> None:
        """Stops answering requests. Idempotent."""
        self._connection.remove(self)

    def follow(self, published: PublishedVideo) -> None:
        """Uses the ids of a `PublishedMoved` from now on."""
        self._layer = published.layers[self._index]
        if self._layer.ssrc != self.stream.ssrc:
            self.stream.ssrc = self._layer.ssrc
            self._needs_key = True

    async def send(self, picture: Picture, at: float | None = None) -> None:
        """Encodes a frame of any size and sends it now.

        `at` is the time of the frame, in seconds since any fixed moment; `None` for the current
        time. Only one task may send at a time. Raises `CarillonError` if the session has ended.
        """
        self._connection.require_open()
        loop = asyncio.get_running_loop()
        if at is None:
            if self._began is None:
                self._began = loop.time()
            at = loop.time() - self._began
        if not self._connection.is_bound:
            return  # `on_bound` makes the first sent frame a key frame.
        timestamp = self.stream.first_timestamp + int(at * CLOCK_RATE)
        timestamp = max(timestamp, self._last_timestamp + 1)
        self._last_timestamp = timestamp
        is_key, self._needs_key = self._needs_key, False
        frame = await asyncio.to_thread(self._encode, picture, timestamp, is_key)
        if frame is None:
            self._needs_key = self._needs_key or is_key
        elif not self._send(frame, loop.time()):
            self._needs_key = True

    async def play(self, path: str | os.PathLike[str]) -> int:
        """Sends the video of a file in real time, and returns the number of its frames.

        Raises `ValueError` if the file has no video, `CarillonError` if the session has ended, and
        PyAV's errors.
        """
        loop = asyncio.get_running_loop()
        frames, began, first = 0, 0.0, 0.0
        with await asyncio.to_thread(VideoFile, path) as file:
            while (picture := await asyncio.to_thread(file.read)) is not None:
                at = frames / file.frames_per_second if picture.pts is None else picture.time
                if frames == 0:
                    began, first = loop.time(), at
                frames += 1
                due = began + at - first
                if due + 0.5 < loop.time() and not self._needs_key:
                    # This machine is too slow for the file, so the sender skips the frame.
                    continue
                await asyncio.sleep(due - loop.time())
                await self.send(picture, at - first)
        return frames

    def _encode(self, picture: Picture, timestamp: int, is_key: bool) -> EncodedFrame | None:
        if isinstance(picture, np.ndarray):
            picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
        size = (picture.width & ~1, picture.height & ~1)
        encoder = self._encoder
        if encoder is None or (encoder.width, encoder.height) != size:
            encoder = self._encoder = VideoEncoder(
                self._encoding,
                *size,
                bits_per_second=self._layer.bits_per_second,
                frames_per_second=self._layer.frames_per_second,
            )
        return encoder.encode(picture, timestamp, is_key=is_key)

    def _send(self, frame: EncodedFrame, now: float) -> bool:
        format = self._connection.format
        payload_type = format.payload_type(self._encoding)
        room = min(format.max_packet_bytes, _MOST_PACKET_BYTES) - _HEADER_BYTES
        payloads = self._packetizer.pack(frame.data, room)
        packed = []
        for index, payload in enumerate(payloads):
            is_last = index == len(payloads) - 1
            packet = self.stream.packet(
                payload_type, frame.timestamp, payload, now, is_marked=is_last
            )
            packed.append(packet.pack())
            self._cache.put(packet, packed[-1], now)
        self.frames += 1
        self.key_frames += frame.is_key
        return self._connection.send(packed)

    # MediaListener

    def on_bound(self) -> None:
        """Makes the next frame a key frame, which the new endpoint needs."""
        self._needs_key = True

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """Answers requests for packets and key frames, and reads report blocks."""
        match packet:
            case Pli(_, ssrc) if ssrc == self.stream.ssrc:
                self._needs_key = True
            case Fir(_, requests):
                for ssrc, number in requests:
                    if ssrc == self.stream.ssrc and number != self._fir:
                        self._fir, self._needs_key = number, True
            case Nack(_, ssrc, sequences) if ssrc == self.stream.ssrc:
                self._repeat(sequences, now)
            case SenderReport(blocks=blocks) | ReceiverReport(blocks=blocks):
                for block in blocks:
                    if block.ssrc == self.stream.ssrc:
                        self.stream.take(block)

    def _repeat(self, sequences: tuple[int, ...], now: float) -> None:
        found = [self._cache.repeat(sequence, now) for sequence in sequences]
        packets = [packet for packet in found if packet is not None]
        if packets and self._connection.send(packets):
            self.repeated += len(packets)

    def sender_report(self, now: float) -> SenderReport | None:
        """Returns the sender report; `None` before the first packet."""
        return self.stream.report(now)
