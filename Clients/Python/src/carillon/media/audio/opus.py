"""Opus at 48 kHz in packets of 20 ms, with libopus."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt

from carillon.media.errors import MalformedPacketError

Samples = npt.NDArray[np.int16]
"""Audio samples: one row per sample, one column per channel."""

SAMPLE_RATE = 48_000
FRAME_SECONDS = 0.02
FRAME_SAMPLES = 960
"""The number of samples of one channel in 20 ms."""

_LAYOUTS = {1: "mono", 2: "stereo"}


def layout(channels: int) -> str:
    """Returns PyAV's layout name for 1 or 2 channels; raises `ValueError` for other numbers."""
    if channels not in _LAYOUTS:
        raise ValueError(f"Audio must have 1 or 2 channels; got {channels}.")
    return _LAYOUTS[channels]


def silence(channels: int, samples: int = FRAME_SAMPLES) -> Samples:
    """Returns samples that are all 0."""
    return np.zeros((samples, channels), np.int16)


class OpusEncoder:
    """Encodes each 20 ms into a packet, with forward error correction for a lost packet."""

    def __init__(self, channels: int = 1, bits_per_second: int = 32_000) -> None:
        self.channels = channels
        context = av.AudioCodecContext.create("libopus", "w")
        context.sample_rate = SAMPLE_RATE
        context.layout = layout(channels)
        context.format = av.AudioFormat("s16")
        context.bit_rate = bits_per_second
        context.time_base = Fraction(1, SAMPLE_RATE)
        context.options = {
            "application": "voip" if channels == 1 else "audio",
            "frame_duration": "20",
            "fec": "1",
            "packet_loss": "5",
            "compression_level": "5",
        }
        self._context = context
        self._position = 0

    def encode(self, samples: Samples) -> bytes:
        """Encodes 20 ms of audio: 960 rows. Raises `ValueError` for another shape."""
        if samples.shape != (FRAME_SAMPLES, self.channels):
            raise ValueError(
                f"A frame must have {FRAME_SAMPLES} samples of {self.channels} channels."
            )
        packed = np.ascontiguousarray(samples).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout(self.channels))
        frame.sample_rate = SAMPLE_RATE
        frame.time_base = Fraction(1, SAMPLE_RATE)
        frame.pts = self._position
        self._position += FRAME_SAMPLES
        return b"".join(bytes(packet) for packet in self._context.encode(frame))


class OpusDecoder:
    """Decodes packets, and conceals missing ones."""

    def __init__(self, channels: int = 1) -> None:
        self.channels = channels
        self._context = self._open()
        self._kind: int | None = None

    def _open(self) -> av.AudioCodecContext:
        context = av.AudioCodecContext.create("libopus", "r")
        context.sample_rate = SAMPLE_RATE
        context.layout = layout(self.channels)
        return context

    def decode(self, payload: bytes) -> Samples:
        """Decodes a packet. Raises `MalformedPacketError`."""
        samples = self._decode(payload)
        # These bits contain the mode, bandwidth, frame length and channels of the packet: RFC 6716,
        # section 3.1.
        self._kind = payload[0] & 0xFC
        return samples

    def conceal(self) -> Samples:
        """Returns a substitute for a missing packet. Consecutive substitutes fade out."""
        if self._kind is None:
            return silence(self.channels)
        # An empty frame represents a frame that the network lost or that the sender did not send:
        # RFC 6716, section 3.2.1.
        return self._decode(bytes([self._kind]))

    def _decode(self, payload: bytes) -> Samples:
        if not payload:  # The codec would treat an empty packet as the end of the stream.
            raise MalformedPacketError("An Opus packet must have at least one byte.")
        try:
            frames = self._context.decode(av.Packet(payload))
        except (av.FFmpegError, ValueError) as error:
            raise MalformedPacketError(f"The bytes are not an Opus packet: {error}") from error
        parts = [frame.to_ndarray().reshape(-1, self.channels) for frame in frames]
        if not parts:
            raise MalformedPacketError("An Opus packet contains no sound.")
        return np.concatenate(parts).astype(np.int16, copy=False)
