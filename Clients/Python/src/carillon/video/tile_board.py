"""The sources and tiles of a meeting, built from the session stream. This module uses no clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from carillon.errors import SessionStatus
from carillon.v1 import gateway_pb2, video_tiles_pb2
from carillon.video.events import (
    CameraAvailability,
    SourceAvailable,
    SourceChanged,
    SourceUnavailable,
    TileAdded,
    TilePaused,
    TileRemoved,
    TileResumed,
    VideoEvent,
)
from carillon.video.values import Tile, VideoPauseState, VideoSource
from carillon.video.wire import read_source, read_tile


class TileBoard:
    """The sources of others, and the tiles of this receiver.

    `apply` applies an event of the server and returns the resulting changes. `apply` compares a
    snapshot with the current state, and reports each missed change once. If a snapshot has another
    epoch, the owner of the tiles may have restarted together with a gateway whose clients are still
    reconnecting. So sources that are missing from this snapshot end only by `confirm_missing`.
    """

    def __init__(self, own_id: str) -> None:
        self._own_id = own_id
        self._own_attendee = own_id.partition("#")[0]
        self._promoted_id: str | None = None
        self._sources: dict[str, VideoSource] = {}
        self._tiles: dict[int, Tile] = {}
        self._missing: set[str] = set()
        self._epoch: int | None = None
        self._heard: dict[int, int] = {}
        self._camera: CameraAvailability | None = None
        self.own: video_tiles_pb2.VideoSource | None = None
        """The source that this session publishes, as last sent by the server."""

    @property
    def sources(self) -> Mapping[str, VideoSource]:
        """The sources by their publisher's participant id, as a live view."""
        return MappingProxyType(self._sources)

    @property
    def tiles(self) -> Mapping[int, Tile]:
        """The tiles by tile id, as a live view."""
        return MappingProxyType(self._tiles)

    @property
    def camera(self) -> CameraAvailability | None:
        """The last availability of the camera; `None` before the first."""
        return self._camera

    @property
    def has_missing(self) -> bool:
        """Whether sources have been missing since a new epoch started, and may still return."""
        return bool(self._missing)

    def times_heard(self, tile_id: int) -> int:
        """Returns the number of states that the server has sent for a tile."""
        return self._heard.get(tile_id, 0)

    def confirm_missing(self) -> list[VideoEvent]:
        """Ends the sources that are still missing. Called when the time to reconnect is over."""
        return [event for attendee_id in sorted(self._missing) for event in self._end(attendee_id)]

    def act_as(self, attendee_id: str | None) -> list[VideoEvent]:
        """Sets the attendee that the session publishes as; `None` restores the attendee who joined.

        The board then treats the videos of this attendee as the session's own, and no longer as
        sources of others.
        """
        self._promoted_id = attendee_id
        self.own = None
        own = [each for each in self._sources if not self._is_other(each)]
        return [event for each in own for event in self._end(each)]

    def apply(self, event: gateway_pb2.SessionEvent) -> list[VideoEvent]:
        """Applies an event of the session stream, and returns the changes.

        Events that do not concern video sources or tiles change nothing.
        """
        match event.WhichOneof("event"):
            case "tile_board_snapshot":
                return list(self._replace(event.tile_board_snapshot))
            case "video_sources_changed":
                return list(self._change_sources(event.video_sources_changed))
            case "tiles_changed":
                states = event.tiles_changed.tiles
                return [event for state in states for event in self.take(state)]
            case "camera_availability_changed":
                return list(self._take_camera(event.camera_availability_changed))
            case _:
                return []

    def take(self, state: video_tiles_pb2.TileState) -> Iterator[VideoEvent]:
        """Applies the state of a tile, and yields the changes."""
        self._heard[state.tile_id] = self.times_heard(state.tile_id) + 1
        if state.is_removed:
            yield from self._hide(state.tile_id)
            return
        if not self._is_other(state.participant_id):
            return
        tile, before = read_tile(state), self._tiles.get(state.tile_id)
        self._tiles[tile.tile_id] = tile
        if before is None:
            yield TileAdded(tile)
        elif tile.pause_state is before.pause_state:
            return
        elif tile.pause_state is VideoPauseState.UNPAUSED:
            yield TileResumed(tile)
        else:
            yield TilePaused(tile)

    def _replace(self, board: video_tiles_pb2.TileBoardSnapshot) -> Iterator[VideoEvent]:
        """Replaces the whole board. Missing sources end, unless the owner may have restarted."""
        is_continued = self._epoch in (None, board.epoch)
        self._epoch = board.epoch
        present = {source.attendee.attendee_id for source in board.sources}
        for attendee_id in [each for each in self._sources if each not in present]:
            if is_continued:
                yield from self._end(attendee_id)
            else:
                self._missing.add(attendee_id)
        self.own = None
        for source in board.sources:
            yield from self._begin(source)
        own = [each for each in board.receivers if each.participant_id == self._own_id]
        shown = {state.tile_id for each in own for state in each.tiles if not state.is_removed}
        kept = {self._sources[each].tile_id for each in self._missing}
        for tile_id in [each for each in self._tiles if each not in shown | kept]:
            yield from self._hide(tile_id)
        for receiver in own:
            for state in receiver.tiles:
                yield from self.take(state)
            if receiver.HasField("camera"):
                yield from self._take_camera(receiver.camera)

    def _change_sources(self, changed: video_tiles_pb2.VideoSourcesChanged) -> Iterator[VideoEvent]:
        for source in changed.unavailable:
            known = self._sources.get(source.attendee.attendee_id)
            if known is not None and known.tile_id == source.tile_id:
                yield from self._end(known.attendee_id)
            if self.own is not None and self.own.tile_id == source.tile_id:
                self.own = None
        for source in changed.available:
            yield from self._begin(source)

    def _begin(self, packed: video_tiles_pb2.VideoSource) -> Iterator[VideoEvent]:
        if packed.attendee.attendee_id == (self._promoted_id or self._own_id):
            self.own = packed
        if not self._is_other(packed.attendee.attendee_id):
            return
        source = read_source(packed)
        known = self._sources.get(source.attendee_id)
        if known is not None and known.tile_id != source.tile_id:
            yield from self._end(known.attendee_id)
            known = None
        self._missing.discard(source.attendee_id)
        self._sources[source.attendee_id] = source
        if known is None:
            yield SourceAvailable(source)
        elif known != source:
            yield SourceChanged(source)

    def _end(self, attendee_id: str) -> Iterator[VideoEvent]:
        self._missing.discard(attendee_id)
        if (source := self._sources.pop(attendee_id, None)) is not None:
            yield from self._hide(source.tile_id)
            yield SourceUnavailable(source)

    def _hide(self, tile_id: int) -> Iterator[VideoEvent]:
        if (tile := self._tiles.pop(tile_id, None)) is not None:
            yield TileRemoved(tile)

    def _take_camera(
        self, camera: video_tiles_pb2.CameraAvailabilityChanged
    ) -> Iterator[VideoEvent]:
        now = CameraAvailability(camera.is_available, SessionStatus(camera.status))
        if now != self._camera:
            self._camera = now
            yield now

    def _is_other(self, attendee_id: str) -> bool:
        return attendee_id.partition("#")[0] not in (self._own_attendee, self._promoted_id)
