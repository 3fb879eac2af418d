"""The video events of a session: one dataclass per kind of event, and the stream to read them."""

from __future__ import annotations

from dataclasses import dataclass

from carillon.errors import SessionStatus, Status
from carillon.streams import BoundedStream
from carillon.video.values import PublishedVideo, Tile, VideoSource


@dataclass(frozen=True)
class VideoEvent:
    """The base class of the events in this module."""


@dataclass(frozen=True)
class SourceEvent(VideoEvent):
    """An event about a video source of another attendee."""

    source: VideoSource


@dataclass(frozen=True)
class SourceAvailable(SourceEvent):
    """A source is available. A new stream starts with one of these events for each source."""


@dataclass(frozen=True)
class SourceChanged(SourceEvent):
    """The layers or the hint of a source changed. The event contains the new state."""


@dataclass(frozen=True)
class SourceUnavailable(SourceEvent):
    """A source has ended. The server removed the source's tile and the subscription."""


@dataclass(frozen=True)
class TileEvent(VideoEvent):
    """An event about a tile of this receiver."""

    tile: Tile
    """The tile after the event; for `TileRemoved`, its last state."""


@dataclass(frozen=True)
class TileAdded(TileEvent):
    """The server added a tile, paused or not. A new stream starts with one event for each tile."""


@dataclass(frozen=True)
class TilePaused(TileEvent):
    """The server paused a tile, or the reason of its pause, `tile.pause_state`, changed."""


@dataclass(frozen=True)
class TileResumed(TileEvent):
    """A tile is no longer paused."""


@dataclass(frozen=True)
class TileRemoved(TileEvent):
    """The server removed a tile: the source ended or was unsubscribed, or remote video is off."""


@dataclass(frozen=True)
class CameraAvailability(VideoEvent):
    """Whether this attendee may send camera video. Emitted when a stream starts and on changes."""

    is_available: bool
    """True if publishing would succeed, or if the camera is already published."""
    status: SessionStatus
    """`VIDEO_AT_CAPACITY_VIEW_ONLY` if the meeting has no room for a camera, otherwise `OK`."""


@dataclass(frozen=True)
class PublishedMoved(VideoEvent):
    """The server assigned other ids to the published video. Send packets with the new ids."""

    video: PublishedVideo


@dataclass(frozen=True)
class PublishedEnded(VideoEvent):
    """The server ended the published video. `status` is the reason."""

    video: PublishedVideo
    status: Status


class VideoStream(BoundedStream[VideoEvent]):
    """The video events of one consumer, in order, to iterate over with `async for`.

    The stream starts with a `SourceAvailable` for each current source, a `TileAdded` for each
    current tile, and the last `CameraAvailability`. It ends when the session ends; the session's
    `status` is the reason. At most `limit` later events wait. If one more arrives, the consumer
    gets the waiting events and then `EventsLostError`.
    """
