"""The video choices of a session, which a `Start` declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from carillon.choice import Choice
from carillon.v1 import video_tiles_pb2
from carillon.video.events import SourceUnavailable, TileRemoved, VideoEvent
from carillon.video.values import PublishedVideo, VideoSubscription
from carillon.video.wire import pack_published, pack_subscription

Subscriptions = Mapping[str, VideoSubscription]
"""Subscriptions by the publisher's participant id."""


class VideoChoices:
    """The published video, whether remote video is on, the subscriptions, and the paused tiles.

    Calls change each choice. If the server ends a source or a tile, `take` removes the choices
    about this source or tile.
    """

    def __init__(self) -> None:
        self.published: Choice[PublishedVideo | None] = Choice(None)
        self.is_receiving = Choice(False)
        self.subscriptions: Choice[Subscriptions | None] = Choice(None)
        """The subscriptions; `None` while they are automatic, before the first call."""
        self.paused: Choice[frozenset[int]] = Choice(frozenset())
        """The ids of the tiles that the user paused."""

    def pack(self, choices: video_tiles_pb2.VideoChoices) -> None:
        """Writes the wanted values into a message."""
        choices.is_receiving = self.is_receiving.wanted
        choices.paused_tile_ids.extend(sorted(self.paused.wanted))
        if (published := self.published.wanted) is not None:
            choices.published.append(pack_published(published))
        if (subscriptions := self.subscriptions.wanted) is not None:
            choices.subscriptions.subscriptions.extend(
                pack_subscription(each, what) for each, what in subscriptions.items()
            )

    def take(self, event: VideoEvent) -> None:
        """Removes the choices about a source or tile that has ended."""
        match event:
            case SourceUnavailable(source):
                self.subscriptions.change(lambda all: without(all, [source.attendee_id]))
            case TileRemoved(tile):
                self.paused.change(lambda ids: ids - {tile.tile_id})


def without(subscriptions: Subscriptions | None, gone: Iterable[str]) -> Subscriptions | None:
    """Returns the subscriptions without those of some publishers."""
    if subscriptions is None:
        return None
    left_out = frozenset(gone)
    return {each: what for each, what in subscriptions.items() if each not in left_out}


def ids(video: PublishedVideo) -> tuple[int, int, list[int]]:
    """Returns the ids of a published video, which the server assigns."""
    return video.tile_id, video.track_ssrc, [layer.ssrc for layer in video.layers]


def with_ids_of(before: PublishedVideo | None, video: PublishedVideo) -> PublishedVideo:
    """Returns the video with the ids of the previous video, so that both are the same source.

    A layer with an SSRC of its own keeps this SSRC.
    """
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
