"""What a session has chosen of video: a value that a Start declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from carillon.choice import Choice
from carillon.v1 import video_tiles_pb2
from carillon.video.events import SourceUnavailable, TileRemoved, VideoEvent
from carillon.video.values import PublishedVideo, VideoSubscription
from carillon.video.wire import pack_published, pack_subscription

Subscriptions = Mapping[str, VideoSubscription]
"""By the publishers' participant ids."""


class VideoChoices:
    """What is published, whether remote video is on, what is subscribed, what is paused.

    Each is chosen by calls. What the server ends is chosen no more: the subscription of a source
    that is gone, and the pause of a tile.
    """

    def __init__(self) -> None:
        self.published: Choice[PublishedVideo | None] = Choice(None)
        self.is_receiving = Choice(False)
        self.subscriptions: Choice[Subscriptions | None] = Choice(None)
        """`None`: all that comes without a call."""
        self.paused: Choice[frozenset[int]] = Choice(frozenset())
        """By tile ids."""

    def pack(self, choices: video_tiles_pb2.VideoChoices) -> None:
        """Writes down what is wanted now."""
        choices.is_receiving = self.is_receiving.wanted
        choices.paused_tile_ids.extend(sorted(self.paused.wanted))
        if (published := self.published.wanted) is not None:
            choices.published.append(pack_published(published))
        if (subscriptions := self.subscriptions.wanted) is not None:
            choices.subscriptions.subscriptions.extend(
                pack_subscription(each, what) for each, what in subscriptions.items()
            )

    def take(self, event: VideoEvent) -> None:
        """Forgets what was chosen of something that is gone."""
        match event:
            case SourceUnavailable(source):
                self.subscriptions.change(lambda all: without(all, [source.attendee_id]))
            case TileRemoved(tile):
                self.paused.change(lambda ids: ids - {tile.tile_id})


def without(subscriptions: Subscriptions | None, gone: Iterable[str]) -> Subscriptions | None:
    """All but those of some publishers."""
    if subscriptions is None:
        return None
    left_out = frozenset(gone)
    return {each: what for each, what in subscriptions.items() if each not in left_out}


def ids(video: PublishedVideo) -> tuple[int, int, list[int]]:
    """All ids of a published video: the server gives them."""
    return video.tile_id, video.track_ssrc, [layer.ssrc for layer in video.layers]


def with_ids_of(before: PublishedVideo | None, video: PublishedVideo) -> PublishedVideo:
    """The video with the ids it had before, where it names none: it stays the same source."""
    if before is None:
        return video
    known = [layer.ssrc for layer in before.layers] + [0] * len(video.layers)
    layers = [
        replace(layer, ssrc=layer.ssrc or ssrc)
        for layer, ssrc in zip(video.layers, known, strict=False)
    ]
    return replace(
        video, layers=tuple(layers), tile_id=before.tile_id, track_ssrc=before.track_ssrc
    )
