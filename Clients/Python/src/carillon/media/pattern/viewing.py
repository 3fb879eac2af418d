"""Receiving the tiles of a session and counting their pictures."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from carillon.errors import EventsLostError
from carillon.media.connection import MediaConnection
from carillon.media.pattern import frame_counter
from carillon.media.video.receiver import VideoReceiver
from carillon.session import Session
from carillon.video.events import SourceAvailable
from carillon.video.values import VideoSource, VideoSubscription


@dataclass
class Viewed:
    """The pictures of one tile so far."""

    tile_id: int
    attendee_id: str
    """The publisher's participant id."""
    codec: str
    """`VP8` or `H264`."""
    width: int = 0
    height: int = 0
    frames: int = 0
    """The number of decoded pictures."""
    numbered: int = 0
    """The number of decoded pictures with a readable test pattern number."""


async def view(
    session: Session,
    tell: Callable[[Viewed], object],
    *,
    attendee_id: str | None = None,
    interval: float = 1.0,
) -> None:
    """Decodes every tile, or only the tile of one participant, until the session ends.

    The function calls `tell` for each tile with pictures every `interval` seconds, and once more at
    the end, also after an error or a cancellation. Raises `CarillonError`.
    """
    viewing = _Viewing(session, await session.media.open(), attendee_id)
    tasks = [
        asyncio.create_task(viewing.follow()),
        asyncio.create_task(viewing.report(tell, interval)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await viewing.close()
        for viewed in viewing.seen:
            tell(viewed)


class _Viewing:
    def __init__(
        self, session: Session, connection: MediaConnection, attendee_id: str | None
    ) -> None:
        self._session = session
        self._connection = connection
        self._attendee_id = attendee_id
        self._viewed: dict[int, Viewed] = {}
        """The counts by tile id, including tiles that ended."""
        self._watching: dict[int, tuple[int, asyncio.Task[None]]] = {}
        """The track's SSRC and the receiving task, by tile id."""

    @property
    def seen(self) -> list[Viewed]:
        return [viewed for viewed in self._viewed.values() if viewed.frames]

    async def follow(self) -> None:
        """Receives all tiles, and updates the receivers after each event."""
        video = self._session.video
        if self._attendee_id is not None:
            await video.update_subscriptions({})
        await video.start_remote_video()
        while self._session.status is None:
            with contextlib.suppress(EventsLostError):
                async for event in video.events():
                    if isinstance(event, SourceAvailable):
                        await self._subscribe(event.source)
                    await self._look()

    async def report(self, tell: Callable[[Viewed], object], interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            for viewed in self.seen:
                tell(viewed)

    async def close(self) -> None:
        for tile_id in list(self._watching):
            await self._end(tile_id)

    async def _subscribe(self, source: VideoSource) -> None:
        if source.attendee_id == self._attendee_id:
            await self._session.video.update_subscriptions(
                {source.attendee_id: VideoSubscription()}
            )

    async def _look(self) -> None:
        video = self._session.video
        shown = {
            tile.tile_id: source
            for tile in video.tiles.values()
            if (source := video.sources.get(tile.attendee_id)) is not None
        }
        for tile_id, (track, _) in list(self._watching.items()):
            if tile_id not in shown or shown[tile_id].track_ssrc != track:
                await self._end(tile_id)
        for tile_id, source in shown.items():
            if tile_id not in self._watching:
                codec = source.layers[0].codec.value
                viewed = self._viewed.setdefault(
                    tile_id, Viewed(tile_id, source.attendee_id, codec)
                )
                task = asyncio.create_task(self._see(source.track_ssrc, viewed))
                self._watching[tile_id] = (source.track_ssrc, task)

    async def _end(self, tile_id: int) -> None:
        _, task = self._watching.pop(tile_id)
        task.cancel()
        await asyncio.wait([task])

    async def _see(self, track_ssrc: int, viewed: Viewed) -> None:
        with VideoReceiver(self._connection, track_ssrc) as receiver:
            async for picture in receiver:
                viewed.width, viewed.height = picture.width, picture.height
                viewed.frames += 1
                if frame_counter.read(picture) is not None:
                    viewed.numbered += 1
