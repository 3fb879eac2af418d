"""The types that the RTP payload formats of all video codecs share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

CLOCK_RATE = 90_000
"""The RTP clock rate of all video, in ticks per second."""


@dataclass(frozen=True, slots=True)
class EncodedFrame:
    """One encoded picture."""

    encoding: str
    """`vp8` or `h264`."""
    data: bytes
    """The encoded bytes; H.264 with start codes."""
    timestamp: int
    """The time in ticks of `CLOCK_RATE`. The number of ticks does not wrap around."""
    is_key: bool
    """Whether a decoder can decode the frame without earlier frames."""
    quarter_turns: int = 0
    """The number of clockwise quarter turns that the picture needs before its display, 0-3."""


@dataclass(frozen=True, slots=True)
class VideoFragment:
    """The part of a frame in one packet."""

    data: bytes
    starts_frame: bool
    """Whether this fragment may be the first one of its frame."""
    is_key: bool
    """Whether the fragment shows that it belongs to a key frame."""


class Packetizer(Protocol):
    """Splits frames into payloads."""

    def pack(self, frame: bytes, maximum_bytes: int) -> list[bytes]:
        """Returns the payloads of a frame, in order, each of at most `maximum_bytes`."""
        ...
