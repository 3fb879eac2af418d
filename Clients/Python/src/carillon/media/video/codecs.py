"""VP8 and H.264 with low delay, by PyAV: no frame depends on a later frame."""

from __future__ import annotations

from fractions import Fraction

import av
from av.video.frame import PictureType

from carillon.media.errors import MalformedPacketError
from carillon.media.video.payload import CLOCK_RATE, EncodedFrame
from carillon.media.video.turning import PictureTurner

_ENCODERS = {
    "vp8": (
        "libvpx",
        {
            "deadline": "realtime",
            "cpu-used": "8",
            "lag-in-frames": "0",
            "auto-alt-ref": "0",
            "error-resilient": "default",
        },
    ),
    "h264": (
        "libx264",
        {
            "profile": "baseline",
            "preset": "ultrafast",
            "tune": "zerolatency",
            "forced-idr": "1",
        },
    ),
}
_KEY_FRAME_SECONDS = 20
"""The longest time between two key frames, in seconds, if no receiver requests one."""


class VideoEncoder:
    """Encodes frames of one size. `encode` blocks for some milliseconds."""

    def __init__(
        self,
        encoding: str,
        width: int,
        height: int,
        *,
        bits_per_second: int,
        frames_per_second: int,
    ) -> None:
        """Creates an encoder for `vp8` or `h264`.

        Raises `ValueError` for another encoding, or if this PyAV cannot encode it.
        """
        if encoding not in _ENCODERS:
            raise ValueError(f"The client can send vp8 or h264; got {encoding}.")
        name, options = _ENCODERS[encoding]
        try:
            context = av.CodecContext.create(name, "w")
        except (av.FFmpegError, ValueError) as error:
            raise ValueError(
                f"This PyAV has no {name}; send another codec than {encoding}."
            ) from error
        assert isinstance(context, av.VideoCodecContext)
        # A chroma sample covers 2 x 2 pixels, so width and height must be even.
        self.width, self.height = width & ~1, height & ~1
        self.encoding = encoding
        context.width, context.height = self.width, self.height
        context.pix_fmt = "yuv420p"
        context.bit_rate = bits_per_second
        context.time_base = Fraction(1, CLOCK_RATE)
        context.framerate = Fraction(frames_per_second)
        context.gop_size = _KEY_FRAME_SECONDS * frames_per_second
        context.max_b_frames = 0
        context.thread_count = 1
        context.options = options
        self._context = context

    def encode(self, frame: av.VideoFrame, timestamp: int, *, is_key: bool) -> EncodedFrame | None:
        """Encodes a frame; returns `None` if the encoder drops the frame. Timestamps must rise."""
        picture = frame.reformat(self.width, self.height, "yuv420p")
        picture.pts = timestamp
        picture.time_base = Fraction(1, CLOCK_RATE)
        picture.pict_type = PictureType.I if is_key else PictureType.NONE
        packets = self._context.encode(picture)
        data = b"".join(bytes(packet) for packet in packets)
        if not data:
            return None
        has_key = any(packet.is_keyframe for packet in packets)
        return EncodedFrame(self.encoding, data, timestamp, has_key)


class VideoDecoder:
    """Decodes frames. Their size and encoding may change. Decoded pictures are upright."""

    def __init__(self) -> None:
        self._turner = PictureTurner()
        self._encoding = ""
        self._context: av.VideoCodecContext | None = None

    def decode(self, frame: EncodedFrame) -> list[av.VideoFrame]:
        """Decodes a frame.

        Raises `MalformedPacketError`. After that, the next frame must be a key frame.
        """
        context = self._context
        if context is None or self._encoding != frame.encoding:
            context = self._context = self._open(frame.encoding)
            self._encoding = frame.encoding
        packet = av.Packet(frame.data)
        packet.pts = packet.dts = frame.timestamp
        packet.time_base = Fraction(1, CLOCK_RATE)
        try:
            pictures = context.decode(packet)
        except (av.FFmpegError, ValueError) as error:
            self._context = None
            raise MalformedPacketError(f"A frame cannot be decoded: {error}") from error
        for picture in pictures:
            picture.pts = frame.timestamp
            picture.time_base = Fraction(1, CLOCK_RATE)
        return [self._turner.turn_quarters(picture, frame.quarter_turns) for picture in pictures]

    def _open(self, encoding: str) -> av.VideoCodecContext:
        context = av.CodecContext.create(encoding, "r")
        assert isinstance(context, av.VideoCodecContext)
        context.thread_count = 1
        context.flags |= av.codec.context.Flags.low_delay
        return context
