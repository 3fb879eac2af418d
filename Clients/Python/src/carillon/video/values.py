"""The values of video: sources, tiles, layers and subscriptions.

The *original SDK* is the published SDK that `docs/clients.md` describes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class VideoCodec(Enum):
    """The codec of a video."""

    VP8 = "VP8"
    H264 = "H264"
    VP9 = "VP9"
    """Sources of browsers may have this codec. This client neither encodes nor decodes VP9."""
    AV1 = "AV1"
    """Sources of browsers may have this codec. This client neither encodes nor decodes AV1."""


class VideoKind(Enum):
    """The kind of a source: a camera, or content, for example a screen."""

    CAMERA = "camera"
    CONTENT = "content"


class VideoContentHint(IntEnum):
    """What an encoder preserves at a low bitrate. The numbers are those of the original SDK."""

    NONE = 0
    MOTION = 1
    DETAIL = 2
    TEXT = 3


class VideoPriority(IntEnum):
    """The priority of a source for a receiver. The numbers are those of the original SDK."""

    LOWEST = 0
    LOW = 10
    MEDIUM = 20
    HIGH = 30
    HIGHEST = 40


class VideoPauseState(IntEnum):
    """Whether and why a tile is paused. The numbers are those of the original SDK."""

    UNPAUSED = 0
    PAUSED_BY_USER_REQUEST = 1
    """The user paused the tile. This state takes precedence over a poor connection."""
    PAUSED_FOR_POOR_CONNECTION = 2


@dataclass(frozen=True)
class VideoLayer:
    """One encoding of a source. Its width and height are in pixels."""

    width: int
    height: int
    frames_per_second: int
    bits_per_second: int
    """The maximum bitrate, including RTP headers."""
    codec: VideoCodec = VideoCodec.VP8
    temporal_layers: int = 1
    ssrc: int = 0
    """The SSRC of the packets that the publisher sends; if 0, the server chooses the SSRC."""


@dataclass(frozen=True)
class PublishedVideo:
    """The video that this session publishes, with the ids that the server assigned."""

    kind: VideoKind
    layers: tuple[VideoLayer, ...]
    """The layers, lowest bitrate first."""
    hint: VideoContentHint = VideoContentHint.NONE
    tile_id: int = 0
    """The id of the tile that shows this video, the same at every receiver."""
    track_ssrc: int = 0
    """The SSRC of the packets that receivers get, the same for every layer."""


@dataclass(frozen=True)
class VideoSource:
    """A video that another attendee publishes."""

    tile_id: int
    """The id of the tile that shows this video, the same at every receiver."""
    attendee_id: str
    """The publisher's participant id: `<id>`, or `<id>#content` for content."""
    external_user_id: str
    kind: VideoKind
    layers: tuple[VideoLayer, ...]
    """The layers, lowest bitrate first."""
    track_ssrc: int = 0
    """The SSRC of the packets that receivers get, the same for every layer."""
    hint: VideoContentHint = VideoContentHint.NONE


@dataclass(frozen=True)
class VideoSubscription:
    """The priority and the target size with which a receiver subscribes to a source."""

    priority: VideoPriority = VideoPriority.HIGH
    """The priority. The server reduces and pauses sources with a lower priority first."""
    target_width: int = 0
    """The target width in pixels; the height likewise. 0 x 0 means 960 x 720.

    The server sends no layer above the lowest one that covers the target."""
    target_height: int = 0


@dataclass(frozen=True)
class Tile:
    """The state of a source at this receiver."""

    tile_id: int
    attendee_id: str
    """The participant id of the publisher."""
    pause_state: VideoPauseState = VideoPauseState.UNPAUSED
    layer: int = 0
    """The layer that the server sent at the last update of the tile, from 1; 0 for none."""
    width: int = 0
    """The width of the sent layer in pixels; 0 if the server sent none. The height likewise."""
    height: int = 0

    @property
    def is_paused(self) -> bool:
        """Whether the tile is paused for any reason."""
        return self.pause_state is not VideoPauseState.UNPAUSED
