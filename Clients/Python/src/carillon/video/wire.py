"""Conversion between video values and the messages of `video_tiles.proto`."""

from __future__ import annotations

from collections.abc import Iterable

from carillon.v1 import video_tiles_pb2
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
from carillon.wire_enum import WireEnum

CODECS = WireEnum(
    {
        VideoCodec.VP8: video_tiles_pb2.VIDEO_CODEC_VP8,
        VideoCodec.H264: video_tiles_pb2.VIDEO_CODEC_H264,
        VideoCodec.VP9: video_tiles_pb2.VIDEO_CODEC_VP9,
        VideoCodec.AV1: video_tiles_pb2.VIDEO_CODEC_AV1,
    },
    unknown=VideoCodec.VP8,
)
KINDS = WireEnum(
    {
        VideoKind.CAMERA: video_tiles_pb2.VIDEO_SOURCE_KIND_CAMERA,
        VideoKind.CONTENT: video_tiles_pb2.VIDEO_SOURCE_KIND_CONTENT,
    },
    unknown=VideoKind.CAMERA,  # Most sources are cameras.
)
HINTS = WireEnum(
    {
        VideoContentHint.NONE: video_tiles_pb2.VIDEO_CONTENT_HINT_NONE,
        VideoContentHint.MOTION: video_tiles_pb2.VIDEO_CONTENT_HINT_MOTION,
        VideoContentHint.DETAIL: video_tiles_pb2.VIDEO_CONTENT_HINT_DETAIL,
        VideoContentHint.TEXT: video_tiles_pb2.VIDEO_CONTENT_HINT_TEXT,
    },
    unknown=VideoContentHint.NONE,
)
PRIORITIES = WireEnum(
    {
        VideoPriority.LOWEST: video_tiles_pb2.VIDEO_PRIORITY_LOWEST,
        VideoPriority.LOW: video_tiles_pb2.VIDEO_PRIORITY_LOW,
        VideoPriority.MEDIUM: video_tiles_pb2.VIDEO_PRIORITY_MEDIUM,
        VideoPriority.HIGH: video_tiles_pb2.VIDEO_PRIORITY_HIGH,
        VideoPriority.HIGHEST: video_tiles_pb2.VIDEO_PRIORITY_HIGHEST,
    },
    unknown=VideoPriority.HIGH,
)
PAUSE_STATES = WireEnum(
    {
        VideoPauseState.UNPAUSED: video_tiles_pb2.TILE_PAUSE_STATE_UNPAUSED,
        VideoPauseState.PAUSED_BY_USER_REQUEST: (
            video_tiles_pb2.TILE_PAUSE_STATE_PAUSED_BY_USER_REQUEST
        ),
        VideoPauseState.PAUSED_FOR_POOR_CONNECTION: (
            video_tiles_pb2.TILE_PAUSE_STATE_PAUSED_FOR_POOR_CONNECTION
        ),
    },
    unknown=VideoPauseState.UNPAUSED,
)


def read_published(video: video_tiles_pb2.PublishedVideo) -> PublishedVideo:
    """Returns the published video of a wire message."""
    return PublishedVideo(
        KINDS.read(video.kind),
        _read_layers(video.layers),
        HINTS.read(video.hint),
        video.tile_id,
        video.track_ssrc,
    )


def pack_published(video: PublishedVideo) -> video_tiles_pb2.PublishedVideo:
    """Packs a published video. Raises `ValueError` for a number that does not fit its field."""
    packed = video_tiles_pb2.PublishedVideo(
        kind=KINDS.pack(video.kind),
        tile_id=video.tile_id,
        track_ssrc=video.track_ssrc,
        hint=HINTS.pack(video.hint),
    )
    for layer in video.layers:
        packed.layers.add(
            ssrc=layer.ssrc,
            width=layer.width,
            height=layer.height,
            frames_per_second=layer.frames_per_second,
            bits_per_second=layer.bits_per_second,
            codec=CODECS.pack(layer.codec),
            temporal_layers=layer.temporal_layers,
        )
    return packed


def read_source(source: video_tiles_pb2.VideoSource) -> VideoSource:
    """Returns the source of a wire message."""
    return VideoSource(
        source.tile_id,
        source.attendee.attendee_id,
        source.attendee.external_user_id,
        KINDS.read(source.kind),
        _read_layers(source.layers),
        source.track_ssrc,
        HINTS.read(source.hint),
    )


def read_tile(state: video_tiles_pb2.TileState) -> Tile:
    """Returns the tile of a wire message."""
    return Tile(
        state.tile_id,
        state.participant_id,
        PAUSE_STATES.read(state.pause_state),
        state.layer,
        state.width,
        state.height,
    )


def pack_subscription(
    attendee_id: str, subscription: VideoSubscription
) -> video_tiles_pb2.VideoSubscription:
    """Packs a subscription. Raises `ValueError` for a number that does not fit its field."""
    return video_tiles_pb2.VideoSubscription(
        participant_id=attendee_id,
        priority=PRIORITIES.pack(subscription.priority),
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
            CODECS.read(layer.codec),
            max(layer.temporal_layers, 1),
            layer.ssrc,
        )
        for layer in layers
    )
