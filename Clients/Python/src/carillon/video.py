"""Video as the meeting sees it: sources, tiles, and what a client chooses of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum

from carillon.v1 import video_tiles_pb2


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
    """At most, with RTP headers."""
    codec: VideoCodec = VideoCodec.VP8
    temporal_layers: int = 1
    ssrc: int = 0
    """Of its RTP packets from the publisher; 0 lets the server choose."""


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
    """Of the packets that receivers get, whichever layer it is."""


@dataclass(frozen=True)
class VideoSource:
    """What somebody else publishes."""

    tile_id: int
    """The tile that shows it, at every receiver."""
    attendee_id: str
    """Of its publisher: `<id>`, or `<id>#content` for content."""
    external_user_id: str
    kind: VideoKind
    layers: tuple[VideoLayer, ...]
    """Lowest bitrate first."""
    track_ssrc: int = 0
    """Of the packets that receivers get, whichever layer it is."""
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
    """Of the source's publisher."""
    pause_state: VideoPauseState = VideoPauseState.UNPAUSED
    layer: int = 0
    """The layer that was sent when the tile was told last, counted from 1; 0: none."""
    width: int = 0
    """Of that layer, in pixels."""
    height: int = 0

    @property
    def is_paused(self) -> bool:
        return self.pause_state is not VideoPauseState.UNPAUSED


# Wire

_CODECS = {
    VideoCodec.VP8: video_tiles_pb2.VIDEO_CODEC_VP8,
    VideoCodec.H264: video_tiles_pb2.VIDEO_CODEC_H264,
}
_KINDS = {
    VideoKind.CAMERA: video_tiles_pb2.VIDEO_SOURCE_KIND_CAMERA,
    VideoKind.CONTENT: video_tiles_pb2.VIDEO_SOURCE_KIND_CONTENT,
}

_HINTS = {
    VideoContentHint.NONE: video_tiles_pb2.VIDEO_CONTENT_HINT_NONE,
    VideoContentHint.MOTION: video_tiles_pb2.VIDEO_CONTENT_HINT_MOTION,
    VideoContentHint.DETAIL: video_tiles_pb2.VIDEO_CONTENT_HINT_DETAIL,
    VideoContentHint.TEXT: video_tiles_pb2.VIDEO_CONTENT_HINT_TEXT,
}
_PRIORITIES = {
    VideoPriority.LOWEST: video_tiles_pb2.VIDEO_PRIORITY_LOWEST,
    VideoPriority.LOW: video_tiles_pb2.VIDEO_PRIORITY_LOW,
    VideoPriority.MEDIUM: video_tiles_pb2.VIDEO_PRIORITY_MEDIUM,
    VideoPriority.HIGH: video_tiles_pb2.VIDEO_PRIORITY_HIGH,
    VideoPriority.HIGHEST: video_tiles_pb2.VIDEO_PRIORITY_HIGHEST,
}


def read_kind(kind: int) -> VideoKind:
    """What this version does not know of counts as a camera, which is what most sources are."""
    is_content = kind == video_tiles_pb2.VIDEO_SOURCE_KIND_CONTENT
    return VideoKind.CONTENT if is_content else VideoKind.CAMERA


def pack_kind(kind: VideoKind) -> video_tiles_pb2.VideoSourceKind:
    return _KINDS[kind]


def read_published(video: video_tiles_pb2.PublishedVideo) -> PublishedVideo:
    return PublishedVideo(
        read_kind(video.kind),
        _read_layers(video.layers),
        _read_hint(video.hint),
        video.tile_id,
        video.track_ssrc,
    )


def pack_published(video: PublishedVideo) -> video_tiles_pb2.PublishedVideo:
    """Raises `ValueError` for numbers that do not fit the wire."""
    packed = video_tiles_pb2.PublishedVideo(
        kind=_KINDS[video.kind],
        tile_id=video.tile_id,
        track_ssrc=video.track_ssrc,
        hint=_HINTS[video.hint],
    )
    for layer in video.layers:
        packed.layers.add(
            ssrc=layer.ssrc,
            width=layer.width,
            height=layer.height,
            frames_per_second=layer.frames_per_second,
            bits_per_second=layer.bits_per_second,
            codec=_CODECS[layer.codec],
            temporal_layers=layer.temporal_layers,
        )
    return packed


def read_source(source: video_tiles_pb2.VideoSource) -> VideoSource:
    return VideoSource(
        source.tile_id,
        source.attendee.attendee_id,
        source.attendee.external_user_id,
        read_kind(source.kind),
        _read_layers(source.layers),
        source.track_ssrc,
        _read_hint(source.hint),
    )


def read_tile(state: video_tiles_pb2.TileState) -> Tile:
    """What this version does not know of is no pause."""
    pause_state = VideoPauseState.UNPAUSED
    if state.pause_state == video_tiles_pb2.TILE_PAUSE_STATE_PAUSED_BY_USER_REQUEST:
        pause_state = VideoPauseState.PAUSED_BY_USER_REQUEST
    elif state.pause_state == video_tiles_pb2.TILE_PAUSE_STATE_PAUSED_FOR_POOR_CONNECTION:
        pause_state = VideoPauseState.PAUSED_FOR_POOR_CONNECTION
    return Tile(
        state.tile_id, state.participant_id, pause_state, state.layer, state.width, state.height
    )


def pack_subscription(
    attendee_id: str, subscription: VideoSubscription
) -> video_tiles_pb2.VideoSubscription:
    """Raises `ValueError` for numbers that do not fit the wire."""
    return video_tiles_pb2.VideoSubscription(
        participant_id=attendee_id,
        priority=_PRIORITIES[subscription.priority],
        target_width=subscription.target_width,
        target_height=subscription.target_height,
    )


def _read_layers(layers: Iterable[video_tiles_pb2.VideoLayer]) -> tuple[VideoLayer, ...]:
    return tuple(
        VideoLayer(
            layer.width,
            layer.height,
            layer.frames_per_second,
            layer.bits_per_second,
            VideoCodec.H264
            if layer.codec == video_tiles_pb2.VIDEO_CODEC_H264
            else VideoCodec.VP8,
            max(layer.temporal_layers, 1),
            layer.ssrc,
        )
        for layer in layers
    )


def _read_hint(hint: int) -> VideoContentHint:
    """What this version does not know of is no wish."""
    for known, number in _HINTS.items():
        if hint == number:
            return known
    return VideoContentHint.NONE
