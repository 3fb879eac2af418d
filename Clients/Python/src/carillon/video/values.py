"""Video as the meeting sees it: sources, tiles, and what a client chooses of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class VideoCodec(Enum):
    """How a video is encoded."""

    VP8 = "VP8"
    H264 = "H264"


class VideoKind(Enum):
    """What a source shows: a camera, or content such as a screen."""

    CAMERA = "camera"
    CONTENT = "content"


class VideoContentHint(IntEnum):
    """What encoders should keep when they must give something up, with the facade's numbers."""

    NONE = 0
    MOTION = 1
    DETAIL = 2
    TEXT = 3


class VideoPriority(IntEnum):
    """How much a receiver wants a source, with the facade's numbers."""

    LOWEST = 0
    LOW = 10
    MEDIUM = 20
    HIGH = 30
    HIGHEST = 40


class VideoPauseState(IntEnum):
    """Whether a tile moves, with the facade's numbers."""

    UNPAUSED = 0
    PAUSED_BY_USER_REQUEST = 1
    """Hides the next one."""
    PAUSED_FOR_POOR_CONNECTION = 2


@dataclass(frozen=True)
class VideoLayer:
    """One encoding of a source."""

    width: int
    height: int
    frames_per_second: int
    bits_per_second: int
    """The most that it has, RTP headers included."""
    codec: VideoCodec = VideoCodec.VP8
    temporal_layers: int = 1
    ssrc: int = 0
    """The SSRC of the packets that the publisher sends; 0 lets the server choose."""


@dataclass(frozen=True)
class PublishedVideo:
    """What this session publishes, with the ids that the meeting gave it."""

    kind: VideoKind
    layers: tuple[VideoLayer, ...]
    """Lowest bitrate first."""
    hint: VideoContentHint = VideoContentHint.NONE
    tile_id: int = 0
    """The tile that shows it, at every receiver."""
    track_ssrc: int = 0
    """The SSRC of the packets that receivers get, whichever layer it is."""


@dataclass(frozen=True)
class VideoSource:
    """What somebody else publishes."""

    tile_id: int
    """The tile that shows it, at every receiver."""
    attendee_id: str
    """The publisher's participant id: `<id>`, or `<id>#content` for content."""
    external_user_id: str
    kind: VideoKind
    layers: tuple[VideoLayer, ...]
    """Lowest bitrate first."""
    track_ssrc: int = 0
    """The SSRC of the packets that receivers get, whichever layer it is."""
    hint: VideoContentHint = VideoContentHint.NONE


@dataclass(frozen=True)
class VideoSubscription:
    """What a receiver asks of one source."""

    priority: VideoPriority = VideoPriority.HIGH
    """Its group: lower ones lose layers and pause first."""
    target_width: int = 0
    """Layers above the lowest that covers the target are not sent; 0 x 0 stands for 960 x 720."""
    target_height: int = 0


@dataclass(frozen=True)
class Tile:
    """A source at this receiver."""

    tile_id: int
    attendee_id: str
    """The participant id of the source's publisher."""
    pause_state: VideoPauseState = VideoPauseState.UNPAUSED
    layer: int = 0
    """The layer that was sent when the tile was told last, counted from 1; 0: none."""
    width: int = 0
    """The width of that layer in pixels, 0 without one; the height likewise."""
    height: int = 0

    @property
    def is_paused(self) -> bool:
        """Whether it stands still, for whichever reason."""
        return self.pause_state is not VideoPauseState.UNPAUSED
