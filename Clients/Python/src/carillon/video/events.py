"""What a session tells of video: one dataclass for each kind of event, and their stream."""

from __future__ import annotations

from dataclasses import dataclass

from carillon.errors import SessionStatus, Status
from carillon.streams import BoundedStream
from carillon.video.values import PublishedVideo, Tile, VideoSource


@dataclass(frozen=True)
class VideoEvent:
    """Any of the events of this module."""


@dataclass(frozen=True)
class SourceEvent(VideoEvent):
    """An event about what somebody else publishes."""

    source: VideoSource


@dataclass(frozen=True)
class SourceAvailable(SourceEvent):
    """A source can be watched. Also comes first for each one that already was there."""


@dataclass(frozen=True)
class SourceChanged(SourceEvent):
    """A source has other layers than before, or another hint. It is as it is now."""


@dataclass(frozen=True)
class SourceUnavailable(SourceEvent):
    """A source has ended; its tile was removed. What was subscribed of it is forgotten."""


@dataclass(frozen=True)
class TileEvent(VideoEvent):
    """An event about a tile of this receiver, with the tile as it is after the event."""

    tile: Tile


@dataclass(frozen=True)
class TileAdded(TileEvent):
    """A source is shown, or would be but for a pause. Also comes first for each that was."""


@dataclass(frozen=True)
class TilePaused(TileEvent):
    """A tile is paused, or for another reason than before: `tile.pause_state` has it."""


@dataclass(frozen=True)
class TileResumed(TileEvent):
    """A tile moves again."""


@dataclass(frozen=True)
class TileRemoved(TileEvent):
    """Nothing comes any more: source gone, unsubscribed, or remote video off."""


@dataclass(frozen=True)
class CameraAvailability(VideoEvent):
    """Whether this attendee may send camera video; comes first, and when it changes."""

    is_available: bool
    """Publishing would succeed, or the camera is published."""
    status: SessionStatus
    """`VIDEO_AT_CAPACITY_VIEW_ONLY` when the meeting has its cameras, else `OK`."""


@dataclass(frozen=True)
class PublishedMoved(VideoEvent):
    """The meeting gave what this session publishes other ids: send packets under these."""

    video: PublishedVideo


@dataclass(frozen=True)
class PublishedEnded(VideoEvent):
    """The server ended what this session published. `status` says why."""

    video: PublishedVideo
    status: Status


class VideoStream(BoundedStream[VideoEvent]):
    """The video events of one consumer, in order: iterate over it with `async for`.

    It begins with a `SourceAvailable` for each source and a `TileAdded` for each tile that is there
    when it is made, and ends with the session, whose `status` says how. At most `limit` later
    events wait; one more, and the consumer gets those that wait and then `EventsLostError`.
    """
