"""Recording the audio and video that a session receives."""

from __future__ import annotations

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from carillon.errors import EventsLostError
from carillon.media.audio.opus import FRAME_SAMPLES, SAMPLE_RATE
from carillon.media.audio.receiver import AudioReceiver
from carillon.media.connection import MediaConnection
from carillon.media.files.writer import MediaWriter
from carillon.media.video.receiver import VideoReceiver
from carillon.session import Session


@dataclass
class Recorded:
    """How much audio and video a recording contains."""

    audio_seconds: float = 0.0
    """The length of the audio including silence, in seconds: the duration of the recording."""
    concealed_seconds: float = 0.0
    """The length of the audio that conceals lost packets, in seconds."""
    video_frames: int = 0


async def record(
    session: Session,
    path: str | os.PathLike[str],
    *,
    seconds: float | None = None,
    attendee_id: str | None = None,
    size: tuple[int, int] = (640, 360),
) -> Recorded:
    """Records the meeting to a file until the session ends, or for `seconds`.

    Files named `.wav`, `.ogg`, `.opus`, `.flac` or `.mp3` contain audio. Files named `.webm`,
    `.mkv` or `.mp4` also contain the video of one source at a time. The source is that of
    `attendee_id`, or else of the first tile. When this source ends, the recording continues with
    another tile. Pictures are scaled to fit `size`. After a cancellation, the call still completes
    the file. Raises `CarillonError`, `ValueError` for a file name with another extension, and
    PyAV's errors.
    """
    connection = await session.media.open()
    recorder = _Recorder(session, connection, path, attendee_id, size)
    try:
        await recorder.run(seconds)
    finally:
        recorder.close()
    return recorder.recorded


class _Recorder:
    def __init__(
        self,
        session: Session,
        connection: MediaConnection,
        path: str | os.PathLike[str],
        attendee_id: str | None,
        size: tuple[int, int],
    ) -> None:
        self.recorded = Recorded()
        self._session = session
        self._connection = connection
        self._attendee_id = attendee_id
        self._audio = AudioReceiver(connection)
        try:
            self._writer = MediaWriter(path, self._audio.channels, size)
        except BaseException:
            self._audio.close()
            raise
        # Only one thread may use a PyAV container, and this thread must not be that of the event
        # loop.
        self._thread = ThreadPoolExecutor(1, "carillon recording")

    async def run(self, seconds: float | None) -> None:
        watching = None
        if self._writer.has_video:
            await self._session.video.start_remote_video()
            watching = asyncio.create_task(self._watch())
        try:
            await self._listen(seconds)
        finally:
            if watching is not None:
                watching.cancel()
                await asyncio.wait([watching])
        if watching is not None and not watching.cancelled():
            watching.result()

    def close(self) -> None:
        self._audio.close()
        counters = self._audio.counters
        self.recorded.concealed_seconds = counters.concealed * FRAME_SAMPLES / SAMPLE_RATE
        # The thread closes the writer after all writes that are already in its queue.
        self._thread.submit(self._writer.close).result()
        self._thread.shutdown()
        self.recorded.audio_seconds = self._writer.seconds
        self.recorded.video_frames = self._writer.frames

    async def _listen(self, seconds: float | None) -> None:
        loop = asyncio.get_running_loop()
        samples_left = None if seconds is None else round(seconds * SAMPLE_RATE)
        async for heard in self._audio:
            samples = heard[:samples_left]
            if samples_left is not None:
                samples_left -= len(heard)
            await loop.run_in_executor(self._thread, self._writer.write_audio, samples)
            if samples_left is not None and samples_left <= 0:
                return

    # Video

    async def _watch(self) -> None:
        """Receives the chosen track, and chooses again after each event."""
        seeing: asyncio.Task[None] | None = None
        shown = 0
        try:
            while self._session.status is None:
                with contextlib.suppress(EventsLostError):
                    async for _ in self._session.video.events():
                        wanted = self._choose(shown)
                        if wanted == shown:
                            continue
                        if seeing is not None:
                            seeing.cancel()
                        shown = wanted
                        seeing = asyncio.create_task(self._see(shown)) if shown else None
        finally:
            if seeing is not None:
                seeing.cancel()
                await asyncio.wait([seeing])
                if not seeing.cancelled():
                    seeing.result()

    def _choose(self, shown: int) -> int:
        """Returns the SSRC of the track to record, preferably the current one; 0 for no track."""
        video = self._session.video
        tracks = [
            source.track_ssrc
            for tile in video.tiles.values()
            if (source := video.sources.get(tile.attendee_id)) is not None
            and self._attendee_id in (None, tile.attendee_id)
        ]
        if shown in tracks:
            return shown
        return tracks[0] if tracks else 0

    async def _see(self, track_ssrc: int) -> None:
        loop = asyncio.get_running_loop()
        offset: float | None = None
        with VideoReceiver(self._connection, track_ssrc) as receiver:
            async for picture in receiver:
                # In the recording, the time between two frames equals the time between them at the
                # sender, whatever delays the network adds.
                if offset is None:
                    offset = self._writer.seconds - picture.time
                at = max(picture.time + offset, 0.0)
                await loop.run_in_executor(self._thread, self._writer.write_video, picture, at)
