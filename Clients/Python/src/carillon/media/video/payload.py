"""What the video codecs have in common in RTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

CLOCK_RATE = 90_000
"""The clock rate of all video, in ticks a second."""


@dataclass(frozen=True, slots=True)
class EncodedFrame:
    """One picture as its codec has it."""

    encoding: str
    """`vp8` or `h264`."""
    data: bytes
    """H.264 with start codes."""
    timestamp: int
    """The time in ticks of video's clock, as if it never began again."""
    is_key: bool
    """It can be decoded without those before it."""
    quarter_turns: int = 0
    """How many quarters its picture is to be turned clockwise before it is shown, 0-3."""


@dataclass(frozen=True, slots=True)
class VideoFragment:
    """What one packet has of a frame."""

    data: bytes
    starts_frame: bool
    """It may be the first of its frame."""
    is_key: bool
    """It belongs to a key frame, and says so."""


class Packetizer(Protocol):
    """Makes payloads of frames."""

    def pack(self, frame: bytes, maximum_bytes: int) -> list[bytes]:
        """The payloads of a frame, in order, none larger than told."""
        ...
