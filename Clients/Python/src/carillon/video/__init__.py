"""The control of video in a session: sources, tiles, subscriptions and published video.

`carillon.media` carries the packets.
"""

from carillon.video.events import (
    CameraAvailability,
    PublishedEnded,
    PublishedMoved,
    SourceAvailable,
    SourceChanged,
    SourceEvent,
    SourceUnavailable,
    TileAdded,
    TileEvent,
    TilePaused,
    TileRemoved,
    TileResumed,
    VideoEvent,
    VideoStream,
)
from carillon.video.session_video import SessionVideo
from carillon.video.values import (
    PublishedVideo,
    Tile,
    VideoCodec,
    VideoContentHint,
    VideoKind,
    VideoLayer,
    VideoPauseState,
    VideoPriority,
    VideoSource,
    VideoSubscription,
)

__all__ = [
    "CameraAvailability",
    "PublishedEnded",
    "PublishedMoved",
    "PublishedVideo",
    "SessionVideo",
    "SourceAvailable",
    "SourceChanged",
    "SourceEvent",
    "SourceUnavailable",
    "Tile",
    "TileAdded",
    "TileEvent",
    "TilePaused",
    "TileRemoved",
    "TileResumed",
    "VideoCodec",
    "VideoContentHint",
    "VideoEvent",
    "VideoKind",
    "VideoLayer",
    "VideoPauseState",
    "VideoPriority",
    "VideoSource",
    "VideoStream",
    "VideoSubscription",
]
